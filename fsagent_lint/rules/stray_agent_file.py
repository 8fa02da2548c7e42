"""FA007 stray-agent-file."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import MARKDOWN_FILES, Bad, Consequence, Finding, Good, Rule, Span, Subject, Trait


class StrayAgentFile(Rule):
    """A file that is no agent lies in a folder where every file is one.

    ## Why
    OpenCode makes an agent of every `.md` file in its agent folder. A README.md there is an agent with every tool.

    ## What to do
    Move the file out of the folder.
    """

    code = "FA007"
    name = "stray-agent-file"
    consequence = Consequence.WIDENED
    sorts = MARKDOWN_FILES
    about = frozenset((Trait.MISSING,))
    examples = (
        Good("# Agents\n", path=".claude/agents/README.md"),
        Bad("⟦⟧# Our agents\n", harness="opencode", path=".opencode/agents/README.md"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        missing = subject.document.source.problem == "missing" and not subject.document.hidden
        if (
            missing
            and is_readme(subject.document.stem)
            and subject.kind_name in ("agent", "mode")
            and subject.effect.loads
        ):
            message = (
                f"{subject.harness.title} takes every file here for an agent; this one has every tool. Move it out."
            )
            yield self.finding(Span(0, 0), message)


def is_readme(stem: str) -> bool:
    """Does the name of a file say that it documents the others?"""
    return stem.upper() in ("README", "INDEX", "_INDEX", "CONTRIBUTING", "CHANGELOG", "AGENTS", "CLAUDE")
