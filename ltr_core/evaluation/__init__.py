"""Models and systems against data: values per query, differences, and whether those are significant."""

from .comparison import Comparison
from .evaluating import compare, compare_values, evaluate, scores_of
from .given import Given, read_given, read_scores
from .significance import TIE, holm, randomization_test, say, say_needed, say_p, t_test, warmup
from .trec import trec_grades, trec_run
from .verdicts import State, Verdict, certain, interval, judge, judge_pooled, queries_needed

__all__ = [
    "TIE",
    "Comparison",
    "Given",
    "compare",
    "compare_values",
    "evaluate",
    "holm",
]
__all__ += [
    "randomization_test",
    "read_given",
    "read_scores",
    "say",
    "say_p",
    "scores_of",
    "t_test",
    "trec_grades",
]
__all__ += [
    "State",
    "Verdict",
    "certain",
    "interval",
    "judge",
    "judge_pooled",
    "queries_needed",
    "say_needed",
    "trec_run",
    "warmup",
]
