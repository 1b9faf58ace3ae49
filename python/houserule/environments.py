"""Writes the page on environments: ``python -m houserule.environments > docs/environments.md``.

The facts about each bundled game are read from the loaded game. Means are those of games with fixed seeds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby

import houserule as hr
from houserule._gymnasium.register import env_id
from houserule.gymnasium import Env, VectorEnv

GAMES, GAMES_ALONE = 200, 2000
"""Number of games for a mean: in games of several players, and in one-player games."""
SEED = 1

INTRO = """\
# Environments

Every rule file is an environment to train agents in. This page is written by `python -m houserule.environments`.

```python
import gymnasium
import houserule as hr

env = gymnasium.make("houserule:houserule/Dilido-v0", penalty_limit=5)   # a bundled game, with a param
env = hr.env("dilido+dilido-torus")                                      # the same without gymnasium.make, and a variant
observation, info = env.reset(seed=7)
action = env.action_space.sample(mask=info["action_mask"])               # a legal action
observation, reward, terminated, truncated, info = env.step(action)
```

A file of your own: `hr.env("mine.rules")` or `gymnasium.make("houserule/File-v0", rules="mine.rules", params={"size": 8})`.

**Many at once.** `hr.vector_env` steps all games in Rust, over threads, and writes straight into numpy arrays;
`gymnasium.make_vec` uses it too.

```python
import numpy as np

envs = hr.vector_env("connect-four", num_envs=256, opponents="greedy", autoreset_mode="SameStep")
observations, infos = envs.reset(seed=7)
for _ in range(100):
    actions = envs.sample_actions()                                      # legal ones; or yours
    observations, rewards, terminations, truncations, infos = envs.step(actions)

n, steps = envs.num_envs, 32                                             # into a rollout buffer, without a copy
seen = np.empty((steps, n, *envs.single_observation_space.shape), envs.single_observation_space.dtype)
masks = np.empty((steps, n, envs.single_action_space.n), np.int8)
gained, ended, cut = np.empty((steps, n)), np.empty((steps, n), bool), np.empty((steps, n), bool)
for t in range(steps):
    envs.step_into(envs.sample_actions(), gained[t], ended[t], cut[t], observations=seen[t], action_masks=masks[t])
```

**Bytes and bits.** `dtype="uint8"` writes a quarter of the bytes, `dtype="bits"` a thirty-second. As `"uint8"` a truth value, an element and a set
are 0 and 1 as before, and a number is its value minus the least of its range: no fractions. Games with a range wider than 255 are refused, and the
message names the entry. As `"bits"` number *i* of the flat order is bit *i* % 8 of byte *i* // 8, and each observation is padded to whole bytes; games with
a number of more than two values are refused. NumPy takes bits apart:

```python
import numpy as np

envs = hr.vector_env("connect-four", num_envs=256, opponents="self", dtype="bits")
packed, infos = envs.reset(seed=7)                                       # uint8, (256, 11)
numbers = np.unpackbits(packed, axis=-1, count=88, bitorder="little")    # what dtype="uint8" gives
```

**Opponents that search.** `"mcts:100"` plays the other seats by a tree search of a hundred simulations for each decision; every other agent goes in its place, and a list
has one for each seat, that of the learner's own sitting out.

```python
envs = hr.vector_env("connect-four", num_envs=64, opponents="mcts:100", threads=2)
envs.reset(seed=7)
observations, rewards, terminations, truncations, infos = envs.step(envs.sample_actions())
```

