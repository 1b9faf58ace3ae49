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
from houserule._environments import env, vector_env
from houserule._errors import Diagnostic, GameError, HiddenError, NoWorldError, Place, RulesError
from houserule._gymnasium.register import register_with_gymnasium
from houserule._native import Game, Player, State, __version__, games, load, parse, stack

if TYPE_CHECKING:
    from houserule._comparison import Comparison, compare
    from houserule._evaluate import Evaluation, evaluate
    from houserule._ladder import Ladder, ladder
    from houserule._learn import Training, learn
    from houserule._replay import Replayed, Replays, replay
    from houserule._results import Results, simulate
    from houserule._sweep import Sweep, sweep
    from houserule._tables import Table

__all__ = [
    "Comparison",
    "CountedRun",
    "Diagnostic",
    "Diff",
    "Difference",
    "Evaluation",
    "Event",
    "Explanation",
    "Game",
    "GameEntry",
    "GameError",
    "Games",
    "HiddenError",
    "NoWorldError",
    "Ladder",
    "ObservationEntry",
    "Outcome",
    "Param",
    "Params",
    "Place",
    "Player",
    "Replayed",
    "Replays",
    "Results",
    "RulesError",
    "ScoreItem",
    "ScorePart",
    "SeatScore",
    "State",
    "Sweep",
    "Table",
    "Training",
    "__version__",
    "compare",
    "env",
    "evaluate",
    "games",
    "ladder",
    "learn",
    "load",
    "parse",
    "replay",
    "simulate",
    "stack",
    "sweep",
    "vector_env",
]

_LATER = {
    "Comparison": "_comparison",
    "compare": "_comparison",
    "Evaluation": "_evaluate",
    "evaluate": "_evaluate",
    "Ladder": "_ladder",
    "ladder": "_ladder",
    "Training": "_learn",
    "learn": "_learn",
    "Replayed": "_replay",
    "Replays": "_replay",
    "replay": "_replay",
    "Results": "_results",
    "simulate": "_results",
    "Sweep": "_sweep",
    "sweep": "_sweep",
    "Table": "_tables",
}
"""The modules of names that need numpy. A module is imported when one of its names is first accessed."""


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register_with_gymnasium()
del register_with_gymnasium
