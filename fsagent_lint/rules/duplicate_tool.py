"""FA106 duplicate-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rule import Bad, Consequence, Finding, Good, Rule, Subject, ToolEntry, Trait, removal


class DuplicateTool(Rule):
    """One tool is named twice in the same key.

    ## Why
    It is noise in a list. In a map the last of two entries wins, which is seldom what the first one's author expects.

    ## Fix safety
    Safe: the second entry of a list adds nothing. In a map nothing is changed.
    """

    code = "FA106"
    name = "duplicate-tool"
    consequence = Consequence.STYLE
    about = frozenset((Trait.TOOLS,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read, Grep\n---\n"),
        Good("---\nname: a\ndescription: d\ntools: Agent(a), Agent(b)\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, Grep, ⟦Read⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read, Grep\n---\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        seen: dict[tuple[str, str], ToolEntry] = {}
        for entry in subject.entries:
            if entry.written.shape in ("map", "permission"):
                continue
            key = (entry.written.key, subject.harness.fold(entry.item.text))
            if key not in seen:
                seen[key] = entry
                continue
            message = f"`{entry.item.text}` is listed already. Remove it."
            yield self.finding(entry.item.span, message, fix=removal(subject, entry, safe=True))
