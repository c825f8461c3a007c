"""The pieces of Data: the list of sets, the upload, a set's form and figures, its pictures."""

from __future__ import annotations

from html import escape

import streamlit as st

from ltr_core import DataError, Param, ParameterError
from ltr_core.datasets import DataSet
from ltr_core.datasets.base import SEED

from ..charts.data import draw_by_grade, draw_grades, draw_sizes
from ..kit import panel
from ..kit.drawn import drawn
from ..kit.form import draw_params
from ..kit.marks import requirements, table
from ..runs import screens, uploads
from ..runs.catalog import FILES, UPLOAD, Entry
from ..runs.screens import Screen
from ..runs.services import services
from ..session import bound, mirror, state
from ..style.words import SPLIT_NAMES, count
from ..tables import dataset as results
from ..tables.dataset import PARTS, Looked

_LARGE = 20_000_000  # feature values: sets beyond are generated when that is asked for
_MOST_LINES = 100
_WHERE = {FILES: "in data/", UPLOAD: "yours"}


def choose(screen: Screen) -> Entry:
    """Draw the list of sets and return the one that is looked at."""
    known = screens.entries()
    name = state.get("data_look")
    name = name if name in known else screen.entry.name

    def words(key: str) -> str:
        where = next((w for start, w in _WHERE.items() if key.startswith(start)), "generated")
        label = known[key].label.removesuffix(" (yours)")
        return f"**{label}** · {where}" if key == screen.entry.name else f"{label} · {where}"

    bound.radio("data_look", "Data sets", list(known), name, words)
    return known[name]


def upload() -> None:
    """Draw the place for files, read what has arrived, and say line by line what is wrong with it."""
    st.file_uploader(
        "Add a file",
        key="upload",
        on_change=_arrived,
        max_upload_size=uploads.MAX_MB,
        help="LETOR or SVMlight text, .csv, .tsv or .parquet, also as .gz, .bz2 or .zst. It stays in this "
        f"session. Files above {uploads.MAX_MB} MB and LETOR folders go into the folder data/ instead, and "
        "appear here by themselves.",
    )
    sent = state.pending()
    if sent is None:
        return
    entry = uploads.entry_of(*sent)
    spec = screens.spec_for(entry)
    try:
        with st.spinner(f"Reading {sent[1].name} …"):
            uploads.refuse_bomb(sent[1])
            services().splits(spec, entry)
    except (DataError, ParameterError) as error:
        with panel.panel(f"{escape(sent[1].name)} cannot be read"):
            _draw_problems(entry, spec, str(error))
        return
    state.put("data_look", uploads.accept(*sent))
    st.rerun()


def _arrived() -> None:
    file = st.session_state["upload"]
    if file is None:
        state.set_pending()
    else:
        uploads.arrive(file, file.name)


def _draw_problems(entry: Entry, spec, sentence: str) -> None:
    frame = services().memo.make(("problems", spec), lambda: uploads.problems(entry, spec))
    if frame.empty:
        st.error(sentence, icon=":material/error:")
        return
    files = frame["file"].nunique() > 1
    head = [
        *([("left", "file")] if files else []),
        ("", "line"),
        ("left", "column"),
        ("left", "what is wrong"),
    ]
    rows = [
        (f'<td class="left">{escape(row["file"])}</td>' if files else "")
        + f"<td>{_place(row['line'])}</td><td class='left'>{_place(row['column'])}</td>"
        f'<td class="left wrap">{escape(row["problem"])}</td>'
        for row in frame.to_dict("records")
    ]
    with st.container(height=min(420, 70 + 44 * len(rows)), border=True, key="problems"):
        st.html(table(head, rows, "runs tight problems"))
    many = f"the first {_MOST_LINES} problems" if len(frame) >= _MOST_LINES else count(len(frame), "problem")
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption(f"{many[:1].upper()}{many[1:]}. What was on screen before is untouched.", width="stretch")
        panel.csv(frame, "problems")
    if entry.params == () and frame["problem"].str.contains("is missing", regex=False).any():
        _draw_missing()


def _place(value: object) -> str:
    return "–" if value is None else escape(str(value))


def _draw_missing() -> None:
    _form((state.CONTROLS["missing"],), "")


def _form(params: tuple[Param, ...], owner: str) -> None:
    """Draw parameters of the frame once more: both follow one another."""

    def key(name: str) -> str:
        return state.key(owner, name) if owner else name

    for param in params:
        state.put(f"make:{key(param.name)}", state.get(key(param.name)))

    def take(name: str) -> None:
        state.put(key(name), st.session_state[f"make:{key(name)}"])

    draw_params(params, lambda name: f"make:{key(name)}", {}, on_change=take)


