"""`./wheel` builds what an empty venv installs and runs without Rust: the package, its rules and the command."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import numpy
from extent import everything, tries

ROOT = Path(__file__).resolve().parents[2]

USE = """
import pathlib, houserule as hr
assert "site-packages" in hr.__file__, hr.__file__
folder = pathlib.Path(hr.__file__).parent
assert (folder / "py.typed").exists() and (folder / "_native.pyi").exists()
assert (folder / "benchmarks" / "data" / "dilido.index.json").exists() and list((folder / "benchmarks" / "variants").glob("*.rules"))
state = hr.load("dilido + torus").start(seed=7)
state.apply(state.legal_actions()[0])
print(state.observation().shape, state.score)
"""


def test_a_wheel_in_an_empty_venv(tmp_path: Path) -> None:
    env = {**os.environ, "OUT": str(tmp_path), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    env.pop("PYTHONPATH", None)
    env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env["PATH"]])
    # The profile and the Python of the other tests: what they have built is only packed.
    env["VIRTUAL_ENV"] = sys.prefix
    quickly = tries(["--compression-method", "stored"], [])
    subprocess.run([ROOT / "wheel", "--profile", "dev", "--quiet", "--interpreter", sys.executable, *quickly], check=True, env=env)
    (wheel,) = tmp_path.glob("houserule-*.whl")
    assert "-cp310-abi3-" in wheel.name
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    venv.create(tmp_path / "venv", with_pip=everything())
    scripts = tmp_path / "venv" / "bin"
    # From here on there is no compiler.
    env["PATH"] = str(scripts)
    del env["VIRTUAL_ENV"]
    install = ["install", "--quiet", "--only-binary", ":all:"]
    if everything():
        pip = [scripts / "python", "-m", "pip"]
        subprocess.run([*pip, *install, "numpy"], check=True, env=env, cwd=folder)
    else:
        # Pip and NumPy are those of the tests.
        pip = [sys.executable, "-m", "pip", "--python", scripts / "python"]
        (packages,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
        for part in Path(numpy.__file__).parents[1].glob("numpy*"):
            (packages / part.name).symlink_to(part)
    subprocess.run([*pip, *install, "--no-index", wheel], check=True, env=env, cwd=folder)
    used = subprocess.run([scripts / "python", "-c", USE], check=True, capture_output=True, text=True, cwd=folder, env=env)
    assert used.stdout.strip()
    command = [scripts / "houserule", "simulate", "dilido", "--games", "10", "--seed", "1", "--json"]
    assert b'"games":' in subprocess.run(command, check=True, capture_output=True, cwd=folder, env=env).stdout
