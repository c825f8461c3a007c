"""Models and systems against data: values per query, differences, and whether those are significant."""

from .comparison import Comparison
from .evaluating import compare, compare_values, evaluate, read_scores, scores_of
from .significance import TIE, holm, randomization_test, say, say_needed, say_p, t_test, warmup
from .trec import trec_grades, trec_run
from .verdicts import State, Verdict, certain, interval, judge, judge_pooled, queries_needed

__all__ = ["TIE", "compare", "compare_values", "evaluate", "holm", "randomization_test"]
__all__ += ["read_scores", "say", "say_p", "scores_of", "t_test", "trec_grades", "trec_run", "warmup"]
__all__ += [
    "Comparison",
    "State",
    "Verdict",
    "certain",
    "interval",
    "judge",
    "judge_pooled",
    "queries_needed",
    "say_needed",
]
