"""The stubs are true, and the package is typed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import houserule

PACKAGE = Path(houserule.__file__).parent


def test_stubs_are_what_the_native_module_has(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mypy.stubtest", "houserule._native", "--ignore-disjoint-bases"]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_core_passes_mypy_strictly(tmp_path: Path) -> None:
    files = [str(PACKAGE / f"{name}.py") for name in ("__main__", "_data", "_display", "_errors")]
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", *files], capture_output=True, text=True, cwd=tmp_path
    )
    assert found.returncode == 0, found.stdout + found.stderr
