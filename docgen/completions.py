"""The scripts that make bash, zsh and fish complete our command line, for packagers."""

from __future__ import annotations

from click.shell_completion import get_completion_class

from fsagent_lint.cli.main import cli

SHELLS = {"bash": "fsagent-lint.bash", "zsh": "_fsagent-lint", "fish": "fsagent-lint.fish"}
"""What each shell wants the file to be called."""


def scripts() -> dict[str, str]:
    found = {}
    for shell, name in SHELLS.items():
        completion = get_completion_class(shell)
        assert completion is not None
        found[name] = completion(cli, {}, "fsagent-lint", "_FSAGENT_LINT_COMPLETE").source()
    return found
