"""FA104 renamed-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import ALL_AGENTS, Bad, Consequence, Finding, Good, Group, Rule, Subject, Verdict
from fsagent_lint.rules._tool_fixes import listing, replacement


class RenamedTool(Rule):
    """A tool entry uses an old name of a tool, which the harness still accepts.

    ## Why
    Harnesses remove old names eventually, and then drop the tool without any warning. VS Code marks them in the editor.

    ## Fix safety
    Safe where one new name grants what the old one does. Unsafe where it takes several: the list becomes longer, and the
    old name still works.
    """

    code = "FA104"
    name = "renamed-tool"
    consequence = Consequence.STYLE
    sorts = ALL_AGENTS
    about = frozenset((Verdict.RENAMED,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Agent\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, ⟦Task⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read, Agent\n---\n",
        ),
        Bad(
            "---\ndescription: d\ntools: ['⟦codebase⟧', 'search']\n---\n",
            harness="copilot",
            fixed="---\ndescription: d\ntools: ['search/codebase', 'search']\n---\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for entry in subject.items:
            if entry.verdict == Verdict.RENAMED and entry.name is not None:
                use = entry.name.use
                old = f"`{entry.item.name}`"
                yield self.finding(
                    entry.item.span,
                    f"{old} is an old name that still works. Write {listing(use)}.",
                    fix=replacement(subject, entry, use, safe=len(use) == 1, keep_all=True),
                    group=Group("Old names that still work", f"{old} (now {listing(use)})"),
                )
