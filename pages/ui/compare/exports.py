"""A run to take along: as JSON, as a TREC run file with its grades, and as the Python that makes it again."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd

from ltr_core.datasets import DATA_FOLDER, DataSet, Found
from ltr_core.evaluation import trec_grades as as_trec_grades
from ltr_core.evaluation import trec_run as as_trec_run

from ..runs.catalog import N_FOLDS, Entry, fold_number
from ..runs.screens import Run, Screen
from ..runs.specs import DataSpec, plain
from ..runs.store import Training
from ..session import mirror, state
from ..style.words import definition
from ..tables.curves import measure_curve, splits_of
from ..tables.outcomes import chosen_iteration, scores


def as_json(screen: Screen, run: Run) -> str:
    """Return a run with its spec, its history and what it came to; every repetition where there are some."""
    told = {
        "name": run.name,
        "data": screen.entry.label,
        "algorithm": run.recipe.algorithm,
        "params": run.recipe.values(),
        "measure": screen.measure.label,
        "definition": definition(screen.measure),
        "compared": "best on validation" if screen.score_at == "best" else "last round",
        "features": list(_trainings(run)[0].model.feature_names_),
        "python": python_lines(screen, run),
        "runs": [_one(screen, training) for training in _trainings(run)],
    }
    return json.dumps(told, indent=1, ensure_ascii=False)


def all_as_csv(screen: Screen, rows: pd.DataFrame) -> str:
    """Return the run table with each run's settings as columns of their own."""
    recipes = {run.slot: run.recipe for run in screen.runs}
    settings = pd.DataFrame(
        [{"algorithm": recipes[slot].algorithm, **dict(recipes[slot].params)} for slot in rows["slot"]]
    )
    return pd.concat([rows.reset_index(drop=True), settings], axis=1).to_csv(index=False)


def all_as_json(screen: Screen) -> str:
    """Return every run that has something to show, as `as_json` tells one."""
    told = [json.loads(as_json(screen, run)) for run in screen.finished]
    return json.dumps({"link": "?s=" + mirror.link_beside(state.workspace()), "runs": told}, indent=1)


def all_as_zip(screen: Screen, rows: pd.DataFrame) -> bytes:
    """Return all of it: table, JSON, the grades, and of each run its JSON, its Python and its TREC run."""
    out, held = io.BytesIO(), screen.finished
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("runs.csv", all_as_csv(screen, rows))
        archive.writestr("runs.json", all_as_json(screen))
        for run in held:
            stem = f"{run.slot}-{tag(run).lower()}"
            archive.writestr(f"{stem}.json", as_json(screen, run))
            archive.writestr(f"{stem}.py", python_lines(screen, run))
            archive.writestr(f"{stem}.run", trec_run(screen, run))
        if held:
            archive.writestr("test.qrels", trec_grades(screen, held[0]))
    return out.getvalue()


def tag(run: Run) -> str:
    """Return a run's name without blanks and signs, its numbers without commas."""
    return re.sub("[^A-Za-z0-9]+", "-", run.name.replace(",", "")).strip("-") or "run"


def trec_run(screen: Screen, run: Run) -> str:
    """Return the test queries' rankings at the round compared: query, Q0, document, rank, score, run.

    Equal scores are told apart, in file order: with them a measure that counts ties so has the same value.
    """
    name, rows = tag(run), []
    for training in _trainings(run):
        given = scores(screen, training, "test", chosen_iteration(screen, training))
        rows.append(as_trec_run(splits_of(screen, training).test, given, name))
    return "".join(rows)


def trec_grades(screen: Screen, run: Run) -> str:
    """Return the grades of the same documents, as trec_eval wants them: query, 0, document, grade."""
    rows = []
    for training in _trainings(run):
        rows.append(as_trec_grades(splits_of(screen, training).test))
    return "".join(rows)


