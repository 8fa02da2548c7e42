"""The section of a harness's page about its tools and their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docgen.markdown import code, codes, first_paragraph, table
from fsagent_lint.effect.conditions import CONDITIONS
from fsagent_lint.harnesses.harness import Harness, Name, NativeTool
from fsagent_lint.harnesses.mcp import mcp_names
from fsagent_lint.model.tool import Mcp

_PRESENCE = {"listed": "only when named", "always": "cannot be taken away"}
_STATUS = {
    "current": ("Other names", "Understood beside the names of the tools themselves."),
    "renamed": ("Old names", "Still understood, but there is a newer name."),
    "removed": ("Names that are gone", "They give nothing, and nothing is said about it."),
    "withheld": ("Tools that no agent is given", "Their names are understood, and give nothing."),
}


def tool_sections(harness: Harness) -> Iterator[str]:
    if all(tool.grants == (name,) for name, tool in harness.tools.items()):
        yield "## Tools\n\nThe [canonical tools](../tools.md) themselves.\n"
    else:
        has = "those that a name below brings" if harness.only_names else "each of these unless its file takes it away"
        yield (
            f"## Tools\n\nAn agent has {has}; what is otherwise is noted. What a "
            "tool amounts to is said in [canonical names](../tools.md).\n\n"
            + table(
                ["tool", "amounts to", "notes"],
                [
                    (code(name), codes(tool.grants) or "-", "; ".join(_notes(tool)))
                    for name, tool in harness.tools.items()
                ],
            )
        )
    for status, (title, about) in _STATUS.items():
        names = {name: facts for name, facts in harness.names.items() if facts.status == status}
        if names and status == "current" and harness.only_names:
            yield f"## Names\n\nOnly these can be written; a tool itself cannot be named.\n\n{_names(names)}"
        elif names:
            yield f"## {title}\n\n{about}\n\n{_names(names)}"
    for owner, vocabulary in harness.foreign_names.items():
        rows = [(code(name), codes(gives)) for name, gives in vocabulary.items()]
        yield (
            f"## Names in files of {code(owner)}\n\nIn the files that it shares with {code(owner)}, these names are "
            f"understood, and all others dropped.\n\n{table(['name', 'gives'], rows)}"
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
        yield f"not beside {codes(tool.unless)}"
    if tool.brings:
        yield f"brings {codes(tool.brings)}"
    if tool.gate:
        yield f"switched by {code(tool.gate)}"
    if tool.spelled:
        yield "must be spelled exactly so"


def _names(names: Mapping[str, Name]) -> str:
    """A table of names; names with the same facts share a row."""
    found: dict[tuple[tuple[str, ...], tuple[str, ...], str], list[str]] = {}
    for name, facts in names.items():
        found.setdefault((facts.gives, facts.use, _about(facts)), []).append(name)
    if all(facts.status == "current" for facts in names.values()):
        return table(
            ["name", "gives"], [(codes(same), codes(gives) or "no tool") for (gives, _, _), same in found.items()]
        )
    rows = [
        (codes(same), codes(use) or "-", "; ".join(filter(None, [_differs(gives, use), about])))
        for (gives, use, about), same in found.items()
    ]
    return table(["name", "write instead", "notes"], rows)


def _differs(gives: tuple[str, ...], use: tuple[str, ...]) -> str:
    return f"gives {codes(gives)}" if gives and gives != use else ""


def _about(facts: Name) -> str:
    meant = f"stood for {codes(facts.means)}" if facts.means and facts.status == "removed" else ""
    return "; ".join(filter(None, [meant, facts.note]))


def _mcp(harness: Harness) -> Iterator[tuple[str, str]]:
    naming = harness.mcp
    nameable = bool(mcp_names(Mcp("server", "tool"), harness))
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
        yield "servers that are always there", codes(naming.builtin)
