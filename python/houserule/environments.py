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

GAMES, GAMES_ALONE = 40, 400
"""Number of games for a mean: in games of several players, and in one-player games."""
SEED = 1

INTRO = """\
# Environments

Every rule file is an environment to train agents in. `python -m houserule.environments` writes this page.

```python
import gymnasium
import houserule as hr

env = gymnasium.make("houserule:houserule/Dilido-v0", penalty_limit=5)   # a bundled game, with a param
env = hr.env("dilido+dilido-torus")                                      # without gymnasium.make, and with a variant
observation, info = env.reset(seed=7)
action = env.action_space.sample(mask=info["action_mask"])               # a legal action
observation, reward, terminated, truncated, info = env.step(action)
```

For a rule file of your own, write `hr.env("mine.rules")` or `gymnasium.make("houserule/File-v0", rules="mine.rules", params={"size": 8})`.

**Vector environments.** `hr.vector_env` makes many environments. A step runs in Rust on several threads and writes directly into numpy arrays.
`gymnasium.make_vec` uses the same class.

```python
import numpy as np

envs = hr.vector_env("connect-four", num_envs=256, opponents="greedy", autoreset_mode="SameStep")
observations, infos = envs.reset(seed=7)
for _ in range(100):
    actions = envs.sample_actions()                                      # random legal actions, or your own
    observations, rewards, terminations, truncations, infos = envs.step(actions)

n, steps = envs.num_envs, 32                                             # steps into a rollout buffer, without a copy
seen = np.empty((steps, n, *envs.single_observation_space.shape), envs.single_observation_space.dtype)
masks = np.empty((steps, n, envs.single_action_space.n), np.int8)
gained, ended, cut = np.empty((steps, n)), np.empty((steps, n), bool), np.empty((steps, n), bool)
for t in range(steps):
    envs.step_into(envs.sample_actions(), gained[t], ended[t], cut[t], observations=seen[t], action_masks=masks[t])
```

**Bytes and bits.** Observations with `dtype="uint8"` take a quarter of the memory of float32, those with `dtype="bits"` a thirty-second. With `"uint8"`, truth values,
elements and sets are 0 and 1 as in float32, and a number is its value minus the minimum of its range. A range wider than 255 is an error that names the entry.
With `"bits"`, number *i* of the flat order is bit *i* % 8 of byte *i* // 8, and each observation is padded to whole bytes. A number with more than two
values is an error. `numpy.unpackbits` unpacks the bits:

```python
import numpy as np

envs = hr.vector_env("connect-four", num_envs=256, opponents="self", dtype="bits")
packed, infos = envs.reset(seed=7)                                       # uint8, (256, 11)
numbers = np.unpackbits(packed, axis=-1, count=88, bitorder="little")    # the same as with dtype="uint8"
```

With `"float16"`, observations are those in float32, rounded, in half the memory. With `"bool"` they are truth values; a number with more than two values is an
error as with `"bits"`. Both are written at that size, also into buffers of your own, and `torch.from_numpy` shares their memory:

```python
envs = hr.vector_env("dilido", num_envs=64, dtype="float16")
observations, infos = envs.reset(seed=7)                                 # float16
envs = hr.vector_env("connect-four", num_envs=64, dtype="bool", observation="planes")
observations, infos = envs.reset(seed=7)                                 # bool, (64, channels, 6, 7)
```

**Rewards.** `reward="margin"` rewards the lead over the best of the others, and an expression of the rule language whatever it counts, for `me`: the learner's
seat, in self-play each seat. The expression is compiled with the rules. The rewards of an episode sum to its last value minus its value at the learner's first decision.

```python
env = hr.env("dilido", reward="score + 15 * jokers_left")
env = hr.env("pig", players=3, reward="margin")
```

A `potential` shapes the rewards and keeps the best strategies the best (Ng, Harada and Russell 1999): a step from state s to s′ adds γ·Φ(s′) − Φ(s), with the discount γ of the
training. The potential of a terminated episode is 0.

```python
env = hr.env("connect-four", reward="outcome", potential="count(disc[me]) - count(disc[other])", gamma=0.99)
```

**Starts.** Episodes can start in positions: states, positions as text, records of games, or pairs of a record and the number of its decisions to replay.
Each episode draws one uniformly at random from its seed, and has the dice of its seed. `set_starts` changes them while the environments run, as a curriculum does.
The points of a position aren't part of the rewards. A reset can say where its episodes start: `"starts"` in vector environments, `"start"` in single ones.

```python
state = hr.load("connect-four").start(seed=7)
for column in (3, 3, 2):
    state.apply(column)
envs = hr.vector_env("connect-four", num_envs=8, starts=[state, state.position()])
envs.reset(seed=7)
envs.set_starts(None)                                                    # from the next episodes on: the start of the game
envs.reset(options={"starts": [state] + 7 * [None]})                     # environment 0 alone starts there
```

**Mixtures of opponents.** From `hr.mixture`, each episode draws its opponents by their weights, and `infos["opponent"]` is their name. `set_opponents` changes them while
the environments run, such as to a league of past selves; episodes in progress go on against theirs. An entry can be a trained player or a callable too.

```python
envs = hr.vector_env("connect-four", num_envs=64, opponents=hr.mixture({"random": 1, "greedy": 3}))
observations, infos = envs.reset(seed=7)
envs.set_opponents(hr.mixture({"greedy": 1, "mcts:20": 1}))
```

**Send and receive.** With `batch_size`, environments don't wait for each other, as in EnvPool. `recv` returns the first steps that are done, and `infos["env_id"]` says of
which environments. Threads go on with the others meanwhile. These environments reset at the next step.

```python
envs = hr.vector_env("connect-four", num_envs=64, opponents="mcts:20", batch_size=16)
envs.async_reset(seed=7)
for _ in range(20):
    observations, rewards, terminations, truncations, infos = envs.recv()
    envs.send(envs.sample_actions(infos["env_id"]), infos["env_id"])
envs.close()
```

**Rule sets.** `hr.rules` loads a game with every combination of variants and params, and `hr.vector_env` plays them in one vector: each episode has one of the rule sets.

```python
sets = hr.rules("dilido", variants=[None, "torus"], penalty_limit=range(2, 6), jokers=[0, 1, 2])
envs = hr.vector_env(sets, num_envs=64, observation="dict")              # 24 rule sets, drawn at every episode
observations, infos = envs.reset(seed=7)
played = [envs.rules[index] for index in infos["rules"]]                 # the game of each environment
features = dict(zip(envs.rule_features, observations["rules"][0]))       # what observations show of the rules
envs.set_rule_weights([1.0] * 12 + [0.0] * 12)                           # from each environment's next episode on
observations, rewards, terminations, truncations, infos = envs.step(envs.sample_actions())
```

The rules of an episode are drawn from the seed and the index of the episode alone. `rule_choice` draws them with weights, gives each rule set a slice of the environments, or
calls a function. Observations and actions have one layout for all: entries, elements and sites are found by their names, and what a rule set lacks is 0 in its observations and
never legal. Numbers are scaled to the range of their own rule set. The entry `rules`, at the end of a flat observation, has the params that differ (scaled to their range in the
rule sets), the variants, and which entries there are. Rule sets with other numbers of players, with entries of one name that mean something else, or, for planes, with boards of
other sizes are refused. `hr.rule_sets` takes a list of games instead. `hr.env` takes rule sets, too.
[Benchmarks](benchmarks.md) are thousands of rule sets in splits, with reference scores.

**Opponents that search.** `"mcts:100"` plays the other seats by a tree search with 100 simulations for each decision. Any other [agent](agents.md) is possible too. A list
names an agent for each seat; that of the learner's seat isn't used.

```python
envs = hr.vector_env("connect-four", num_envs=64, opponents="mcts:100", threads=2)
envs.reset(seed=7)
observations, rewards, terminations, truncations, infos = envs.step(envs.sample_actions())
```

The search then takes nearly all of the time. In connect-four, a decision of `mcts:100` takes 0.04 ms on one thread. A thread therefore makes about 25,000 steps a second against it,
and millions against `"random"`. [Agents](agents.md#how-strong-they-are) has the times of other agents, and those in a game with hidden hands.

**Self-play.** With `opponents="self"` the decisions of every seat are steps. `infos["current_player"]` is the seat that decides next,
and `infos["rewards"]` has the rewards of all seats, with shape (N, players) for N environments.

**Masks.** `info["action_mask"]` (int8) is 1 for each legal action. When an episode is over, the mask is 1 everywhere, in `final_info` too, so a softmax over
the masked logits is always defined. The next action is then ignored, or the environment must be reset, depending on the autoreset mode.

**Infos.** If the rules ended an episode, `info["end"]` is the name of the end that decided it, as in `state.outcome.end`; in a match, that of the last game.
`info["error"]` says why an episode was truncated, and `info["illegal_action"]` is true if an illegal action ended it. Vector environments have arrays with masks:
`infos["end"][i]` is valid where `infos["_end"][i]` is true. With `"SameStep"` the arrays are in `infos["final_info"]`. In PettingZoo and RLlib every agent's info has `end`.

**Statistics.** With `statistics=True`, `info["episode"]` has the sum of the rewards `"r"`, the number of steps `"l"` and the time in seconds `"t"` of an episode that is over,
as Gymnasium's wrapper `RecordEpisodeStatistics` writes them:

```python
envs = hr.vector_env("dilido", num_envs=64, statistics=True)
envs.reset(seed=7)
for _ in range(40):
    infos = envs.step(envs.sample_actions())[-1]
    if "episode" in infos:
        scores = infos["episode"]["r"][infos["_episode"]]                # of the episodes that this step ended
```

**Final observations.** Where a step ends an episode, the final observation is in `observations` with `"NextStep"` and `"Disabled"`, and in `infos["final_obs"]` with `"SameStep"`.
The final mask is all ones in all modes.
[Adapters](adapters.md#gymnasium) shows videos, tensors that share memory with the environments, and rollout buffers of tensors.

**Interruptions.** If Ctrl-C or an exception of a callable agent ends a `step` or `reset`, all environments are as they were before the call.

**Partial resets.** In vector environments, `reset(options={"reset_mask": mask})` resets only some environments. Any option of `reset` other than this and the starts is an error.

**Options.** Single and vector environments have the same options, except for the last three rows:

| option | values |
| --- | --- |
| `players` | the number of players; by default the fewest that the rules allow |
| `seat` | the learner's seat, counted from 0, or `"random"`: a random seat in each episode |
| `opponents` | the agents of the other seats: a [name](agents.md) such as `"random"` or `"mcts:100"`, the path of a script (`"careful.rhai"`), a function from a state to an action, a list with one of these for each seat, an `hr.mixture`, or `"self"` |
| `observation` | `"flat"` (a vector), `"planes"` (channels × rows × columns) or `"dict"` (an array for each entry) |
| `dtype` | the type of observations: `"float32"` (from 0 to 1), `"float16"`, `"uint8"` (integers), `"bool"`, `"bits"` (uint8, eight bits in a byte) |
| `reward` | `"score"`: the change of the score, so that an episode's rewards sum to the score, or to its negative if [the least score is best](language.md#ends-and-scores); `"outcome"`: at the end, with n players, (n/k − 1)/(n − 1) for each of k winners and −1/(n − 1) for the others; `"payoff"`: at the end, the [payoff](language.md#payoffs) that the rules declare, or the outcome if they declare none; `"auto"`: payoff if the rules declare one, else score in one-player games, otherwise outcome; `"margin"`: the change of the own score minus the best of the others; or an expression of the rule language |
| `potential`, `gamma` | an expression that shapes the rewards, and the discount of the training |
| `illegal_action` | `"penalize"`: reward −1, and the episode ends; `"raise"`: a `ValueError`; `"ignore"`: nothing happens, and the reward is 0 |
| `skip_forced` | if true, decisions with a single legal action are taken automatically |
| `match` | if true, an episode is a whole match |
| `starts` | the positions in which episodes start |
| `render_mode` | `"ansi"` (text), `"rgb_array"`, or in single environments `"human"` (a window) |
| `render_width` | the width of pictures in pixels; by default that of the drawing |
| `statistics` | if true, `info["episode"]` has the return, length and time of each episode |
| `params` | params of the rules, as a dict; keywords work too, unless an option has the same name |
| `autoreset_mode` | vector environments: `"NextStep"`, `"SameStep"` or `"Disabled"` |
| `threads` | vector environments: the number of threads |
| `batch_size` | vector environments: the number of steps that `recv` returns |

**Seeds.** After `reset(seed=s)` the episodes are the games 0, 1, 2 … of the run with seed *s*, the same as everywhere in
`houserule`. Environment *i* of a vector environment has seed *s + i*. Copies, pickles and `snapshot()` keep an episode in progress.

**Stable-Baselines3.** `MaskablePPO("MlpPolicy", houserule.sb3.VecEnv("dilido", 256))` uses the masks without further code.
"""

GAME_INTRO = f"""\
# The games

Observations are float32 from 0 to 1, unless `dtype` is set. They show the game from the learner's side: in entries indexed by player, the learner's part comes first, then
those of the others in turn order. Numbers are scaled by their range. *Mean score* and *mean return* are over {GAMES} games
({GAMES_ALONE:,} of one-player games) with seed {SEED}, ± half a 95 % confidence interval. In games of several players, one agent of the row's name plays against random ones,
equally often in each seat. *Memory* is that of one environment in a vector environment, without the arrays of a step.
"""


VARIANTS = """\
# The variants

Each variant is an environment too. Its observations have the entries of its game, and those that its rules add.

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
    told = [f"mean score {mean(scores)}"] if n == 1 or any(scores) else []
    if n > 1:
        # Among equal agents the mean return is 0, unless the rules pay otherwise.
        equal = agent == "random" and hr._native.facts(game)["payoff"] is None
        told.append("mean return 0, because all agents are the same" if equal else f"mean return {mean(returns)}")
    return ", ".join(told)


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
