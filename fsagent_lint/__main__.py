"""`python -m fsagent_lint`, and the entry point of the console script."""

from __future__ import annotations

import sys


def main() -> None:
    if sys.path and sys.path[0] in ("", "."):
        # Started with -m, Python would import from the folder that is being judged.
        del sys.path[0]
    from fsagent_lint.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
