"""The learner of the notebooks: proximal policy optimisation (PPO) in JAX and Optax.

`03_train_an_agent.ipynb` explains each part. A network is a list of layers, each weights and a bias; the last gives a
preference for each action and, as its last number, the value.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax


class Settings(NamedTuple):
    """How a network learns."""

    updates: int
    decay: float  # λ: how much later surprises count for an earlier action
    entropy: float  # what it is worth to keep trying things out
    epochs: int  # how often each decision is learned from in an update
    batches: int  # parts of an epoch
    rate: float  # of learning at the beginning; it falls to 0
    clip: float = 0.2  # no probability moves by a larger part in one update
    next_value: int = 1  # -1 where the next position is the opponent's: what is good there is bad here


def network(key: jax.Array, sizes: list[int]) -> list[tuple[jax.Array, jax.Array]]:
    """A network with layers of these sizes."""
    keys = jax.random.split(key, len(sizes) - 1)
    layers = [
        (jax.random.normal(key, (a, b)) * np.sqrt(2 / a), jnp.zeros(b)) for key, a, b in zip(keys, sizes, sizes[1:])
    ]
    weights, bias = layers[-1]
    return [*layers[:-1], (weights / 100, bias)]  # at first every legal action is about as likely as another


def forward(net: Any, seen: Any, mask: Any) -> tuple[jax.Array, jax.Array]:
    """The logarithm of each action's probability, and the value."""
    x = seen
    for weights, bias in net[:-1]:
        x = jax.nn.relu(x @ weights + bias)
    weights, bias = net[-1]
    x = x @ weights + bias
    return jax.nn.log_softmax(jnp.where(mask, x[..., :-1], -1e9)), x[..., -1]


@jax.jit
def act(net: Any, key: jax.Array, seen: Any, mask: Any) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Actions drawn from the network, the logarithms of their probabilities, and the values."""
    logs, value = forward(net, seen, mask)
    action = jax.random.categorical(key, logs)
    return action, jnp.take_along_axis(logs, action[:, None], 1)[:, 0], value


@jax.jit
def value_of(net: Any, seen: Any) -> jax.Array:
    """The values of positions in which no action is asked for."""
    return forward(net, seen, True)[1]


def advantages(rewards: Any, ended: Any, cut: Any, values: Any, final_values: Any, settings: Settings) -> jax.Array:
    """By how much each action turned out better than expected (generalised advantage estimation).

    After an episode that is over (`ended`) nothing follows. One that was cut short (`cut`) would have gone on: what
    follows is worth `final_values`, the value of its last position to whoever took the step, for the next row of
    `values` is of another episode.
    """

    def back(later: Any, step: Any) -> Any:
        advantage, next_value = later
        reward, end, short, value, final_value = step
        follows = settings.next_value * (next_value + settings.decay * advantage)
        advantage = reward - value + jnp.where(end, 0, jnp.where(short, final_value, follows))
        return (advantage, value), advantage

    last = (jnp.zeros(values.shape[1]), values[-1])
    return jax.lax.scan(back, last, (rewards, ended, cut, values[:-1], final_values), reverse=True)[1]


class Learner:
    """A network that learns from what came of its decisions."""

    def __init__(self, key: jax.Array, sizes: list[int], settings: Settings) -> None:
        self.net: Any = network(key, sizes)
        steps = settings.updates * settings.epochs * settings.batches
        schedule = optax.linear_schedule(settings.rate, 0, steps)
        optimiser = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(schedule))
        self._memory: Any = optimiser.init(self.net)

        def loss(net: Any, batch: dict[str, Any]) -> jax.Array:
            logs, value = forward(net, batch["seen"], batch["mask"])
            ratio = jnp.exp(jnp.take_along_axis(logs, batch["action"][:, None], 1)[:, 0] - batch["log"])
            advantage, clip = batch["advantage"], settings.clip
            gain = jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - clip, 1 + clip) * advantage)
            entropy = -(jnp.exp(logs) * logs).sum(-1)
            return (0.5 * (value - batch["return"]) ** 2 - gain - settings.entropy * entropy).mean()

        @jax.jit
        def learn(net, memory, key, seen, mask, action, log, rewards, ended, cut, values, final_values):  # type: ignore[no-untyped-def]
            advantage = advantages(rewards, ended, cut, values, final_values, settings)
            steps = {
                "seen": seen,
                "mask": mask,
                "action": action,
                "log": log,
                "advantage": (advantage - advantage.mean()) / advantage.std(),
                "return": advantage + values[:-1],
            }
            steps = jax.tree.map(lambda x: x.reshape(rewards.size, *x.shape[2:]), steps)

            def one(carry: Any, chosen: Any) -> Any:
                net, memory = carry
                slope = jax.grad(loss)(net, {name: x[chosen] for name, x in steps.items()})
                change, memory = optimiser.update(slope, memory)
                return (optax.apply_updates(net, change), memory), None

            keys = jax.random.split(key, settings.epochs)
            orders = [jax.random.permutation(k, rewards.size).reshape(settings.batches, -1) for k in keys]
            return jax.lax.scan(one, (net, memory), jnp.concatenate(orders))[0]

        self._learn = learn

    def learn(self, key: jax.Array, *steps: Any) -> None:
        """Learns from steps of many games: what was seen, masks, actions, logarithms of their probabilities, rewards,
        ended, cut, values (a row more than there are steps), and the values of the last positions of episodes."""
        self.net, self._memory = self._learn(self.net, self._memory, key, *steps)
        jax.block_until_ready(self.net)
