"""Runs the notebooks and saves them with what they show, and with nothing of the machine that ran them.

`python notebooks/run.py` runs all, `python notebooks/run.py 01_first_look` one.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).parent


def run(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=None, kernel_name="python3", record_timing=False, resources={"metadata": {"path": str(HERE)}}
    )
    client.execute()
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook.cells, 1):
        cell.metadata, cell["id"] = {}, f"cell-{number:02}"
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(path.stem for path in HERE.glob("*.ipynb")):
        run(HERE / f"{name}.ipynb")
