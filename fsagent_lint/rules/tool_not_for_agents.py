"""FA113 tool-not-for-agents."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Verdict
from fsagent_lint.rules._tool_fixes import removal


class ToolNotForAgents(Rule):
    """A tool entry names a tool that the harness does not grant to agents.

    ## Why
    Some tools are only for the main conversation: a subagent of Gemini CLI cannot start another one, and one of Qwen
    Code cannot keep a to-do list. The harness drops the entry without any warning.

    ## Fix safety
    Unsafe: a prompt that relies on the tool has to change, too.
    """

    code = "FA113"
    name = "tool-not-for-agents"
    consequence = Consequence.NARROWED
    about = frozenset((Verdict.WITHHELD,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: [read_file]\n---\n", harness="gemini"),
        Good("---\nname: a\ndescription: d\nallowedTools: [todo_write]\n---\n", harness="qwen", kind="skill"),
        Bad(
            "---\nname: a\ndescription: d\ntools: [read_file, ⟦invoke_agent⟧]\n---\n",
            harness="gemini",
            fixed="---\nname: a\ndescription: d\ntools: [read_file]\n---\n",
        ),
        Bad(
            "---\nname: ab\ndescription: d\ntools:\n  - glob\n  - ⟦TodoWrite⟧\n---\nKeep a list of steps.\n",
            harness="qwen",
            fixed="---\nname: ab\ndescription: d\ntools:\n  - glob\n---\nKeep a list of steps.\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for entry in subject.items:
            if entry.verdict == Verdict.WITHHELD and entry.role != "approve":
                what = f"{subject.harness.title} does not grant `{entry.item.name}` to agents"
                what += f" ({entry.name.note})" if entry.name is not None and entry.name.note else ""
                yield self.dropped(subject, entry, what, "Remove it.", removal(subject, entry, safe=False))
