"""`pip install .` gives the package, its rules and the command, in an empty venv and from any folder."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

USE = """
import pathlib, houserule as hr
assert "site-packages" in hr.__file__, hr.__file__
folder = pathlib.Path(hr.__file__).parent
assert (folder / "py.typed").exists() and (folder / "_native.pyi").exists()
state = hr.load("dilido + torus").start(seed=7)
state.apply(state.legal_actions()[0])
print(state.observation().shape, state.score)
"""


def test_a_wheel_in_an_empty_venv(tmp_path: Path) -> None:
    # The profile of the other tests, so that there is little to compile.
    env = {**os.environ, "MATURIN_PEP517_ARGS": "--profile dev", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    env.pop("PYTHONPATH", None)
    # Without its own folder of packages, the build calls `maturin` by name.
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    subprocess.run([*pip, str(tmp_path), str(ROOT)], check=True, env=env)
    (wheel,) = tmp_path.glob("houserule-*.whl")
    assert "-cp310-abi3-" in wheel.name
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    venv.create(tmp_path / "venv", with_pip=True)
    scripts = tmp_path / "venv" / "bin"
    subprocess.run([scripts / "python", "-m", "pip", "install", "--quiet", wheel], check=True, env=env, cwd=folder)
    used = subprocess.run([scripts / "python", "-c", USE], check=True, capture_output=True, text=True, cwd=folder)
    assert used.stdout.strip()
    command = [scripts / "houserule", "simulate", "dilido", "--games", "10", "--seed", "1", "--json"]
    assert b'"games":' in subprocess.run(command, check=True, capture_output=True, cwd=folder, env=env).stdout
