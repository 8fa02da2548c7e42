"""The page of the canonical tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from docgen.markdown import NOTICE, code, codes, table
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.model.tool import ALIASES, BUILTIN, Risk, describe_tool

_RISKS = {
    Risk.READ: "only reads",
    Risk.WRITE: "changes files or persistent notes",
    Risk.EXECUTE: "runs programs",
    Risk.NETWORK: "connects to other machines",
    Risk.DELEGATE: "starts or instructs other agents",
    Risk.INTERACT: "asks people, or keeps the agent's to-do list",
}


_TOOLS_PER_TABLE = 6
"""How many tools fit side by side in a table."""


def page(harnesses: Sequence[Harness]) -> str:
    return NOTICE + "\n".join(_sections(harnesses))


def _sections(harnesses: Sequence[Harness]) -> Iterator[str]:
    yield "# Canonical tools\n"
    yield (
        "One vocabulary for the tools of every harness, used in config, reports and conversions. An MCP tool is "
        "`mcp:server/tool`, all tools of a server are `mcp:server/*`, a tool of your own is `custom:name`. A scope is in "
        "parentheses: `Shell(git diff *)`. "
        f"Other names: {', '.join(f'{code(name)} is {codes(tools)}' for name, tools in ALIASES.items())}.\n"
    )
    yield table(
        ["tool", "risk", "what it does"],
        [(code(tool), risk.value, describe_tool(tool)) for tool, risk in BUILTIN.items()],
    )
    yield "A risk is what a tool can do outside of the conversation. MCP and custom tools have none, because it is not known.\n"
    yield table(["risk", "the tool"], [(risk.value, _RISKS[risk]) for risk in Risk])
    yield (
        "## Tools by harness\n\n● granted unless denied · ○ only if listed, or under a condition (see the harness's page) · "
        "blank: no such tool. A tool may be part of another: Copilot's `edit` also creates files.\n"
    )
    head = ["tool", *(f"[{harness.title}](harnesses/{harness.id}.md)" for harness in harnesses)]
    yield table(head, [(code(tool), *(_presence(tool, harness) for harness in harnesses)) for tool in BUILTIN])
    yield "## Native names\n\nHarnesses that have none of the tools of a table are left out.\n"
    for risk in Risk:
        tools = [tool for tool, its in BUILTIN.items() if its is risk]
        yield f"### {risk.value.capitalize()}\n"
        for at in range(0, len(tools), _TOOLS_PER_TABLE):
            yield _names_table(tools[at : at + _TOOLS_PER_TABLE], harnesses)


def _presence(tool: str, harness: Harness) -> str:
    presences = {facts.presence for facts in harness.tools.values() if tool in facts.grants}
    return "●" if presences & {"default", "always"} else "○" if presences else ""


def _names_table(tools: Sequence[str], harnesses: Sequence[Harness]) -> str:
    having = [harness for harness in harnesses if any(tool in harness.write for tool in tools)]
    rows = [(harness.title, *(codes(harness.write.get(tool, ())) for tool in tools)) for harness in having]
    return table(["", *map(code, tools)], rows)
