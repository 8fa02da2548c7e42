"""FA005 not-utf8."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.frontmatter.source import MAX_FRONTMATTER, MAX_PARTS
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Sort, Span, Subject, Trait


class NotUtf8(Rule):
    """The frontmatter is not UTF-8, or it is too large.

    ## Why
    Harnesses read files as UTF-8, and replace other bytes with replacement characters, also in tool names. Such files
    are never changed.
    """

    code = "FA005"
    name = "not-utf8"
    consequence = Consequence.REFUSED
    about = frozenset((Trait.NOT_UTF8, Trait.TOO_LARGE))
    examples = (
        Good("---\nname: a\ndescription: Grüße\n---\n"),
        Bad("⟦⟧---\nname: a\ndescription: \udce4\n---\n"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        problem = subject.document.source.problem
        what = "file" if subject.sort is Sort.DATA else "frontmatter"
        if problem == "not-utf8":
            yield self.finding(Span(0, 0), f"The {what} is not valid UTF-8. Save the file as UTF-8.")
        elif problem == "too-large":
            size = f"{MAX_FRONTMATTER // 1024} KiB, or has more than {MAX_PARTS:,} lines and commas"
            advice = "Shorten it, or close it with `---`."
            if subject.sort is Sort.DATA:
                from fsagent_lint.agent.data.document import MAX_SIZE, MAX_VALUES

                size, advice = f"{MAX_SIZE // 1024} KiB, or has more than {MAX_VALUES:,} values", "Shorten it."
            yield self.finding(Span(0, 0), f"The {what} is larger than {size}; it is not checked. {advice}")