def head(screen: Screen, entry: Entry) -> Looked:
    """Draw a set's name, its form and its button; read it and return it."""
    in_use = entry.name == screen.entry.name
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p class="headline">{escape(entry.label)}</p>', width="stretch")
        st.button(
            "In use" if in_use else "Use this set",
            type="primary",
            key="use-data",
            disabled=in_use,
            icon=":material/check:" if in_use else None,
            on_click=state.put,
            args=("data", entry.name),
            help="The runs on screen are trained on it, here and on every page.",
        )
    generator = entry.source if isinstance(entry.source, DataSet) else None
    st.html(f'<p class="verdict">{escape(generator.description if generator else entry.summary)}</p>')
    _form(
        (*entry.params, SEED) if generator else (state.CONTROLS["missing"],), entry.name if generator else ""
    )
    return _read(screen, entry, in_use)


def _read(screen: Screen, entry: Entry, in_use: bool) -> Looked:
    if in_use:
        return Looked(entry, screen.data, screen.splits, True, screen.problem)
    spec = screens.spec_for(entry)
    if _is_large(entry) and not services().peek(spec):
        st.html('<p class="note">This set is large, and takes some seconds to make.</p>')
        if not st.button("Make it and look", key="make-large"):
            return Looked(entry, spec, None, False)
    try:
        with st.spinner(f"Reading {entry.label} …"):
            return Looked(entry, spec, services().splits(spec, entry), False)
    except (DataError, ParameterError) as error:
        return Looked(entry, spec, None, False, str(error))


def _is_large(entry: Entry) -> bool:
    values = {p.name: state.get(state.key(entry.name, p.name)) for p in entry.params}
    sizes = [values[name] or 50 for name in ("n_queries", "n_docs", "n_features") if name in values]
    cells = 1
    for size in sizes:
        cells *= size
    return cells > _LARGE


def facts(seen: Looked) -> None:
    """Draw the main figures of the three parts, and what is odd; or what is wrong with the files."""
    if seen.splits is None:
        if seen.problem:
            _draw_problems(seen.entry, seen.spec, seen.problem)
        return
    frame = results.figures(seen)
    rows = [
        f'<th scope="row" class="left">{name}</th>' + "".join(f"<td>{escape(v)}</td>" for v in values)
        for name, values in zip(frame.index, frame.to_numpy(), strict=True)
    ]
    st.html(table([("", ""), *(("", SPLIT_NAMES[part]) for part in PARTS)], rows))
    st.html(requirements(results.remarks(seen)))


def pictures(seen: Looked) -> None:
    """Draw grades and list lengths of the part chosen, and its features."""
    if seen.splits is None:
        return
    part = state.get("data_part")
    left, right = st.columns(2, gap="medium")
    with left:
        frame = results.grades(seen, part)

        def tools() -> None:
            panel.choose("data_part", {"train": "train", "valid": "valid", "test": "test"})
            panel.csv(frame, "grades")

        with panel.panel("Grades", f"documents of each, {SPLIT_NAMES[part]}", tools):
            alt = f"How many {SPLIT_NAMES[part]} documents have each grade, as bars"
            panel.chart(drawn(draw_grades, frame, screens.last().colours), alt, "data-grades")
    with right:
        sizes = results.sizes(seen, part)
        with panel.panel(
            "Lengths of lists", f"queries, {SPLIT_NAMES[part]}", lambda: panel.csv(sizes, "lengths")
        ):
            alt = f"How many {SPLIT_NAMES[part]} queries have how many documents, as bars"
            panel.chart(drawn(draw_sizes, sizes, screens.last().colours), alt, "data-sizes")
    left, right = st.columns(2, gap="medium")
    with left:
        _draw_features(seen, part)
    with right:
        _draw_feature(seen, part)
    mirror.settle()


def _draw_features(seen: Looked, part: str) -> None:
    frame = results.features(seen, part)
    note = "a click on a row looks into it; r: correlation with the grade"
    with panel.panel("Features", note, lambda: panel.csv(frame, "features")):
        shown = frame[["feature", "correlation", "low", "mean", "high", "zeros"]]
        number = st.column_config.NumberColumn
        bound.table(
            "data_feature",
            shown,
            "feature",
            "data-features",
            height=330,
            alt="A row for each feature: correlation with the grade, smallest, mean and largest value, zeros",
            column_config={
                "correlation": number("r", format="%+.3f", help="Pearson's, over all documents of the part"),
                "low": number("smallest", format="%.4g"),
                "mean": number("mean", format="%.4g"),
                "high": number("largest", format="%.4g"),
                "zeros": number("zeros", format="percent", help="The share of values that are 0"),
            },
        )


def _draw_feature(seen: Looked, part: str) -> None:
    features = results.features(seen, part)
    names = list(features["feature"])
    name = state.get("data_feature")
    name = name if name in names else results.closest_feature(features)
    frame = results.by_grade(seen, part, name)
    scale = state.get("data_scale")

    def tools() -> None:
        panel.choose("data_scale", {"share": "shares", "documents": "documents"})
        panel.csv(frame, "feature")

    note = "how its values lie in each grade" if scale == "share" else "documents of each grade, by its value"
    with panel.panel("One feature", note, tools):
        bound.select("data_feature", "Feature", names, name, label_visibility="collapsed")
        alt = f"Histograms of {name}, one for each grade, the best grade on top"
        panel.chart(
            drawn(draw_by_grade, frame, name, scale, screens.last().colours, 290), alt, "data-feature"
        )
