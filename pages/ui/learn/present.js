// In a hall: arrow keys and clickers, which send PageUp and PageDown, reveal a lesson block by block, then turn to
// the next one; End shows all of it, Escape leaves. What is not yet revealed keeps its place: nothing jumps.
if (!window.rankscopeTurns) {
  window.rankscopeTurns = true; // the script comes with each drawing of the page
  const TURNS = { ArrowLeft: "back", PageUp: "back", ArrowRight: "on", PageDown: "on", Escape: "leave" };
  const ALL = Infinity;

  const sheet = document.createElement("style");
  let hall = false;
  let lesson = null; // its title
  let shown = 1; // so many of its blocks

  function blocks() {
    return [...document.querySelectorAll(".st-key-blocks > *")];
  }

  // While the page is drawn anew the title, or the hall's buttons, may be gone for a moment: it is the same lesson.
  function reveal() {
    if (document.querySelector(".st-key-present-turn")) hall = true;
    else if (document.querySelector(".st-key-present-begin")) hall = false;
    const title = hall ? (document.querySelector(".st-key-lesson h3.lesson")?.textContent ?? lesson) : null;
    if (title !== lesson) [lesson, shown] = [title, 1];
    const hides = hall && shown !== ALL;
    const coming = `.st-key-blocks > :nth-child(n + ${shown + 1})`;
    const rule = hides ? `${coming}, ${coming} * { visibility: hidden !important; }` : "";
    if (sheet.textContent !== rule) sheet.textContent = rule;
  }

  function turn(event) {
    if (event.target.closest("input, textarea, select, [role=radiogroup], [role=slider], [role=combobox]")) return;
    reveal(); // where we are
    const way = TURNS[event.key];
    const button = document.querySelector(`.st-key-present-${way ?? "none"} button`);
    if (event.key === "End" && document.querySelector(".st-key-present-turn")) shown = ALL;
    else if (!button) return;
    else if (way === "on" && shown !== ALL) {
      const list = blocks();
      shown = shown + 1 < list.length ? shown + 1 : ALL;
      list[Math.min(shown, list.length) - 1]?.scrollIntoView({ block: "nearest", behavior: "smooth" });
    } else if (way === "back" && shown !== ALL && shown > 1) shown -= 1;
    else button.click();
    event.preventDefault();
    reveal();
  }

  document.head.append(sheet);
  window.addEventListener("keydown", turn);
  new MutationObserver(reveal).observe(document.body, { childList: true, characterData: true, subtree: true });
  reveal();
}
