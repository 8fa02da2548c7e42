"""A data file that holds agents (JSON, YAML or TOML): the whole file, and each agent as a document of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.nodes import Entry, List, Map, Node, ParseError, Scalar, Span
from fsagent_lint.frontmatter.parse import parse
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.kind import Kind

MAX_SIZE = 256 * 1024
"""How many bytes such a file may have: it contains the prompts of all its agents."""
MAX_VALUES = 5_000
"""How many values it may have; that many are checked, fixed and proven in a few seconds."""
MAX_REREAD = 4_000_000
"""How many characters may be read again to see whether fixes of JSON leave JSON."""
TITLES = {"json": "JSON", "jsonc": "JSON", "yaml": "YAML", "toml": "TOML"}
"""What messages call the formats."""

# Word processors turn plain characters into these; Roo Code turns them back before it parses the YAML.
_TYPOGRAPHIC = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019", "'"),
        **dict.fromkeys("\u201c\u201d", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        "\u00a0": " ",
    }
)
_TYPOGRAPHIC_PROBLEM = "a typographic quote or dash is read as a plain one"
_FALSY = ("", "~", "null", "false", "0")


class DataSource(Source):
    """All of the file is data; there is no body."""

    __slots__ = ()

    def __init__(self, path: str, data: bytes) -> None:
        self._begin(path, data)
        self.body = len(data)
        try:
            self.text = data.decode("utf-8")
        except UnicodeDecodeError:
            self.text, self.problem = data.decode("utf-8", "replace"), "not-utf8"
        if len(data) > MAX_SIZE:
            self.problem = "too-large"
        self.yaml = Span(1 if self.text.startswith("\ufeff") else 0, len(self.text))


class Flaw(NamedTuple):
    """A problem that keeps a file from holding agents."""

    span: Span
    problem: str
    silent: bool = False
    """The harness finds no agents in the file and reports nothing."""


class DataDocument(Document):
    """The file as a whole; `flaws` explain why there are fewer `members` than expected."""

    def __init__(self, source: Source, kind: Kind) -> None:
        self.source, self.kind = source, kind
        self.is_data = kind.file != "yaml"
        self.error: ParseError | None = None
        self.root: Map | None = None
        self.entries: list[Entry] = []
        self.root_is_not_map = False
        self.members: list[MemberDocument] = []
        self.flaws: list[Flaw] = []
        self.comments: Sequence[Span] | None = None
        self.commas: Sequence[int] = ()
        """Where JSON has trailing commas."""
        self.unread = MAX_REREAD
        if source.problem is None:
            self._read()

    def _read(self) -> None:
        start, end = self.source.yaml
        try:
            root = self._parse()
        except ParseError as error:
            self.error = ParseError(error.problem, min(error.offset, end))
            return
        if _count(root) > MAX_VALUES:
            self.source.problem = "too-large"
            return
        if isinstance(root, Map):
            self.root, self.entries = root, root.entries
        self.root_is_not_map = root is not None and self.root is None
        if self.kind.under:
            self._read_list()
        elif self.root_is_not_map or (root is None and (self.source.data or not self.kind.holds)):
            what = "it is not a map" if self.root_is_not_map else "there is nothing in it"
            self.flaws.append(Flaw(Span(start, min(start + 1, end)), what))
        elif self.kind.holds:
            for section in self.kind.holds:
                self._read_section(section)
        elif self.root is not None:
            self.members.append(MemberDocument(self, self.root, "", 0))

    def _parse(self) -> Node | None:
        text = self.source.text
        if self.kind.file == "toml":
            from fsagent_lint.frontmatter.toml_nodes import read_toml

            return read_toml(text)
        if self.kind.file == "yaml":
            return _parse(self.source.yaml_text, self.source.yaml.start)
        from fsagent_lint.frontmatter.json_nodes import read_json

        found = read_json(text, plain=self.kind.file == "json")
        self.comments, self.commas = found.comments, found.commas
        return found.root

    def _read_list(self) -> None:
        entry = self.get(self.kind.under)
        if entry is None or (isinstance(entry.value, Scalar) and entry.value.value in _FALSY):
            what = "it is not a map" if self.root_is_not_map else f"it has no `{self.kind.under}`"
            key = entry.key if entry is not None else None
            self.flaws.append(Flaw(key.span if key is not None else self.opening_fence, what, True))
        elif not isinstance(entry.value, List):
            self.flaws.append(Flaw(entry.key.span, f"`{self.kind.under}` is not a list"))
        else:
            for number, item in enumerate(entry.value.items):
                if isinstance(item, Map):
                    self.members.append(MemberDocument(self, item, self.kind.under, number))
                else:
                    self.flaws.append(Flaw(item.span, f"entry {number + 1} is not a map"))

    def _read_section(self, section: str) -> None:
        """The map of agents under a key; of two equal keys, the last one counts."""
        entry = self.get(section)
        if entry is None:
            return
        if not isinstance(entry.value, Map):
            self.flaws.append(Flaw(entry.key.span, f"`{section}` is not a map"))
            return
        last = {each.name: each for each in entry.value.entries}
        for number, each in enumerate(last.values()):
            if isinstance(each.value, Map):
                self.members.append(MemberDocument(self, each.value, section, number, each))
            else:
                self.flaws.append(Flaw(each.key.span, f"`{each.name}` in `{section}` is not a map"))

    @property
    def opening_fence(self) -> Span:
        """Where to report a finding about the file as a whole: at its beginning."""
        return Span(self.source.yaml.start, self.source.yaml.start)

    def reread(self, data: bytes) -> DataDocument:
        return DataDocument(DataSource(self.source.path, data), self.kind)

    def notate(self, edits: Sequence[Edit]) -> Sequence[Edit] | None:
        if self.kind.file == "yaml":
            return edits
        if self.kind.file == "toml":
            return None
        from fsagent_lint.frontmatter.json_words import are_only_words, as_json, completed

        text = self.source.text
        found = as_json(text, edits)
        if found is None or are_only_words(text, found):
            return found
        self.unread -= len(text)
        if self.unread < 0:
            return None  # a later run, with fewer problems left, has fixes for them
        return completed(text, found, plain=self.kind.file == "json", commas=self.commas)

    @property
    def stem(self) -> str:
        """The name of the file without its last extension."""
        name = self.source.path.replace("\\", "/").rpartition("/")[2]
        return name.rpartition(".")[0] or name

    @property
    def prompt(self) -> bytes:
        return b""

    def own_duplicates(self) -> Iterator[Entry]:
        """Keys that are there twice, except within an agent."""
        spans = [member.span for member in self.members]
        for entry in self.duplicates():
            if not any(span.start <= entry.start < span.end for span in spans):
                yield entry


class MemberDocument(Document):
    """One agent of a data file, at a place in a list or a map; if the file is the agent, `section` is empty."""

    def __init__(self, whole: DataDocument, node: Map, section: str, number: int, entry: Entry | None = None) -> None:
        self.whole, self.section, self.number, self.entry = whole, section, number, entry
        self.form = whole.kind
        """How such an agent looks; set by who knows the table."""
        self.source, self.root, self.entries = whole.source, node, node.entries
        self.is_data = whole.is_data
        self.error, self.root_is_not_map = None, False

    @property
    def comments(self) -> Sequence[Span] | None:  # type: ignore[override]
        return self.whole.comments

    @property
    def span(self) -> Span:
        """The whole agent, without its name in a map."""
        assert self.root is not None
        return self.whole.source.yaml if not self.section else self.root.span

    def reread(self, data: bytes) -> Document:
        """The agent at the same place of the new text; the whole file if there is none."""
        whole = self.whole.reread(data)
        return next((each for each in whole.members if each.place == self.place), whole)

    def notate(self, edits: Sequence[Edit]) -> Sequence[Edit] | None:
        return self.whole.notate(edits)

    @property
    def place(self) -> tuple[str, int]:
        return self.section, self.number

    @property
    def stem(self) -> str:
        """The name that the agent goes by, as a file goes by its file name."""
        if not self.section:
            return self.whole.stem
        if self.entry is not None:
            return self.entry.name or ""
        return self.text_of(self.whole.kind.slot("slug")) or f"{self.number + 1}"

    @property
    def opening_fence(self) -> Span:
        if self.entry is not None:
            return self.entry.key.span
        first: Node | None = self.entries[0].key if self.entries else self.root
        assert first is not None
        return first.span if self.entries else Span(first.start, min(first.start + 1, first.end))

    @property
    def prompt(self) -> bytes:
        kind = self.form
        texts = [self.text_of(name) for name in (kind.body, *kind.body_also)]
        return "\n\n".join(text.strip("\n") for text in texts if text).encode("utf-8", "surrogatepass")

    @property
    def body_length(self) -> int:
        return len(self.prompt.decode("utf-8", "replace").strip().encode("utf-16-le")) // 2


def _parse(text: str, offset: int) -> Node | None:
    """The nodes of the text as it stands, if it can be parsed with plain quotes and dashes."""
    plain = text.translate(_TYPOGRAPHIC)
    try:
        root = parse(plain, offset)
    except ParseError as error:
        if plain == text:
            raise
        root = parse(text, offset)
        if _is_json(text):
            return root
        typographic = [at for at, char in enumerate(text[: error.offset]) if char != plain[at]]
        raise ParseError(_TYPOGRAPHIC_PROBLEM, typographic[-1] if typographic else error.offset) from None
    try:
        return parse(text, offset) if plain != text else root
    except ParseError:
        return root


def _count(root: Node | None) -> int:
    """How many values a node holds, itself included."""
    count, rest = 0, [root]
    while rest:
        node = rest.pop()
        count += 1
        if isinstance(node, List):
            rest += node.items
        elif isinstance(node, Map):
            rest += [entry.value for entry in node.entries]
    return count


def _is_json(text: str) -> bool:
    import json

    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
