"""Rule files as OpenSpiel games: ``houserule.openspiel.register()``, then ``pyspiel.load_game("houserule_dicrono")``.

Needs the extra ``openspiel``: ``pip install houserule[openspiel]``.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pyspiel
from numpy.typing import NDArray

from houserule import _native
from houserule._source import Source, game_of

__all__ = ["Game", "State", "game", "name_of", "register"]

SCORE_BOUND = 1e6
"""No score of a lone player is taken to be farther from 0: OpenSpiel wants bounds, and rule files have none."""

_registered: dict[str, type[Game]] = {}
"""By OpenSpiel's names."""


def name_of(rules: str) -> str:
    """OpenSpiel's name of a bundled game or variant: ``houserule_connect_four`` of ``connect-four``."""
    return "houserule_" + rules.replace("-", "_")


def register() -> list[str]:
    """Makes all bundled games and variants known to OpenSpiel; returns their names there.

    They take ``players`` (0: the fewest that the rules allow) and each param of the rules, of tables each
    entry: ``pyspiel.load_game("houserule_pig", {"players": 3, "goal": 50})``, also
    ``"houserule_dilido(penalty_limit=5,line_points.3=2)"``. Doing it again changes nothing.
    """
    names = []
    for entry in _native.games():
        name = name_of(entry.name)
        names.append(name)
        if name not in _registered:
            _register(name, _native.load(entry.name), bundled=True)
    return names


def game(rules: Source, players: int | None = None, params: dict[str, Any] | None = None, **settings: Any) -> Game:
    """Any game as one of OpenSpiel's: a path, rule text, a name, or a :class:`houserule.Game`.

    It is registered too, under a name of its own (``game.get_type().short_name``), so that OpenSpiel can save
    and restore its states within this process.

    Raises
    ------
    RulesError
        The rules are wrong.
    ValueError
        There is no such game, param or number of players.
    """
    made = game_of(rules, players, params, **settings)
    word = "".join(letter if letter.isalnum() else "_" for letter in made.name)
    name = f"houserule_{word}_{_native.facts(made)['fingerprint']:016x}"
    if name not in _registered:
        _register(name, made, bundled=False)
    return _registered[name]()


def _register(name: str, rules: _native.Game, bundled: bool) -> None:
    # OpenSpiel keeps what it calls until after Python's end, when no object may be freed: a class never is.
    _registered[name] = type("Game", (Game,), {"name": name, "default": rules, "bundled": bundled})
    pyspiel.register_game(_type(name, rules, bundled), _registered[name])


def _type(name: str, game: _native.Game, bundled: bool) -> pyspiel.GameType:
    """What kind of game it is. The rules of those that are not bundled have all params set already."""
    facts = _native.facts(game)
    alone = game.players == 1
    kinds = pyspiel.GameType
    return pyspiel.GameType(
        short_name=name,
        long_name=game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=(
            kinds.ChanceMode.EXPLICIT_STOCHASTIC if facts["chance_outcomes"] else kinds.ChanceMode.DETERMINISTIC
        ),
        information=(
            kinds.Information.IMPERFECT_INFORMATION if facts["hidden"] else kinds.Information.PERFECT_INFORMATION
        ),
        utility=kinds.Utility.GENERAL_SUM if alone else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        min_num_players=facts["fewest"] if bundled else game.players,
        max_num_players=facts["most"] if bundled else game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": 0, **facts["params"]} if bundled else {},
    )


