"""Directed distances between grades: formulas, calibration on training pairs, checks; and pair losses."""

from .fit import DistanceReport, FittedDistance, check_distance, fit_distance
from .formulas import DISTANCES, Distance, distance
from .losses import LOSSES, Loss
from .pairs import PairGrades

__all__ = ["DISTANCES", "LOSSES", "Distance", "DistanceReport", "FittedDistance", "Loss", "PairGrades"]
__all__ += ["check_distance", "distance", "fit_distance"]
