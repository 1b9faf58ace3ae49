"""Trains players on a benchmark of house rules, in three ways, and scores them on held-out rules.

    python examples/train/rules.py dilido --updates 30 --seeds 1 2

`standard`: on the standard rules alone. `distribution`: on many rule sets, and observations don't show the rules of an episode.
`shown`: on the same rule sets, and observations show the rules. All ways have the same number of decisions, and the
training is that of `ppo.py`, in the same folder. A score of 0 is that of random players, 1 that of learned players that
were trained on each rule set alone.

The script prints a line of JSON for each player and split, and at the end the differences between the ways: the mean over
the seeds, with a 95 % confidence interval over the rule sets and the trainings.

Needs `pip install '.[gym]' torch` in the folder of the project.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import houserule.benchmarks
import numpy as np
import torch
from ppo import Network, Rollout, learn

SPLITS = ("standard", "validation", "test_values", "test_combinations", "test_variants")
WAYS = {"standard": ("standard", False), "distribution": ("train", False), "shown": ("train", True)}
"""The split that a player is trained on, and whether observations show the rules."""


def trained(bench: houserule.benchmarks.Benchmark, way: str, seed: int, args: argparse.Namespace) -> Network:
    """Returns a network that was trained in one of the ways."""
    torch.manual_seed(seed)
    random = torch.Generator().manual_seed(seed)
    split, show = WAYS[way]
    options = {"show_rules": show, "skip_forced": True, "autoreset_mode": "SameStep", "threads": args.threads}
    envs = bench.env(split, args.games, None if split == "standard" else args.count, **options)
    seen, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)
    net, run = Network(seen, actions, args.width), Rollout(args.steps, args.games, seen, actions)
    optimizer = torch.optim.Adam(net.parameters(), args.rate, eps=1e-5)
    first, infos = envs.reset(seed=1_000_000 * seed)
    run.seen[0], run.masks[0] = torch.from_numpy(first), torch.from_numpy(infos["action_mask"])
    scales = Scales(envs, 2 * args.scale)
    for update in range(args.updates):
        with torch.no_grad():
            for t in range(args.steps):
                run.step(envs, net, t, random)
                scales.apply(run.rewards[t].numpy(), (run.ended[t] | run.cut[t]).numpy())
            run.values[-1] = net(run.seen[-1], run.masks[-1])[1]
        scales.update()
        left = 1 - update / args.updates  # the learning rate and the entropy fall to zero
        optimizer.param_groups[0]["lr"] = args.rate * left
        learn(net, optimizer, run, args, args.entropy * left)
        run.seen[0], run.masks[0] = run.seen[-1].clone(), run.masks[-1].clone()
    return net


class Scales:
    """Divides rewards by the mean size of a return of their rule set, so that rules with many points don't outweigh the others."""

    def __init__(self, envs: Any, usual: float) -> None:
        self.envs, self.usual = envs, usual
        self.sums = np.zeros(envs.num_envs)
        self.totals, self.episodes = np.zeros(len(envs.rules)), np.zeros(len(envs.rules))
        self.factors = np.ones(len(envs.rules))
        self.played = envs.rule_indices

    def apply(self, rewards: np.ndarray, over: np.ndarray) -> None:
        """Scales the rewards of a step, in place."""
        self.sums += rewards
        np.add.at(self.totals, self.played[over], np.abs(self.sums[over]))
        np.add.at(self.episodes, self.played[over], 1)
        self.sums[over] = 0
        rewards *= self.factors[self.played]
        self.played = self.envs.rule_indices

    def update(self) -> None:
        """Computes the factors anew. The first episodes to end are short, so factors wait for an update; a rule set with few
        episodes so far has a factor near 1."""
        self.factors = self.usual * (self.episodes + 10) / np.maximum(self.totals + 10 * self.usual, 1)


def preferred(net: Network) -> Any:
    """Returns the policy that always takes the network's preferred action."""

    @torch.no_grad()
    def policy(seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return net(torch.from_numpy(seen), torch.from_numpy(masks))[0].argmax(-1).numpy()

    return policy


def rounded(names: str, values: tuple[float, ...]) -> dict[str, float | None]:
    return {name: None if np.isnan(value) else round(value, 3) for name, value in zip(names.split(), values)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("benchmark", help="name of a benchmark, such as dilido")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2], help="a training for each [default: 1 2]")
    parser.add_argument("--updates", type=int, default=30, help="number of updates [default: 30]")
    parser.add_argument("--count", type=int, default=1000, help="rule sets of the distribution [default: 1000]")
    parser.add_argument("--tests", type=int, default=200, help="games of each scored rule set [default: 200]")
    parser.add_argument("--threads", type=int, default=1, help="threads of PyTorch and of the games [default: 1]")
    parser.add_argument("--games", type=int, default=1024, help="games side by side [default: 1024]")
    parser.add_argument("--steps", type=int, default=32, help="steps of each game before an update [default: 32]")
    parser.add_argument("--width", type=int, default=256, help="neurons in each of two layers [default: 256]")
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate at the beginning [default: 0.001]")
    parser.add_argument("--entropy", type=float, default=0.03, help="weight of the entropy at the beginning [default: 0.03]")
    parser.add_argument("--decay", type=float, default=0.95, help="lambda of the advantages [default: 0.95]")
    parser.add_argument("--scale", type=float, default=20.0, help="rewards are divided by it [default: 20]")
    parser.add_argument("--epochs", type=int, default=3, help="passes over each rollout [default: 3]")
    parser.add_argument("--batch", type=int, default=4096, help="decisions in a batch [default: 4096]")
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    bench = houserule.benchmarks.load(args.benchmark)
    scores: dict[tuple[str, str], list[houserule.benchmarks.Score]] = {}
    for seed in args.seeds:
        for way, (_, show) in WAYS.items():
            begun = time.process_time()
            net = trained(bench, way, seed, args)
            used = round(time.process_time() - begun)
            for split in SPLITS:
                # The standard rules are one rule set, so more games fit.
                games = args.tests * (10 if split == "standard" else 1)
                score = bench.score(preferred(net), split, games=games, show_rules=show, threads=args.threads)
                scores.setdefault((way, split), []).append(score)
                line = rounded("score low high", (score.mean, score.low, score.high))
                print(json.dumps({"way": way, "seed": seed, "split": split, **line, "cpu_seconds": used}), flush=True)
    for split in SPLITS:
        means = {way: houserule.benchmarks.Score.mean_of(scores[way, split]) for way in WAYS}
        for way, score in means.items():
            line = rounded("score low high", (score.mean, score.low, score.high))
            print(json.dumps({"split": split, "way": way, "seeds": len(args.seeds), **line}))
        for way, other in (("distribution", "standard"), ("shown", "standard"), ("shown", "distribution")):
            line = rounded("difference low high", means[way].minus(means[other]))
            print(json.dumps({"split": split, "way": way, "minus": other, **line}), flush=True)


if __name__ == "__main__":
    main()
