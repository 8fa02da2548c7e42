"""FA005 not-utf8."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.frontmatter.source import MAX_FRONTMATTER, MAX_PARTS
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Sort, Span, Subject, Trait


class NotUtf8(Rule):
    """The frontmatter is not UTF-8, or is too large to be one.

    ## Why
    Harnesses read files as UTF-8; other bytes turn into replacement characters, also in tool names. Nothing is changed
    in such a file.
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
            size = f"more than {MAX_FRONTMATTER // 1024} KiB, or than {MAX_PARTS:,} lines and commas"
            advice = "Shorten it, or close it with `---`."
            if subject.sort is Sort.DATA:
                from fsagent_lint.agent.data.document import MAX_SIZE, MAX_VALUES

                size, advice = f"more than {MAX_SIZE // 1024} KiB, or than {MAX_VALUES:,} values", "Shorten it."
            yield self.finding(Span(0, 0), f"The {what} has {size}; nothing in it is judged or changed. {advice}")
