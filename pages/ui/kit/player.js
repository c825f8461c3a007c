// Drives a plotly figure with frames: play, pause, step, back, any round. The frames play in the browser; the server
// hears of a round when the picture has come to rest on it and, where it plays slowly, in passing.
const REST = 250; // ms of rest after which the server is told
const PATIENCE = 20000; // ms that an answer of the server may take
const LOOK = 200; // ms between two looks at whether the figure shows the round it should

class Player {
  constructor(root) {
    this.root = root;
    this.range = root.querySelector('input[type="range"]');
    this.where = root.querySelector(".where");
    this.main = root.querySelector('[data-go="play"]');
    this.slow = root.querySelector("[data-slow]");
    this.round = 0;
    this.last = 0;
    this.playing = false;
    this.target = null; // the round that the figure is being taken to
    this.asked = null; // the round that the server was told last, or that it told
    this.under_way = []; // what it was told and has not answered yet: {round, at}
    this.passing = false; // whether it was told that round in passing
    this.known = new WeakSet();
    for (const button of root.querySelectorAll("[data-go]")) {
      button.onclick = () => this[button.dataset.go]();
    }
    this.slow.onchange = () => {
      this.tell("slow", this.slow.checked);
      if (this.playing) this.press(this.slow.checked ? 1 : 0);
    };
    this.range.oninput = () => this.go(Number(this.range.value));
    root.onkeydown = (event) => this.key(event);
    this.watch = setInterval(() => (root.isConnected ? this.look() : clearInterval(this.watch)), LOOK);
  }

  // The figure may come later than this bar, and be made anew: then it shows round 0.
  figure() {
    const plot = document.querySelector(`.st-key-${this.of} .js-plotly-plot`);
    if (!plot || !plot.on || !plot._fullLayout?.sliders?.[0]?._dims) return null;
    if (!this.known.has(plot)) {
      this.known.add(plot);
      plot.on("plotly_animatingframe", (frame) => this.show(Number(frame.name)));
      plot.on("plotly_animated", () => this.rest());
    }
    // This bar takes the place of the figure's own buttons and slider.
    const frame = plot.closest(`.st-key-${this.of}`);
    const height = `${Math.round(plot._fullLayout.height - plot._fullLayout._size.b + 46)}px`;
    if (frame.style.maxHeight !== height) { frame.classList.add("driven"); frame.style.maxHeight = height; }
    return plot;
  }

  look() {
    const plot = this.figure();
    if (plot && !this.playing && this.target === null && this.at(plot) !== this.round) this.go(this.round, true);
  }

  // The round that the figure shows; -1 if its slider stands at one and its traces at another. Plotly moves the slider
  // first, and an animation under way is lost when Streamlit hands it the figure again.
  at(plot) {
    const round = plot._fullLayout.sliders[0].active;
    const frame = plot._transitionData?._frames[round];
    const same = (wanted, drawn) => ["x", "y"].every((axis) => String(wanted[axis]) === String(drawn?.[axis]));
    return frame?.data.every((trace, i) => same(trace, plot.data[frame.traces[i]])) ? round : -1;
  }

  update(data, tell) {
    this.tell = tell;
    this.of = data.figure;
    this.last = data.n_rounds;
    this.range.max = data.n_rounds;
    const fresh = data.scene !== this.scene; // another training, another figure
    this.scene = data.scene;
    this.slow.checked = data.slow;
    this.under_way = fresh ? [] : this.under_way.filter((told) => Date.now() - told.at < PATIENCE);
    const answered = this.under_way.findIndex((told) => told.round === data.round);
    if (answered >= 0) this.under_way.splice(0, answered + 1);
    else if (fresh || data.round !== this.heard) {
      this.playing = false;
      this.target = null;
      this.under_way = [];
      this.passing = false;
      this.round = this.asked = data.round;
    }
    this.heard = data.round;
    this.label();
    this.look();
  }

  // Plotly's own buttons and slider, hidden, do the work.
  press(number) {
    const button = this.figure()?.querySelectorAll(".updatemenu-button")[number];
    if (button) button.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }

