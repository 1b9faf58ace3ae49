"""What `import houserule` takes, beside numpy alone: CPU milliseconds of a new process, medians.

    python benches/python/import_time.py [ROUNDS]

The processes take turns, so that a busy machine slows all of them alike. What an import adds is told as the
difference to a Python that imports nothing.
"""

from __future__ import annotations

import statistics
import subprocess
import sys

CASES = {
    "nothing": "pass",
    "numpy": "import numpy",
    "houserule": "import houserule",
    "houserule, first game": "import houserule; houserule.load('dilido')",
    "houserule after numpy": "import numpy; START = time.process_time(); import houserule",
}


def measure(code: str) -> float:
    """CPU milliseconds of a new process, or those since the code has set ``START``."""
    program = f"import time; START = 0.0; {code}\nprint((time.process_time() - START) * 1e3)"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    return float(done.stdout)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    taken: dict[str, list[float]] = {name: [] for name in CASES}
    for _ in range(rounds):
        for name, code in CASES.items():
            taken[name].append(measure(code))
    nothing = statistics.median(taken["nothing"])
    for name, all_taken in taken.items():
        median = statistics.median(all_taken)
        added = median if name in ("nothing", "houserule after numpy") else median - nothing
        print(f"{name:24} {added:7.1f} ms   (fastest {min(all_taken):.1f}, slowest {max(all_taken):.1f})")


if __name__ == "__main__":
    main()
