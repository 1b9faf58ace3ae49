"""The notebooks as they are saved: whole, clean and with what they say they need. `./test` runs them too, the first as it is and
the others with fewer games and a shorter training, and `./test --all` all as they are."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MACHINES = re.compile(r"/(?:home|root|tmp|usr|opt|Users|work|var)/|[A-Z]:\\\\|-packages|ipykernel_\d")
#: Which distribution has a module, where they are not called alike.
DISTRIBUTIONS = {"IPython": "ipykernel"}


def text(part: str | list[str]) -> str:
    return part if isinstance(part, str) else "".join(part)


def cells(path: Path, kind: str) -> list[dict]:
    return [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == kind]


def code(path: Path) -> str:
    return "\n".join(text(cell["source"]) for cell in cells(path, "code"))


#: What makes notebooks short that play many games or train. What they say of figures is asserted only of the whole ones, except
#: that a figure is exactly 0.
SHORTER = {
    "02_house_rules": {"GAMES = 10_000": "GAMES = 100"},
    "03_train_an_agent": {
        "N, T = 1024, 24": "N, T = 64, 24",
        "UPDATES = 100": "UPDATES = 2",
        "epochs=3, batches=8": "epochs=1, batches=2",
        "games=1_000 if": "games=2 if",
        "else 10_000": "else 50",
    },
    "04_self_play": {
        "N, T, UPDATES = 1024, 16, 120": "N, T, UPDATES = 64, 16, 2",
        "epochs=4, batches=4": "epochs=1, batches=2",
        "(0, 5, 10, 20, 40, 80, 120)": "(0, 2)",
        "games=200": "games=4",
    },
}


#: Runs the cells of notebooks, one after the other, and makes what they show: the value of a last line.
RUN = """
import ast, json, sys

for notebook, cells in json.load(sys.stdin).items():
    names = {}
    for number, cell in enumerate(cells, 1):
        place, body = f"{notebook}, cell {number}", ast.parse(cell).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), place, "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), place, "eval"), names)
            show = getattr(value, "_repr_mimebundle_", None) or getattr(value, "_repr_html_", None)
            show() if show else repr(value)
"""


def test_they_run_with_fewer_games_and_a_shorter_training():
    notebooks = {}
    for name, changes in SHORTER.items():
        path = ROOT / "notebooks" / f"{name}.ipynb"
        for whole in changes:
            assert code(path).count(whole) == 1, whole
        notebooks[name] = []
        for cell in cells(path, "code"):
            source = text(cell["source"])
            for whole, short in changes.items():
                source = source.replace(whole, short)
            notebooks[name].append(re.sub(r"^( *)assert (?!.* == 0 ).*", r"\1pass", source, flags=re.M))
    # To compile a network takes longer than such a training: it is optimised less, and its random numbers are simple ones.
    quickly = {"XLA_FLAGS": "--xla_backend_optimization_level=0", "JAX_DEFAULT_PRNG_IMPL": "unsafe_rbg"}
    found = subprocess.run(
        [sys.executable, "-c", RUN],
        cwd=ROOT / "notebooks",
        input=json.dumps(notebooks),
        env={**os.environ, **quickly},
        capture_output=True,
        text=True,
    )
    # What can't be shown is told, and no error.
    assert found.returncode == 0 and "Traceback" not in found.stderr, found.stderr


def test_the_readme_names_them_all():
    named = re.findall(r"\(notebooks/(.*?)\)", (ROOT / "README.md").read_text())
    assert named == [path.name for path in NOTEBOOKS] and len(named) == 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_saved_as_it_ran_from_top_to_bottom(path):
    ran = cells(path, "code")
    assert [cell["execution_count"] for cell in ran] == list(range(1, len(ran) + 1))
    outputs = [output for cell in ran for output in cell["outputs"]]
    assert not [output for output in outputs if output["output_type"] == "error" or output.get("name") == "stderr"]
    assert any("image/svg+xml" in output.get("data", {}) for output in outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_nothing_in_it_is_of_one_machine_or_hour(path):
    assert not MACHINES.search(path.read_text())
    assert path.stat().st_size < 300_000
    saved = json.loads(path.read_text())
    assert saved["metadata"].keys() == {"kernelspec", "language_info"}
    assert saved["metadata"]["language_info"] == {"name": "python"}
    assert not [cell["metadata"] for cell in saved["cells"] if cell["metadata"]]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_extras_it_names_have_what_it_imports(path):
    first = text(cells(path, "markdown")[0]["source"])
    (extras,) = re.findall(r"pip install '\.\[([\w,]+)\]'", first)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"]]
    for extra in extras.split(","):
        wanted += project["optional-dependencies"][extra]
    there = {re.split(r"[\[>=<]", one)[0] for one in wanted}
    source = code(path)
    used = {"gymnasium"} if re.search(r"hr\.(vector_)?env\(", source) else set()
    if 'renderers.enable("svg")' in source:
        assert any(one.startswith("altair[save]") for one in wanted)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            used |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            used.add(str(node.module).split(".")[0])
    used -= {"houserule", *sys.stdlib_module_names, *(one.stem for one in path.parent.glob("*.py"))}
    assert {DISTRIBUTIONS.get(one, one) for one in used} <= there
