"""FA007 stray-agent-file."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import MARKDOWN_FILES, Bad, Consequence, Finding, Good, Rule, Span, Subject, Trait


class StrayAgentFile(Rule):
    """A file that is not an agent lies in a folder where every file is loaded as one.

    ## Why
    OpenCode loads every `.md` file in its agent folder as an agent. A README.md there is an agent with every tool.

    ## What to do
    Move the file out of the folder.
    """

    code = "FA007"
    name = "stray-agent-file"
    consequence = Consequence.WIDENED
    sorts = MARKDOWN_FILES
    about = frozenset((Trait.MISSING, Trait.UNKNOWN))
    examples = (
        Good("# Agents\n", path=".claude/agents/README.md"),
        Bad("⟦⟧# Our agents\n", harness="opencode", path=".opencode/agents/README.md"),
        Bad("⟦---⟧\ntitle: Our agents\n---\n", harness="opencode", path=".opencode/agents/README.md"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        source, names = subject.document.source, subject.document.by_name.keys()
        missing = source.problem == "missing" and not subject.document.hidden
        if (
            (missing or (source.problem is None and names.isdisjoint(subject.kind.known_fields)))
            and is_readme(subject.document.stem)
            and subject.kind_name in ("agent", "mode")
            and subject.effect.loads
        ):
            message = (
                f"{subject.harness.title} loads every file in this folder as an agent, and grants this one every tool. "
                "Move it out of the folder."
            )
            yield self.finding(Span(0, 0) if missing else subject.document.opening_fence, message)


def is_readme(stem: str) -> bool:
    """Does the name of a file say that it documents the others?"""
    return stem.upper() in ("README", "INDEX", "_INDEX", "CONTRIBUTING", "CHANGELOG", "AGENTS", "CLAUDE")
