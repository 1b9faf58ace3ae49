"""Tabletop games as short rule files: play them, simulate them, measure them, and train agents on them."""

from importlib import import_module
from typing import TYPE_CHECKING

from houserule._data import (
    CountedRun,
    Diff,
    Difference,
    Event,
    Explanation,
    GameEntry,
    Games,
    ObservationEntry,
    Outcome,
    Param,
    Params,
    ScoreItem,
    ScorePart,
    SeatScore,
)
from houserule._errors import Diagnostic, GameError, HiddenError, NoWorldError, Place, RulesError
from houserule._gymnasium.register import register_with_gymnasium
from houserule._mixture import Mixture, mixture
from houserule._native import Game, Player, Search, State, __version__, games, load, parse, stack
from houserule._rules import RuleSets, rule_sets, rules

if TYPE_CHECKING:
    from houserule._comparison import Comparison, compare
    from houserule._dataset import dataset
    from houserule._environments import env, vector_env
    from houserule._evaluate import Evaluation, evaluate
    from houserule._extremes import ExtremeFound, Extremes, extremes
    from houserule._ladder import Ladder, ladder
    from houserule._learn import Training, learn
    from houserule._odds import Distribution, Odds, odds
    from houserule._profile import Profile
    from houserule._replay import Replayed, Replays, replay
    from houserule._report import Report, report
    from houserule._results import Results, simulate
    from houserule._sweep import Sweep, sweep
    from houserule._tables import Table
    from houserule._tune import Tuning, tune
    from houserule._worth import Worth, worth

__all__ = [
    "Comparison",
    "CountedRun",
    "Diagnostic",
    "Diff",
    "Difference",
    "Distribution",
    "Evaluation",
    "Event",
    "Explanation",
    "ExtremeFound",
    "Extremes",
    "Game",
    "GameEntry",
    "GameError",
    "Games",
    "HiddenError",
    "Mixture",
    "NoWorldError",
    "Ladder",
    "ObservationEntry",
    "Odds",
    "Outcome",
    "Param",
    "Params",
    "Place",
    "Player",
    "Profile",
    "Replayed",
    "Replays",
    "Report",
    "Results",
    "RuleSets",
    "RulesError",
    "ScoreItem",
    "ScorePart",
    "Search",
    "SeatScore",
    "State",
    "Sweep",
    "Table",
    "Training",
    "Tuning",
    "Worth",
    "__version__",
    "compare",
    "dataset",
    "env",
    "evaluate",
    "extremes",
    "games",
    "ladder",
    "learn",
    "load",
    "mixture",
    "odds",
    "parse",
    "replay",
    "report",
    "rule_sets",
    "rules",
    "simulate",
    "stack",
    "sweep",
    "tune",
    "vector_env",
    "worth",
]

_LATER = {
    "Comparison": "_comparison",
    "compare": "_comparison",
    "dataset": "_dataset",
    "env": "_environments",
    "vector_env": "_environments",
    "Evaluation": "_evaluate",
    "evaluate": "_evaluate",
    "ExtremeFound": "_extremes",
    "Extremes": "_extremes",
    "extremes": "_extremes",
    "Ladder": "_ladder",
    "ladder": "_ladder",
    "Training": "_learn",
    "learn": "_learn",
    "Distribution": "_odds",
    "Odds": "_odds",
    "odds": "_odds",
    "Profile": "_profile",
    "Replayed": "_replay",
    "Replays": "_replay",
    "replay": "_replay",
    "Report": "_report",
    "report": "_report",
    "Results": "_results",
    "simulate": "_results",
    "Sweep": "_sweep",
    "sweep": "_sweep",
    "Tuning": "_tune",
    "tune": "_tune",
    "Table": "_tables",
    "Worth": "_worth",
    "worth": "_worth",
}
"""The modules of names that take long to import, such as those that need numpy. A module is imported when one of its names is
first accessed."""


def __getattr__(name: str) -> object:
    if name == "benchmarks":
        return import_module(f"{__name__}.{name}")
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register_with_gymnasium()
del register_with_gymnasium
