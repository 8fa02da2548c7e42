"""FA205 ignored-key."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rule import Bad, Consequence, Finding, Good, Rule, Span, Subject


class IgnoredKey(Rule):
    """Tools are allowed or denied under a key that the harness does not read, and it has none that would do.

    ## Why
    Copilot and VS Code have no way to deny a tool: `disallowedTools` there denies nothing.

    ## What to do
    Say what was meant in a way that the harness knows: list the tools that remain.
    """

    code = "FA205"
    name = "ignored-key"
    consequence = Consequence.WIDENED
    examples = (
        Good("---\nname: a\ndescription: d\ndisallowedTools: Bash\n---\n"),
        Bad("---\ndescription: d\n⟦disallowedTools⟧: Bash\n---\n", harness="copilot"),
        Bad("---\ndescription: d\n⟦permission⟧: {edit: deny}\n---\n", harness="opencode", kind="command"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for written in subject.misplaced:
            wrong = subject.kind.wrong_keys[written.key]
            if wrong.use:
                continue
            restricts = wrong.role in ("allow", "deny", "permission") and subject.kind_name in (
                "agent",
                "chatmode",
                "mode",
            )
            yield self.finding(
                Span(written.entry.key.start, written.entry.key.end),
                f"{subject.harness.title} does not read `{written.key}` in {subject.a_kind}; it restricts nothing.",
                consequence=Consequence.WIDENED if restricts else Consequence.IGNORED,
            )
