"""The algorithms, by name. A new one is one file and one line here."""

from __future__ import annotations

from pathlib import Path

from ..peers.catboost import CatBoost
from ..peers.lightgbm import LightGBM
from ..peers.xgboost import XGBoost
from . import model_file
from .adarank import AdaRank
from .base import Ranker
from .featuremix import FeatureMix
from .featurerank import FeatureRank
from .frank import FRank
from .functional import FunctionalBoosting
from .gbt import GBT
from .lambdamart import LambdaMART
from .lambdarank import LambdaRank
from .listmle import ListMLE
from .listnet import ListNet
from .mcrank import McRank
from .mhr import MHR
from .mpboost import MPBoost
from .mprank import MPRank
from .qbrank import QBRank
from .rankboost import RankBoost
from .rankcosine import RankCosine
from .ranknet import RankNet
from .ranksvm import RankSVM
from .svrank import SVRank
from .training import RoundInfo

ALGORITHMS: dict[str, type[Ranker]] = {
    cls.__name__: cls
    for cls in (
        MPBoost,
        RankBoost,
        FRank,
        GBT,
        McRank,
        QBRank,
        FunctionalBoosting,
        LambdaMART,
        RankNet,
        LambdaRank,
        ListNet,
        ListMLE,
        RankCosine,
        FeatureRank,
        AdaRank,
        RankSVM,
        MPRank,
        SVRank,
        MHR,
        FeatureMix,
        LightGBM,
        XGBoost,
        CatBoost,
    )
}


def load_model(path: str | Path) -> Ranker:
    """Read a model that `Ranker.save` wrote."""
    return model_file.read(Path(path), ALGORITHMS)


__all__ = ["ALGORITHMS", "Ranker", "RoundInfo", "load_model"]
