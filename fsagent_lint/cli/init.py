"""`fsagent-lint init`: propose a config for this repository, and write it."""

from __future__ import annotations

import sys

import click


@click.command("init", short_help="Propose a config for this repository, and write it.")
@click.option("--yes", "-y", is_flag=True, help="Write without asking.")
def command(yes: bool) -> int:
    """Look at the agents of the current folder, show the config that fits them, and write it if you say so.

    A config that is there already is never changed. Exit status: 0 written, 1 not written, 2 it cannot be.
    """
    from fsagent_lint.cli import init_files
    from fsagent_lint.cli.propose import propose

    init_files.check_no_config()
    proposal = propose()
    plan = init_files.draft(proposal)
    counts = [f"{number} {kind}{'s' * (number > 1)} of {id}" for (id, kind), number in sorted(proposal.files.items())]
    click.echo(f"Found {', '.join(counts) or 'no agents'}.\n")
    click.echo(f"{'To be added to the end of ' if plan.appended else ''}{plan.path}:\n\n{_indented(plan.text)}")
    snippet = init_files.hook(proposal)
    if snippet:
        click.echo(f"For {init_files.HOOKS}, where you put it yourself:\n\n{_indented(snippet)}")
    if not yes and not sys.stdin.isatty():
        click.echo("Not written: there is nobody to ask. --yes writes it.", err=True)
        return 1
    if not yes and not click.confirm("Write it?"):
        return 1
    init_files.write(plan)
    click.echo(f"Wrote {plan.path}.")
    return 0


def _indented(text: str) -> str:
    return "".join(f"    {line}" if line.strip() else line for line in text.splitlines(keepends=True))
