"""`python -m fsagent_lint`, and the entry point of the console script."""

from __future__ import annotations

import os
import sys


def main() -> None:
    from fsagent_lint.signals import install

    install()
    if not sys.flags.safe_path and os.path.abspath(sys.path[0]) == os.getcwd():
        # Started with -m, Python would import from the folder that is being judged.
        del sys.path[0]
    from fsagent_lint.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
