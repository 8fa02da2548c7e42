"""`fsagent-lint harnesses`: which harnesses are known, from when, and where they look for files."""

from __future__ import annotations

import click


@click.command("harnesses", short_help="List the harnesses.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(output_format: str) -> int:
    """List every harness: the version that its facts were verified with, and where it looks for files."""
    from fsagent_lint.check import load_harnesses

    harnesses = load_harnesses()
    if output_format == "json":
        import json

        rows = [
            {
                "id": harness.id,
                "title": harness.title,
                "version": harness.version,
                "verified": harness.verified.isoformat(),
                "kinds": {name: list(kind.globs) for name, kind in harness.kinds.items()},
                "tools": list(harness.tools),
            }
            for harness in harnesses
        ]
        click.echo(json.dumps({"version": 1, "harnesses": rows}, indent=2))
        return 0
    for harness in harnesses:
        click.echo(f"{harness.id}: {harness.title} {harness.version}, verified {harness.verified}")
        for name, kind in harness.kinds.items():
            places = ", ".join(kind.globs) or "named in the config, or recognised by content"
            click.echo(f"  {name:<9} {places}")
    return 0
