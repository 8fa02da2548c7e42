"""A parsed agent file: its entries with spans, even where the YAML is invalid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from fsagent_lint._fast import pattern
from fsagent_lint.frontmatter.edits import Edit, apply_edits
from fsagent_lint.frontmatter.nodes import Entry, Map, ParseError, Scalar, Span
from fsagent_lint.frontmatter.parse import duplicates, read_frontmatter
from fsagent_lint.frontmatter.source import Source

_HIDDEN = pattern(
    rb"(?:\xef\xbb\xbf)?(?:\s++|<!--(?>.*?-->)|#[^\n]*+\n|```++\w*+\n)*+---[ \t]*\r?\n\s*[\w-]+[ \t]*:", re.DOTALL
)


class Document:
    """The frontmatter of one source.

    `error` is the YAML error, if any; then `entries` come from the recovering reader.
    """

    comments: Sequence[Span] | None = None
    """The comments; None where they are only found when needed, as they begin with a `#`."""
    is_data = False
    """Is it JSON or TOML, where what has no quotes is no text?"""
    is_simple = False
    """Do all YAML readers agree on its structure, and differ at most in how they resolve a plain scalar?"""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.error: ParseError | None = None
        self.root: Map | None = None
        self.entries: list[Entry] = []
        self.root_is_not_map = False  # valid YAML, but not a mapping
        if source.problem in (None, "unclosed"):
            self._read()

    def _read(self) -> None:
        found = read_frontmatter(self.source.yaml_text, self.source.yaml.start)
        self.root, self.entries, self.error = found.root, found.entries, found.error
        self.root_is_not_map = found.root_is_not_map
        self.is_simple = found.is_simple and self.source.is_usual

    def reread(self, data: bytes) -> Document:
        """The same file with other bytes."""
        return Document(Source(self.source.path, data))

    def notate(self, edits: Sequence[Edit]) -> Sequence[Edit] | None:
        """Edits in the notation of the file: they come as YAML. None if it cannot have them."""
        return edits

    def edited(self, edits: Sequence[Edit]) -> Document:
        """The same file after edits."""
        return self.reread(self.apply(edits))

    def apply(self, edits: Sequence[Edit]) -> bytes:
        """The bytes of the file after edits."""
        text = apply_edits(self.source.text, self.notate(edits) or ())
        return self.source.to_bytes(text)

    @property
    def prompt(self) -> bytes:
        """The body, as bytes."""
        return self.source.data[self.source.body :]

    @cached_property
    def by_name(self) -> dict[str, Entry]:
        """Entries by key; of duplicates the last one, which is used by every reader that accepts duplicates."""
        return {entry.name: entry for entry in self.entries if entry.name is not None}

    def get(self, name: str) -> Entry | None:
        return self.by_name.get(name)

    def text_of(self, name: str) -> str | None:
        """The value of a scalar field."""
        entry = self.by_name.get(name)
        return entry.value.value if entry is not None and isinstance(entry.value, Scalar) else None

    def is_text(self, offset: int) -> bool:  # noqa: ARG002
        """Is an offset in text that belongs to no entry?"""
        return False

    def duplicates(self) -> Iterator[Entry]:
        """Entries that repeat an earlier key, at any depth."""
        if len(self.by_name) == len(self.entries):
            for entry in self.entries:
                if not isinstance(entry.value, Scalar):
                    break
            else:
                return
        for _, again in duplicates(Map(0, 0, self.entries, flow=False)):
            yield again

    @cached_property
    def hidden(self) -> bool:
        """Is there frontmatter, but not at the start: after a comment, a blank line or a code fence?"""
        return self.source.problem == "missing" and _HIDDEN.match(self.source.data[:2000]) is not None

    @cached_property
    def body_length(self) -> int:
        """The length of the stripped prompt in UTF-16 code units, as JavaScript counts it."""
        body = self.source.data[self.source.body :].decode("utf-8", "replace").strip()
        return len(body.encode("utf-16-le")) // 2

    @property
    def opening_fence(self) -> Span:
        start = 1 if self.source.text.startswith("\ufeff") else 0
        return Span(start, min(start + 3, len(self.source.text)))

    @property
    def stem(self) -> str:
        return stem(self.source.path)


def stem(path: str) -> str:
    """A file's name without its extensions: `x` for `x.md`, `x.agent.md` and `x.chatmode.md`."""
    name = path.replace("\\", "/").rpartition("/")[2].removesuffix(".md")
    if "." not in name:
        return name
    for ending in (".agent", ".chatmode", ".prompt"):
        name = name.removesuffix(ending)
    return name
