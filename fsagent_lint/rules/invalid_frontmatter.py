"""FA001 invalid-frontmatter."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fsagent_lint.frontmatter.source import BOM
from fsagent_lint.rules import MARKDOWN_FILES, Bad, Consequence, Finding, Good, Group, Rule, Span, Subject, Trait


class InvalidFrontmatter(Rule):
    """The frontmatter is not valid YAML.

    ## Why
    Harnesses differ: Claude Code repairs the most common mistakes and otherwise skips the file, Copilot refuses the
    file, and OpenCode may load it without its settings, so that the agent has every tool. The most common mistake is a
    colon in an unquoted description.

    ## What to do
    Quote the value, or write it as a block: `description: >-` with the text indented below it.

    ## Fix safety
    Safe where quoting the value makes the frontmatter valid: its text and all keys stay the same. Unsafe where the
    value may not be intended as text or has nested quotes, and where the harness would now load an agent with harmful
    tools that it does not name, approvals or hooks. There is no fix where a line below the value looks like a key.
    """

    code = "FA001"
    name = "invalid-frontmatter"
    consequence = Consequence.REFUSED
    sorts = MARKDOWN_FILES
    about = frozenset((Trait.UNREAD,))
    examples = (
        Good("---\nname: a\ndescription: 'Use this: often'\n---\n"),
        Bad(
            "---\nname: a\ndescription: Use this⟦:⟧ often\ntools: Read\n---\n",
            fixed='---\nname: a\ndescription: "Use this: often"\ntools: Read\n---\n',
        ),
        Bad(
            "---\ndescription: ⟦@⟧mention it\n---\n",
            harness="copilot",
            fixed='---\ndescription: "@mention it"\n---\n',
        ),
        Bad(
            "---\nname: a\ndescription: Use it so\n<done>\n⟦t⟧ools: Read\n---\n",
            fixed="---\nname: a\ndescription: |-\n  Use it so\n  <done>\ntools: Read\n---\n",
        ),
        Bad(
            '---\nname: a\ndescription: "Use "⟦t⟧his" agent"\ntools: Read\n---\n',
            fixed='---\nname: a\ndescription: "Use \\"this\\" agent"\ntools: Read\n---\n',
        ),
        Bad(
            "---\ndescription: d\nargument-hint: [file] ⟦[⟧--all]\n---\n",
            kind="command",
            fixed='---\ndescription: d\nargument-hint: "[file] [--all]"\n---\n',
        ),
        Bad(
            "---\ndescription: d\nargument-hint: '[file] [--for '⟦w⟧hom']'\n---\n",
            kind="command",
            fixed="---\ndescription: d\nargument-hint: \"[file] [--for 'whom']\"\n---\n",
        ),
        Bad(
            '---\ndescription: d\nargument-hint: "<task>" ⟦-⟧-until "<date>"\nallowed-tools: Read\n---\n',
            kind="command",
            fixed='---\ndescription: d\nargument-hint: "\\"<task>\\" --until \\"<date>\\""\nallowed-tools: Read\n---\n',
        ),
        Bad("---\nname: a\ndescription: Use it so\n<done>\n⟦t⟧ools:Read\nmodel: opus\n---\n"),
        Bad("---\nname: a\ndescription: d\ntools: [Read\n⟦-⟧--\n"),
        Bad("⟦---⟧\nname: a\ndescription: d\ntools: [Read,\nGrep]\n---\n"),
        Bad("\ufeff⟦---⟧\nname: a\ndescription: d\n---\n", harness="gemini"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        error = subject.document.error
        if error is None:
            yield from self._unread(subject)
            return
        text = subject.document.source.text
        end = error.offset + (0 if text[error.offset : error.offset + 1] in ("", "\r", "\n") else 1)
        outcome, consequence = self._outcome(subject)
        if error.problem.startswith(_CONTROL):
            problem, advice = "it contains a control character", "Remove the character."
        else:
            problem, advice = PROBLEMS.get(error.problem, (error.problem, QUOTE))
        from fsagent_lint.rewrite.repair_yaml import repair

        broken = next((entry for entry in subject.document.entries if entry.start <= error.offset <= entry.end), None)
        if broken is not None:
            problem, advice = _of_value(text[broken.value.start : broken.value.end]) or (problem, advice)
        message = f"The frontmatter is not valid YAML: {problem}; {outcome}. {advice}"
        # What does not keep the file from loading is one problem of all files that are written in this way.
        title = f"{broken.name if broken is not None else ''}: {message}"
        group = Group(title, across_files=True) if consequence in _LOADED else None
        yield self.finding(Span(error.offset, end), message, consequence=consequence, fix=repair(subject), group=group)

    def _unread(self, subject: Subject) -> Iterator[Finding]:
        """Valid YAML that this harness cannot read."""
        document, effect = subject.document, subject.effect
        if document.source.problem is not None or not (document.entries or document.root_is_not_map) or effect.data:
            return
        if next(document.duplicates(), None) is not None or document.source.opening.strip():
            return  # duplicate-key and executable-frontmatter report it
        outcome = "does not load the file" if not effect.loads else "loads the file without its settings"
        consequence = Consequence.WIDENED if effect.loads and _restricts(subject) else Consequence.REFUSED
        message = f"{subject.harness.title} cannot read this frontmatter, because {_reason(subject)}; it {outcome}."
        yield self.finding(document.opening_fence, message, consequence=consequence)

    def _outcome(self, subject: Subject) -> tuple[str, Consequence]:
        effect, title = subject.effect, subject.harness.title
        if not effect.loads:
            return subject.skips_file, Consequence.REFUSED
        lost = [entry.name for entry in subject.document.entries if entry.name not in effect.data]
        if not lost and not (subject.kind_name == "skill" or (subject.is_passed_on and subject.kind.read_by)):
            return f"{title} repairs it", Consequence.STYLE
        if not lost:
            consequence = Consequence.FRAGILE if subject.harness.standard else Consequence.STYLE
            return f"{title} repairs it, but stricter harnesses do not", consequence
        if effect.open and _restricts(subject):
            return f"{title} loads the file without its settings, so the agent has every tool", Consequence.WIDENED
        return f"{title} loads the file without its settings", Consequence.IGNORED


def _restricts(subject: Subject) -> bool:
    return any(subject.kind.keys[value.key].role != "approve" for value in subject.values)


_LOADED = (Consequence.IGNORED, Consequence.FRAGILE, Consequence.STYLE)


def _of_value(value: str) -> tuple[str, str] | None:
    """A problem that shows in the text of one value, and the advice."""
    from fsagent_lint.rewrite.repair_yaml import is_enclosed, is_text_in_brackets

    if is_text_in_brackets(value):
        return "an unquoted value begins with `[`", QUOTE
    first, _, rest = value.partition("\n")
    if rest and is_text_in_brackets(first.rstrip()):
        return "text follows a list in brackets", "Quote it, and give the lines below a key of their own."
    if is_enclosed(value):
        return "a value in quotes contains the same quotes", _INNER[value[0]]
    if _QUOTED_START.match(value):
        return "text follows a value in quotes", "Quote the whole value."
    return None


_QUOTED_START = re.compile(r"""(?:"[^"\\\n]*"|'[^'\n]*')[ \t]*[^\s#,]""")
_INNER = {'"': 'Write `\\"` inside it.', "'": "Write `''` inside it."}


