"""`fsagent-lint tools`: the canonical tools and what each harness calls them."""

from __future__ import annotations

import click

from fsagent_lint.errors import UserError


@click.command("tools", short_help="The matrix of tools and harnesses.")
@click.argument("name", required=False)
def command(name: str | None) -> int:
    """Show what each harness calls the canonical tools; or, with a NAME, all about that tool.

    NAME may be canonical (Shell) or any harness' own (Bash, execute, runInTerminal).
    """
    from fsagent_lint.check import load_harnesses
    from fsagent_lint.harness import Harness
    from fsagent_lint.tool import BUILTIN

    harnesses = [harness for harness in load_harnesses() if harness.id != "canonical"]
    if name is not None:
        return _describe(name, harnesses)

    def cell(harness: Harness, tool: str) -> str:
        return ", ".join(harness.write.get(tool, ())) or "-"

    rows = [("tool", "risk", *(harness.id for harness in harnesses))]
    rows += [(tool, risk.value, *(cell(harness, tool) for harness in harnesses)) for tool, risk in BUILTIN.items()]
    widths = [min(max(len(row[column]) for row in rows), 34) for column in range(len(rows[0]))]
    for row in rows:
        cells = (text if len(text) <= 34 else text[:33] + "…" for text in row)
        click.echo("  ".join(f"{text:<{width}}" for text, width in zip(cells, widths, strict=True)).rstrip())
    return 0


def _describe(name: str, harnesses: list) -> int:  # type: ignore[type-arg]
    from fsagent_lint.tool import BUILTIN, describe, parse_tools
    from fsagent_lint.vocabulary import nearest

    tools = [tool.name for tool in parse_tools(name) or () if tool.name in BUILTIN]
    owners = [harness for harness in harnesses if harness.canonical(name) is not None]
    for harness in owners:
        tools += [tool for tool in harness.canonical(name) if tool not in tools]
    if not tools:
        known = [*BUILTIN, *(each for harness in harnesses for each in (*harness.tools, *harness.names))]
        guess = nearest(name, known)
        raise UserError(f"There is no tool `{name}`." + (f" Did you mean `{guess}`?" if guess else ""))
    for tool in tools:
        click.echo(f"{tool} ({BUILTIN[tool].value}): {describe(tool)}")
        for harness in harnesses:
            written = ", ".join(harness.write.get(tool, ())) or "no such tool"
            native = ", ".join(each for each, facts in harness.tools.items() if tool in facts.grants)
            also = f"; native: {native}" if native and native != written else ""
            click.echo(f"  {harness.id:<12} {written}{also}")
    return 0
