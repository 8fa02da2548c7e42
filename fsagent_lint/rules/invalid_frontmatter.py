"""FA001 invalid-frontmatter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.nodes import Entry, Scalar
from fsagent_lint.frontmatter.source import BOM, Source
from fsagent_lint.rules import Bad, Consequence, Edit, Finding, Fix, Good, Rule, Safety, Span, Subject, Trait


class InvalidFrontmatter(Rule):
    """The frontmatter is not valid YAML.

    ## Why
    Harnesses cope in different ways: Claude Code repairs the commonest mistakes and skips the file otherwise, Copilot
    refuses the file, and OpenCode may load it with no settings at all, and so with every tool. The commonest mistake
    is a colon in a description that is not quoted.

    ## What to do
    Quote the value, or write it as a block: `description: >-` and the text, indented, below.

    ## Fix safety
    Safe where quoting the value that will not parse makes the frontmatter valid: its text stays the same. Unsafe where
    lines below it, which look like keys, have to become part of it.
    """

    code = "FA001"
    name = "invalid-frontmatter"
    consequence = Consequence.REFUSED
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
            "---\nname: a\ndescription: Use it so\nuser: please\n<done>\n⟦t⟧ools: Read\n---\n",
            fixed="---\nname: a\ndescription: |-\n  Use it so\n  user: please\n  <done>\ntools: Read\n---\n",
        ),
        Bad("---\nname: a\ndescription: d\ntools: [Read\n⟦-⟧--\n"),
        Bad("⟦---⟧\nname: a\ndescription: d\ntools: [Read,\nGrep]\n---\n"),
        Bad("\ufeff⟦---⟧\nname: a\ndescription: d\n---\n"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        error = subject.document.error
        if error is None:
            yield from self._unread(subject)
            return
        text = subject.document.source.text
        end = error.offset + (0 if text[error.offset : error.offset + 1] in ("", "\r", "\n") else 1)
        outcome, consequence = self._outcome(subject)
        problem, advice = PROBLEMS.get(error.problem, (error.problem, QUOTE))
        message = f"The frontmatter is not valid YAML: {problem}; {outcome}. {advice}"
        fix = _quote(subject) if subject.document.source.problem is None else None  # it could not be proven
        yield self.finding(Span(error.offset, end), message, consequence=consequence, fix=fix)

    def _unread(self, subject: Subject) -> Iterator[Finding]:
        """Valid YAML that this harness cannot read all the same."""
        document, effect = subject.document, subject.effect
        if document.source.problem is not None or not (document.entries or document.odd_root) or effect.data:
            return
        if next(document.duplicates(), None) is not None or document.source.opening.strip():
            return  # duplicate-key and executable-frontmatter say so
        outcome = "does not load the file" if not effect.loads else "loads the file without its settings"
        consequence = Consequence.WIDENED if effect.loads and subject.written else Consequence.REFUSED
        message = f"{subject.harness.title} cannot read this frontmatter, because {_reason(subject)}; it {outcome}."
        yield self.finding(document.opening_fence, message, consequence=consequence)

    def _outcome(self, subject: Subject) -> tuple[str, Consequence]:
        effect, title = subject.effect, subject.harness.title
        if not effect.loads:
            return f"{title} does not load the file", Consequence.REFUSED
        lost = [entry.name for entry in subject.document.entries if entry.name not in effect.data]
        if not lost:
            return f"{title} repairs it, stricter readers do not", Consequence.STYLE
        if subject.written and effect.open:
            return f"{title} loads the file without its settings, and the agent has every tool", Consequence.WIDENED
        return f"{title} loads the file without its settings", Consequence.IGNORED


def _quote(subject: Subject) -> Fix | None:
    """Quote the values that will not parse; failing that, take what only looks like keys into the text above."""
    source = subject.document.source
    raw = [entry for entry in subject.document.entries if _is_raw(entry)]
    alone = [(entry, source.text[entry.value.start : entry.value.end]) for entry in raw]
    known = {*subject.kind.fields, *subject.kind.keys, *subject.kind.wrong_keys}
    sure = all(_is_surely_text(value, known, is_known=entry.name in known) for entry, value in alone)
    if sure and (fix := _fix(subject, alone, Safety.SAFE)):
        return fix
    groups = [
        (group, end)
        for group, end in _groups(subject.document.entries, known, source.yaml.end)
        if any(map(_is_raw, group))
    ]
    values = [(group[0], source.text[group[0].value.start : end].rstrip()) for group, end in groups]
    return _fix(subject, values, Safety.UNSAFE)


def _is_surely_text(value: str, known: set[str], *, is_known: bool) -> bool:
    """Can nothing else be meant: no quote that was forgotten, no key without its blank, no structure gone wrong?"""
    unclosed = value[:1] in ("'", '"') and value.count(value[0]) == 1
    # A line that begins as no sentence does, or as a key.
    if unclosed or re.search(r"[\r\n](?:[^\w\s<>()\[\"'`*#•-]|[\w.-]+[ \t]*:)", value):
        return False
    keys = re.findall(r"[\r\n](?:([\w.-]+)|[ \t]+([\w.-]+)[ \t]*:)", value)
    if not known.isdisjoint(flush or indented for flush, indented in keys):
        return False
    return is_known or (value[:1].isalnum() and not re.search(r"[\r\n]", value))


def _is_raw(entry: Entry) -> bool:
    return isinstance(entry.value, Scalar) and entry.value.style == "raw"


def _fix(subject: Subject, values: list[tuple[Entry, str]], safety: Safety) -> Fix | None:
    from fsagent_lint.frontmatter.edits import apply_edits

    source = subject.document.source
    edits, names = [], []
    for entry, value in values:
        field = subject.kind.fields.get(entry.name or "")
        text = (field is None or "string" in field.type) and entry.name not in subject.kind.keys
        if not text or not value or value[0] in "[{|>" or not re.sub(r"[\r\n\t]", "", value).isprintable():
            return None  # control characters are for a person to look at
        edits.append(Edit(Span(entry.value.start, entry.value.start + len(value)), _written(value, source.newline)))
        names.append(entry.name or "")
    if not edits or not _is_valid(source.to_bytes(apply_edits(source.text, edits))):
        return None
    inside = {
        entry.name
        for entry in subject.document.entries
        for edit in edits
        if edit.span.start < entry.start < edit.span.end
    }
    touches = frozenset(name for name in (*names, *inside) if name)
    return Fix(f"Quote the value of `{names[0]}`", tuple(edits), safety, touches)


def _groups(entries: list[Entry], known: set[str], end: int) -> Iterator[tuple[list[Entry], int]]:
    """Each known key with what only looks like keys below it: `user:` in a description is a line of text."""
    starts = [at for at, entry in enumerate(entries) if entry.name in known]
    for at, after in pairwise([*starts, len(entries)]):
        yield entries[at:after], entries[after].start if after < len(entries) else end


def _written(value: str, newline: str) -> str:
    from fsagent_lint.frontmatter.edits import quote

    lines = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) == 1:
        return quote(value, '"')
    return newline.join(["|-", *(f"  {line}".rstrip() for line in lines)])


def _is_valid(data: bytes) -> bool:
    document = Document(Source("", data))
    return document.error is None and next(document.duplicates(), None) is None


def _reason(subject: Subject) -> str:
    source = subject.document.source
    if source.data.startswith(BOM):
        return "the file begins with a byte order mark"
    if subject.document.odd_root:
        return "it is not a map of keys and values"
    if "\n" not in source.text:
        return "its lines end in carriage returns alone"
    return "a value goes on in the first column, or behind a tab"


QUOTE = "Quote the value."
_CLOSE = "Close it."
# What libyaml says, in the words of someone who has not read its source, and what to do about it.
PROBLEMS = {
    "mapping values are not allowed in this context": ("a value that is not quoted contains `: `", QUOTE),
    "found character that cannot start any token": ("a value begins with a character that has to be quoted", QUOTE),
    "did not find expected key": (
        "a quote or bracket is not closed, or a line is not indented as it should be",
        "Close it, or indent the line.",
    ),
    "could not find expected ':'": (
        "a line is neither a key with a value nor indented text",
        "Put a colon and a blank behind the key, or indent the line.",
    ),
    "did not find expected ',' or ']'": ("a list in brackets is not closed", _CLOSE),
    "did not find expected ',' or '}'": ("a map in braces is not closed", _CLOSE),
    "found unexpected end of stream": ("a quote is not closed", _CLOSE),
    "did not find expected alphabetic or numeric character": (
        "a value begins with `*` or `&`, which have to be quoted",
        QUOTE,
    ),
    "block sequence entries are not allowed in this context": (
        "a value begins with `- `, which has to be quoted",
        QUOTE,
    ),
    "did not find expected comment or line break": (
        "text stands beside `>` or `|`",
        "Put it on the next line, indented.",
    ),
}
