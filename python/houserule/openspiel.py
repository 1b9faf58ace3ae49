"""Rule files as OpenSpiel games: ``houserule.openspiel.register()``, then ``pyspiel.load_game("houserule_dicrono")``.

Needs the extra ``openspiel``: ``pip install '.[openspiel]'`` in the project folder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pyspiel
from numpy.typing import NDArray

from houserule import _native
from houserule._source import Source, game_of, option_names, returns_of, score_sign, suggesting

__all__ = ["Game", "State", "game", "name_of", "register"]

SCORE_BOUND = 1e6
"""The assumed bound of the absolute value of scores, and of payoffs for which the rules give none. OpenSpiel needs bounds of
utilities."""

MOST_OUTCOMES = 10_000
"""Maximum number of outcomes of a chance event, because OpenSpiel lists them. In a larger roll each die is an event of
its own."""

UTILITIES = ("auto", "outcome", "payoff", "score", "margin")
"""The kinds of utility."""

DIGEST = 64
"""The number of bits of the digest of a player's past in an information-state tensor."""

_registered: dict[str, type[Game]] = {}
"""The classes of the registered games, by their OpenSpiel names."""


def name_of(rules: str) -> str:
    """Returns the OpenSpiel name of a bundled game or variant: ``houserule_connect_four`` for ``connect-four``."""
    return "houserule_" + rules.replace("-", "_")


def register() -> list[str]:
    """Registers all bundled games and variants with OpenSpiel. Returns their OpenSpiel names.

    The params of a registered game are ``players`` (0 means the minimum that the rules allow), ``utility`` (see
    :class:`Game`) and each param of the rules; for a table, each entry. Examples are
    ``pyspiel.load_game("houserule_pig", {"players": 3, "goal": 50})`` and
    ``"houserule_dilido(penalty_limit=5,line_points.3=2)"``. Further calls change nothing.
    """
    names = []
    for entry in _native.games():
        name = name_of(entry.name)
        names.append(name)
        if name not in _registered:
            _register(name, _native.load(entry.name), bundled=True)
    return names


def game(
    rules: Source,
    players: int | None = None,
    params: dict[str, Any] | None = None,
    *,
    utility: str = "auto",
    **settings: Any,
) -> Game:
    """Returns any game as an OpenSpiel game. ``rules`` is a path, rule text, a name, or a :class:`houserule.Game`.

    The game is also registered under a unique name (``game.get_type().short_name``), so that OpenSpiel can save and
    restore its states within this process. ``utility`` is ``"auto"``, ``"outcome"``, ``"payoff"``, ``"score"`` or
    ``"margin"``, see :class:`Game`.

    Raises
    ------
    RulesError
        If the rules are invalid.
    ValueError
        If there is no such game, param or utility, or the number of players isn't allowed.
    """
    with suggesting(settings, option_names(game)):
        made = game_of(rules, players, params, **settings)
    word = "".join(letter if letter.isalnum() else "_" for letter in made.name)
    name = f"houserule_{word}_{_native.facts(made)['fingerprint']:016x}"
    if name not in _registered:
        _register(name, made, bundled=False)
    # Always pass the utility, because a game that OpenSpiel restores from its text has all params.
    return _registered[name]({"utility": utility})


def _register(name: str, rules: _native.Game, bundled: bool) -> None:
    # OpenSpiel keeps the callable until after Python has shut down, when no object may be freed. A class never is.
    _registered[name] = type("Game", (Game,), {"name": name, "default": rules, "bundled": bundled})
    pyspiel.register_game(_type(name, rules, bundled, "auto"), _registered[name])


def _type(name: str, game: _native.Game, bundled: bool, utility: str) -> pyspiel.GameType:
    """Returns the OpenSpiel type of a game. Games that aren't bundled have no params of the rules, because all are set
    already."""
    facts = _native.facts(game)
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
        utility=kinds.Utility.GENERAL_SUM if _balance(game, utility) is None else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        min_num_players=facts["fewest"] if bundled else game.players,
        max_num_players=facts["most"] if bundled else game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"utility": "auto", **({"players": 0, **facts["params"]} if bundled else {})},
    )


def _pays(game: _native.Game, utility: str) -> bool:
    """Returns True if the utilities are the payoffs of the rules."""
    return utility in ("auto", "payoff") and _native.facts(game)["payoff"] is not None


