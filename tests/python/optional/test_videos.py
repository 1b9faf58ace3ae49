"""Gymnasium's own wrappers record videos of environments."""

from __future__ import annotations

from pathlib import Path

import gymnasium
import houserule as hr
from moviepy import VideoFileClip


def frames(path: Path) -> tuple[int, tuple[int, int]]:
    with VideoFileClip(str(path)) as clip:
        return clip.n_frames, tuple(clip.size)


def test_videos_of_one_environment(tmp_path: Path) -> None:
    # Most codecs need even sizes.
    env = hr.env("tic-tac-toe", render_mode="rgb_array", render_width=256)
    recorded = gymnasium.wrappers.RecordVideo(env, str(tmp_path), episode_trigger=lambda episode: episode < 2, fps=4)
    lengths = []
    for seed in range(3):
        recorded.reset(seed=seed)
        lengths.append(1)
        over = False
        while not over:
            _, _, over, _, _ = recorded.step(env.sample_action())
            lengths[-1] += 1
    recorded.close()
    videos = sorted(tmp_path.glob("*.mp4"))
    assert len(videos) == 2
    for video, length in zip(videos, lengths):
        count, (width, _) = frames(video)
        assert abs(count - length) <= 1 and width == 256


def test_a_video_of_many_environments(tmp_path: Path) -> None:
    envs = hr.vector_env("tic-tac-toe", 4, render_mode="rgb_array", render_width=128)
    recorded = gymnasium.wrappers.vector.RecordVideo(envs, str(tmp_path), video_length=6, step_trigger=lambda step: step == 0)
    recorded.reset(seed=1)
    for _ in range(8):
        recorded.step(envs.sample_actions())
    recorded.close()
    (video,) = tmp_path.glob("*.mp4")
    assert abs(frames(video)[0] - 6) <= 1
