"""`fsagent-lint schema`: JSON Schemas for editors."""

from __future__ import annotations

import click

from fsagent_lint.cli.options import HARNESSES
from fsagent_lint.errors import UserError


@click.command("schema", short_help="Print a JSON Schema of the config or of frontmatter.")
@click.argument("what", type=click.Choice(["config", "frontmatter"]))
@click.option("--harness", metavar="HARNESS", shell_complete=HARNESSES, help="The harness of the frontmatter.")
@click.option("--kind", metavar="KIND", help="The kind of file: agent (the default), skill, command, …")
def command(what: str, harness: str | None, kind: str | None) -> int:
    """Print a JSON Schema (2020-12) of fsagent-lint.toml, or of the frontmatter of a harness's files.

    With it, an editor completes and checks these files without the language server.
    """
    import json

    if what == "config":
        if harness or kind:
            raise UserError("--harness and --kind are for `schema frontmatter`.")
        from fsagent_lint.schemas.config import config_schema

        click.echo(json.dumps(config_schema(), indent=2))
        return 0
    if harness is None:
        raise UserError("`schema frontmatter` needs --harness.")
    from fsagent_lint.project.session import find_version
    from fsagent_lint.schemas.frontmatter import frontmatter_schema

    found = find_version(harness)
    name = kind or found.main_kind
    if name not in found.kinds:
        raise UserError(f"{found.title} has no kind `{name}`; it has {', '.join(found.kinds)}.")
    click.echo(json.dumps(frontmatter_schema(found, name), indent=2))
    return 0
