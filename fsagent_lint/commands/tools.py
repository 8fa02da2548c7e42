"""`fsagent-lint tools`: the canonical tools and what each harness calls them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fsagent_lint.errors import UserError

if TYPE_CHECKING:
    from fsagent_lint.harness import Harness
    from fsagent_lint.registry import Entry, Registry


@click.command("tools", short_help="The matrix of tools and harnesses.")
@click.argument("name", required=False)
@click.option("--plugins", is_flag=True, help="Also the tools of installed plugins, whose code is run to ask them.")
def command(name: str | None, plugins: bool) -> int:
    """Show what each harness calls the canonical tools; or, with a NAME, all about that tool.

    NAME may be canonical (Shell), any harness' own (Bash, execute, runInTerminal), or that of a custom tool or an MCP
    server that the current project defines.
    """
    from fsagent_lint.check import Request, load, load_harnesses
    from fsagent_lint.discover import Discoverer
    from fsagent_lint.registry import Registry, load_plugins

    settings = load(Request())
    harnesses = [harness for harness in load_harnesses() if harness.id != "canonical"]
    brought = load_plugins() if plugins else []
    if name is not None:
        registry = Registry(settings, Discoverer().beside("./x"), brought)
        return _describe(name, registry, harnesses)

    def cell(harness: Harness, entry: Entry) -> str:
        return ", ".join(entry.names_in(harness)) or "-"

    rows = [("tool", "risk", *(harness.id for harness in harnesses))]
    for entry in Registry(plugins=brought).all():
        rows.append((str(entry.tool), entry.risk, *(cell(harness, entry) for harness in harnesses)))
    widths = [min(max(len(row[column]) for row in rows), 34) for column in range(len(rows[0]))]
    for row in rows:
        cells = (text if len(text) <= 34 else text[:33] + "…" for text in row)
        click.echo("  ".join(f"{text:<{width}}" for text, width in zip(cells, widths, strict=True)).rstrip())
    return 0


def _describe(name: str, registry: Registry, harnesses: list[Harness]) -> int:
    from fsagent_lint.escape import MESSAGE, escape

    entries = registry.get(name)
    if not entries:
        raise UserError(f"There is no tool `{name}`.{_hint(name, registry, harnesses)}")
    for tool in dict.fromkeys(entry.tool for entry in entries):
        same = [entry for entry in entries if entry.tool == tool]
        about = f": {same[0].description}" if same[0].description else ""
        click.echo(escape(f"{tool} ({same[0].risk}){about}", MESSAGE))
        for harness in harnesses:
            names = (name for entry in same for name in entry.names_in(harness))
            written = ", ".join(dict.fromkeys(names)) or "no such tool"
            native = ", ".join(each for each, facts in harness.tools.items() if tool.risk and tool.name in facts.grants)
            also = f"; native: {native}" if native and native != written else ""
            click.echo(escape(f"  {harness.id:<12} {written}{also}", MESSAGE))
        origins = dict.fromkeys(entry.origin for entry in same)
        click.echo(escape(f"  {'defined':<12} {', '.join(origins)}", MESSAGE))
    return 0


def _hint(name: str, registry: Registry, harnesses: list[Harness]) -> str:
    from fsagent_lint.vocabulary import nearest

    known = [each for entry in registry.all() for each in (entry.tool.name, entry.tool.server or "") if each]
    guess = nearest(name, [*known, *(each for harness in harnesses for each in (*harness.tools, *harness.names))])
    return f" Did you mean `{guess}`?" if guess else ""
