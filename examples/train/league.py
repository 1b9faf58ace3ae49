"""Trains a player of a game for two by self-play with a league, in PyTorch.

    python examples/train/league.py connect-four --updates 200 --seed 1

A network plays both sides of half of the games. In the other half it meets older copies of itself, one in each group of
games, which keeps it from forgetting how to beat them. Copies that it beats less often are met more often. It learns by
proximal policy optimization (PPO) from its own decisions. At the end it plays each of `--against` with its preferred
action, in both seats, and the script prints its mean return (from -1 to 1) with the 95 % confidence interval.

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
    """Gives each action a logit, and the position a value for the player who is to move."""

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


class League:
    """The older copies of the network, and how often each is beaten."""

    def __init__(self, groups: int, games: int) -> None:
        self.copies: list[Network] = []
        self.shares: list[float] = []  # of the points that the network got against each copy lately, from 0 to 1
        half = games // 2
        self.rows = [slice(half + half * g // groups, half + half * (g + 1) // groups) for g in range(groups)]
        self.met = [0] * groups

    def add(self, net: Network) -> None:
        self.copies.append(copy.deepcopy(net).requires_grad_(False))
        self.shares.append(0.5)

    def meet(self, chance: np.random.Generator) -> None:
        """Draws a copy for each group, those that are beaten less often with a higher probability."""
        weights = (1.02 - np.array(self.shares)) ** 2
        self.met = chance.choice(len(weights), len(self.rows), p=weights / weights.sum()).tolist()

    def count(self, group: int, points: np.ndarray) -> None:
        """Counts the results of games against the copy of a group."""
        for share in points.tolist():
            self.shares[self.met[group]] += 0.01 * (share - self.shares[self.met[group]])


class Rollout:
    """The last steps of all games as tensors, which share their memory with the arrays that the environments write."""

    def __init__(self, steps: int, games: int, seen: int, actions: int) -> None:
        self.seen = torch.empty(steps + 1, games, seen)
        self.masks = torch.empty(steps + 1, games, actions, dtype=torch.int8)
        self.players = torch.zeros(steps + 1, games, dtype=torch.int32)
        self.actions, self.own = torch.empty(steps, games, dtype=torch.int64), torch.ones(steps, games, dtype=torch.bool)
        self.logs, self.values = torch.empty(steps, games), torch.empty(steps + 1, games)
        self.rewards, self.seat_rewards = torch.empty(steps, games, dtype=torch.float64), np.empty((games, 2))
        self.ended, self.cut = torch.empty(steps, games, dtype=torch.bool), torch.empty(steps, games, dtype=torch.bool)

    def step(self, envs: hr.gymnasium.VectorEnv, net: Network, league: League, seats: torch.Tensor, t: int) -> None:
        """Takes step `t`. `seats` are those of the network; -1 where it plays both sides."""
        logs, self.values[t] = net(self.seen[t], self.masks[t])
        self.own[t] = (seats < 0) | (self.players[t] == seats)
        for rows, met in zip(league.rows, league.met, strict=True):
            theirs = rows.start + torch.nonzero(~self.own[t, rows])[:, 0]
            if len(theirs):
                logs[theirs] = league.copies[met](self.seen[t, theirs], self.masks[t, theirs])[0]
        self.actions[t] = torch.multinomial(logs.exp(), 1)[:, 0]
        self.logs[t] = logs.gather(1, self.actions[t, :, None])[:, 0]
        envs.step_into(
            self.actions[t].numpy(),
            self.rewards[t].numpy(),
            self.ended[t].numpy(),
            self.cut[t].numpy(),
            observations=self.seen[t + 1].numpy(),
            action_masks=self.masks[t + 1].numpy(),
            current_players=self.players[t + 1].numpy(),
            seat_rewards=self.seat_rewards,
        )

    def advantages(self, decay: float) -> torch.Tensor:
        """Returns how much better each action turned out than expected (generalized advantage estimation). If the other
        player is next, what is good there is bad here."""
        advantages, later = torch.empty_like(self.values[:-1]), torch.zeros(self.values.shape[1])
        for t in reversed(range(len(advantages))):
            side = torch.where(self.players[t] == self.players[t + 1], 1.0, -1.0)
            follows = (side * (self.values[t + 1] + decay * later)).masked_fill(self.ended[t] | self.cut[t], 0)
            later = self.rewards[t].float() - self.values[t] + follows
            advantages[t] = later
        return advantages


def learn(net: Network, optimizer: torch.optim.Optimizer, run: Rollout, args: argparse.Namespace, entropy: float) -> None:
    """Improves the network by its own steps of a rollout."""
    advantages, own = run.advantages(args.decay), run.own
    goals, advantages = (advantages + run.values[:-1])[own], advantages[own]
    advantages = (advantages - advantages.mean()) / advantages.std()
    seen, masks, actions, before = run.seen[:-1][own], run.masks[:-1][own], run.actions[own], run.logs[own]
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
def evaluate(net: Network, game: str, opponent: str, count: int) -> tuple[float, float, float]:
    """Returns the mean return in games against an agent, half of them in each seat, and the ends of its interval."""
    results = []
    for seat in (0, 1):
        envs = hr.vector_env(game, count // 2, opponents=opponent, seat=seat)
        seen, infos = envs.reset(seed=HELD_OUT)
        returns, going = np.zeros(envs.num_envs), np.ones(envs.num_envs, bool)
        while going.any():
            logs, _ = net(torch.from_numpy(seen), torch.from_numpy(infos["action_mask"]))
            seen, rewards, ended, cut, infos = envs.step(logs.argmax(-1).numpy())
            returns[going] += rewards[going]
            going &= ~(ended | cut)
        results.append(returns)
    # The games of a seed in both seats are one observation.
    values = np.mean(results, axis=0)
    mean, half = float(values.mean()), 1.96 * float(values.std(ddof=1)) / math.sqrt(len(values))
    return mean, mean - half, mean + half


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", help="a name, or the path of a rule file")
    parser.add_argument("--updates", type=int, default=200, help="number of updates [default: 200]")
    parser.add_argument("--seed", type=int, default=1, help="seed of games and network [default: 1]")
    parser.add_argument("--threads", type=int, default=1, help="threads of PyTorch and of the games [default: 1]")
    parser.add_argument("--games", type=int, default=1024, help="games side by side [default: 1024]")
    parser.add_argument("--steps", type=int, default=32, help="steps of each game before an update [default: 32]")
    parser.add_argument("--groups", type=int, default=4, help="copies that are met at a time [default: 4]")
    parser.add_argument("--keep", type=int, default=10, help="updates between two copies [default: 10]")
    parser.add_argument("--width", type=int, default=256, help="neurons in each of two layers [default: 256]")
    parser.add_argument("--rate", type=float, default=7e-4, help="learning rate at the beginning [default: 0.0007]")
    parser.add_argument("--entropy", type=float, default=0.02, help="weight of the entropy [default: 0.02]")
    parser.add_argument("--decay", type=float, default=0.95, help="lambda of the advantages [default: 0.95]")
    parser.add_argument("--epochs", type=int, default=3, help="passes over each rollout [default: 3]")
    parser.add_argument("--batch", type=int, default=512, help="decisions in a batch [default: 512]")
    parser.add_argument("--against", default="greedy,mcts:100", help="agents of the evaluation [default: greedy,mcts:100]")
    parser.add_argument("--tests", type=int, default=2000, help="games against each of them [default: 2000]")
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    chance = np.random.default_rng(args.seed)
    envs = hr.vector_env(args.game, args.games, opponents="self", autoreset_mode="SameStep", threads=args.threads)
    seen, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
    net, run, league = Network(seen, actions, args.width), Rollout(args.steps, args.games, seen, actions), League(args.groups, args.games)
    optimizer = torch.optim.Adam(net.parameters(), args.rate, eps=1e-5)
    seats = torch.arange(args.games) % 2
    seats[: args.games // 2] = -1

    first, infos = envs.reset(seed=args.seed)
    run.seen[0], run.masks[0] = torch.from_numpy(first), torch.from_numpy(infos["action_mask"])
    run.players[0] = torch.from_numpy(infos["current_player"])
    last = args.against.split(",")[-1]
    begun, used = time.perf_counter(), time.process_time()
    for update in range(1, args.updates + 1):
        if update % args.keep == 1 or args.keep == 1:
            league.add(net)
        league.meet(chance)
        with torch.no_grad():
            for t in range(args.steps):
                run.step(envs, net, league, seats, t)
                for group, rows in enumerate(league.rows):
                    over, sides = run.ended[t, rows].numpy(), seats[rows].numpy()
                    league.count(group, (1 + run.seat_rewards[rows][over, sides[over]]) / 2)
            run.values[-1] = net(run.seen[-1], run.masks[-1])[1]
        optimizer.param_groups[0]["lr"] = args.rate * (1 - (update - 1) / args.updates)
        learn(net, optimizer, run, args, args.entropy)
        run.seen[0], run.masks[0], run.players[0] = run.seen[-1].clone(), run.masks[-1].clone(), run.players[-1].clone()
        if update % max(1, args.updates // 10) == 0:
            share = round(float(np.mean(league.shares)), 3)
            line = {"moves": update * args.games * args.steps, "copies": len(league.copies), "points": share}
            print(json.dumps(line | {last: round(evaluate(net, args.game, last, 200)[0], 2)}), flush=True)
    seconds, cpu = time.perf_counter() - begun, time.process_time() - used

    for opponent in args.against.split(","):
        mean, low, high = evaluate(net, args.game, opponent, args.tests)
        line = {"game": args.game, "seed": args.seed, "against": opponent, "mean": round(mean, 3), "low": round(low, 3)}
        print(json.dumps(line | {"high": round(high, 3), "seconds": round(seconds), "cpu_seconds": round(cpu)}))


if __name__ == "__main__":
    main()
