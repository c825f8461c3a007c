// The browser's history has to be told what a step is: each of its addresses is a link of this dashboard (`s`), and
// Back and Forward run the app anew with it (mirror.py). Streamlit's client writes more into it than the steps
// somebody made:
//
// - A link between pages (st.page_link) writes its own `s` beside the one that was there, says that it was one
//   (`via`, which mirror.py reads), and its recipe for the form (`form.…`) is used up at once. In the history such
//   an address would be a step of its own before the tidy one that the app answers with: Back from there would
//   come to what is mended forward at once, and nobody could ever get past it.
// - While a page trains, it is run every moment. A run that was under way when somebody pressed Back still sends
//   what the page said before; as a new step it would cut off everything that lay ahead, and Forward were dead.
//
// - A hop to another page in the middle of a run may leave the link out: that step would be the example's.
//
// So every address is tidied before it is written, one that changes nothing is not written, and within a second
// of Back or Forward the step that the browser has come to is rewritten instead of followed by another.
// There is no other place for this: the server hears of an address only after the browser has it.
if (!window.rankscopeAddress) { // once for each tab: every run of the app sends this again
  const { pushState, replaceState } = window.history;
  const STILL = 1000; // ms after Back or Forward
  let turned = -Infinity;

  // Steps that come thick and fast stop one another's runs, and a run that is stopped may have told the browser half
  // of what it had to say, or not that it is over. So after such a storm the app is run once more ("r" is the key), and
  // the address becomes the link that the app holds by then: Streamlit writes only what is new to its own notes.
  const CALM = 1500; // ms
  let stirred = -Infinity, waiting = 0;
  const app = () => document.querySelector("[data-testid=stApp]");
  const isRunning = () => app()?.dataset.testScriptState !== "notRunning";
  const runAgain = () => {
    waiting = setTimeout(align, CALM);
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "r", code: "KeyR", keyCode: 82, bubbles: true }));
  };
  const align = () => {
    waiting = isRunning() ? setTimeout(align, CALM) : 0;
    const held = document.querySelector(".st-key-s input");
    if (waiting || !held) return;
    const url = new URL(window.location.href);
    if ((url.searchParams.get("s") ?? "") === held.value) return;
    if (held.value) url.searchParams.set("s", held.value); else url.searchParams.delete("s");
    replaceState.call(window.history, window.history.state, "", url.href);
  };
  const stir = (event) => {
    const now = performance.now(), back = event.type === "popstate";
    const fast = now - (back ? stirred : turned) < 2 * CALM;
    if (back) turned = now;
    stirred = now;
    if (!fast && !waiting && !(back && isRunning())) return;
    clearTimeout(waiting);
    waiting = setTimeout(runAgain, CALM);
  };
  window.addEventListener("popstate", stir);
  for (const kind of ["pointerdown", "keydown"]) {
    window.addEventListener(kind, (event) => { if (event.isTrusted) stir(event); }, true);
  }

  window.rankscopeAddress = (address) => {
    const url = new URL(address, window.location.href), here = new URL(window.location.href);
    const hops = url.pathname !== here.pathname;
    const link = url.searchParams.getAll("s").at(-1) ?? (hops ? here.searchParams.get("s") : null);
    url.searchParams.delete("via");
    if (link) url.searchParams.set("s", link.split("..").filter((word) => !word.startsWith("form.")).join(".."));
    return url.href;
  };

  replaceState.call(window.history, window.history.state, "", window.rankscopeAddress(window.location.href));

  window.history.pushState = function (state, title, address) {
    const tidy = window.rankscopeAddress(address);
    const change = performance.now() - turned < STILL ? replaceState : pushState;
    if (tidy !== window.location.href) change.call(this, state, title, tidy);
  };
}
