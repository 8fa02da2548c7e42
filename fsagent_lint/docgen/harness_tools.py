"""The part of a harness' page about its tools and their names."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.conditions import CONDITIONS
from fsagent_lint.docgen.markdown import code, codes, first_paragraph, table
from fsagent_lint.harness import Harness, Name, NativeTool

_PRESENCE = {
    "default": "there unless taken away",
    "listed": "only when named",
    "always": "always; cannot be taken away",
    "conditional": "under a condition",
}


def tool_sections(harness: Harness) -> Iterator[str]:
    head = ["tool", "grants", "there", "notes"]
    rows = [(code(name), _grants(tool), _PRESENCE[tool.presence], _notes(tool)) for name, tool in harness.tools.items()]
    yield f"## Tools\n\n{table(head, rows)}"
    for status, title in (("current", "Other names"), ("renamed", "Old names"), ("removed", "Names that are gone")):
        names = {name: facts for name, facts in harness.names.items() if facts.status == status}
        if names:
            yield f"## {title}\n\n{_INTRO[status]}\n\n{_names(names)}"
    for owner, vocabulary in harness.foreign_names.items():
        rows_ = [(code(name), codes(gives)) for name, gives in vocabulary.items()]
        yield f"## Names in files of {code(owner)}\n\nAll other names are dropped there.\n\n{table(['name', 'gives'], rows_)}"
    yield f"## MCP tools\n\n{table(['what', 'written'], _mcp(harness))}"


_INTRO = {
    "current": "Understood beside the names of the tools themselves.",
    "renamed": "Still understood, but there is a newer name.",
    "removed": "Dropped without a word.",
}


def _grants(tool: NativeTool) -> str:
    return codes(tool.grants) or "nothing that matters to others"


def _notes(tool: NativeTool) -> str:
    notes = []
    if tool.condition:
        notes.append(f"condition: {tool.condition}")
    if tool.when:
        reason = first_paragraph(CONDITIONS[tool.when].__doc__).rstrip(".")
        notes.append(f"{code(tool.when)}: {reason}" if reason else code(tool.when))
    if tool.unless:
        notes.append(f"not beside {codes(tool.unless)}")
    if tool.brings:
        notes.append(f"brings {codes(tool.brings)}")
    if tool.gate:
        notes.append(f"switched by {code(tool.gate)}")
    if tool.spelled:
        notes.append("must be spelled exactly so")
    return "; ".join(notes)


def _names(names: dict[str, Name]) -> str:
    rows = [
        (code(name), codes(facts.gives) or "no tool", codes(facts.use) or "-", _meaning(facts))
        for name, facts in names.items()
    ]
    if all(facts.status == "current" for facts in names.values()):
        return table(["name", "gives"], [row[:2] for row in rows])
    return table(["name", "gives", "write instead", "notes"], rows)


def _meaning(facts: Name) -> str:
    meant = f"stood for {codes(facts.means)}" if facts.means else ""
    return "; ".join(part for part in (meant, facts.note) if part)


def _mcp(harness: Harness) -> Iterator[tuple[str, str]]:
    naming = harness.mcp
    yield "one tool", code(naming.tool)
    yield "every tool of a server", code(naming.server)
    if naming.other:
        yield "other characters than A-Z, a-z, 0-9, _ and -", f"become {code(naming.other)}"
    if naming.lower:
        yield "case", "lower"
