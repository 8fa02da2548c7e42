"""The page of the canonical tools."""

from __future__ import annotations

from collections.abc import Sequence

from fsagent_lint.docgen.markdown import NOTICE, code, codes, table
from fsagent_lint.harness import Harness
from fsagent_lint.tool import ALIASES, BUILTIN, Risk, describe

_RISKS = {
    Risk.READ: "only looks",
    Risk.WRITE: "changes files or notes that stay",
    Risk.EXECUTE: "runs programs",
    Risk.NETWORK: "talks to other machines",
    Risk.DELEGATE: "starts or instructs other agents",
    Risk.INTERACT: "talks to people, or keeps the agent's own list of steps",
}


def page(harnesses: Sequence[Harness]) -> str:
    head = ["tool", "risk", *(f"[{harness.title}](harnesses/{harness.id}.md)" for harness in harnesses)]
    matrix = [
        (code(tool), risk.value, *(codes(harness.write.get(tool, ())) or "-" for harness in harnesses))
        for tool, risk in BUILTIN.items()
    ]
    return NOTICE + "\n".join(
        (
            "# Canonical tools\n",
            "One vocabulary for the tools of every harness, used in config, reports and conversions. The matrix says "
            "what to write for a tool in each harness; `-` means that it has none. One name may stand for several "
            "tools: Copilot's `edit` also creates files.\n",
            table(head, matrix),
            "An MCP tool is `mcp:server/tool`, all tools of a server are `mcp:server/*`, a tool of your own is "
            "`custom:name`. A scope stands in parentheses: `Shell(git diff *)`.\n",
            "## Other names\n",
            table(["written", "means"], [(code(name), codes(tools)) for name, tools in ALIASES.items()]),
            "## Risks\n",
            "What a tool can do to the outside. MCP and custom tools have none, because nobody can know.\n",
            table(["risk", "such a tool"], [(risk.value, _RISKS[risk]) for risk in Risk]),
            "## Descriptions\n",
            table(["tool", "what it does"], [(code(tool), describe(tool)) for tool in BUILTIN]),
        )
    )
