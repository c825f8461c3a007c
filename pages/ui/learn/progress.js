// What of the course is done, in the browser's own storage: it outlives the page and the server, and nobody else
// sees it.
const NAME = "rankscope-lessons";

function kept() {
  try {
    const list = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(list) ? list.map(String) : [];
  } catch {
    return []; // no storage, or something else in it
  }
}

export default function ({ data, setStateValue }) {
  const all = [...new Set([...(data.forget ? [] : kept()), ...data.done])].sort();
  try {
    localStorage.setItem(NAME, JSON.stringify(all));
  } catch {
    // a private window without storage: the session knows
  }
  if (all.length > data.done.length) setStateValue("done", all);
}
