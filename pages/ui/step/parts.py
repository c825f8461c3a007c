"""The parts of Step through: controls, the picture that plays, and a round laid open."""

from __future__ import annotations

from html import escape

import streamlit as st

from ltr_core import ALGORITHMS, ParameterError

from ..charts.rounds import draw_candidates, draw_weights
from ..charts.steps import draw_steps
from ..kit import panel
from ..kit.drawn import drawn
from ..kit.form import draw_param
from ..kit.marks import signed_number
from ..kit.player import player
from ..kit.round_tables import documents_html
from ..runs.services import services
from ..session import state
from ..shapes.controls import STEPPED, step_owner, step_params, step_queries
from ..style.theme import Palette
from ..tables.steps import MISORDER, Setup, Stage, document_rows, loss_name, pair_shares, setup_of
from .formulas import round_formulas, threshold_words

_LEARN = {"one": "this query", "all": "all six"}
_GAINS = {
    "MPBoost": "gain N²/D by threshold: how much of the squared error a stump takes away",
    "RankBoost": "gain by threshold: how well a stump's two sides agree with the pairs",
    "FRank": "gain by threshold: by how much the exact loss falls",
}
_WEIGHTS = {"before": "it saw", "after": "it leaves"}


def controls() -> Setup:
    """Draw the controls of a training of one's own, and return what they say."""
    algorithm = state.get("step_algorithm")
    if algorithm not in step_params():
        algorithm = next(iter(step_params()))
        state.put("step_algorithm", algorithm)
    own, owner = step_params()[algorithm], step_owner(algorithm)
    keys = {p.name: state.key(owner, p.name) for p in own}
    values = {name: state.get(key) for name, key in keys.items()}
    with (
        st.container(border=True, key="step-controls"),
        st.grid("auto", min_column_width=118, gap=("xsmall", "small"), vertical_alignment="bottom"),
    ):
        _select("step_algorithm", "Algorithm", [n for n in STEPPED if n in step_params()], _label)
        for param in own:
            if param.applies(values):
                draw_param(param, keys[param.name])
        _select("step_query", "Query", range(len(step_queries())), lambda q: step_queries()[q])
        _select("step_learn", "Learn from", list(_LEARN), lambda choice: _LEARN[choice])
        with st.popover("More", width="stretch", help="Rounds, noise and seed of the pages"):
            _draw_numbers()
    shown = {p.name: values[p.name] for p in own if p.applies(values)}
    learn, query, rounds, noise, seed = (
        state.get(f"step_{name}") for name in ("learn", "query", "rounds", "noise", "seed")
    )
    try:
        return setup_of(algorithm, shown, learn, query, rounds, noise, seed)
    except ParameterError as error:
        st.error(str(error), icon=":material/error:")
        return setup_of(algorithm, {}, learn, query, rounds, noise, seed)


def _label(algorithm: str) -> str:
    return ALGORITHMS[algorithm].label or algorithm


def _select(name: str, label: str, options, format_func) -> None:
    st.selectbox(
        label,
        list(options),
        key=name,
        persist_state="session",
        filter_mode=None,
        format_func=format_func,
        help=state.params()[name].help,
    )


def _draw_numbers() -> None:
    st.caption(
        "The pages are always those of the set Tiny: 6 queries × 8 pages × 3 features. "
        "“Drawn anew” are twenty more draws of the same queries, which nobody learns from."
    )
    for name, label in (("step_rounds", "Rounds"), ("step_noise", "Noise"), ("step_seed", "Seed")):
        param = state.params()[name]
        kind = float if param.kind == "float" else int
        low, high, step = (kind(number or 0) for number in (param.low, param.high, param.step))
        st.number_input(label, low, high, step=step, key=name, persist_state="session", help=param.help)


def clip_round(name: str, n_rounds: int) -> int:
    """Return the round on screen, brought back to the rounds there are."""
    if state.get(name) > n_rounds:
        state.put(name, n_rounds)
    return state.get(name)


def scene(found: Stage, round_name: str, colours: Palette, key: str, hide: bool = False) -> None:
    """Draw the picture that plays, and its bar; with `hide` scores are question marks."""
    query = step_queries()[found.setup.query]
    lists = found.lists.assign(score=float("nan")) if hide else found.lists
    about = (
        "its eight pages, best ranked first"
        if found.setup.learn == "one"
        else "one of the six lists learnt from"
    )
    with panel.panel(f"“{escape(query)}”", about, lambda: panel.csv(lists, "rounds")):
        scene_id = f"{hash((found.setup, found.measure, hide)):x}"
        player(
            f"{key}-player",
            key,
            scene_id,
            found.n_rounds,
            state.get(round_name),
            lambda t: state.put(round_name, t),
        )
        with st.container(key=key):
            figure = services().memo.make(
                ("scene", found.setup, found.measure, hide, colours.name),
                lambda: draw_steps(lists, found.curves, found.measure.label, colours),
            )
            alt = (
                f"The list of {query}, its loss, its share of misordered pairs and {found.measure.label}, "
                f"from round 0 to round {found.n_rounds}"
            )
            panel.chart(figure, alt, f"{key}-chart")


