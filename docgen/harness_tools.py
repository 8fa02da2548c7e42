"""The section of a harness's page about its tools and their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docgen.markdown import code, codes, first_paragraph, table
from fsagent_lint.effect.conditions import CONDITIONS
from fsagent_lint.harnesses.harness import Harness, Name, NativeTool
from fsagent_lint.harnesses.mcp import mcp_names
from fsagent_lint.model.tool import Tool

_PRESENCE = {"listed": "only if listed", "always": "cannot be denied"}
_STATUS = {
    "current": ("Other names", "Accepted in addition to the names of the tools."),
    "renamed": ("Old names", "Still accepted, but replaced by a newer name."),
    "removed": ("Removed names", "They grant nothing, and the harness gives no warning."),
    "withheld": ("Tools that agents never have", "Their names are accepted, but grant nothing."),
}


def tool_sections(harness: Harness) -> Iterator[str]:
    if all(tool.grants == (name,) for name, tool in harness.tools.items()):
        yield "## Tools\n\nThe [canonical tools](../tools.md) themselves.\n"
    else:
        has = (
            "the tools that its names below grant"
            if harness.only_names
            else "each of these tools unless its file denies it"
        )
        yield (
            f"## Tools\n\nAn agent has {has}; the notes list exceptions. The second "
            "column has the [canonical names](../tools.md).\n\n"
            + table(
                ["tool", "canonical tools", "notes"],
                [
                    (code(name), codes(tool.grants) or "-", "; ".join(_notes(tool)))
                    for name, tool in harness.tools.items()
                ],
            )
        )
    for status, (title, about) in _STATUS.items():
        names = {name: facts for name, facts in harness.names.items() if facts.status == status}
        if names and status == "current" and harness.only_names:
            yield f"## Names\n\nOnly these names can be listed; the tools themselves cannot.\n\n{_names(names)}"
        elif names:
            yield f"## {title}\n\n{about}\n\n{_names(names)}"
    for owner, vocabulary in harness.foreign_names.items():
        rows = [(code(name), codes(gives)) for name, gives in vocabulary.items()]
        yield (
            f"## Names in files of {code(owner)}\n\nIn the files that it shares with {code(owner)}, these names are "
            f"accepted, and all others dropped.\n\n{table(['name', 'grants'], rows)}"
        )
    yield f"## MCP tools\n\n{table(['what', 'written'], _mcp(harness))}"


def _notes(tool: NativeTool) -> Iterator[str]:
    if tool.presence in _PRESENCE:
        yield _PRESENCE[tool.presence]
    if tool.condition:
        yield f"condition: {tool.condition}"
    if tool.when:
        yield first_paragraph(CONDITIONS[tool.when].__doc__).rstrip(".")
    if tool.unless:
        yield f"not together with {codes(tool.unless)}"
    if tool.brings:
        yield f"also grants {codes(tool.brings)}"
    if tool.gate:
        yield f"controlled by {code(tool.gate)}"
    if tool.spelled:
        yield "case-sensitive"


def _names(names: Mapping[str, Name]) -> str:
    """A table of names; names with the same facts share a row."""
    found: dict[tuple[tuple[str, ...], tuple[str, ...], str], list[str]] = {}
    for name, facts in names.items():
        found.setdefault((facts.gives, facts.use, _about(facts)), []).append(name)
    if all(facts.status == "current" for facts in names.values()):
        return table(
            ["name", "grants"], [(codes(same), codes(gives) or "no tool") for (gives, _, _), same in found.items()]
        )
    rows = [
        (codes(same), codes(use) or "-", "; ".join(filter(None, [_differs(gives, use), about])))
        for (gives, use, about), same in found.items()
    ]
    return table(["name", "write instead", "notes"], rows)


def _differs(gives: tuple[str, ...], use: tuple[str, ...]) -> str:
    return f"grants {codes(gives)}" if gives and gives != use else ""


def _about(facts: Name) -> str:
    meant = f"was {codes(facts.means)}" if facts.means and facts.status == "removed" else ""
    return "; ".join(filter(None, [meant, facts.note]))


def _mcp(harness: Harness) -> Iterator[tuple[str, str]]:
    naming = harness.mcp
    nameable = bool(mcp_names(Tool.mcp("server", "tool"), harness))
    yield "one tool", code(naming.tool) if nameable else "cannot be named"
    if naming.server and nameable:
        yield "every tool of a server", code(naming.server)
    if naming.every:
        yield "every tool of every server", code(naming.every)
    if naming.other:
        yield "other characters than A-Z, a-z, 0-9, _ and -", f"become {code(naming.other)}"
    if naming.lower:
        yield "case", "lower"
    if naming.builtin:
        yield "built-in servers", codes(naming.builtin)
