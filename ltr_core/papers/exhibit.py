"""`Paper` and `Exhibit`: one table, figure or theorem each, as something that can be computed here.

An exhibit says what the paper found and with which data, and how it is computed here: parameters as `Param`s,
from which forms, links, documents and tests are made, and a function that returns a `Result`: charts as tidy
tables with a few words on how to draw them, and a verdict on each claim.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import pandas as pd

from ..errors import DataError, ParameterError
from ..evaluation.verdicts import State, Verdict
from ..params import Param
from .progress import Progress
from .published import Published, published

Values = Mapping[str, Any]
ChartKind = Literal["lines", "bars", "points", "table"]


@dataclass(frozen=True)
class Chart:
    """A picture or a table: tidy data, and how to draw them.

    Attributes
    ----------
    kind : {"lines", "bars", "points", "table"}
        Lines and points have the columns series, x, value, bars series and value; all may have `low` and
        `high`, an interval, and `panel`, the small picture that a row belongs to. A table is shown as it is:
        columns whose names begin with "paper" are the paper's numbers.
    frame : DataFrame
        The data.
    title, x, y : str
        What is compared; what the axes are.
    baseline : str
        The series that the others are compared with: thick, neutral, dashed.
    log_x, log_y : bool
        Logarithmic axes.
    digits : int
        Of a table's numbers.
    """

    kind: ChartKind
    frame: pd.DataFrame
    title: str
    x: str = ""
    y: str = ""
    baseline: str = ""
    log_x: bool = False
    log_y: bool = False
    digits: int = 4


@dataclass(frozen=True)
class Result:
    """What an exhibit came to: pictures, verdicts, a note on what to make of them."""

    charts: tuple[Chart, ...]
    verdicts: tuple[Verdict, ...] = ()
    note: str = ""

    def to_json(self) -> str:
        """Return it as text, every number to the last bit."""
        charts = [{**vars(chart), "frame": chart.frame.to_dict("list")} for chart in self.charts]
        plain = {"charts": charts, "verdicts": [asdict(v) for v in self.verdicts], "note": self.note}
        return json.dumps(_without_nan(plain), ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    @staticmethod
    def from_json(text: str) -> Result:
        """Read what `to_json` wrote; raises a `DataError` at anything else."""
        try:
            plain = json.loads(text)
            charts = tuple(
                Chart(**{**chart, "frame": pd.DataFrame(_with_nan(chart["frame"]))})
                for chart in plain["charts"]
            )
            verdicts = tuple(
                Verdict(**{**_with_nan(verdict), "state": State(verdict["state"])})
                for verdict in plain["verdicts"]
            )
            return Result(charts, verdicts, str(plain["note"]))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise DataError("the result of an exhibit cannot be read", "compute it again") from error


@dataclass(frozen=True)
class System:
    """A ranker under comparison: its name in the exhibit, its algorithm, its parameters."""

    name: str
    algorithm: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Setting:
    """What an exhibit compares, so that other pages can open it: data and systems, the first the baseline."""

    data: str
    size: Mapping[str, Any]
    systems: tuple[System, ...]
    seed: int = 0
    controls: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Way:
    """A way on to another page of the dashboard, with controls set; with these systems if it has any."""

    page: str
    label: str
    controls: Mapping[str, Any] = field(default_factory=dict)
    systems: tuple[System, ...] = ()


@dataclass(frozen=True)
class Exhibit:
    """One table, figure, theorem or algorithm of a paper.

    Attributes
    ----------
    id : str
        Its word in links.
    name, title : str
        What the paper calls it ("Figure 5"); what it is about.
    finding : str
        What the paper reads in it, in one sentence.
    published : Published
        What the paper prints.
    paper_data, our_data : str
        The data there and here.
    params : tuple of Param
        What can be set: sizes, seeds, the parameter in question.
    compute : callable, optional
        ``compute(values, progress) -> Result``; there is none of what other pages show (`ways`).
    seconds : float
        What it takes at the defaults on two idle cores, about; it grows with the parameters in `grows`.
    in_full : mapping, optional
        Settings that take longer and tell more; their result is stored.
    setting : callable, optional
        ``setting(values) -> Setting``: what Compare and Sweep open.
    ways : tuple of Way
        Other pages that show it.
    stamp : callable, optional
        ``stamp(values) -> str``: what tells one state of the files that it reads from another.
    """

    id: str
    name: str
    title: str
    finding: str
    published: Published
    paper_data: str = ""
    our_data: str = ""
    params: tuple[Param, ...] = ()
    compute: Callable[[dict[str, Any], Progress], Result] | None = None
    seconds: float = 0.3
    grows: tuple[str, ...] = ()
    in_full: Values | None = None
    setting: Callable[[dict[str, Any]], Setting] | None = None
    ways: tuple[Way, ...] = ()
    stamp: Callable[[dict[str, Any]], str] | None = None

    def checked(self, values: Values | None = None) -> dict[str, Any]:
        """Return all parameters in their proper types, or raise a `ParameterError`."""
        known, given = {p.name: p for p in self.params}, dict(values or {})
        unknown = [name for name in given if name not in known]
        if unknown:
            has = f"It has {', '.join(known)}." if known else "It has none."
            raise ParameterError(f"{self.name} has no parameter {unknown[0]!r}. {has}")
        return {name: p.check(given.get(name, p.default), self.name) for name, p in known.items()}

    def estimate(self, values: Values | None = None) -> float:
        """Return about how many seconds it takes."""
        full, known = self.checked(values), {p.name: p.default for p in self.params}
        return self.seconds * math.prod(full[name] / known[name] for name in self.grows)

    def run(self, values: Values | None = None, progress: Progress | None = None, **more: Any) -> Result:
        """Compute it.

        Parameters
        ----------
        values, **more
            Parameters that differ from their defaults.
        progress : Progress, optional
            Told after each round of training, and asked whether to go on.
        """
        if self.compute is None:
            pages = " and ".join(way.page.replace("_", " ").capitalize() for way in self.ways)
            raise ParameterError(f"{self.name} is not computed by itself: the dashboard's {pages} shows it.")
        return self.compute(self.checked({**(values or {}), **more}), progress or Progress())


def exhibits_of(paper: str) -> Callable[..., Exhibit]:
    """Return what makes a paper's exhibits: ``make(name, id, title, finding, …)``, with what it prints."""
    printed = published(paper)

    def make(name: str, id: str, title: str, finding: str, **more: Any) -> Exhibit:
        return Exhibit(id, name, title, finding, printed[name], **more)

    return make


