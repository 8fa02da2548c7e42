"""A YAML file that holds a list of agents: the whole file, and each agent as a document of its own."""

from __future__ import annotations

from fsagent_lint._fast import NamedTuple
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.nodes import Entry, List, Map, Node, ParseError, Scalar, Span
from fsagent_lint.frontmatter.parse import parse
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.kind import Kind

MAX_SIZE = 256 * 1024
"""How many bytes such a file may have: it contains the prompts of all its agents."""
MAX_VALUES = 5_000
"""How many values it may have; that many are checked, fixed and proven in a few seconds."""

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


class ListSource(Source):
    """All of the file is YAML; there is no body."""

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
    """A problem that keeps a file from being a list of agents."""

    span: Span
    problem: str
    silent: bool = False
    """The harness finds no agents in the file and reports nothing."""


class ListDocument(Document):
    """The file as a whole; `flaws` explain why there are fewer `members` than expected."""

    def __init__(self, source: Source, kind: Kind) -> None:
        self.source, self.kind = source, kind
        self.error: ParseError | None = None
        self.root: Map | None = None
        self.entries: list[Entry] = []
        self.root_is_not_map = False
        self.members: list[MemberDocument] = []
        self.flaws: list[Flaw] = []
        if source.problem is None:
            self._read()

    def _read(self) -> None:
        offset = self.source.yaml.start
        try:
            root = _parse(self.source.yaml_text, offset)
        except ParseError as error:
            self.error = ParseError(error.problem, offset + min(error.offset, len(self.source.yaml_text)))
            return
        if _count(root) > MAX_VALUES:
            self.source.problem = "too-large"
            return
        if isinstance(root, Map):
            self.root, self.entries = root, root.entries
        self.root_is_not_map = root is not None and self.root is None
        entry = self.get(self.kind.under)
        if entry is None or (isinstance(entry.value, Scalar) and entry.value.value in _FALSY):
            what = "it is not a map" if self.root_is_not_map else f"it has no `{self.kind.under}`"
            key = entry.key if entry is not None else None
            self.flaws.append(Flaw(key.span if key is not None else self.opening_fence, what, True))
        elif not isinstance(entry.value, List):
            self.flaws.append(Flaw(entry.key.span, f"`{self.kind.under}` is not a list"))
        else:
            self._read_list(entry.value)

    def _read_list(self, value: List) -> None:
        for number, item in enumerate(value.items):
            if isinstance(item, Map):
                self.members.append(MemberDocument(self, item, number))
            else:
                self.flaws.append(Flaw(item.span, f"entry {number + 1} is not a map"))

    @property
    def opening_fence(self) -> Span:
        """Where to report a finding about the file as a whole: at its beginning."""
        return Span(self.source.yaml.start, self.source.yaml.start)

    def reread(self, data: bytes) -> ListDocument:
        return ListDocument(ListSource(self.source.path, data), self.kind)


class MemberDocument(Document):
    """One agent of a list; `number` is its place in the list."""

    def __init__(self, whole: ListDocument, node: Map, number: int) -> None:
        self.whole, self.number = whole, number
        self.source, self.root, self.entries = whole.source, node, node.entries
        self.error, self.root_is_not_map = None, False

    def reread(self, data: bytes) -> Document:
        """The agent at the same place of the new text; the whole list if there is none."""
        whole = self.whole.reread(data)
        return next((each for each in whole.members if each.number == self.number), whole)

    @property
    def stem(self) -> str:
        """The name that the agent goes by, as a file goes by its file name."""
        return self.text_of(self.whole.kind.slot("slug")) or f"{self.number + 1}"

    @property
    def opening_fence(self) -> Span:
        first: Node | None = self.entries[0].key if self.entries else self.root
        assert first is not None
        return first.span

    @property
    def prompt(self) -> bytes:
        kind = self.whole.kind
        texts = [self.text_of(name) for name in (kind.body, *kind.body_also)]
        return "\n\n".join(text.strip("\n") for text in texts if text).encode("utf-8", "surrogatepass")


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
