"""FA503 duplicate-agent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsagent_lint.rules import DATA_FILES, Bad, Consequence, Finding, Good, Profile, Rule, Sort, Subject


class DuplicateAgent(Rule):
    """Two files of one harness are known by the same name.

    ## Why
    Only one of them is loaded, and which one is up to the file system.

    ## What to do
    Give each its own name.
    """

    code = "FA503"
    name = "duplicate-agent"
    consequence = Consequence.IGNORED
    sorts = DATA_FILES
    examples = (
        Good("---\nname: a\ndescription: d\n---\n", path=".claude/agents/a.md"),
        Bad(
            "---\nname: a\ndescription: d\n---\n",
            path=".claude/agents/a.md",
            neighbours=((".claude/agents/b.md", "claude-code", "---\nname: ⟦a⟧\ndescription: d\n---\n"),),
        ),
        Bad(
            "customModes:\n"
            "  - {slug: a, name: A, roleDefinition: r, groups: []}\n"
            "  - {slug: ⟦a⟧, name: B, roleDefinition: r, groups: []}\n",
            harness="roo",
            kind="mode",
            path=".roomodes",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        if subject.sort is not Sort.DATA:
            return
        from fsagent_lint.agent.data.subject import DataSubject

        assert isinstance(subject, DataSubject)
        for duplicate in subject.twins():
            name = duplicate.document.stem
            entry = duplicate.document.get(duplicate.kind.slot("slug"))
            assert entry is not None
            message = (
                f"`{name}` is the name of another {subject.kind_name} in this file; {subject.refuses}. Rename one."
            )
            yield self.finding(entry.value.span, message, consequence=Consequence.REFUSED)

    def check_project(self, profiles: Sequence[Profile]) -> Iterator[tuple[Profile, Finding]]:
        known: dict[tuple[str, ...], Profile] = {}
        for each in sorted(profiles, key=lambda each: each.path):
            # The nested projects of a monorepo have their own agents.
            root = each.path.rpartition("/.")[0] if "/." in each.path else ""
            first = known.setdefault((root, each.harness, each.kind, each.program, each.name), each)
            if first is not each:
                message = f"{first.path} has the name `{each.name}` already; only one of them is loaded. Rename one."
                yield each, self.finding(each.span, message)