@dataclass(frozen=True)
class Paper:
    """A paper and its exhibits, in its order.

    Attributes
    ----------
    id, label : str
        Its word in links; what it is called on screen.
    title, where : str
        Its title and where it appeared.
    about : str
        What it is about, in a sentence.
    exhibits : mapping
        By their ids.
    """

    id: str
    label: str
    title: str
    where: str
    about: str
    exhibits: Mapping[str, Exhibit]

    @staticmethod
    def of(id: str, label: str, title: str, where: str, about: str, *exhibits: Exhibit) -> Paper:
        """Return a paper with these exhibits."""
        by_id = {exhibit.id: exhibit for exhibit in exhibits}
        if len(by_id) < len(exhibits):
            raise ValueError(f"{label} has two exhibits with one id")
        return Paper(id, label, title, where, about, by_id)


def _without_nan(value: Any) -> Any:
    """Return plain data without what JSON has not: NaN and the infinities as words."""
    if isinstance(value, dict):
        return {str(name): _without_nan(held) for name, held in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(held) for held in value]
    value = value.item() if hasattr(value, "item") else value
    return repr(value) if isinstance(value, float) and not math.isfinite(value) else value


def _with_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _with_nan(held) for name, held in value.items()}
    if isinstance(value, list):
        return [_with_nan(held) for held in value]
    return float(value) if value in ("nan", "inf", "-inf") else value
