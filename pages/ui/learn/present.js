// In a hall: arrow keys and clickers, which send PageUp and PageDown, turn the lessons; Escape leaves.
const TURNS = { ArrowLeft: "back", PageUp: "back", ArrowRight: "on", PageDown: "on", Escape: "leave" };

function turn(event) {
  if (event.target.closest("input, textarea, select, [role=radiogroup], [role=slider], [role=combobox]")) return;
  const button = document.querySelector(`.st-key-present-${TURNS[event.key] ?? "none"} button:not(:disabled)`);
  if (!button) return;
  event.preventDefault();
  button.click();
}

if (!window.rankscopeTurns) {
  window.rankscopeTurns = true;
  window.addEventListener("keydown", turn);
}
