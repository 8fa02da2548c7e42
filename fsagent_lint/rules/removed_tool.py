"""FA105 removed-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import ALL_AGENTS, Bad, Consequence, Finding, Good, Rule, Subject, Verdict
from fsagent_lint.rules._tool_fixes import (
    advice,
    group_item,
    harness_title,
    missing_names,
    removal,
    replacement,
)


class RemovedTool(Rule):
    """A tool entry names a tool that the harness no longer has.

    ## Why
    The harness drops the entry without any warning.

    ## Fix safety
    Safe where the tool has a successor, unless the key approves it. Unsafe where it has none, and the entry is removed.
    """

    code = "FA105"
    name = "removed-tool"
    consequence = Consequence.NARROWED
    sorts = ALL_AGENTS
    about = frozenset((Verdict.REMOVED,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read, Edit\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, ⟦MultiEdit⟧, Edit\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read, Edit\n---\n",
        ),
        Bad(
            "---\nname: a\ndescription: d\ntools:\n  - Read\n  - ⟦LS⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools:\n  - Read\n---\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for entry in subject.items:
            if entry.verdict != Verdict.REMOVED or entry.name is None:
                continue
            use, note = entry.name.use, entry.name.note
            what = f"{harness_title(entry.meaning.harness)} no longer has `{entry.item.name}`"
            fix = replacement(subject, entry, use, safe=True) if use else removal(subject, entry, safe=False)
            what_to_do = advice(subject, entry, use) if use else "Remove it."
            what += f" ({note})" if note else ""
            item, covered = group_item(entry, what_to_do), bool(use) and not missing_names(subject, entry, use)
            yield self.dropped(subject, entry, what, what_to_do, fix, item, covered=covered)
