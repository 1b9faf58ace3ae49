"""Trains a player of a game by self-play with a tree search (AlphaZero), in PyTorch.

    python examples/train/alphazero.py connect-four --rounds 60 --seed 1

Hundreds of games are played side by side, and both players are the same network with a search: `envs.search` searches
the decisions of all games together, and calls the network for thousands of positions at once. The network learns the
shares of the visits as its policy, and the results of the games as its value. At the end the network with its search
plays each of `--against` as any other agent, and the script prints its mean return (from -1 to 1), or in a one-player
game its mean score, with the 95 % confidence interval.

Needs `pip install '.[gym]' torch` in the folder of the project.
"""

from __future__ import annotations

import argparse
import json
import time

import houserule as hr
import numpy as np
import torch
from torch import nn

HELD_OUT = 1_000_000_000
"""The seed of the evaluation. Training has the seeds from `--seed` on, one for each environment."""


class Network(nn.Module):
    """Gives each action a logit, and the position a value for the player who is to move."""

    def __init__(self, seen: int, actions: int, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(seen, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.head = nn.Linear(width, actions + 1)
        with torch.no_grad():
            self.head.weight /= 100  # at first every legal action is about as likely as another

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the logarithm of each action's probability, and the value."""
        out = self.head(self.body(seen))
        return torch.log_softmax(out[..., :-1].masked_fill(mask == 0, -1e9), -1), out[..., -1]


class Values:
    """The values that the network learns: returns, or in a one-player game scores, scaled to those seen lately."""

    def __init__(self, scored: bool) -> None:
        self.scored, self.mean, self.spread = scored, 0.0, 1.0

    def fit(self, results: torch.Tensor) -> None:
        if self.scored:
            self.mean, self.spread = float(results.mean()), max(float(results.std()), 1e-3)

    def scaled(self, results: torch.Tensor) -> torch.Tensor:
        return (results - self.mean) / self.spread

    def shown(self, values: torch.Tensor) -> torch.Tensor:
        return values * self.spread + self.mean if self.scored else values.clamp(-1, 1)


def evaluator(net: Network, values: Values) -> object:
    """Returns the network as the evaluator of a search."""

    @torch.inference_mode()
    def evaluate(observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        logs, value = net(torch.from_numpy(observations), torch.from_numpy(masks))
        return logs.exp().numpy(), values.shown(value).numpy()

    return evaluate


class Memory:
    """The last positions of finished games: what was seen, the mask, the visits and the result."""

    def __init__(self, size: int, seen: int, actions: int) -> None:
        self.seen, self.masks = torch.empty(size, seen), torch.empty(size, actions, dtype=torch.int8)
        self.policies, self.results = torch.empty(size, actions), torch.empty(size)
        self.size, self.count = size, 0

    def add(self, seen: np.ndarray, mask: np.ndarray, policy: np.ndarray, result: float) -> None:
        at = self.count % self.size
        self.seen[at], self.masks[at] = torch.from_numpy(seen), torch.from_numpy(mask)
        self.policies[at], self.results[at] = torch.from_numpy(policy), result
        self.count += 1

    def filled(self) -> int:
        return min(self.count, self.size)


class SelfPlay:
    """Games that the network plays against itself, and the decisions of those that aren't over."""

    def __init__(self, args: argparse.Namespace, search: hr.Search) -> None:
        self.envs = hr.vector_env(args.game, args.games, opponents="self", autoreset_mode="SameStep", threads=args.threads)
        self.search, self.openings, self.finished = search, args.openings, 0
        self.seen, infos = self.envs.reset(seed=args.seed)
        self.masks, self.players = infos["action_mask"], infos["current_player"]
        self.decisions: list[list[tuple[np.ndarray, np.ndarray, np.ndarray, int]]] = [[] for _ in range(args.games)]
        self.sums = np.zeros((args.games, self.envs.players))
        self.random = np.random.default_rng(args.seed)

    def step(self, memory: Memory) -> None:
        """Takes a step in every game. Decisions of a finished game enter the memory with its result."""
        policies, _, actions = self.envs.search(self.search)
        for game, (policy, player) in enumerate(zip(policies, self.players, strict=True)):
            self.decisions[game].append((self.seen[game].copy(), self.masks[game].copy(), policy, int(player)))
            if len(self.decisions[game]) <= self.openings:  # the first decisions vary, the others are the best ones
                actions[game] = self.random.choice(len(policy), p=policy.astype(float) / policy.sum(dtype=float))
        self.seen, _, ended, cut, infos = self.envs.step(actions)
        self.masks, self.players = infos["action_mask"], infos["current_player"]
        self.sums += infos["rewards"]
        for game in np.flatnonzero(ended | cut):
            for seen, mask, policy, player in self.decisions[game] if ended[game] else []:
                memory.add(seen, mask, policy, float(self.sums[game, player]))
            self.decisions[game], self.sums[game] = [], 0
            self.finished += 1


def learn(net: Network, optimizer: torch.optim.Optimizer, memory: Memory, values: Values, args: argparse.Namespace) -> float:
    """Improves the network by positions of the memory. Returns the mean loss."""
    filled, total = memory.filled(), 0.0
    values.fit(memory.results[:filled])
    for _ in range(args.batches):
        part = torch.randint(filled, (args.batch,))
        logs, value = net(memory.seen[part], memory.masks[part])
        loss = (value - values.scaled(memory.results[part])).square().mean() - (memory.policies[part] * logs).sum(-1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / args.batches


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", help="a name, or the path of a rule file, of a game for one or two players")
    parser.add_argument("--rounds", type=int, default=60, help="number of rounds of self-play and learning [default: 60]")
    parser.add_argument("--seed", type=int, default=1, help="seed of games and network [default: 1]")
    parser.add_argument("--threads", type=int, default=1, help="threads of PyTorch and of the search [default: 1]")
    parser.add_argument("--against", nargs="+", default=["greedy", "mcts:100"], help="agents of the evaluation")
    parser.add_argument("--games", type=int, default=512, help="games side by side [default: 512]")
    parser.add_argument("--steps", type=int, default=16, help="decisions of each game in a round [default: 16]")
    parser.add_argument("--simulations", type=int, default=64, help="simulations of a decision [default: 64]")
    parser.add_argument("--noise", type=float, default=1.0, help="concentration of the noise in the root's priors [default: 1]")
    parser.add_argument("--openings", type=int, default=10, help="decisions of a game drawn by visits [default: 10]")
    parser.add_argument("--width", type=int, default=256, help="neurons in each of two layers [default: 256]")
    parser.add_argument("--rate", type=float, default=1e-3, help="learning rate at the beginning [default: 0.001]")
    parser.add_argument("--memory", type=int, default=100_000, help="positions that are kept [default: 100,000]")
    parser.add_argument("--batch", type=int, default=1024, help="positions in a batch [default: 1024]")
    parser.add_argument("--batches", type=int, default=40, help="batches of a round [default: 40]")
    parser.add_argument("--tests", type=int, default=400, help="games against each agent [default: 400]")
    args = parser.parse_args()

    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    game = hr.load(args.game)
    if game.players > 2:
        parser.error(f"{game.title} is a game for {game.players} players: give one for one or two")
    method = "ismcts"  # the same as mcts, if nothing is hidden
    values = Values(game.players == 1)
    seen, actions = len(game.start(1).observation(0)), game.num_actions
    net = Network(seen, actions, args.width)
    search = hr.Search(evaluator(net, values), args.simulations, method=method, root_noise=args.noise, seed=args.seed)
    play, memory = SelfPlay(args, search), Memory(args.memory, seen, actions)
    optimizer = torch.optim.Adam(net.parameters(), args.rate, weight_decay=1e-5)

    begun, used = time.perf_counter(), time.process_time()
    for number in range(1, args.rounds + 1):
        for _ in range(args.steps):
            play.step(memory)
        optimizer.param_groups[0]["lr"] = args.rate * (1 - (number - 1) / args.rounds)
        if memory.filled() >= args.batch:
            loss = learn(net, optimizer, memory, values, args)
            if number % max(1, args.rounds // 20) == 0:
                line = {"decisions": number * args.games * args.steps, "games": play.finished, "loss": round(loss, 3)}
                print(json.dumps(line), flush=True)
    seconds, cpu = time.perf_counter() - begun, time.process_time() - used

    player = hr.Search(evaluator(net, values), args.simulations, method=method, name=f"net:{args.simulations}")
    found = hr.evaluate(player, game, against=args.against, games=args.tests, seed=HELD_OUT)
    what = "score" if game.players == 1 else "returns"
    for row in found.rows:
        mean, low, high = (round(row[key], 3) for key in (what, f"{what}_low", f"{what}_high"))
        line = {"game": args.game, "seed": args.seed, "against": row["against"], "mean": mean, "low": low, "high": high}
        print(json.dumps(line | {"seconds": round(seconds), "cpu_seconds": round(cpu)}))


if __name__ == "__main__":
    main()