def _reason(subject: Subject) -> str:
    source = subject.document.source
    if source.data.startswith(BOM):
        return "the file begins with a byte order mark"
    if subject.document.root_is_not_map:
        return "it is not a map of keys and values"
    if "\n" not in source.text:
        return "its lines end in bare carriage returns"
    return "a value continues in the first column, or after a tab"


QUOTE = "Quote the value."
_CLOSE = "Close it."
_CONTROL = "control characters are not allowed"
# libyaml's message to an explanation that needs no knowledge of its source, and the advice.
PROBLEMS = {
    "mapping values are not allowed in this context": ("an unquoted value contains `: `", QUOTE),
    "found character that cannot start any token": ("an unquoted value begins with a special character", QUOTE),
    "did not find expected key": (
        "a quote or bracket is not closed, or the indentation is wrong",
        "Close it, or indent the line.",
    ),
    "could not find expected ':'": (
        "a line is neither a key with a value nor indented text",
        "Write `key: value`, or indent the line.",
    ),
    "did not find expected ',' or ']'": ("a list in brackets is not closed", _CLOSE),
    "did not find expected ',' or '}'": ("a map in braces is not closed", _CLOSE),
    "found unexpected end of stream": ("a quote is not closed", _CLOSE),
    "did not find expected alphabetic or numeric character": (
        "an unquoted value begins with `*` or `&`",
        QUOTE,
    ),
    "block sequence entries are not allowed in this context": (
        "an unquoted value begins with `- `",
        QUOTE,
    ),
    "did not find expected comment or line break": (
        "text follows `>` or `|` on the same line",
        "Move it to the next line, indented.",
    ),
}
