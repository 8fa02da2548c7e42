"""`fsagent-lint tools`: the canonical tools and what each harness calls them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fsagent_lint.cli.options import HARNESSES, TOOLS
from fsagent_lint.errors import UserError

if TYPE_CHECKING:
    from fsagent_lint.harnesses.harness import Harness
    from fsagent_lint.project.tool_registry import Registry


@click.command("tools", short_help="List the tools and their names in each harness.")
@click.argument("name", required=False, shell_complete=TOOLS)
@click.option(
    "--harness",
    "ids",
    multiple=True,
    metavar="HARNESS",
    shell_complete=HARNESSES,
    help="Show a column for this harness, or a version of it: claude-code@2.1.197; repeatable.",
)
@click.option("--plugins", is_flag=True, help="Include the tools of installed plugins, which runs their code.")
def command(name: str | None, ids: tuple[str, ...], plugins: bool) -> int:
    """List the canonical tools with their names in each harness; or, with a NAME, describe that tool.

    NAME is a canonical name (Shell), a native name of any harness (Bash, execute, runInTerminal), or a custom tool or MCP
    server that the current project defines.
    """
    from fsagent_lint.harnesses.tables import plain_id
    from fsagent_lint.linter.run import start_run
    from fsagent_lint.project.neighbours import Discoverer
    from fsagent_lint.project.session import find_version, load_harnesses
    from fsagent_lint.project.tool_registry import Registry, load_plugins

    settings = start_run(plugins=plugins)
    references = list(dict.fromkeys(each for id in ids for each in id.split(",")))
    known = load_harnesses(*map(plain_id, references))
    harnesses = [find_version(each) for each in references] or [each for each in known if each.id != "canonical"]
    registered = load_plugins() if plugins else []
    if name is not None:
        registry = Registry(settings, Discoverer().neighbours("./x"), registered)
        return _describe(name, registry, harnesses)

    from shutil import get_terminal_size

    from fsagent_lint.report.matrix import Row, by_harness, by_tool

    rows = [
        Row(str(entry.tool), entry.risk, {harness.full_id: entry.names_in(harness) for harness in harnesses})
        for entry in Registry(plugins=registered).all()
    ]
    for line in (
        by_harness(rows, [each.full_id for each in harnesses])
        if ids
        else by_tool(rows, min(get_terminal_size((100, 24)).columns, 120))
    ):
        click.echo(line)
    return 0


def _describe(name: str, registry: Registry, harnesses: list[Harness]) -> int:
    from fsagent_lint.project.tool_registry import tool_pages
    from fsagent_lint.report.escape import MESSAGE, escape

    entries = registry.get(name)
    if not entries:
        from fsagent_lint.suggest import hint

        known = [each for entry in registry.all() for each in (entry.tool.name, entry.tool.server or "") if each]
        known += [each for harness in harnesses for each in (*harness.tools, *harness.names)]
        others = [each for each in known if each != name]
        raise UserError(f"There is no tool `{name}`. {hint(name, others, 'fsagent-lint tools')}")
    for page in tool_pages(entries, harnesses):
        description = f": {page.description}" if page.description else ""
        click.echo(escape(f"{page.tool} ({page.risk}){description}", MESSAGE))
        for id, (names, natives) in page.names.items():
            shown, native = ", ".join(names) or "no such tool", ", ".join(natives)
            also = f"; native: {native}" if native and native != shown else ""
            click.echo(escape(f"  {id:<12} {shown}{also}", MESSAGE))
        click.echo(escape(f"  {'defined':<12} {', '.join(page.origins)}", MESSAGE))
    return 0
