"""Trains a player of a game by proximal policy optimization (PPO) with masks, in PyTorch.

    python examples/train/ppo.py dilido --updates 400 --seed 1

A thousand games are played side by side. Each step is written directly into the tensors that the network learns from.
The network sees the observation and the mask of the legal actions. At the end it plays games that it has never met,
always with its preferred action, and the script prints the mean with its 95 % confidence interval.

In games of several players the others are played by `--opponents`, and the reward is the return.

Needs `pip install '.[gym]' torch` in the folder of the project.
"""

from __future__ import annotations

import argparse
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
    """Gives each action a logit, and the position a value."""

    def __init__(self, seen: int, actions: int, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(seen + actions, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.head = nn.Linear(width, actions + 1)
        with torch.no_grad():
            self.head.weight /= 100  # at first every legal action is about as likely as another

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the logarithm of each action's probability, and the value."""
        out = self.head(self.body(torch.cat([seen, mask.float()], -1)))
        return torch.log_softmax(out[..., :-1].masked_fill(mask == 0, -1e9), -1), out[..., -1]


class Rollout:
    """The last steps of all games as tensors, which share their memory with the arrays that the environments write."""

    def __init__(self, steps: int, games: int, seen: int, actions: int) -> None:
        self.seen = torch.empty(steps + 1, games, seen)
        self.masks = torch.empty(steps + 1, games, actions, dtype=torch.int8)
        self.actions = torch.empty(steps, games, dtype=torch.int64)
        self.logs, self.final_values = torch.empty(steps, games), torch.zeros(steps, games)
        self.values = torch.empty(steps + 1, games)
        self.rewards = torch.empty(steps, games, dtype=torch.float64)
        self.ended, self.cut = torch.empty(steps, games, dtype=torch.bool), torch.empty(steps, games, dtype=torch.bool)
        self.final_seen = torch.zeros(games, seen)

    def step(self, envs: hr.gymnasium.VectorEnv, net: Network, t: int, random: torch.Generator) -> None:
        """Takes step `t` with actions drawn from the network."""
        logs, self.values[t] = net(self.seen[t], self.masks[t])
        self.actions[t] = torch.multinomial(logs.exp(), 1, generator=random)[:, 0]
        self.logs[t] = logs.gather(1, self.actions[t, :, None])[:, 0]
        envs.step_into(
            self.actions[t].numpy(),
            self.rewards[t].numpy(),
            self.ended[t].numpy(),
            self.cut[t].numpy(),
            observations=self.seen[t + 1].numpy(),
            action_masks=self.masks[t + 1].numpy(),
            final_observations=self.final_seen.numpy(),
        )
        if self.cut[t].any():  # the game would have gone on, so the value of its final position counts
            self.final_values[t] = net(self.final_seen, torch.ones_like(self.masks[t]))[1]

    def advantages(self, scale: float, decay: float) -> torch.Tensor:
        """Returns how much better each action turned out than expected (generalized advantage estimation)."""
        advantages, later = torch.empty_like(self.values[:-1]), torch.zeros(self.values.shape[1])
        for t in reversed(range(len(advantages))):
            follows = self.values[t + 1] + decay * later
            follows = torch.where(self.cut[t], self.final_values[t], follows).masked_fill(self.ended[t], 0)
            later = self.rewards[t].float() / scale - self.values[t] + follows
            advantages[t] = later
        return advantages


def learn(net: Network, optimizer: torch.optim.Optimizer, run: Rollout, args: argparse.Namespace, entropy: float) -> None:
    """Improves the network by the steps of a rollout."""
    advantages = run.advantages(args.scale, args.decay)
    goals = (advantages + run.values[:-1]).flatten()
    advantages = ((advantages - advantages.mean()) / advantages.std()).flatten()
    seen, masks = run.seen[:-1].flatten(0, 1), run.masks[:-1].flatten(0, 1)
    actions, before = run.actions.flatten(), run.logs.flatten()
    for _ in range(args.epochs):
        for part in torch.randperm(len(actions)).split(args.batch):
            logs, values = net(seen[part], masks[part])
            ratio = (logs.gather(1, actions[part, None])[:, 0] - before[part]).exp()
            gain = torch.min(ratio * advantages[part], ratio.clamp(0.8, 1.2) * advantages[part]).mean()
            spread = -(logs.exp() * logs).sum(-1).mean()
            loss = 0.5 * (values - goals[part]).square().mean() - gain - entropy * spread
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()


@torch.no_grad()
def evaluate(net: Network, envs: hr.gymnasium.VectorEnv, seed: int) -> np.ndarray:
    """Returns the sum of rewards of the first episode of each environment, with the preferred actions."""
    seen, infos = envs.reset(seed=seed)
    sums, going = np.zeros(envs.num_envs), np.ones(envs.num_envs, bool)
    while going.any():
        logs, _ = net(torch.from_numpy(seen), torch.from_numpy(infos["action_mask"]))
        seen, rewards, ended, cut, infos = envs.step(logs.argmax(-1).numpy())
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
    parser.add_argument("--updates", type=int, default=400, help="number of updates [default: 400]")
    parser.add_argument("--seed", type=int, default=1, help="seed of games and network [default: 1]")
    parser.add_argument("--threads", type=int, default=1, help="threads of PyTorch and of the games [default: 1]")
    parser.add_argument("--opponents", default="random", help="agent of the other seats [default: random]")
    parser.add_argument("--games", type=int, default=1024, help="games side by side [default: 1024]")
    parser.add_argument("--steps", type=int, default=32, help="steps of each game before an update [default: 32]")
    parser.add_argument("--width", type=int, default=256, help="neurons in each of two layers [default: 256]")
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate at the beginning [default: 0.001]")
    parser.add_argument("--entropy", type=float, default=0.03, help="weight of the entropy at the beginning [default: 0.03]")
    parser.add_argument("--decay", type=float, default=0.8, help="lambda of the advantages [default: 0.8]")
    parser.add_argument("--scale", type=float, default=20.0, help="rewards are divided by it [default: 20]")
    parser.add_argument("--epochs", type=int, default=3, help="passes over each rollout [default: 3]")
    parser.add_argument("--batch", type=int, default=4096, help="decisions in a batch [default: 4096]")
    parser.add_argument("--tests", type=int, default=10_000, help="games of the evaluation [default: 10,000]")
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    random = torch.Generator().manual_seed(args.seed)
    options = {"opponents": args.opponents, "skip_forced": True, "threads": args.threads}
    envs = hr.vector_env(args.game, args.games, autoreset_mode="SameStep", **options)
    tests = hr.vector_env(args.game, args.tests, **options)
    seen, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
    net, run = Network(seen, actions, args.width), Rollout(args.steps, args.games, seen, actions)
    optimizer = torch.optim.Adam(net.parameters(), args.rate, eps=1e-5)

    first, infos = envs.reset(seed=args.seed)
    run.seen[0], run.masks[0] = torch.from_numpy(first), torch.from_numpy(infos["action_mask"])
    begun, used, sums, finished = time.perf_counter(), time.process_time(), np.zeros(args.games), []
    for update in range(1, args.updates + 1):
        with torch.no_grad():
            for t in range(args.steps):
                run.step(envs, net, t, random)
                sums += run.rewards[t].numpy()
                over = (run.ended[t] | run.cut[t]).numpy()
                finished += sums[over].tolist()
                sums[over] = 0
            run.values[-1] = net(run.seen[-1], run.masks[-1])[1]
        left = 1 - (update - 1) / args.updates  # the learning rate and the entropy fall to zero
        optimizer.param_groups[0]["lr"] = args.rate * left
        learn(net, optimizer, run, args, args.entropy * left)
        run.seen[0], run.masks[0] = run.seen[-1].clone(), run.masks[-1].clone()
        if update % max(1, args.updates // 20) == 0 and finished:
            line = {"decisions": update * args.games * args.steps, "training": round(float(np.mean(finished)), 2)}
            print(json.dumps(line), flush=True)
            finished = []
    seconds, cpu = time.perf_counter() - begun, time.process_time() - used

    mean, low, high = interval(evaluate(net, tests, HELD_OUT))
    line = {"game": args.game, "seed": args.seed, "mean": round(mean, 3), "low": round(low, 3), "high": round(high, 3)}
    print(json.dumps(line | {"seconds": round(seconds), "cpu_seconds": round(cpu)}))


if __name__ == "__main__":
    main()
