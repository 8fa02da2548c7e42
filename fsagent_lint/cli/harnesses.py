"""`fsagent-lint harnesses`: the known harnesses, the dates of their facts, and where they look for files."""

from __future__ import annotations

import click


@click.command("harnesses", short_help="List the harnesses.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(output_format: str) -> int:
    """List the harnesses: the version that the facts were verified with, and the places that each reads."""
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
        known = f", verified {harness.verified}" if harness.verified else ""
        click.echo(escape(f"{harness.id}: {harness.title} {harness.version}".rstrip() + known, MESSAGE))
        for name, kind in harness.kinds.items():
            lent = harnesses_read_by(harness.id, name)
            places = [*kind.all_globs, *([f"the files of {', '.join(lent)}"] if lent else [])]
            where = ", ".join(places) or "set in the config, or recognised by content"
            click.echo(escape(f"  {name:<9} {where}", MESSAGE))
    return 0
