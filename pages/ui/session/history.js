// The browser's history has to be told what a step is: each of its addresses is a link of this dashboard (`s`), and
// Back and Forward run the app anew with it (mirror.py). Streamlit's client writes more into it than the steps
// somebody made:
//
// - A link between pages (st.page_link) writes its own `s` beside the one that was there, says that it was one
//   (`via`, which mirror.py reads), and its recipe for the form (`form.…`) is used up at once. In the history such
//   an address would be a step of its own before the tidy one that the app answers with: Back from there would
//   come to what is mended forward at once, and nobody could ever get past it.
// - While a page trains, it is run every moment. A run that was under way when somebody pressed Back still sends
//   what the page said before; as a new step it would cut off everything that lay ahead, and Forward were dead, and
//   in the place of the step that the browser has come to it would be lost.
// - A hop to another page in the middle of a run may leave the link out: that step would be the example's.
//
// So every address is tidied before it is written, one that changes nothing is not written, and no link is within a
// second of Back or Forward, or until the app has come to rest behind them: what it says then counts. Another page
// takes the place of the step that the browser has come to.
// There is no other place for this: the server hears of an address only after the browser has it.
if (!window.rankscopeAddress) { // once for each tab: every run of the app sends this again
  const { pushState, replaceState } = window.history;
  const STILL = 1000; // ms after Back or Forward
  let turned = -Infinity;

  // Steps that come thick and fast stop one another's runs, and a run that is stopped may have told the browser half
  // of what it had to say, or not that it is over. So after such a storm the app is asked once more. Whose word counts
  // where address and app then differ? After Back and Forward the address's, where somebody has come to: the app is
  // led there again. After a click or a key the app's ("r" runs it), and the address becomes the link that it holds:
  // Streamlit writes only what is new to its own notes.
  const CALM = 1500; // ms
  const MOST = 3; // times that the app is led to the address; one that still differs has mended it
  let stirred = -Infinity, waiting = 0, byHand = false, led = 0, dropped = false;
  const app = () => document.querySelector("[data-testid=stApp]");
  const isRunning = () => app()?.dataset.testScriptState !== "notRunning";
  const linkIn = (url) => url.searchParams.get("s") ?? "";
  const wait = (what) => { clearTimeout(waiting); waiting = setTimeout(what, CALM); };
  const runAgain = () => {
    wait(align);
    const key = { key: "r", code: "KeyR", keyCode: 82, bubbles: true };
    if (byHand) document.body.dispatchEvent(new KeyboardEvent("keydown", key));
    else {
      led += 1;
      window.dispatchEvent(new PopStateEvent("popstate", { state: window.history.state }));
    }
  };
  const align = () => {
    waiting = 0;
    const held = document.querySelector(".st-key-s input"), url = new URL(window.location.href);
    if (isRunning()) wait(align);
    else if (!held || linkIn(url) === held.value) led = 0;
    else if (!byHand && led < MOST) runAgain();
    else {
      if (held.value) url.searchParams.set("s", held.value); else url.searchParams.delete("s");
      (byHand && dropped ? pushState : replaceState).call(window.history, window.history.state, "", url.href);
      led = 0;
    }
    dropped &&= waiting > 0;
  };
  const stir = (event) => {
    if (!event.isTrusted) return;
    const now = performance.now(), back = event.type === "popstate";
    const fast = now - (back ? stirred : turned) < 2 * CALM;
    byHand = !back;
    if (back) turned = now;
    stirred = now;
    if (fast || waiting || (back && isRunning())) wait(runAgain);
    else if (back) wait(align);
  };
  window.addEventListener("popstate", stir);
  for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, stir, true);
  const isSettling = () => performance.now() - turned < STILL || (waiting > 0 && !byHand);

  window.rankscopeAddress = (address) => {
    const url = new URL(address, window.location.href), here = new URL(window.location.href);
    const hops = url.pathname !== here.pathname;
    const link = url.searchParams.getAll("s").at(-1) ?? (hops ? here.searchParams.get("s") : null);
    url.searchParams.delete("via");
    if (link) url.searchParams.set("s", link.split("..").filter((word) => !word.startsWith("form.")).join(".."));
    return url.href;
  };

  replaceState.call(window.history, window.history.state, "", window.rankscopeAddress(window.location.href));

  for (const [name, write] of Object.entries({ pushState, replaceState })) {
    window.history[name] = function (state, title, address) {
      if (address == null) { write.call(this, state, title); return; }
      const tidy = window.rankscopeAddress(address);
      if (tidy === window.location.href) return;
      const hops = new URL(tidy).pathname !== window.location.pathname;
      if (!isSettling()) write.call(this, state, title, tidy);
      else if (hops) replaceState.call(this, state, title, tidy); // the run that comes behind it says where we are
      else {
        dropped = true;
        if (!waiting) wait(align);
      }
    };
  }
}