def python_lines(screen: Screen, run: Run) -> str:
    """Return the lines of Python that make the run again and print its value on test."""
    repeated = len(run.trainings) > 1
    values = {name: repr(value) for name, value in run.recipe.params}
    if run.recipe.is_given:
        return _lines_of_given(screen, run)
    folds, close = repeated and screen.repeat == "folds", ""
    source, cut = _cut(screen.entry, run.spec.data, folds)
    loop = f"values = []\nfor train, valid, test in {cut}:\n" if folds else f"train, valid, test = {cut}\n"
    if repeated and not folds:
        seeds = [spec.recipe.values()["random_state"] for spec in run.specs]
        loop += f"values = []\nfor seed in {seeds}:\n"
        values["random_state"] = "seed"
    own = ", ".join(f"{name}={value}" for name, value in values.items())
    at = f", iteration={screen.score_at!r}"
    value = f"ltr.evaluate(model.predict(test{at}), test, measure).attrs['mean'][measure.name]"
    body = [
        f"model = ltr.{run.recipe.algorithm}({own})",
        'model.fit(train, eval_set={"valid": valid, "test": test}, measures=[measure])',
        f"values.append({value})" if repeated else f"print({value})",
    ]
    if repeated:
        body, close = [f"    {text}" for text in body], "print(sum(values) / len(values))\n"
    head = f"import ltr_core as ltr\n\n{source}measure = ltr.{screen.measure!r}\n"
    return head + loop + "\n".join(body) + "\n" + close


def _lines_of_given(screen: Screen, run: Run) -> str:
    """Return the lines that measure a ranking's file on test."""
    source, cut = _cut(screen.entry, run.spec.data, False)
    return (
        f"import ltr_core as ltr\n\n{source}measure = ltr.{screen.measure!r}\n"
        f"train, valid, test = {cut}\nfile = {run.name + '.run'!r}  # wherever it is\n"
        "print(ltr.evaluate(file, test, measure).attrs['mean'][measure.name])\n"
    )


def _trainings(run: Run) -> tuple[Training, ...]:
    """Return a run's trainings; its own alone while others are missing."""
    return run.trainings or (run.trained,)


def _one(screen: Screen, training: Training) -> dict[str, Any]:
    at, history = chosen_iteration(screen, training), training.model.history_.to_dict("list")
    curves = {split: measure_curve(screen, training, split) for split in ("train", "valid", "test")}
    return {
        "spec": plain(training.spec),
        "seconds": training.comparable_seconds,
        "seconds_on_the_wall": training.seconds,
        "rounds": training.model.n_iter_,
        "ended": training.model.stopped_,
        "round_compared": at,
        "test": _number(curves["test"][at]),
        "curves": {split: list(map(_number, values)) for split, values in curves.items()},
        "history": {column: list(map(_number, values)) for column, values in history.items()},
    }


def _number(value: Any) -> Any:
    """Return a value as JSON has it: there is no NaN in it."""
    value = value.item() if hasattr(value, "item") else value
    return None if value != value else value


def _cut(entry: Entry, spec: DataSpec, every: bool) -> tuple[str, str]:
    """Return the lines that read the data, and the expression that cuts them into three, or for all folds."""
    if isinstance(entry.source, Found) and entry.source.kind != "file":  # it is cut already
        only = ")" if every else f", only={fold_number(spec)})[0]"
        cut = f", valid='cut', seed={spec.shuffle}" if dict(spec.size).get("valid") == "cut" else ""
        return "", f"ltr.load_folds({_path(entry)}{_missing(spec)}{cut}{only}"
    if spec.fold == "split" and not every:
        fractions = entry.source.split if isinstance(entry.source, DataSet) else (0.6, 0.2, 0.2)
        return _read(entry, spec), f"ltr.split(data, {fractions}, seed={spec.shuffle})"
    one = "" if every else f"[{int(spec.fold) - 1}]"
    return _read(entry, spec), f"ltr.folds(data, {N_FOLDS}, seed={spec.shuffle}){one}"


def _read(entry: Entry, spec: DataSpec) -> str:
    if isinstance(entry.source, DataSet):
        size = "".join(f", {name}={value!r}" for name, value in spec.size)
        return f"data = ltr.datasets.make({entry.name!r}, seed={spec.seed}{size})\n"
    return f"data = ltr.load({_path(entry)}{_missing(spec)})\n"


def _path(entry: Entry) -> str:
    """Return where a set lies, as a person in the project's folder writes it; an upload's own name."""
    path = entry.source if isinstance(entry.source, Path) else getattr(entry.source, "path", Path())
    inside = path.is_relative_to(DATA_FOLDER)
    return repr(str(path.relative_to(DATA_FOLDER.parent)) if inside else path.name)


def _missing(spec: DataSpec) -> str:
    given = dict(spec.size).get("missing")
    return f", missing={given!r}" if given else ""
