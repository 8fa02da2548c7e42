"""FA417 wrong-argument-number."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.effect.prompt import find_prices, outside_fences
from fsagent_lint.rules import MARKDOWN_FILES, Bad, Consequence, Finding, Good, Rule, Span, Subject, Trait
from fsagent_lint.rules._prompts import arguments_outside_scripts, ordinal, prompt_of


class WrongArgumentNumber(Rule):
    """A command numbers its arguments from 1, and the harness from 0, so that the first one is never used.

    ## Why
    In Claude Code `$0` is the first argument and `$1` the second one. Many commands count from 1: `/fix-issue 123 high`
    with a prompt `Fix issue $1` gives the model `Fix issue high`, and `/fix-issue 123` gives it `Fix issue $1`.

    ## When it is reported
    For a command that uses `$1` and neither `$0` nor `$ARGUMENTS[0]`, outside of programs that have a `$1` of their own; beside
    `$ARGUMENTS`, only where `$1` is not in a code block.

    ## What to do
    Count from 0, or give the arguments names in `arguments`.
    """

    code = "FA417"
    name = "wrong-argument-number"
    consequence = Consequence.IGNORED
    sorts = MARKDOWN_FILES
    about = frozenset((Trait.PLACEHOLDERS,))
    examples = (
        Good("---\ndescription: d\n---\nCompare $0 with $1.\n", kind="command"),
        Good("---\ndescription: d\n---\nIt costs $1.50, or <$1K; `ps | awk '{print $1}'`.\n", kind="command"),
        Good("---\ndescription: d\n---\nDo $ARGUMENTS.\n```yaml\nreplacement: $1:$2\n```\n", kind="command"),
        Bad("---\ndescription: d\n---\nFix issue ⟦$1⟧ with priority $2.\n", kind="command"),
        Good("---\ndescription: d\n---\nFix issue $1.\n", harness="opencode", kind="command"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        notation = subject.kind.notation
        if notation.first != 0 or notation.numbered:
            return
        text, offset = prompt_of(subject)
        used: dict[int, Span] = {}
        prices = {price.start for price in find_prices(text)}
        takes_all = any(each in text for each in notation.arguments)
        parts = [*outside_fences(text)] if takes_all else [Span(0, len(text))]
        for number, span in arguments_outside_scripts(subject, text):
            if number and not any(part.start <= span.start < part.end for part in parts):
                continue
            if span.start not in prices:
                used.setdefault(number, span)
        if 0 in used or 1 not in used:
            return
        start, end = used[1]
        message = (
            f"{subject.harness.title} counts arguments from 0: `{text[start:end]}` is the {ordinal(1)} one, and the first "
            "one is never used. Count from 0."
        )
        yield self.finding(Span(offset + start, offset + end), message)
