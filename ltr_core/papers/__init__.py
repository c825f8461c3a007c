"""The papers' tables, figures and theorems, computed here: `PAPERS`, by name.

>>> result = PAPERS["mpboost"].exhibits["fig2"].run(alpha=0.5)
>>> [str(verdict.state) for verdict in result.verdicts][:2]
['holds here', 'holds here']

A new paper is one module and one line here.
"""

from . import featurerank, frank, letor, mcrank, mpboost, qbrank, rankboost
from .exhibit import Chart, Exhibit, Paper, Result, Setting, System, Way
from .progress import Progress, Stopped
from .published import Published, letor_baselines, published
from .seeds import Answers, answers

PAPERS: dict[str, Paper] = {
    paper.id: paper
    for paper in (
        mpboost.PAPER,
        featurerank.PAPER,
        qbrank.PAPER,
        frank.PAPER,
        mcrank.PAPER,
        rankboost.PAPER,
        letor.PAPER,
    )
}

__all__ = [
    "PAPERS",
    "Chart",
    "Exhibit",
    "Paper",
    "Progress",
    "Published",
    "Result",
    "Setting",
    "Stopped",
    "System",
]
__all__ += ["Answers", "System", "Way", "answers", "letor_baselines", "published"]
