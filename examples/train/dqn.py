"""Trains a player of a game by double deep Q-learning (DQN) with masks, in PyTorch.

    python examples/train/dqn.py dilido --steps 3000 --seed 1

Games are played side by side, with a random legal action now and then. A network learns from their decisions, drawn at
random from a memory, how much each action brings until the end of the game. The maximum over the next position is taken
over its legal actions only. At the end it plays games that it has never met, and the script prints the mean with its
95 % confidence interval.

In games of several players the others are played by `--opponents`, and the reward is the return.

Needs `pip install '.[gym]' torch` in the folder of the project.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import time

import houserule as hr
import numpy as np
import torch
from torch import nn

HELD_OUT = 1_000_000_000
"""The first seed of the evaluation. Training has the seeds from `--seed` on, one for each environment."""


class Network(nn.Module):
    """Gives each action a value: what it brings until the end. Illegal actions get minus infinity."""

    def __init__(self, seen: int, actions: int, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(seen + actions, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.value, self.advantage = nn.Linear(width, 1), nn.Linear(width, actions)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        x = self.body(torch.cat([seen.float(), mask.float()], -1))
        advantage = self.advantage(x)
        values = self.value(x) + advantage - advantage.mean(-1, keepdim=True)
        return values.masked_fill(mask == 0, -torch.inf)


class Memory:
    """The last decisions of all games, a row of `games` decisions for each step, in a ring of `size` rows.

    The environments write each step directly into its row. With same-step autoreset, the row after the end of a game has
    the start of the next one, which no target looks at: after an end nothing follows.
    """

    def __init__(self, size: int, games: int, seen: int, actions: int) -> None:
        # A row more than there are steps, because a step writes the position that follows into the next row.
        self.seen = torch.zeros(size, games, seen, dtype=torch.uint8)
        self.masks = torch.zeros(size, games, actions, dtype=torch.int8)
        self.actions = torch.zeros(size, games, dtype=torch.int64)
        self.rewards = torch.zeros(size, games, dtype=torch.float64)
        self.ended, self.cut = torch.zeros(size, games, dtype=torch.bool), torch.zeros(size, games, dtype=torch.bool)
        self.size, self.games, self.steps = size, games, 0

    def step(self, envs: hr.gymnasium.VectorEnv) -> int:
        """Steps the games with the actions of the present row. Returns the row."""
        row, after = self.steps % self.size, (self.steps + 1) % self.size
        envs.step_into(
            self.actions[row].numpy(),
            self.rewards[row].numpy(),
            self.ended[row].numpy(),
            self.cut[row].numpy(),
            observations=self.seen[after].numpy(),
            action_masks=self.masks[after].numpy(),
        )
        self.steps += 1
        return row

    def draw(self, count: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Returns the rows, the rows after them and the games of decisions drawn at random."""
        known = min(self.steps, self.size - 1)
        rows = (self.steps - 1 - torch.randint(known, (count,))) % self.size
        return rows, (rows + 1) % self.size, torch.randint(self.games, (count,))


def learn(net: Network, target: Network, optimizer: torch.optim.Optimizer, memory: Memory, args: argparse.Namespace) -> None:
    """Improves the network by decisions drawn from the memory."""
    rows, after, games = memory.draw(args.batch)
    with torch.no_grad():
        seen, masks = memory.seen[after, games], memory.masks[after, games]
        best = net(seen, masks).argmax(-1, keepdim=True)
        follows = target(seen, masks).gather(1, best)[:, 0]
        # An episode that is cut short would have gone on, but its last position is not kept: what follows counts as 0.
        follows = follows.masked_fill(memory.ended[rows, games] | memory.cut[rows, games], 0)
        goals = memory.rewards[rows, games].float() / args.scale + follows
    values = net(memory.seen[rows, games], memory.masks[rows, games])
    loss = nn.functional.smooth_l1_loss(values.gather(1, memory.actions[rows, games, None])[:, 0], goals)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 10)
    optimizer.step()


@torch.no_grad()
def evaluate(net: Network, envs: hr.gymnasium.VectorEnv, seed: int) -> np.ndarray:
    """Returns the sum of rewards of the first episode of each environment, with the best actions."""
    seen, infos = envs.reset(seed=seed)
    sums, going = np.zeros(envs.num_envs), np.ones(envs.num_envs, bool)
    while going.any():
        values = net(torch.from_numpy(seen), torch.from_numpy(infos["action_mask"]))
        seen, rewards, ended, cut, infos = envs.step(values.argmax(-1).numpy())
        sums[going] += rewards[going]
        going &= ~(ended | cut)
    return sums


