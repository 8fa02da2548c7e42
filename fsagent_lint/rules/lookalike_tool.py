"""FA109 lookalike-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import ALL_AGENTS, Bad, Consequence, Finding, Good, Rule, Subject, Verdict


class LookalikeTool(Rule):
    """A tool name contains lookalike or invisible characters.

    ## Why
    A reviewer sees `Bash`, but the harness reads another name. This may be a copying mistake, or an attempt to hide
    something from a review, so there is no fix.
    """

    code = "FA109"
    name = "lookalike-tool"
    consequence = Consequence.NARROWED
    sorts = ALL_AGENTS
    about = frozenset((Verdict.LOOKALIKE,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Bash\n---\n"),
        Bad("---\nname: a\ndescription: d\ntools: Read, ⟦B\u0430sh⟧\n---\n"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for entry in subject.items:
            if entry.verdict == Verdict.LOOKALIKE:
                non_ascii = ", ".join(f"U+{ord(char):04X}" for char in entry.item.name if not char.isascii())
                what = f"`{entry.item.name}` only looks like a tool name, because it contains {non_ascii}"
                yield self.dropped(subject, entry, what, "Type the name again.")
