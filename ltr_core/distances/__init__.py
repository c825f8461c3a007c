"""Directed distances between grades: formulas, calibration on training pairs, checks."""

from .fit import DistanceReport, FittedDistance, check_distance, fit_distance
from .formulas import DISTANCES, Distance, distance
from .pairs import PairGrades

__all__ = [
    "DISTANCES",
    "Distance",
    "DistanceReport",
    "FittedDistance",
    "PairGrades",
    "check_distance",
    "distance",
    "fit_distance",
]
