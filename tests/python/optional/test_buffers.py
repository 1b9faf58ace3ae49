"""Arrays of environments as tensors: they share their memory, and steps are written into tensors of the caller."""

from __future__ import annotations

import houserule as hr
import jax
import numpy as np
import torch

N = 64


def test_torch_reads_what_a_step_gives_without_a_copy() -> None:
    envs = hr.vector_env("dilido", N)
    seen, infos = envs.reset(seed=1)
    given = [seen, infos["action_mask"], *envs.step(envs.sample_actions())[:4]]
    for array in given:
        for tensor in (torch.from_dlpack(array), torch.from_numpy(array)):
            assert tensor.data_ptr() == array.__array_interface__["data"][0]
    torch.from_dlpack(seen)[0, 0] = 7
    assert seen[0, 0] == 7


def test_jax_reads_what_a_step_gives_without_a_copy() -> None:
    """JAX shares memory that is aligned to 64 bytes, as large arrays of numpy rarely are; a buffer of one's own can be."""
    envs = hr.vector_env("dilido", N)
    envs.reset(seed=1)
    room = np.empty(N * 124 * 4 + 64, np.uint8)
    begin = -room.__array_interface__["data"][0] % 64
    seen = room[begin : begin + N * 124 * 4].view(np.float32).reshape(N, 124)
    envs.step_into(envs.sample_actions(), np.empty(N), np.empty(N, bool), np.empty(N, bool), observations=seen)
    array = jax.dlpack.from_dlpack(seen)
    assert array.unsafe_buffer_pointer() == seen.__array_interface__["data"][0]
    assert (np.asarray(array) == envs.observations()).all()


def test_steps_are_written_into_tensors() -> None:
    steps = 8
    one, other = (hr.vector_env("connect-four", N, opponents="self", autoreset_mode="SameStep") for _ in range(2))
    seen = torch.full((steps, N, 88), torch.nan)
    masks, rewards = torch.empty(steps, N, 7, dtype=torch.int8), torch.empty(steps, N, dtype=torch.float64)
    ended, cut = torch.empty(steps, N, dtype=torch.bool), torch.empty(steps, N, dtype=torch.bool)
    one.reset(seed=3)
    other.reset(seed=3)
    for t in range(steps):
        actions = one.sample_actions()
        one.step_into(
            actions,
            rewards[t].numpy(),
            ended[t].numpy(),
            cut[t].numpy(),
            observations=seen[t].numpy(),
            action_masks=masks[t].numpy(),
        )
        told = other.step(actions)
        for tensor, array in zip((seen[t], rewards[t], ended[t], cut[t], masks[t]), (*told[:4], told[4]["action_mask"])):
            assert (tensor.numpy() == array).all()