def _balance(game: _native.Game, utility: str) -> float | None:
    """Returns the sum of the utilities of all players if it is always the same."""
    if _pays(game, utility):
        return 0.0 if _native.facts(game)["payoff"] else None
    return None if game.players == 1 or utility == "score" else 0.0


def _range(game: _native.Game, utility: str) -> tuple[float, float]:
    """Returns the least and the greatest utility of a player."""
    if _pays(game, utility):
        low, high = _native.payoff_bounds(game) or (-SCORE_BOUND, SCORE_BOUND)
        # A game that reaches the limit of decisions pays nothing.
        return min(0.0, low), max(0.0, high)
    if game.players == 1 or utility in ("score", "margin"):
        return -SCORE_BOUND, SCORE_BOUND
    return -1.0 / (game.players - 1), 1.0


class Game(pyspiel.Game):
    """A rule file as an OpenSpiel game, created by :func:`game` or ``pyspiel.load_game``.

    Chance is explicit. The outcomes of a chance event are equally likely unless counted copies are drawn. OpenSpiel
    lists them, so in a roll with more than 10,000 outcomes each die is an event of its own. The numbers of actions are
    those of :class:`houserule.Game`.

    The param ``utility`` selects the utilities. ``"auto"``, the default, is ``"payoff"`` if the rules declare payoffs, and
    else ``"outcome"``. ``"outcome"`` is the return of winning in games of several players (−1/(n − 1) to 1, with sum 0),
    and equals ``"score"`` in one-player games. ``"payoff"`` is what the rules pay, with the bounds that follow from the
    ranges of their variables, and sum 0 if it is declared as ``payoff zero sum``. ``"score"`` is the player's score, or its
    negative if the lowest score is best. ``"margin"`` is the difference of that and the mean of the other players (with
    sum 0). A game that reaches the limit of decisions is over, and nobody has won.

    Attributes
    ----------
    rules : houserule.Game
        The game.
    """

    name: ClassVar[str]
    default: ClassVar[_native.Game]
    bundled: ClassVar[bool]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.utility = str(params.get("utility", "auto"))
        if self.utility not in UTILITIES:
            raise ValueError(f"utility must be one of {', '.join(map(repr, UTILITIES))}, not {self.utility!r}")
        self.rules = self._rules({name: value for name, value in params.items() if name != "utility"})
        facts = _native.facts(self.rules)
        self.pays = _pays(self.rules, self.utility)
        self.limit: int = facts["limit"]
        self.hidden: bool = facts["hidden"]
        self.first = self.rules.start(0, explicit_chance=True)
        low, high = _range(self.rules, self.utility)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.rules.num_actions,
            max_chance_outcomes=facts["chance_outcomes"],
            num_players=self.rules.players,
            min_utility=low,
            max_utility=high,
            utility_sum=_balance(self.rules, self.utility),
            max_game_length=self.limit,
        )
        super().__init__(_type(self.name, self.rules, self.bundled, self.utility), info, params)
        self._params = params

    def __reduce__(self) -> tuple[Any, ...]:
        # Bundled games are pickled by name, which is valid in every process; others with their rules.
        return (_bundled, (self.name, self._params)) if self.bundled else (_own, (self.rules, self.utility))

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: Any) -> Game:
        return self

    def _rules(self, params: dict[str, Any]) -> _native.Game:
        defaults = _native.facts(self.default)["params"]
        settings = {name: value for name, value in params.items() if value != defaults.get(name)}
        players = settings.pop("players", 0) or None
        if not settings and players in (None, self.default.players):
            return self.default
        return _native.load(self.default.name, players=players, params=settings)

    def new_initial_state(self) -> State:
        """Returns the state at the first decision or chance event."""
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Returns an observer of states: a flat tensor from the player's side, and the drawing as text.

        Raises
        ------
        ValueError
            If ``params`` isn't empty.
        """
        if params:
            raise ValueError(f"observers of rule files take no params, but got {', '.join(params)}")
        return Observer(self, iig_obs_type)


def _bundled(name: str, params: dict[str, Any]) -> Game:
    register()
    return _registered[name](params)


def _own(rules: _native.Game, utility: str) -> Game:
    return game(rules, utility=utility)


def _state(game: Game, history: list[int]) -> State:
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


class State(pyspiel.State):
    """A game in progress."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        # OpenSpiel copies and saves all attributes, so there are only a few.
        self._state = game.first.clone()
        self._limit = game.limit
        self._shown: list[int] = []
        self._utility = game.utility
        self._pays = game.pays

    def __reduce__(self) -> tuple[Any, ...]:
        return _state, (self.get_game(), self.history())

    def current_player(self) -> int:
        """Returns the seat that has to decide, counted from 0, or the ``PlayerId`` of chance or of a terminal state."""
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        player = self._state.current_player
        return pyspiel.PlayerId.CHANCE if player is None else player

    def _legal_actions(self, player: int) -> list[int]:
        return self._state.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the outcomes of the pending chance event, in ascending order, with their probabilities. For a roll
        with more than 10,000 outcomes, those of the next die."""
        dice = self._state.pending_dice
        if dice is not None and _is_long_roll(self._state):
            sides = self._state.pending_sides or [1] * dice[1]
            every = sum(sides)
            return [(face, count / every) for face, count in enumerate(sides)]
        return self._state.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        if self._state.is_chance:
            _let_come(self._state, self._shown, action)
        else:
            self._state.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE and _is_long_roll(self._state):
            return f"die {len(self._shown) + 1} of the roll: {action + 1}"
        if player == pyspiel.PlayerId.CHANCE:
            return self._state.outcome_name(action)
        return self._state.action_name(action)

    def is_terminal(self) -> bool:
        """Returns True if the game is over by its rules or has reached the limit of decisions."""
        return self._state.is_over or self._state.decisions >= self._limit

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> State:
        """Draws a state that the player can't tell from this one, with a history that leads to it.

        Hidden information is drawn with its probability if the other players choose uniformly at random.
        """
        world = self._state.determinize(player_id, seed=int(probability_sampler() * 2**53))
        state = self.get_game().new_initial_state()
        for number in world._event_numbers() or []:
            state.apply_action(number)
        return state

    def returns(self) -> list[float]:
        """Returns the utility of each player, see :class:`Game`; 0 before the end of the game."""
        state = self._state
        if self._pays:
            return state.returns
        if state.game.players > 1 and self._utility in ("auto", "outcome", "payoff"):
            return returns_of(state, "outcome")
        if not self.is_terminal():
            return [0.0] * state.game.players
        scores = [float(score_sign(state.game) * score) for score in state.score]
        if state.game.players == 1 or self._utility == "score":
            return scores
        # The difference from the mean of the others, so that the sum is 0.
        others, every = len(scores) - 1, sum(scores)
        return [score - (every - score) / others for score in scores]

    def __str__(self) -> str:
        return str(self._state)


def _is_long_roll(state: _native.State) -> bool:
    return state.pending_dice is not None and state.num_chance_outcomes > MOST_OUTCOMES


def _let_come(state: _native.State, shown: list[int], outcome: int) -> None:
    """Applies an outcome. A long roll is applied with its last die; until then ``shown`` holds the dice so far."""
    if not _is_long_roll(state):
        return state.apply_outcome(outcome)
    shown.append(outcome + 1)
    dice = state.pending_dice
    if dice is not None and len(shown) == dice[0]:
        state.apply_outcome(shown)
        shown.clear()
    return None


class Observer:
    """An observer of states from a player's view.

    The tensor is the flat observation. With perfect recall it is followed, under ``"past"``, by a digest of everything
    that the player has seen so far: 64 numbers that are 0 or 1. The digest distinguishes information states, and has
    the same size for games of any length. A single bit of it carries no meaning.
    """

    def __init__(self, game: Game, kind: Any) -> None:
        self._game = game
        self._recalls: bool = kind is not None and kind.perfect_recall
        entries = len(game.first.observation(0))
        self.tensor: NDArray[np.float32] = np.zeros(entries + DIGEST * self._recalls, np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {"observation": self.tensor[:entries]}
        if self._recalls:
            self.dict["past"] = self.tensor[entries:]

    def set_from(self, state: State, player: int) -> None:
        """Writes the player's observation into the tensor."""
        self.dict["observation"][:] = state._state.observation(player)
        if self._recalls:
            digest = hashlib.blake2b(self.string_from(state, player).encode(), digest_size=DIGEST // 8).digest()
            self.dict["past"][:] = np.unpackbits(np.frombuffer(digest, np.uint8))

    def string_from(self, state: State, player: int) -> str:
        """Returns what the player sees as text. With perfect recall, everything that the player has seen so far."""
        if not self._recalls:
            return state._state.text(player)
        if not self._game.hidden:
            return state.history_str()
        return state._state.information_state(player)
