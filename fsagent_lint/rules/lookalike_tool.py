"""FA109 lookalike-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.rules import ALL_AGENTS, Bad, Consequence, Finding, Good, Rule, Subject, Verdict


class LookalikeTool(Rule):
    """A tool entry looks like a tool's name but has look-alike or invisible characters in it.

    ## Why
    A reviewer sees `Bash`, the harness sees another word. That may be an accident of copying, or an attempt to get
    something past a review; nothing is fixed by itself.
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
                what = f"`{entry.item.name}` only looks like a tool's name: it contains {non_ascii}"
                yield self.dropped(subject, entry, what, "Type the name anew.")
