"""How much the tests try: `./test` a part of it, `./test --all`, which sets HOUSERULE_TESTS to `all`, everything.

`@pytest.mark.one_of(4)` runs one in four cases of a parametrized test. The name of the test decides which, so that tests differ
in what they try, and each tries the same in every run. `@pytest.mark.long` runs a test only in `./test --all`.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from zlib import crc32

import pytest

sys.path.insert(0, str(Path(__file__).parent / "support"))

from extent import everything  # noqa: E402


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "one_of(parts): `./test` runs one of so many cases, `./test --all` every one")
    config.addinivalue_line("markers", "long: only `./test --all` runs it; another test tries less of the same")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if everything():
        return
    seen: Counter[str] = Counter()
    kept, left = [], []
    for item in items:
        marker = item.get_closest_marker("one_of")
        chosen = item.get_closest_marker("long") is None
        if marker is not None:
            name = item.nodeid.split("[")[0]
            (parts,) = marker.args
            chosen = chosen and seen[name] % parts == crc32(name.encode()) % parts
            seen[name] += 1
        (kept if chosen else left).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept
