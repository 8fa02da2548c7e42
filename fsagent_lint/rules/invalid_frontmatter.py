"""FA001 invalid-frontmatter."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fsagent_lint.document import Document
from fsagent_lint.edits import apply, quote
from fsagent_lint.nodes import Entry, Scalar
from fsagent_lint.rule import Bad, Consequence, Edit, Finding, Fix, Good, Rule, Safety, Span, Subject
from fsagent_lint.source import Source


class InvalidFrontmatter(Rule):
    """The frontmatter is not valid YAML.

    ## Why
    Harnesses cope in different ways: Claude Code repairs the commonest mistakes and skips the file otherwise, Copilot
    refuses the file, and OpenCode may load it with no settings at all, and so with every tool. The commonest mistake
    is a colon in a description that is not quoted.

    ## What to do
    Quote the value, or write it as a block: `description: >-` and the text, indented, below.

    ## Fix safety
    Safe where quoting the one value that will not parse makes the frontmatter valid: its text stays the same.
    """

    code = "FA001"
    name = "invalid-frontmatter"
    consequence = Consequence.REFUSED
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
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        error = subject.document.error
        if error is None:
            return
        text = subject.document.source.text
        end = error.offset + (0 if text[error.offset : error.offset + 1] in ("", "\r", "\n") else 1)
        outcome, consequence = self._outcome(subject)
        message = f"The frontmatter is not valid YAML: {error.problem}; {outcome}. Quote the value."
        yield self.finding(Span(error.offset, end), message, consequence=consequence, fix=_quote(subject))

    def _outcome(self, subject: Subject) -> tuple[str, Consequence]:
        effect, title = subject.effect, subject.harness.title
        if not effect.loads:
            return f"{title} does not load the file", Consequence.REFUSED
        lost = [entry.name for entry in subject.document.entries if entry.name not in effect.data]
        if not lost:
            return f"{title} repairs it, other harnesses refuse the file", Consequence.STYLE
        if subject.written and effect.open:
            return f"{title} loads the file without its settings, and the agent has every tool", Consequence.WIDENED
        return f"{title} loads the file without its settings", Consequence.IGNORED


def _quote(subject: Subject) -> Fix | None:
    """Quote the value that will not parse, or make a block of it where it fills several lines."""
    source, text = subject.document.source, subject.document.source.text
    known = {*subject.kind.fields, *subject.kind.keys, *subject.kind.wrong_keys}
    edits, names = [], []
    for group, end in _groups(subject.document.entries, known, source.yaml.end):
        if not any(isinstance(entry.value, Scalar) and entry.value.style == "raw" for entry in group):
            continue
        field = subject.kind.fields.get(group[0].name or "")
        value = text[group[0].value.start : end].rstrip()
        if field is None or "string" not in field.type or not value or value[0] in "[{|>":
            return None
        edits.append(
            Edit(Span(group[0].value.start, group[0].value.start + len(value)), _written(value, source.newline))
        )
        names.append(group[0].name or "")
    if not edits or not _is_valid(source.to_bytes(apply(text, edits))):
        return None
    pseudo = {entry.name for entry in subject.document.entries if entry.name is not None and entry.name not in known}
    return Fix(f"Quote the value of `{names[0]}`", tuple(edits), Safety.SAFE, frozenset(names) | pseudo)


def _groups(entries: list[Entry], known: set[str], end: int) -> Iterator[tuple[list[Entry], int]]:
    """Each known key with what only looks like keys below it: `user:` in a description is a line of text."""
    starts = [at for at, entry in enumerate(entries) if entry.name in known]
    for at, after in pairwise([*starts, len(entries)]):
        yield entries[at:after], entries[after].start if after < len(entries) else end


def _written(value: str, newline: str) -> str:
    lines = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) == 1:
        return quote(value, '"')
    return newline.join(["|-", *(f"  {line}".rstrip() for line in lines)])


def _is_valid(data: bytes) -> bool:
    document = Document(Source("", data))
    return document.error is None and next(document.duplicates(), None) is None
