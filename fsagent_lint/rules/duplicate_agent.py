"""FA503 duplicate-agent."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.frontmatter.document import stem
from fsagent_lint.rules import DATA_FILES, Bad, Consequence, Finding, Good, Profile, Project, Rule, Sort, Subject
from fsagent_lint.rules.stray_agent_file import is_readme


class DuplicateAgent(Rule):
    """Two files of one harness define agents with the same name.

    ## Why
    Only one of them is loaded, and the file system decides which. Agents of different plugins have different names: that
    of the plugin precedes them. Kiro's agents in markdown and those in JSON are read by different versions of it.

    ## What to do
    Rename one of them.
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
        Good(
            "---\nname: a\ndescription: d\n---\n",
            path=".claude/agents/a.md",
            neighbours=(("plugin/agents/a.md", "claude-code", "---\nname: a\ndescription: d\n---\n"),),
            files=(("plugin/.claude-plugin/plugin.json", '{"name": "p"}'),),
        ),
        Good(
            "---\nname: a\ndescription: d\n---\n",
            path="old/agents/a.md",
            neighbours=(("plugin/agents/a.md", "claude-code", "---\nname: a\ndescription: d\n---\n"),),
            files=(
                ("plugin/.claude-plugin/plugin.json", '{"name": "p"}'),
                ("old/.claude-plugin/plugin.json", '{"name": "p"}'),
            ),
        ),
        Good(
            "---\nname: a\ndescription: d\n---\n",
            harness="kiro",
            path=".kiro/agents/a.md",
            neighbours=((".kiro/agents/a.json", "kiro", '{"name": "a", "description": "d"}'),),
        ),
        Good(
            "Prompt.\n",
            harness="kiro",
            path=".kiro/agents/one/prompt.md",
            neighbours=((".kiro/agents/two/prompt.md", "kiro", "Prompt.\n"),),
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
            message = f"Another {subject.kind_name} in this file is also named `{name}`; {subject.refuses}. Rename one of them."
            yield self.finding(entry.value.span, message, consequence=Consequence.REFUSED)

    def check_project(self, project: Project) -> Iterator[tuple[Profile, Finding]]:
        known: dict[tuple[str, ...], Profile] = {}
        for each in sorted(project.checked, key=lambda each: each.path):
            if is_readme(stem(each.path)):
                continue  # whatever it is named, it is not meant to be an agent
            # The nested projects of a monorepo have their own agents.
            root = each.path.rpartition("/.")[0] if "/." in each.path else ""
            first = known.setdefault((root, each.harness, each.kind, each.program, each.name), each)
            if first is not each:
                message = (
                    f"{first.path} is also named `{each.name}`; only one of the two is loaded. Rename one of them."
                )
                yield each, self.finding(each.span, message, related=(first.related("the first agent of this name"),))
