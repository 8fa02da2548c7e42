"""FA415 replaced-text."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.effect.prompt import find_prices, find_scripts, is_mention, replaces, runs
from fsagent_lint.rules import MARKDOWN_FILES, Bad, Consequence, Finding, Good, Rule, Span, Subject, Trait
from fsagent_lint.rules._prompts import arguments_outside_scripts, prompt_of


class ReplacedText(Rule):
    """Text of a prompt, such as `$1` in an awk program, is replaced as if it were a placeholder.

    ## Why
    Claude Code replaces `$0`, `$1`, … in commands and skills by what the user typed, in code blocks and in inline code
    too, so that `awk '{print $1}'` becomes another program. OpenCode does the same in commands, and removes the number
    where there is no such argument: `$20` disappears, and `$0` becomes `undefined`. OpenCode also runs what stands
    between `` `!` `` and the next backtick as a command.

    ## When it is reported
    For awk programs, shell functions and scripts that begin with `#!`, whose `$1` is their own, if the prompt also takes
    arguments. Where missing arguments are removed: for every such program, for `$0`, and for amounts of money.

    ## What to do
    In Claude Code, write a backslash before the dollar sign: `\\\\$1`. OpenCode has no such notation: write `$(1)` in awk,
    `${1}` in shell scripts, and `20 USD` for money.
    """

    code = "FA415"
    name = "replaced-text"
    consequence = Consequence.IGNORED
    sorts = MARKDOWN_FILES
    about = frozenset((Trait.PLACEHOLDERS,))
    examples = (
        Good("---\ndescription: d\n---\nRun `ps | awk '{print \\$1}'` for $ARGUMENTS.\n", kind="command"),
        Good("---\ndescription: d\n---\nRun `ps | awk '{print $1}'`.\n", kind="command"),
        Bad("---\ndescription: d\n---\nRun `ps | awk '{print ⟦$1⟧, $2}'` for $ARGUMENTS.\n", kind="command"),
        Bad(
            "---\nname: a\ndescription: d\n---\n```sh\nlog() {\n  echo ⟦$1⟧\n}\n```\nDo $ARGUMENTS.\n",
            kind="skill",
            path=".claude/skills/a/SKILL.md",
        ),
        Good("---\ndescription: d\n---\nFix $1 for ${1}.\n", harness="opencode", kind="command"),
        Bad("---\ndescription: d\n---\nIt costs ⟦$20⟧, not $9.50.\n", harness="opencode", kind="command"),
        Bad("---\ndescription: d\n---\nFix ⟦$0⟧ and $1.\n", harness="opencode", kind="command"),
        Bad("---\ndescription: d\n---\nAdd `⟦!` or `⟧BREAKING`.\n", harness="opencode", kind="command"),
        Good("---\ndescription: d\n---\nAdd `!` or `BREAKING`.\n", kind="command"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        text, offset = prompt_of(subject)
        yield from self._numbers(subject, text, offset)
        notation = subject.kind.notation
        pattern = runs(notation)
        if pattern is None or notation.command_apart:
            return
        for found in pattern.finditer(text):
            if found[1] is not None and is_mention(found):
                message = (
                    f"{subject.harness.title} runs the text between these backticks as a command. "
                    "Write the exclamation mark without backticks."
                )
                yield self.finding(Span(offset + found.start(), offset + found.end()), message)

    def _numbers(self, subject: Subject, text: str, offset: int) -> Iterator[Finding]:
        notation, title = subject.kind.notation, subject.harness.title
        reads = replaces(notation)
        if reads is None or not (notation.clears or _takes_arguments(subject, text)):
            return
        spans = [(each.span, each.what) for each in find_scripts(text)]
        if notation.clears:
            spans += [(span, "an amount") for span in find_prices(text)]
        found: dict[int, tuple[str, str]] = {}
        for match in reads.finditer(text):
            number = next(filter(None, match.groups()), "")
            where = next((what for span, what in spans if span.start <= match.start() < span.end), "")
            if number and (where or (notation.clears and int(number) < notation.first)):
                found[match.start()] = match[0], where
        if not found:
            return
        start, (written, where) = next(iter(found.items()))
        names = ", ".join(f"`{name}`" for name in dict.fromkeys(name for name, _ in found.values()))
        what = "by an argument" if not notation.clears else "by an argument or by nothing"
        place = f", which is part of {where}," if where and len(found) == 1 else ""
        advice = f"Write `{notation.escape}{written}`." if notation.escape else "Write it without a dollar sign."
        if notation.clears and where in ("an awk program", "a shell function", "a script"):
            form = "({})" if where == "an awk program" else "{{{}}}"
            advice = f"Write `${form.format(written[1:])}`."
        message = f"{title} replaces {names}{place} {what}, in code too. {advice}"
        yield self.finding(Span(offset + start, offset + start + len(written)), message)


def _takes_arguments(subject: Subject, text: str) -> bool:
    """Does the author expect that the user types arguments?"""
    notation, names = subject.kind.notation, subject.document.by_name
    if "argument-hint" in names or "arguments" in names or any(each in text for each in notation.arguments):
        return True
    return not notation.numbered and any(True for _ in arguments_outside_scripts(subject, text))
