"""`fsagent-lint harnesses`: the known harnesses, the dates of their facts, and where they look for files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from datetime import date


def _age(day: date) -> str:
    """How long ago a day was; the day of a reproducible run is in SOURCE_DATE_EPOCH."""
    import os
    from datetime import UTC, datetime

    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)
    days = (now.date() - day).days
    return "today" if days <= 0 else f"{days} day{'s' * (days > 1)} ago"


@click.command("harnesses", short_help="List the harnesses.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(output_format: str) -> int:
    """List the harnesses: the versions that the facts cover, when they were verified, and the places that each reads."""
    from fsagent_lint.harnesses.versions import version_key
    from fsagent_lint.linter.run import start_run
    from fsagent_lint.project.session import load_harnesses

    start_run()
    harnesses = load_harnesses()
    if output_format == "json":
        import json

        rows = [
            {
                "id": harness.id,
                "title": harness.title,
                "version": harness.version,
                "edition": harness.edition,
                "oldest": harness.oldest or harness.version,
                "changed": sorted({was.until for was in harness.was}, key=version_key),
                "verified": harness.verified.isoformat() if harness.verified else None,
                "kinds": {name: list(kind.globs) for name, kind in harness.kinds.items()},
                "tools": list(harness.tools),
            }
            for harness in harnesses
        ]
        from fsagent_lint.report.escape import escape_json

        click.echo(escape_json(json.dumps({"version": 1, "harnesses": rows}, indent=2)))
        return 0
    from fsagent_lint.harnesses.tables import harnesses_read_by
    from fsagent_lint.report.escape import MESSAGE, escape

    for harness in harnesses:
        covered = f" and back to {harness.oldest}" if harness.oldest else ""
        known = f", verified {harness.verified}, {_age(harness.verified)}" if harness.verified else ""
        click.echo(escape(f"{harness.id}: {harness.title} {harness.shown_version}".rstrip() + covered + known, MESSAGE))
        for name, kind in harness.kinds.items():
            lent = harnesses_read_by(harness.id, name)
            places = [*kind.all_globs, *([f"the files of {', '.join(lent)}"] if lent else [])]
            where = ", ".join(places) or "set in the config, or recognised by content"
            click.echo(escape(f"  {name:<9} {where}", MESSAGE))
    return 0