It is what takes the time then: in connect-four a decision takes `mcts:100` 0.04 ms of one thread, so a thread makes some 25,000 steps a second against it, and millions against
`"random"`. [Agents](agents.md#how-strong-they-are) has the times of others and of a game with hidden hands.

**Self-play.** With `opponents="self"` every seat's decision is a step, natively for many environments:
`infos["current_player"]` says whose it is next, `infos["rewards"]` has the rewards of all seats, shape (N, players).

**Masks.** `info["action_mask"]` (int8) is 1 for each legal action. Once an episode is over it is 1 everywhere, in `final_info` too: the next action is
ignored (or the environment has to be reset), and a softmax of logits set to −∞ outside of the mask is never one of nothing.

**Infos.** When an episode is over by the rules, `info["end"]` is the name of the end that decided it, as in `state.outcome.end`; of a match it is that of
the last game. `info["error"]` says why an episode was truncated, and `info["illegal_action"]` is true where an illegal action ended it. Many environments have them as
arrays with masks: `infos["end"][i]` where `infos["_end"][i]`; with `"SameStep"` they are in `infos["final_info"]`. In PettingZoo and RLlib every agent's info has `end`.

**Interruptions.** A `step` or `reset` that Ctrl-C ends, or in which a function that plays raises an exception, has not happened: all environments are as they were
before. `reset(options=…)` takes `reset_mask` for many environments and refuses everything else.

**Options**, the same for one environment and for many:

| option | values |
| --- | --- |
| `players` | how many play; the fewest that the rules allow unless given |
| `seat` | the learner's, from 0, or `"random"`: another one every episode |
| `opponents` | `"random"`, `"greedy"`, `"exact"`, `"flat:N"`, `"mcts:N"`, `"ismcts:N"`, `"learned"`, a script by its path (`"careful.rhai"`), a function from a state to an action, a list with one for each seat, or `"self"` |
| `observation` | `"flat"`, `"planes"` (channels × rows × columns) or `"dict"` |
| `dtype` | of observations: `"float32"` (from 0 to 1), `"uint8"` (whole numbers), `"bits"` (uint8, eight in a byte) |
| `reward` | `"score"`: what the score changes by, so that an episode's rewards add up to it (the opposite, where the [least is good](language.md#ends-and-scores)); `"outcome"`: at the end, of n players (n/k − 1)/(n − 1) for each of k winners and −1/(n − 1) for the others; `"auto"`: score for one player, else outcome |
| `illegal_action` | `"penalize"`: reward −1 and the end; `"raise"`; `"ignore"` |
| `skip_forced` | decisions with a single legal action are taken without asking |
| `match` | an episode is a whole match |
| `render_mode` | `"ansi"`, `"rgb_array"`; for one environment `"human"` |
| `params` | params by name; bare keywords too, where no option has the name |
| `autoreset_mode`, `threads` | of many: `"NextStep"`, `"SameStep"`, `"Disabled"`; how many threads |

**Seeds.** After `reset(seed=s)` the episodes are the games 0, 1, 2 … of the run with seed *s*, the same as everywhere in
`houserule`; environment *i* of many has seed *s + i*. A copy, a pickle and a `snapshot()` go on in mid-episode.

**Stable-Baselines3.** `MaskablePPO("MlpPolicy", houserule.sb3.VecEnv("dilido", 256))` finds the masks by itself.
"""

GAME_INTRO = f"""\
# The games

Observations are float32 from 0 to 1 (unless `dtype` says otherwise), from the learner's own side: where an entry is by player, its own part comes first, then
the others in turn order. An entry that is a number is divided by its range. *Mean score* and *mean return* are of {GAMES} games
({GAMES_ALONE:,} where one plays alone) with seed {SEED}, ± half a 95 % interval; of several players, with one agent of the kind among random ones, in each seat alike.
*Memory* is that of one environment of many, beside the arrays of a step.
"""


VARIANTS = """\
# The variants

Each is an environment like its game, with the same entries but for what its rules add.

| id | title | of | actions | observation |
| --- | --- | --- | --- | --- |"""


def page() -> Iterator[str]:
    """Yields the lines of the page."""
    yield INTRO
    yield GAME_INTRO
    for entry in hr.games():
        if entry.of is None:
            yield from section(entry.name)
    yield VARIANTS
    for entry in hr.games():
        if entry.of is not None:
            yield row(entry.name, entry.of)


def row(name: str, of: str) -> str:
    """Returns the table row of a variant."""
    game = hr.load(name)
    if game.num_actions == 0:
        return f"| `{env_id(name)}` | {game.title} | `{of}` | nobody decides anything | |"
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
        yield "Nobody decides anything in this game: there is no environment of it."
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
        return "none: its board has no rows and columns"


def rewards(env: Env) -> str:
    """Returns a description of the default reward, with the range of outcomes."""
    n = env.game.players
    if env._native.rewards_score:
        return "score: what it changes by; −1 for an illegal action"
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
    told = [f"mean score {mean(scores)}"] if n == 1 or any(scores) else []
    if n > 1:
        # Among equal agents the mean return is 0.
        told.append("mean return 0, as all play alike" if agent == "random" else f"mean return {mean(returns)}")
    return ", ".join(told)


def mean(values: list[float]) -> str:
    """Returns a mean ± half its 95 % confidence interval as text."""
    values = [value for value in values if not math.isnan(value)]
    if len(values) < 2:
        return "unknown: no game came to an end"
    middle = sum(values) / len(values)
    spread = math.sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1) / len(values))
    return f"{middle:.2f} ± {1.96 * spread:.2f}".replace("-", "−")


if __name__ == "__main__":
    for line in page():
        print(line)
