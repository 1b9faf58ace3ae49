"""Writes the page on environments: ``python -m houserule.environments > docs/environments.md``.

The facts about each bundled game are read from the loaded game. Means are those of games with fixed seeds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from string import Template

import houserule as hr
from houserule._gymnasium.register import env_id
from houserule.gymnasium import Env, VectorEnv

GAMES, GAMES_ALONE = 40, 400
"""Number of games for a mean: in games of several players, and in one-player games."""
SEED = 1

TEXT = (Path(__file__).parent / "environments.md").read_text("utf-8")
"""The page. `<!-- games -->` and `<!-- variants -->` stand for what is read from the games, and `$GAMES`, `$GAMES_ALONE` and
`$SEED` for these numbers."""


def page() -> Iterator[str]:
    """Yields the lines of the page."""
    text = Template(TEXT).substitute(GAMES=GAMES, GAMES_ALONE=f"{GAMES_ALONE:,}", SEED=SEED)
    for line in text.splitlines():
        if line == "<!-- games -->":
            for entry in hr.games():
                if entry.of is None:
                    yield from section(entry.name)
        elif line == "<!-- variants -->":
            for entry in hr.games():
                if entry.of is not None:
                    yield row(entry.name, entry.of)
        else:
            yield line


def row(name: str, of: str) -> str:
    """Returns the table row of a variant."""
    game = hr.load(name)
    if game.num_actions == 0:
        return f"| `{env_id(name)}` | {game.title} | `{of}` | no environment: the game has no decisions | |"
    env = Env(game)
    return f"| `{env_id(name)}` | {game.title} | `{of}` | `{env.action_space}` | `{env.observation_space}` |"


def section(name: str) -> Iterator[str]:
    """Yields the lines of a game's section."""
    game = hr.load(name)
    yield f"## `{env_id(name)}`"
    yield ""
    yield f"**{game.title}.** {game.help}"
    yield ""
    least, most = game.player_range
    if game.num_actions == 0:
        yield "This game has no decisions, so there is no environment for it."
        yield ""
        return
    env = Env(game)
    yield "| | |"
    yield "| --- | --- |"
    yield f"| players | {least if least == most else f'{least} to {most}'} |"
    yield f"| actions | `{env.action_space}`: {actions(game.action_names)} |"
    yield f"| observation | `{env.observation_space}` |"
    yield f"| as planes | {planes(name)} |"
    yield f"| reward | {rewards(env)} |"
    yield f"| memory | {VectorEnv(game, 64).bytes_per_env} bytes |"
    for agent in ("random", "greedy"):
        yield f"| {agent} | {means(name, agent)} |"
    yield ""
    yield "| entry | shape | values | meaning |"
    yield "| --- | --- | --- | --- |"
    for entry in game.observation_spec():
        values = entry.kind if entry.range is None else f"{entry.range[0]} to {entry.range[1]}"
        shape = " × ".join(map(str, entry.shape))
        yield f"| `{entry.name}` | {shape} | {values} | {entry.help.replace('|', chr(92) + '|')} |"
    yield ""


def actions(names: list[str]) -> str:
    """Returns the action numbers by option: ``0 to 35 place a1 … place f6``."""
    parts = []
    for _, group in groupby(enumerate(names), key=lambda action: action[1].split(" ")[0]):
        run = list(group)
        (first, one), (last, other) = run[0], run[-1]
        parts.append(f"{first} `{one}`" if first == last else f"{first} to {last} `{one}` … `{other}`")
    return ", ".join(parts)


def planes(name: str) -> str:
    """Returns the observation space of a game's planes, or the reason why it has none."""
    try:
        return f"`{Env(name, observation='planes').observation_space}`"
    except ValueError:
        return "none: the game has no board with rows and columns"


def rewards(env: Env) -> str:
    """Returns a description of the default reward, with the range of outcomes."""
    n = env.game.players
    if env._native.rewards_score:
        return "score: its change in each step; −1 for an illegal action"
    if hr._native.facts(env.game)["payoff"] is not None:
        return "payoff: at the end, 0 before; −1 for an illegal action"
    low = "−1" if n == 2 else f"−1/{n - 1}"
    return f"outcome: {low} to 1 at the end, 0 before; −1 for an illegal action"


def means(name: str, agent: str) -> str:
    """Returns an agent's mean score and mean return as text."""
    game = hr.load(name)
    n = game.players
    scores: list[float] = []
    returns: list[float] = []
    for seat in range(n):
        agents = ["random"] * n
        agents[seat] = agent
        found = hr.simulate(game, GAMES_ALONE if n == 1 else GAMES // n, agents, seed=SEED)
        mine = found.seats["seat"] == seat
        ended = found.seats["score"][mine]
        scores += [float(score) for score in ended if score is not None]
        returns += [float(value) for value in found.seats["returns"][mine] if value is not None]
    parts = [f"mean score {mean(scores)}"] if n == 1 or any(scores) else []
    if n > 1:
        # Among equal agents the mean return is 0, unless the rules pay otherwise.
        equal = agent == "random" and hr._native.facts(game)["payoff"] is None
        parts.append("mean return 0, because all agents are the same" if equal else f"mean return {mean(returns)}")
    return ", ".join(parts)


def mean(values: list[float]) -> str:
    """Returns a mean ± half its 95 % confidence interval as text."""
    values = [value for value in values if not math.isnan(value)]
    if len(values) < 2:
        return "unknown: no game was finished"
    middle = sum(values) / len(values)
    spread = math.sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1) / len(values))
    return f"{middle:.2f} ± {1.96 * spread:.2f}".replace("-", "−")


if __name__ == "__main__":
    for line in page():
        print(line)
