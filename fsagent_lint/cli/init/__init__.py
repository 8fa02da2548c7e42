"""`fsagent-lint init`: propose a config for this repository, and write it."""

from __future__ import annotations

import sys

import click


@click.command("init", short_help="Propose a config for this repository.")
@click.option("--yes", "-y", is_flag=True, help="Write without asking.")
def command(yes: bool) -> int:
    """Propose a config for the agents in the current folder, and write it after confirmation.

    An existing config is never changed.

    Exit status: 0 written; 1 not written; 2 the run failed.
    """
    from fsagent_lint.cli.init import files
    from fsagent_lint.cli.init.propose import propose

    files.check_no_config()
    proposal = propose()
    plan = files.draft(proposal)
    counts = [f"{number} {kind}{'s' * (number > 1)} of {id}" for (id, kind), number in sorted(proposal.files.items())]
    click.echo(f"Found {', '.join(counts) or 'no agents'}.\n")
    click.echo(f"{'To append to ' if plan.appended else ''}{plan.path}:\n\n{_indented(plan.text)}")
    snippet = files.hook(proposal)
    if snippet:
        click.echo(f"To add to {files.HOOKS} by hand:\n\n{_indented(snippet)}")
    if not yes and not sys.stdin.isatty():
        click.echo("Not written, because there is no terminal to confirm. Pass --yes to write it.", err=True)
        return 1
    if not yes and not click.confirm("Write it?"):
        return 1
    files.write(plan)
    click.echo(f"Wrote {plan.path}.")
    return 0


def _indented(text: str) -> str:
    return "".join(f"    {line}" if line.strip() else line for line in text.splitlines(keepends=True))
