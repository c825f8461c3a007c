"""The algorithms, by name. A new one is one file and one line here."""

from __future__ import annotations

from pathlib import Path

from ..rankers import model_file
from ..rankers.base import Ranker
from ..rankers.training import RoundInfo
from .features.adarank import AdaRank
from .features.featurerank import FeatureRank
from .linear.featuremix import FeatureMix
from .linear.mhr import MHR
from .linear.mprank import MPRank
from .linear.ranksvm import RankSVM
from .linear.svrank import SVRank
from .networks.lambdarank import LambdaRank
from .networks.listmle import ListMLE
from .networks.listnet import ListNet
from .networks.rankcosine import RankCosine
from .networks.ranknet import RankNet
from .peers.catboost import CatBoost
from .peers.lightgbm import LightGBM
from .peers.xgboost import XGBoost
from .stumps.frank import FRank
from .stumps.mpboost import MPBoost
from .stumps.rankboost import RankBoost
from .trees.functional import FunctionalBoosting
from .trees.gbt import GBT
from .trees.lambdamart import LambdaMART
from .trees.mcrank import McRank
from .trees.qbrank import QBRank

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


def load_model(path: str | Path, trust_edited: bool = False) -> Ranker:
    """Read a model that `Ranker.save` wrote; one that was edited since only if it is to be trusted."""
    return model_file.read(Path(path), ALGORITHMS, trust_edited)


__all__ = ["ALGORITHMS", "Ranker", "RoundInfo", "load_model"]
