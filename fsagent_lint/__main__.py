"""`python -m fsagent_lint`, and the entry point of the console script.

With `-m`, Python looks for modules in the current folder first, and that folder is to be checked, not trusted. Until it
is off the path, only what is part of every Python process may be imported, here and in `__init__`: not even `__future__`.
"""

import gc
import os
import sys


def main() -> None:
    if not sys.flags.safe_path and _imports_from_here():
        del sys.path[0]
    # Modules and tables are never freed: collecting garbage among them would take a twentieth of a start.
    gc.set_threshold(100_000)
    from fsagent_lint._fast import own_process

    own_process()
    from fsagent_lint.files.signals import install

    install()
    from fsagent_lint.cli.streams import guard

    guard()
    from fsagent_lint.cli.main import run

    _exit(run(sys.argv[1:]))


def _imports_from_here() -> bool:
    try:
        return os.path.abspath(sys.path[0]) == os.getcwd()
    except OSError:  # the folder is gone, so nothing can be imported from it
        return False


def _exit(status: int) -> None:
    """Exit at once: everything is written, and tearing down the modules would take a twelfth of a start."""
    from contextlib import suppress

    from fsagent_lint.cli.streams import OutputError

    for stream in (sys.stdout, sys.stderr):
        with suppress(OutputError):  # the reader is gone; `status` reports it where it matters
            stream.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
