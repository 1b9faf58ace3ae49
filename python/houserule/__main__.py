"""The ``houserule`` command: ``python -m houserule`` and the console script."""

from __future__ import annotations

import signal
import sys

from houserule import _native


def main() -> int:
    """Runs the command with the arguments of the process. Returns its exit code."""
    # The command is native code: Python would handle Ctrl-C only after it has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.main(["houserule", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