def headline(found: Stage, t: int, round_name: str, hide: bool = False) -> None:
    """Say in one sentence what a round does, then in the paper's formula with its numbers; take any round."""
    left, right = st.columns([1, 3], gap="small", vertical_alignment="bottom")
    with left:
        st.number_input(
            "Round",
            0,
            found.n_rounds,
            step=1,
            key=round_name,
            persist_state="session",
            help=f"From 0, the untrained model, to {found.n_rounds}. The picture follows.",
        )
    with right:
        st.html(f'<h3 class="panel">{_sentence(found, t, hide)}</h3>')
    if not t:
        st.caption(
            "Every page has the score 0, so every pair counts as misordered. The first round looks at "
            f"{len(found.details(1).candidates)} stumps and {len(found.details(1).pairs)} pairs."
            if found.n_rounds
            else "There is no stump that would put a pair right: training ended before it began."
        )
        return
    details = found.details(t)
    algorithm = found.setup.algorithm
    product, misorder = found.value(loss_name(algorithm), t), found.value(MISORDER, t)
    with st.container(key="formulas"):
        st.latex(round_formulas(details, algorithm, _variant(found), product, misorder, hide))
    if algorithm != "FRank" and not hide:
        st.caption(
            "The last line is Theorem 1: the share of misordered pairs is never above the product of all Z."
        )


def _sentence(found: Stage, t: int, hide: bool) -> str:
    if not t:
        return "Nothing is learnt yet"
    c = found.details(t).chosen
    feature = escape(found.data.feature_names[int(c["feature"])])
    value = "?" if hide else signed_number(c["value"])
    return f"adds {value} to every page whose {feature} is above {threshold_words(c['threshold'])}"


def _variant(found: Stage) -> str:
    name = {"MPBoost": "step", "RankBoost": "variant"}.get(found.setup.algorithm)
    return getattr(found.model, name) if name else ""


def candidates(found: Stage, t: int, colours: Palette) -> None:
    """Draw the gain of every candidate stump; at round 0 those of the round to come."""
    if not found.n_rounds:
        return
    details, names = found.details(max(1, t)), found.data.feature_names
    frame = details.candidates.assign(feature=[names[k] for k in details.candidates["feature"]])
    what = _GAINS.get(found.setup.algorithm, "")
    with panel.panel(f"The {len(frame)} candidate stumps", what, lambda: panel.csv(frame, "candidates")):
        figure = drawn(draw_candidates, details.candidates, names, colours, taken=t > 0)
        alt = f"The gain of each candidate stump in round {max(1, t)}, by feature and threshold"
        panel.chart(figure, alt, "step-candidates")


def weights(found: Stage, t: int, colours: Palette) -> None:
    """Draw the pair weights of the query on screen as a matrix."""
    if not found.n_rounds:
        return
    details = found.details(max(1, t))
    after = state.get("step_weights") == "after" and t > 0
    pairs = pair_shares(found, details, after)
    caption = (
        "row over column, in % of all weight; <b>+</b> the stump favours the better page, <b>−</b> the worse"
    )
    if found.setup.learn == "all":
        caption += f"; this query's pairs carry {pairs['share'].abs().sum():.0f} % of it"

    def tools() -> None:
        if t:
            panel.choose("step_weights", _WEIGHTS)
        panel.csv(pairs, "pair-weights")

    title = "Pair weights" if t else "Pair weights at the start"
    with panel.panel(title, caption, tools):
        docs = found.at(0).sort_values("doc")
        alt = f"Weights of the pairs of pages that round {t} saw, the better page by row, the worse by column"
        panel.chart(
            drawn(draw_weights, pairs if t else pairs.assign(side=0), docs, colours), alt, "step-weights"
        )


def documents(found: Stage, t: int, hide: bool = False) -> None:
    """Show each page's score before and after a round."""
    if not t:
        return
    c, rows = found.details(t).chosen, document_rows(found, t)
    feature = found.data.feature_names[int(c["feature"])]
    with panel.panel(
        "Scores before and after", "in the order after the round", lambda: panel.csv(rows, "scores")
    ):
        st.html(documents_html(rows, feature, float(c["threshold"]), hide))