  go(round, quiet = false) {
    this.round = Math.max(0, Math.min(this.last, round));
    this.playing = false;
    this.label();
    const plot = this.figure();
    if (!plot) return;
    this.target = this.round;
    this.drag(plot, this.round, quiet);
  }

  // A figure that is still finding its size takes the mouse at another place: look, and drag again. What has not come
  // though the slider stands right may be under way: it gets a few looks more.
  drag(plot, round, quiet, tries = 12) {
    if (this.target !== round) return;
    if (this.at(plot) === round || !tries || !plot.isConnected) {
      this.target = null;
      if (!quiet) this.rest();
      return;
    }
    const slider = plot._fullLayout.sliders[0];
    if (slider.active !== round || tries % 6 === 0) {
      const group = plot.querySelector(".slider-group"), box = group.getScreenCTM();
      const inset = (slider.stepInset ?? 10) + slider._dims.inputAreaStart;
      const length = slider._dims.inputAreaLength - 2 * inset;
      const x = box.e + box.a * (inset + (length * round) / Math.max(1, this.last));
      const event = { bubbles: true, cancelable: true, clientX: x, clientY: box.f };
      group.__data__.active = -1; // it does nothing where it believes to be already
      plot.querySelector(".slider-rail-touch-rect").dispatchEvent(new MouseEvent("mousedown", event));
      plot.dispatchEvent(new MouseEvent("mouseup", event));
    }
    setTimeout(() => this.drag(plot, round, quiet, tries - 1), 40);
  }

  // What the figure shows by itself: while it plays.
  show(round) {
    if (this.target !== null || !this.playing) return;
    this.round = round;
    this.label();
    // One question at a time: a server that is busy hears of fewer rounds.
    this.under_way = this.under_way.filter((told) => Date.now() - told.at < PATIENCE);
    if (this.slow.checked && !this.under_way.length && round !== this.asked && round < this.last) this.ask(true);
  }

  // Tell the server where the picture is; it answers with the same round. The time makes each word another one.
  ask(passing) {
    const told = { round: this.round, passing, at: Date.now() };
    this.asked = this.round;
    this.passing = passing;
    this.under_way.push(told);
    this.tell("told", told);
  }

  label() {
    this.range.value = this.round;
    this.where.textContent = `Round ${this.round} of ${this.last}`;
    this.where.setAttribute("aria-live", this.playing ? "off" : "polite");
    this.main.textContent = this.playing ? "❚❚ Pause" : "▶ Play";
    this.main.setAttribute("aria-label", this.playing ? "Pause" : "Play");
  }

  rest() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      if (this.target !== null || (this.playing && this.round < this.last)) return;
      this.playing = false;
      this.label();
      if (this.round !== this.asked || this.passing) this.ask(false);
    }, REST);
  }

  play() {
    if (this.playing) return this.pause();
    if (!this.figure()) return;
    if (this.round >= this.last) this.go(0, true);
    const start = () => {
      if (this.target !== null) return setTimeout(start, 20);
      this.playing = true;
      this.label();
      this.press(this.slow.checked ? 1 : 0);
    };
    start();
  }

  pause() { this.playing = false; this.press(2); this.label(); this.rest(); }
  step() { this.go(this.round + 1); }
  back() { this.go(this.round - 1); }
  first() { this.go(0); }
  final() { this.go(this.last); }

  key(event) {
    if (event.target.tagName === "INPUT") return; // the slider has its own keys
    const does = { ArrowRight: "step", ArrowLeft: "back", Home: "first", End: "final" }[event.key];
    if (does) { event.preventDefault(); this[does](); }
  }
}

// Plotly rejects the promise of an animation that was interrupted, which is no error here.
window.addEventListener("unhandledrejection", (event) => { if (event.reason === undefined) event.preventDefault(); });

const players = new WeakMap();

export default function ({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".player");
  if (!players.has(root)) players.set(root, new Player(root));
  players.get(root).update(data, setStateValue);
}
