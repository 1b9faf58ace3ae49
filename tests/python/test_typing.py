"""The stubs are true, and the package is typed."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import houserule
import pytest
from extent import tries
from houserule import _native

PACKAGE = Path(houserule.__file__).parent


def named(body: list[ast.stmt]) -> set[str]:
    """The names that statements of a stub declare."""
    names = {one.name for one in body if isinstance(one, ast.FunctionDef | ast.ClassDef)}
    targets = [one.target for one in body if isinstance(one, ast.AnnAssign)]
    return names | {target.id for target in targets if isinstance(target, ast.Name)}


def public(thing: object) -> set[str]:
    return {name for name in vars(thing) if not name.startswith("_")}


def test_stubs_have_the_names_of_the_native_module() -> None:
    """A second for what takes mypy half a minute, but for parameters and types."""
    stub = ast.parse((PACKAGE / "_native.pyi").read_text())
    told = {name for name in named(stub.body) if hasattr(_native, name)}
    assert public(_native) <= told
    classes = [one for one in stub.body if isinstance(one, ast.ClassDef) and one.name in told]
    assert classes
    for one in classes:
        native = getattr(_native, one.name)
        assert inspect.isclass(native)
        assert public(native) == {name for name in named(one.body) if not name.startswith("_")}, one.name


@pytest.mark.long
def test_stubs_are_what_the_native_module_has(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mypy.stubtest", "houserule._native", "--ignore-disjoint-bases"]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_core_passes_mypy_strictly(tmp_path: Path) -> None:
    files = [str(PACKAGE / f"{name}.py") for name in ("__main__", "_data", "_display", "_errors")]
    # With the packages that others of the package import, mypy reads 1,500 files more.
    alone = tries(["--no-site-packages", "--ignore-missing-imports"], [])
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", *alone, *files]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr
