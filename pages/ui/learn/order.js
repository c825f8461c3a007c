// A list whose entries are put in order: dragged, or moved by their buttons. The server hears of each new order.
const lists = new WeakMap();

function entry(item, place, of, move) {
  const line = document.createElement("li");
  line.draggable = true;
  line.dataset.id = item.id;
  const words = document.createElement("span");
  words.className = "words";
  words.innerHTML = item.html;
  line.append(words);
  for (const [sign, by, name] of [["▲", -1, "up"], ["▼", 1, "down"]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.dataset.way = name;
    button.disabled = place + by < 0 || place + by >= of;
    button.setAttribute("aria-label", `Move ${item.name} ${name}`);
    button.onclick = () => move(item.id, place + by, name);
    line.append(button);
  }
  return line;
}

function draw(root, list) {
  const move = (id, to, way) => {
    const at = list.items.findIndex((item) => item.id === id);
    const [moved] = list.items.splice(at, 1);
    list.items.splice(to, 0, moved);
    draw(root, list);
    const same = root.querySelector(`[data-id="${CSS.escape(id)}"] [data-way="${way}"]`);
    if (same) same.focus();
    list.told = list.items.map((item) => item.id);
    list.tell("order", list.told);
  };
  root.replaceChildren(...list.items.map((item, place) => entry(item, place, list.items.length, move)));
  root.ondragstart = (event) => { list.dragged = event.target.closest("li")?.dataset.id; };
  root.ondragover = (event) => event.preventDefault();
  root.ondrop = (event) => {
    event.preventDefault();
    const onto = event.target.closest("li")?.dataset.id;
    if (onto && list.dragged && onto !== list.dragged) {
      move(list.dragged, list.items.findIndex((item) => item.id === onto), "up");
    }
  };
}

export default function ({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".pages");
  const list = lists.get(root) ?? {};
  lists.set(root, list);
  list.tell = setStateValue;
  const wanted = data.items.map((item) => item.id);
  if (list.scene === data.scene && list.told && String(list.told) !== String(wanted)) return; // an answer on its way
  list.scene = data.scene;
  list.items = [...data.items];
  draw(root, list);
}