def interval(values: np.ndarray) -> tuple[float, float, float]:
    """Returns the mean and the ends of its 95 % confidence interval."""
    mean, half = float(values.mean()), 1.96 * float(values.std(ddof=1)) / math.sqrt(len(values))
    return mean, mean - half, mean + half


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", help="a name, or the path of a rule file")
    parser.add_argument("--steps", type=int, default=3000, help="steps of each game [default: 3000]")
    parser.add_argument("--seed", type=int, default=1, help="seed of games and network [default: 1]")
    parser.add_argument("--threads", type=int, default=1, help="threads of PyTorch and of the games [default: 1]")
    parser.add_argument("--opponents", default="random", help="agent of the other seats [default: random]")
    parser.add_argument("--games", type=int, default=256, help="games side by side [default: 256]")
    parser.add_argument("--size", type=int, default=2000, help="steps in the memory [default: 2000]")
    parser.add_argument("--batch", type=int, default=1024, help="decisions in a batch [default: 1024]")
    parser.add_argument("--repeats", type=int, default=2, help="batches for each step [default: 2]")
    parser.add_argument("--renew", type=int, default=250, help="steps between copies of the network [default: 250]")
    parser.add_argument("--width", type=int, default=256, help="neurons in each of two layers [default: 256]")
    parser.add_argument("--rate", type=float, default=5e-4, help="learning rate at the beginning [default: 0.0005]")
    parser.add_argument("--scale", type=float, default=20.0, help="rewards are divided by it [default: 20]")
    parser.add_argument("--tests", type=int, default=10_000, help="games of the evaluation [default: 10,000]")
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    chance = np.random.default_rng(args.seed)
    options = {"opponents": args.opponents, "skip_forced": True, "threads": args.threads, "dtype": "uint8"}
    envs = hr.vector_env(args.game, args.games, autoreset_mode="SameStep", **options)
    tests = hr.vector_env(args.game, args.tests, **options)
    seen, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
    net, memory = Network(seen, actions, args.width), Memory(args.size, args.games, seen, actions)
    target, optimizer = copy.deepcopy(net), torch.optim.Adam(net.parameters(), args.rate)

    first, infos = envs.reset(seed=args.seed)
    memory.seen[0], memory.masks[0] = torch.from_numpy(first), torch.from_numpy(infos["action_mask"])
    begun, used, sums, finished = time.perf_counter(), time.process_time(), np.zeros(args.games), []
    for step in range(1, args.steps + 1):
        row, left = memory.steps % args.size, 1 - step / args.steps
        with torch.no_grad():
            wanted = net(memory.seen[row], memory.masks[row]).argmax(-1).numpy()
        # The share of random actions falls from 1 to 0.02 within the first tenth of the steps.
        random = chance.random(args.games) < max(0.02, 1 - 10 * step / args.steps)
        memory.actions[row] = torch.from_numpy(np.where(random, envs.sample_actions(), wanted))
        memory.step(envs)
        sums += memory.rewards[row].numpy()
        over = (memory.ended[row] | memory.cut[row]).numpy()
        finished += sums[over].tolist()
        sums[over] = 0
        if step > 20:
            optimizer.param_groups[0]["lr"] = args.rate * left  # it falls to zero
            for _ in range(args.repeats):
                learn(net, target, optimizer, memory, args)
        if step % args.renew == 0:
            target.load_state_dict(net.state_dict())
        if step % max(1, args.steps // 20) == 0 and finished:
            line = {"decisions": step * args.games, "training": round(float(np.mean(finished)), 2)}
            print(json.dumps(line), flush=True)
            finished = []
    seconds, cpu = time.perf_counter() - begun, time.process_time() - used

    mean, low, high = interval(evaluate(net, tests, HELD_OUT))
    line = {"game": args.game, "seed": args.seed, "mean": round(mean, 3), "low": round(low, 3), "high": round(high, 3)}
    print(json.dumps(line | {"seconds": round(seconds), "cpu_seconds": round(cpu)}))


if __name__ == "__main__":
    main()
