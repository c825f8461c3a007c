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
// So every address is tidied before it is written, one that changes nothing is not written, and within a second
// of Back or Forward the step that the browser has come to is rewritten instead of followed by another.
// There is no other place for this: the server hears of an address only after the browser has it.
if (!window.rankscopeAddress) { // once for each tab: every run of the app sends this again
  const { pushState, replaceState } = window.history;
  const STILL = 1000; // ms after Back or Forward
  let turned = -Infinity;

  window.addEventListener("popstate", () => { turned = performance.now(); });

  window.rankscopeAddress = (address) => {
    const url = new URL(address, window.location.href);
    const link = url.searchParams.getAll("s").at(-1);
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
