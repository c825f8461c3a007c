// A column's head in the run table is a button: the server hears which one was pressed. The table is drawn anew with
// each answer, and while runs train with every look at them; the head that had the focus keeps it.
let tell = null;
let held = null; // the head that has the focus
const nameOf = (event) => event.target.closest?.("button[data-sort]")?.dataset.sort ?? null;

document.addEventListener("click", (event) => {
  const name = nameOf(event);
  if (name !== null) tell?.(name);
});
document.addEventListener("focusin", (event) => { held = nameOf(event); });
document.addEventListener("pointerdown", (event) => { held = nameOf(event); });
new MutationObserver(() => {
  if (held === null || document.activeElement !== document.body) return;
  document.querySelector(`button[data-sort="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
}).observe(document.body, { childList: true, subtree: true });

export default function ({ setTriggerValue }) {
  tell = (name) => setTriggerValue("by", name);
}
