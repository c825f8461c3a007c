"""Charts are pure functions from tables to figures: what is in the table is in the figure."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.charts.base import log_ticks, spread, widened
from pages.ui.charts.curves import draw_curves, draw_depths, draw_multiples
from pages.ui.charts.data import draw_by_grade, draw_grades
from pages.ui.charts.functions import draw_losses
from pages.ui.charts.models import draw_tree
from pages.ui.charts.rankings import FADED, draw_slopes
from pages.ui.charts.spark import sparkline
from pages.ui.kit import html as tables
from pages.ui.style.lettering import cut, cut_apart, in_two_lines, told_apart, width_of
from pages.ui.style.theme import DARK, LIGHT, SLOT_DASHES, SLOT_MARKERS, VISIBLE, contrast, mixed, stroke

LOOKS = {slot: stroke(slot, slot == 0, LIGHT) for slot in range(10)}


def curves(n_runs=2, n_rounds=20, splits=("test",)):
    rng = np.random.default_rng(0)
    rows = [
        (slot, f"run {slot}", split, i, 0.3 + slot / 20 + rng.random() / 50)
        for slot in range(n_runs)
        for split in splits
        for i in range(n_rounds + 1)
    ]
    return pd.DataFrame(rows, columns=["slot", "run", "split", "iteration", "value"])


def lines_of(figure):
    return [trace for trace in figure.data if "lines" in trace.mode]


def test_every_value_is_in_the_figure():
    frame = curves()
    figure = draw_curves(frame, LOOKS, "NDCG@5")
    for slot, trace in enumerate(lines_of(figure)):
        rows = frame[frame["slot"] == slot]
        assert list(trace.x) == list(rows["iteration"]) and list(trace.y) == list(rows["value"])
        assert trace.line.color == LOOKS[slot].colour and trace.line.dash == LOOKS[slot].dash
    low, high = figure.layout.yaxis.range
    assert low < frame["value"].min() and high > frame["value"].max()
    assert figure.layout.yaxis.title.text == "NDCG@5" and figure.layout.xaxis.title.text == "round"


def test_an_axis_is_never_shorter_than_digits_that_are_read():
    low, high = widened(0.483, 0.483002, 0.06)
    assert 0.0009 < high - low < 0.0012 and low < 0.483 < 0.483002 < high
    assert widened(0.3, 0.5, 0.1) == pytest.approx((0.28, 0.52))
    assert widened(2.0, 2.0, 0.1) == (1.95, 2.05)
    assert widened(-1e-9, 1e-9, 0.5) == pytest.approx((-2e-9, 2e-9))  # small numbers about zero are seen


def test_hovering_shows_what_the_table_prints():
    (trace, _) = lines_of(draw_curves(curves(), LOOKS, ""))
    assert trace.hovertemplate == "%{y:.4f}"


def test_the_chosen_round_is_marked():
    frame = curves()
    marks = pd.DataFrame({"slot": [0, 1], "iteration": [7, 0]})
    figure = draw_curves(frame, LOOKS, "", marks)
    found = [(t.x[0], t.y[0], t.marker.symbol) for t in figure.data if t.mode == "markers"]
    assert found == [
        (i, frame[(frame["slot"] == slot) & (frame["iteration"] == i)]["value"].item(), SLOT_MARKERS[slot])
        for slot, i in ((0, 7), (1, 0))
    ]


def test_up_to_six_lines_are_labelled_directly_and_more_get_a_legend():
    six, seven = draw_curves(curves(6), LOOKS, ""), draw_curves(curves(7), LOOKS, "")
    assert [a.text for a in six.layout.annotations] and not six.layout.showlegend
    assert not seven.layout.annotations and seven.layout.showlegend
    assert {a.text for a in six.layout.annotations} == {f"run {i}" for i in range(6)}


def test_all_three_splits_can_be_told_apart():
    figure = draw_curves(curves(2, splits=("train", "valid", "test")), LOOKS, "")
    assert [t.name for t in lines_of(figure)][:3] == ["run 0, train", "run 0, valid", "run 0, test"]
    assert len({t.line.width for t in lines_of(figure)[:3]}) == 3
    assert len(figure.layout.annotations) == 2


def test_a_logarithmic_axis_says_what_it_leaves_out():
    frame = curves()
    figure = draw_curves(frame, LOOKS, "", log_x=True, log_y=True)
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    assert "round 0" in figure.layout.xaxis.title.text
    assert min(lines_of(figure)[0].x) == 1
    low, high = figure.layout.yaxis.range
    assert 10**low < frame["value"].min() and 10**high > frame["value"].max()


@pytest.mark.parametrize(
    "frame", [curves(0), curves(1, 0), curves().assign(value=math.nan), curves().assign(value=1.0)]
)
def test_there_may_be_little_to_draw(frame):
    for log in (False, True):
        figure = draw_curves(frame, LOOKS, "", log_x=log, log_y=log)
        low, high = figure.layout.yaxis.range
        assert high > low


def test_the_best_round_is_an_outline_where_another_is_compared():
    marks = pd.DataFrame({"slot": [0, 0], "iteration": [4, 20], "hollow": [True, False]})
    found = [t for t in draw_curves(curves(1), LOOKS, "", marks).data if t.mode == "markers"]
    assert [(t.x[0], t.marker.color) for t in found] == [(4, LIGHT.surface), (20, LOOKS[0].colour)]


def test_ten_lines_differ_without_colour():
    """The legend has line and marker of each, and the markers stand along the lines."""
    figure = draw_curves(curves(10), LOOKS, "")
    entries = [t for t in figure.data if t.showlegend is not False]
    assert [t.name for t in entries] == [f"run {i}" for i in range(10)]
    assert len({(t.line.dash, t.marker.symbol) for t in entries}) == 10
    along = [t for t in figure.data if t.mode == "markers"]
    assert {t.marker.symbol for t in along} == {*SLOT_MARKERS} and all(len(t.x) >= 3 for t in along)
    assert figure.layout.height > draw_curves(curves(6), LOOKS, "").layout.height  # the axes keep their room


@pytest.mark.parametrize("log", [False, True])
def test_bands_are_the_deviation_and_the_legend_says_so(log):
    frame = curves(2).assign(deviation=0.02)
    frame.loc[5, "deviation"] = 1.0  # below 0 with it
    figure = draw_curves(frame, LOOKS, "", log_y=log, said="5 folds")
    bands = [t for t in figure.data if t.fill == "toself"]
    low, high = figure.layout.yaxis.range
    for slot, trace in enumerate(bands):
        rows = frame[frame["slot"] == slot]
        n = len(rows)
        assert list(trace.y[:n]) == list(rows["value"] + rows["deviation"])
        below = np.array(trace.y[n:][::-1])
        wanted = rows["value"] - rows["deviation"]
        assert np.allclose(below, wanted.clip(lower=10**low) if log else wanted)
        assert trace.fillcolor == LOOKS[slot].colour and trace.hoverinfo == "skip"
    top = math.log10(max(bands[0].y)) if log else max(bands[0].y)
    assert len(bands) == 2 and high > top
    shown = [t.name for t in figure.data if t.showlegend is not False]
    assert shown == ["mean of 5 folds", "± 1 standard deviation"]


def test_from_three_runs_up_the_deviation_stands_at_the_lines_ends():
    frame = curves(3).assign(deviation=0.02)
    depths = frame[frame["iteration"].between(1, 10)].rename(columns={"iteration": "k"})
    pictures = (
        draw_curves(frame, LOOKS, "", said="5 folds"),
        draw_curves(frame, LOOKS, "", log_x=True, said="5 folds"),
        draw_depths(depths, LOOKS, "", said="5 folds"),
    )
    for figure in pictures:
        assert not [t for t in figure.data if t.fill]
        ends = [t for t in figure.data if t.error_y.array is not None]
        assert [t.meta["slot"] for t in ends] == [0, 1, 2]
        last = max(t.x[-1] for t in figure.data if t.mode.startswith("lines") and t.x[-1] is not None)
        places = [t.x[0] for t in ends]
        assert sorted({*places}) == places and places[0] > last  # side by side, beside the lines
        log = figure.layout.xaxis.type == "log"
        assert figure.layout.xaxis.range[1] > (math.log10(places[-1]) if log else places[-1])
    for slot, end in enumerate(e for e in pictures[0].data if e.error_y.array is not None):
        assert end.error_y.array[0] == 0.02
        assert end.y[0] == frame[frame["slot"] == slot]["value"].iloc[-1]


def test_a_smoothed_line_keeps_its_own_faint_behind():
    frame = curves(1)
    raw, smoothed = lines_of(draw_curves(frame, LOOKS, "", smooth=5))
    assert list(raw.y) == list(frame["value"]) and raw.opacity < 0.5
    assert raw.hovertemplate and smoothed.hoverinfo == "skip"  # what is told is what the table says
    y = frame["value"].to_numpy()
    wanted = [y[max(0, i - 2) : i + 3].mean() for i in range(len(y))]
    assert np.allclose(smoothed.y, wanted) and smoothed.line.color == LOOKS[0].colour


def test_a_trace_and_a_label_say_whose_they_are():
    figure = draw_curves(curves(3), LOOKS, "")
    assert [t.meta["slot"] for t in lines_of(figure)] == [0, 1, 2]
    assert {a.name for a in figure.layout.annotations} == {"slot-0", "slot-1", "slot-2"}


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (1, 60, "1 2 5 10 20 50"),
        (1, 2000, "1 2 5 10 20 50 100 200 500 1,000 2,000"),
        (1e-4, 100, "0.0001 0.001 0.01 0.1 1 10 100"),
        (0.55, 1.0, "0.6 0.7 0.8 0.9 1"),
        (3, 4, "3 3.2 3.4 3.6 3.8 4"),
    ],
)
def test_ticks_of_a_logarithmic_axis_read(low, high, ticks):
    found = log_ticks(low, high)
    assert " ".join(found["ticktext"]) == ticks
    assert [float(text.replace(",", "")) for text in found["ticktext"]] == pytest.approx(found["tickvals"])


def test_a_long_name_takes_its_room_and_no_more_and_hovering_tells_the_rest():
    def margin(name):
        figure = draw_curves(curves(1).assign(run=name), LOOKS, "")
        (label,) = figure.layout.annotations
        assert name in label.hovertext
        return figure.layout.margin.r, label.text

    short, long = margin("LDD"), margin("LambdaMART 0.05 learning rate")
    assert short[0] < 45 and short[1] == "LDD"
    assert short[0] < long[0] <= 125 and long[1].endswith("…")


def test_in_a_narrow_window_a_legend_names_each_line_as_it_is_drawn():
    frame = curves(2, splits=("train", "test")).replace({"run": {"run 1": "LambdaMART 0.05 <rate>" * 3}})
    figure = draw_curves(frame, LOOKS, "")
    told = figure.layout.meta["narrow"]
    assert told["labels"] == [0, 1] and len(figure.layout.annotations) == 2
    for slot, entry in enumerate(told["names"]):
        last = next(t for t in reversed(figure.data) if t.meta == {"slot": slot} and t.mode == "lines")
        assert (entry["line"]["color"], entry["line"]["dash"]) == (last.line.color, last.line.dash)
    assert told["names"][0]["name"] == "run 0"
    assert told["names"][1]["name"].startswith("LambdaMART 0.05 &lt;rate&gt;")
    assert told["names"][1]["name"].endswith("…")


@pytest.mark.parametrize("n_runs", [0, 1, 2, 3, 10])
def test_small_multiples_share_their_axes(n_runs):
    frame = curves(n_runs)
    marks = pd.DataFrame({"slot": range(n_runs), "iteration": 3})
    figure = draw_multiples(frame, LOOKS, "NDCG@5", marks, behind=0)
    for slot in range(n_runs):
        rows = frame[frame["slot"] == slot]
        (own,) = [t for t in figure.data if t.mode == "lines" and t.name == f"run {slot}"]
        assert list(own.x) == list(rows["iteration"]) and list(own.y) == list(rows["value"])
        here = [t for t in figure.data if t.xaxis == own.xaxis]
        assert [t.x[0] for t in here if t.mode == "markers"] == [3]
        assert any(t.name is None and t.mode == "lines" for t in here) == (slot != 0)  # the baseline behind
    axes = figure.layout.to_plotly_json()
    for kind in ("xaxis", "yaxis"):
        assert len({tuple(v["range"]) for k, v in axes.items() if k.startswith(kind)}) == 1
    names = [a.text for a in figure.layout.annotations]
    assert all(f"run {slot}" in names for slot in range(n_runs))


def test_depths_with_deviations():
    frame = pd.DataFrame({"slot": 0, "run": "a", "k": [1, 2], "value": [0.2, 0.4], "deviation": [0.1, 0.3]})
    figure = draw_depths(frame, LOOKS, "NDCG@k", said="3 seeds")
    band = figure.data[0]
    assert list(band.y) == pytest.approx([0.3, 0.7, 0.1, 0.1])
    low, high = figure.layout.yaxis.range
    assert low < 0.1 and high > 0.7
    assert "mean of 3 seeds" in [t.name for t in figure.data]


def test_depths():
    frame = pd.DataFrame(
        {
            "slot": [0] * 3 + [4] * 3,
            "run": ["a"] * 3 + ["b"] * 3,
            "k": [1, 2, 3] * 2,
            "value": [0.1, 0.2, 0.3, 0.2, math.nan, 0.4],
        }
    )
    first, second = draw_depths(frame, LOOKS, "NDCG@k").data
    assert list(first.y) == [0.1, 0.2, 0.3] and list(second.x) == [1, 3]
    assert draw_depths(frame[:0], LOOKS, "NDCG@k").data == ()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=10).map(sorted), st.floats(0.01, 0.09))
def test_labels_do_not_cover_one_another(places, gap):
    moved = spread(places, gap, 0.0, 1.0)
    assert all(b - a >= gap * 0.999 for a, b in zip(moved, moved[1:], strict=False))
    assert min(moved) > -1e-9 and max(moved) < 1 + 1e-9


def test_labels_with_room_stay_where_they_are():
    assert spread([0.1, 0.5, 0.9], 0.1, 0.0, 1.0) == [0.1, 0.5, 0.9]


def test_slots_are_never_told_apart_by_colour_alone():
    assert len({*LIGHT.slots}) == len({*DARK.slots}) == len({*SLOT_MARKERS}) == 10
    assert len({(dash, marker) for dash, marker in zip(SLOT_DASHES, SLOT_MARKERS, strict=True)}) == 10


def test_the_baseline_is_thick_neutral_and_dashed():
    for colours in (LIGHT, DARK):
        base, other = stroke(3, True, colours), stroke(3, False, colours)
        assert base.colour == colours.text and base.width > other.width and base.dash != "solid"
        assert other.colour == colours.slots[3]


def test_sparklines():
    import base64

    picture = sparkline([0.1, 0.5, math.nan, 0.3], "#123456", mark=1)
    svg = base64.b64decode(picture.partition("base64,")[2].partition('"')[0]).decode()
    assert svg.count(",") == 3 and "#123456" in svg and "<circle" in svg
    assert sparkline([0.5], "#000") == "" == sparkline([], "#000")
    assert len(sparkline(np.arange(100_000.0), "#000")) < 5000


def run_rows(**first):
    nothing = dict.fromkeys(("difference", "p", "better", "n_queries", "sentence"), math.nan)
    base = {
        "slot": 0,
        "run": "A <b>",
        "state": "done",
        "best": 0.5,
        "at": 3,
        "last": 0.4,
        "test": 0.45,
        "compared": 3,
        "seconds": 0.5,
        "wall": 0.7,
        "rounds": 9,
        "ended": "rounds",
        **nothing,
    }
    found = {"difference": -0.01, "p": 0.04, "better": 3, "n_queries": 7, "sentence": "s"}
    other = base | {"slot": 1, "run": "B"} | found
    return pd.DataFrame([base | first, other])


def test_the_run_table_prints_the_numbers_and_escapes_the_names():
    html = tables.run_table_html(run_rows(), LOOKS, "NDCG@5", 0, {0: np.arange(10.0)})
    assert "A &lt;b&gt;" in html and "<b>" not in html
    assert "★ baseline" in html and "▼ −0.0100" in html
    assert "p = 0.040, better on 3 of 7 queries" in html
    assert all(number in html for number in ("0.4500", "0.5000", "0.4000", "0.50 s"))


@pytest.mark.parametrize(
    "state, said", [("waiting", "waiting"), ("running", "training"), ("failed", "nothing to show")]
)
def test_the_run_table_says_why_there_is_no_number(state, said):
    html = tables.run_table_html(
        run_rows(state=state, test=math.nan, at=math.nan, compared=math.nan), LOOKS, "NDCG@5", 1, {}
    )
    assert said in html


def test_a_lower_value_may_be_the_better_one():
    better = tables.run_table_html(run_rows(), LOOKS, "misorder", 0, {}, higher_is_better=False)
    assert 'class="better"' in better and 'class="worse"' not in better
    assert 'class="worse"' in tables.run_table_html(run_rows(), LOOKS, "NDCG@5", 0, {})


def test_the_run_table_of_means_and_of_what_is_from_store():
    rows = run_rows(deviation=0.0123, compared="3–9", at="2–8", rounds="5–9", from_store=True)
    html = tables.run_table_html(rows, LOOKS, "NDCG@5", 0, {0: np.arange(10.0)}, "5 folds")
    assert "± 0.0123" in html and "3–9" not in html and "2–8" in html and "5–9" in html
    assert "mean of 5 folds ± s.d." in html and html.count("from store") == 1
    assert "probably not chance" in html


def test_the_table_of_differences_may_have_a_row_for_each_run():
    frame = pd.DataFrame({"A": ["1", "x"], "B": ["2", "x"]}, index=["rounds", "step"]).T
    html = tables.plain_table_html(frame, {"A": LOOKS[0], "B": LOOKS[1]})
    assert html.count("strong") == 1 and html.partition("</thead>")[2].count("swatch") == 2


def test_the_table_of_differences_marks_what_differs():
    frame = pd.DataFrame({"A": ["1", "x"], "B": ["2", "x"]}, index=["rounds", "step<"])
    html = tables.plain_table_html(frame, {"A": LOOKS[0]})
    assert html.count("strong") == 1 and "step&lt;" in html
    lacks = pd.DataFrame({"A": ["1"], "B": ["–"]}, index=["rounds"])
    assert "strong" not in tables.plain_table_html(lacks), "what a run does not have is no setting of its own"
    assert html.partition("</thead>")[0].count("swatch") == 1


def test_names_that_differ_at_their_ends_can_be_told_apart():
    links = [
        f"hyperlink {of}, {by} {way}-link"
        for of in ("score", "term")
        for by in ("weighted", "uniform")
        for way in ("in", "out")
    ]
    columns = [f"a_column_with_a_very_long_name_{end}" for end in ("one", "two")]
    short = told_apart([*links, *columns, "BM25"])
    assert len(set(short)) == len(short) and max(map(len, short)) <= 26 and short[-1] == "BM25"
    assert short[0] == "hyp. score, weigh. in-link"
    assert told_apart(["one long name that stands alone", "BM25"]) == ["one long name that stands…", "BM25"]
    assert in_two_lines(links[0], 16) == "hyperlink score,<br>weighted in-link"
    assert in_two_lines("PageRank", 16) == "PageRank"


def test_long_names_of_runs_are_cut_so_that_they_can_be_told_apart():
    rounds, cuts, shrinkage = (150, 120), ("quantile", "length"), (0.5, 0.25)
    names = [f"{n} rounds · {c} · shrinkage {s}" for n in rounds for c in cuts for s in shrinkage]
    short = cut_apart(names, 113.0)
    assert len(set(short)) == len(names) and all(width_of(name) <= 113.0 for name in short)
    assert short[1] == "150 · quantile · 0.25"
    assert cut_apart(names[::7], 113.0) == [cut(name, 113.0) for name in names[::7]], (
        "these begin differently"
    )
    mixed = [f"MPBoost with words · {names[0]}", f"MPBoost with words · {names[1]}", "GBT"]
    short = cut_apart(mixed, 113.0)
    assert len(set(short)) == 3 and all(width_of(name) <= 113.0 for name in short) and short[2] == "GBT"
    frame = curves(n_runs=4)
    frame["run"] = [names[slot] for slot in frame["slot"]]
    layout = draw_curves(frame, LOOKS, "NDCG@5").layout
    assert len({note.text for note in layout.annotations if note.name}) == 4


def test_a_grade_in_the_slope_chart_keeps_to_its_square():
    grades = [3.743, 0.109, 0.0, 12.5, 4.0]
    both = pd.DataFrame({"doc": range(5), "grade": grades, "left": range(1, 6), "right": range(5, 0, -1)})
    figure = draw_slopes(both.assign(shift=both["left"] - both["right"]), list("abcde"), "A", "B", 5, None)
    squares = [trace for trace in figure.data if trace.mode == "markers+text"]
    assert [list(trace.text) for trace in squares] == [["3.7", "0.1", "0", "12", "4"]] * 2
    assert all(width_of(text) <= trace.marker.size for trace in squares for text in trace.text)


def test_the_deepest_leaves_of_a_tree_have_room_for_their_words_however_narrow_it_is():
    columns = [
        "node",
        "parent",
        "answer",
        "depth",
        "place",
        "feature",
        "threshold",
        "gain",
        "value",
        "documents",
    ]
    rows = [
        (0, -1, "", 0, 0.5, "f1", 0.25, 1.0, 0.0, 20_000),
        (1, 0, "yes", 1, 0, "", 0.0, 0.0, 0.03312, 8_545),
    ]
    nodes = pd.DataFrame([*rows, (2, 0, "no", 1, 1, "", 0.0, 0.0, -0.00265, 11_455)], columns=columns)
    layout = draw_tree(nodes).layout
    assert layout.xaxis.range[1] < 1.2  # the leaves stand at the edge of the axes, and their words beside it
    assert layout.margin.r >= width_of("−0.00265 · 11,455")
    deeper = [
        (1, 0, "yes", 1, 0.5, "f2", 0.5, 1.0, 0.0, 8_545),
        (2, 0, "no", 1, 2.5, "f3", 0.5, 1.0, 0.0, 9_000),
    ]
    ends = [(3 + n, 1 + n // 2, "yes", 2, n, "", 0.0, 0.0, 0.1, 4_000) for n in range(4)]
    root = (0, -1, "", 0, 1.5, "f1", 0.25, 1.0, 0.0, 20_000)
    nodes = pd.DataFrame([root, *deeper, *ends], columns=columns)
    sides = {note.text: note.yanchor for note in draw_tree(nodes).layout.annotations}
    assert sides["f2 ≤ 0.5"] == "bottom" and sides["f3 ≤ 0.5"] == "top", "away from the branch to the other"


def test_bars_for_ranges_of_grades_have_few_short_ticks_and_names_keep_off_the_bars():
    starts = [round(n * 0.133, 3) for n in range(30)]
    ranges = [f"{low:g} – {low + 0.133:g}" for low in starts]
    figure = draw_grades(pd.DataFrame({"grade": ranges, "documents": range(1, 31)}))
    shown = figure.layout.xaxis
    assert len(shown.ticktext) <= 5 and list(shown.ticktext) == [f"{n:g}" for n in starts[::6]]
    assert set(shown.tickvals) <= set(ranges)
    assert draw_grades(pd.DataFrame({"grade": ["0", "1"], "documents": [3, 4]})).layout.xaxis.tickvals is None
    rows = [(f"{g}", x, x + 1.0, 10 + x, 0.2) for g in range(5) for x in range(4)]
    frame = pd.DataFrame(rows, columns=["grade", "left", "right", "documents", "share"])
    figure = draw_by_grade(frame, "f1", "documents", height=290)
    for axis in (one for one in figure.layout if one.startswith("yaxis")):
        top, (low, high) = figure.layout[axis].range[1], figure.layout[axis].domain
        pixels = (high - low) * (290 - 60)
        assert pixels * (1 - 13 / top) >= 17  # above the highest bar, for a line of words


def test_shares_of_a_feature_are_on_one_scale_and_each_panel_says_which():
    frame = pd.DataFrame(
        [
            ("0", 0.0, 1.0, 90, 0.9),
            ("0", 1.0, 2.0, 10, 0.1),
            ("1", 0.0, 1.0, 2, 0.4),
            ("1", 1.0, 2.0, 3, 0.6),
        ],
        columns=["grade", "left", "right", "documents", "share"],
    )
    figure = draw_by_grade(frame, "f1", "share")
    assert [list(bars.y) for bars in figure.data] == [[40.0, 60.0], [90.0, 10.0]]
    one, other = figure.layout.yaxis, figure.layout.yaxis2
    assert one.range == other.range and one.range[1] > 90
    assert one.ticktext == other.ticktext == ("", "90%")


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=lambda p: p.name)
def test_lines_beside_one_that_is_set_off_are_seen(colours):
    both = pd.DataFrame({"doc": [0, 1], "grade": [0.0, 4.0], "left": [1, 2], "right": [2, 1]})
    drawn = draw_slopes(both.assign(shift=both["left"] - both["right"]), ["a", "b"], "A", "B", 2, 1, colours)
    lines = [trace for trace in drawn.data if trace.mode == "lines"]
    assert {line.opacity for line in lines} == {1.0, FADED}
    for line in lines:
        assert contrast(mixed(line.line.color, colours.surface, line.opacity), colours.surface) >= VISIBLE


def test_the_names_of_two_lists_stand_side_by_side_and_in_a_narrow_window_above_one_another():
    both = pd.DataFrame({"doc": [0], "grade": [1.0], "left": [1], "right": [1], "shift": [0]})
    layout = draw_slopes(both, ["a"], "A", "B", 1, None).layout
    narrow = layout.meta["narrow"]["layout"]["annotations"]
    for notes, heights in ((layout.annotations, [4, 4]), (narrow, [22, 4])):
        assert [note["yshift"] for note in notes if note["text"] in ("A", "B")] == heights


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=lambda p: p.name)
def test_the_document_set_off_in_the_slope_chart_has_a_ring_that_is_seen(colours):
    both = pd.DataFrame({"doc": [0, 1], "grade": [0.0, 4.0], "left": [1, 2], "right": [2, 1]})
    drawn = draw_slopes(both.assign(shift=both["left"] - both["right"]), ["a", "b"], "A", "B", 2, 1, colours)
    rings = [trace for trace in drawn.data if trace.marker.symbol == "square-open"]
    squares = [trace for trace in drawn.data if trace.marker.symbol == "square"]
    assert [list(ring.y) for ring in rings] == [[2], [1]]
    for ring, square in zip(rings, squares, strict=True):
        assert ring.marker.size >= square.marker.size + 4  # beside the square, on the ground
        assert contrast(ring.marker.color, colours.surface) >= VISIBLE


def test_in_a_narrow_window_the_panels_of_the_losses_stand_above_one_another():
    frame = pd.DataFrame(
        {"name": "hinge", "margin": [-1.0, 2.0], "value": 1.0, "slope": 0.0, "curvature": 0.0}
    )
    figure = draw_losses(frame, {"hinge": LOOKS[0]})
    told = figure.layout.meta["narrow"]["layout"]
    assert [told[axis]["domain"] for axis in ("xaxis", "xaxis2", "xaxis3")] == [[0, 1]] * 3
    places = [told[axis]["domain"] for axis in ("yaxis3", "yaxis2", "yaxis")]
    assert all(below[1] < above[0] for below, above in zip(places, places[1:], strict=False))
    assert [title["y"] for title in told["annotations"]] == [place[1] for place in places[::-1]]
    assert [told[axis]["title"].get("text") for axis in ("xaxis", "xaxis2", "xaxis3")] == [
        None,
        None,
        "margin Δ",
    ]


def test_no_depth_is_written_where_the_intervals_stand():
    frame = pd.DataFrame([(run, f"run {run}", k, k / 20) for run in range(3) for k in range(1, 11)])
    frame.columns = ["slot", "run", "k", "value"]
    axis = draw_depths(frame.assign(deviation=0.1), LOOKS, "NDCG@k").layout.xaxis
    assert axis.range[1] > 10.5 and list(axis.tickvals) == list(range(1, 11))
    assert list(axis.ticktext) == [str(k) for k in range(1, 11)]