class Game(pyspiel.Game):
    """A rule file as a game of OpenSpiel: from :func:`game` or ``pyspiel.load_game``.

    Chance is explicit; its outcomes are equally likely, but where counted copies are drawn. Actions have the
    numbers that they have in :class:`houserule.Game`. With several players the utility is the outcome
    (−1/(n − 1) to 1, the sum is 0), with one it is the score. A game that reaches the limit of decisions is over
    there; nobody has won.

    Attributes
    ----------
    rules : houserule.Game
        The game itself.
    """

    name: ClassVar[str]
    default: ClassVar[_native.Game]
    bundled: ClassVar[bool]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.rules = self._rules(params or {})
        facts = _native.facts(self.rules)
        self.limit: int = facts["limit"]
        self.hidden: bool = facts["hidden"]
        self.first = self.rules.start(0, explicit_chance=True)
        alone = self.rules.players == 1
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.num_actions,
            max_chance_outcomes=facts["chance_outcomes"],
            num_players=self.rules.players,
            min_utility=-SCORE_BOUND if alone else -1.0 / (self.rules.players - 1),
            max_utility=SCORE_BOUND if alone else 1.0,
            utility_sum=None if alone else 0.0,
            max_game_length=self.limit,
        )
        super().__init__(_type(self.name, self.rules, self.bundled), info, params or {})

    def _rules(self, params: dict[str, Any]) -> _native.Game:
        defaults = _native.facts(self.default)["params"]
        settings = {name: value for name, value in params.items() if value != defaults.get(name)}
        players = settings.pop("players", 0) or None
        if not settings and players in (None, self.default.players):
            return self.default
        return _native.load(self.default.name, players=players, params=settings)

    def new_initial_state(self) -> State:
        """A state at the first decision or chance event."""
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Observes states: a flat tensor from the player's side, or the drawing as text."""
        if params:
            raise ValueError(f"observers of rule files take no params; these were given: {', '.join(params)}")
        return Observer(self, iig_obs_type)


class State(pyspiel.State):
    """A game in progress."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        # OpenSpiel copies and saves all attributes, so there are few.
        self._state = game.first.clone()
        self._limit = game.limit

    def current_player(self) -> int:
        """Who has to decide: a seat from 0, chance, or nobody at the end."""
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        player = self._state.current_player
        return pyspiel.PlayerId.CHANCE if player is None else player

    def _legal_actions(self, player: int) -> list[int]:
        return self._state.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of the pending chance event, ascending, with their probabilities."""
        return self._state.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        if self._state.is_chance:
            self._state.apply_outcome(action)
        else:
            self._state.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self._state.outcome_name(action)
        return self._state.action_name(action)

    def is_terminal(self) -> bool:
        """Is the game over, by its rules or by the limit of decisions?"""
        return self._state.is_over or self._state.decisions >= self._limit

    def returns(self) -> list[float]:
        """The outcome as a number for each player, or a lone player's score; 0 before the end."""
        state = self._state
        if state.game.players == 1:
            return [float(state.score[0]) if self.is_terminal() else 0.0]
        return state.returns

    def __str__(self) -> str:
        return str(self._state)


class Observer:
    """What a player sees of states."""

    def __init__(self, game: Game, kind: Any) -> None:
        self._game = game
        self._recalls: bool = kind is not None and kind.perfect_recall
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if not self._recalls:
            self.tensor = np.zeros(len(game.first.observation(0)), np.float32)
            self.dict = {"observation": self.tensor}

    def set_from(self, state: State, player: int) -> None:
        """Writes what the player sees into the tensor."""
        if self.tensor is not None:
            self.tensor[:] = state._state.observation(player)

    def string_from(self, state: State, player: int) -> str:
        """What the player sees as text; with perfect recall, all that the player has seen so far."""
        if not self._recalls:
            return _seen(state._state, player)
        if not self._game.hidden:
            return state.history_str()
        return "\n".join(_recalled(self._game, state, player))


def _seen(state: _native.State, player: int) -> str:
    return state.text(player)


def _recalled(game: Game, state: State, player: int) -> list[str]:
    """What a player has seen, step by step, and done."""
    past = game.first.clone()
    told = [_seen(past, player)]
    for event in state.full_history():
        if event.player == player:
            told.append(past.action_name(event.action))
        if past.is_chance:
            past.apply_outcome(event.action)
        else:
            past.apply(event.action)
        told.append(_seen(past, player))
    return told
