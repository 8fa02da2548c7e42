"""FA102 wrong-case-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import ALL_AGENTS, Bad, Consequence, Finding, Good, Rule, Subject, Verdict
from fsagent_lint.rules._tool_fixes import advice, replacement


class WrongCaseTool(Rule):
    """A tool name has the wrong letter case, and the harness is case-sensitive.

    ## Why
    `tools: read, grep` grants a Claude Code agent no tools; `tools: {Bash: false}` leaves an OpenCode agent its shell.

    ## Fix safety
    Safe: it writes the tool that is named. Unsafe where that approves the tool, so that it runs without asking.
    """

    code = "FA102"
    name = "wrong-case-tool"
    consequence = Consequence.NARROWED
    sorts = ALL_AGENTS
    about = frozenset((Verdict.WRONG_CASE,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read, Grep\n---\n"),
        Good("---\ndescription: d\ntools: ['READ', 'Bash']\n---\n", harness="copilot"),
        Bad(
            "---\nname: a\ndescription: d\ntools: ⟦read⟧, Grep\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read, Grep\n---\n",
        ),
        Bad(
            "---\ndescription: d\ntools: ['read', '⟦TodoS⟧']\n---\n",
            harness="vscode",
            fixed="---\ndescription: d\ntools: ['read', 'todos']\n---\n",
        ),
        Bad(
            "---\ndescription: d\npermission:\n  ⟦Bash⟧: deny # no shell\n---\n",
            harness="opencode",
            fixed="---\ndescription: d\npermission:\n  bash: deny # no shell\n---\n",
        ),
        Bad(
            '{"permission": {⟦"Bash"⟧: "deny"}, // no shell\n}\n',
            harness="opencode",
            kind="config",
            path="opencode.json",
            fixed='{"permission": {"bash": "deny"}, // no shell\n}\n',
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for entry in subject.items:
            if entry.verdict == Verdict.WRONG_CASE:
                right = entry.meaning.spelling
                what = f"{subject.harness.title} has no tool `{entry.item.name}`, only `{right}`"
                fix = replacement(subject, entry, (right,), safe=True)
                item = f"`{entry.item.name}` (write `{right}`)"
                yield self.dropped(subject, entry, what, advice(subject, entry, (right,)), fix, item)
