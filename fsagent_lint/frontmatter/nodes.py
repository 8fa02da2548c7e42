"""The nodes of frontmatter: scalars, lists and maps, with the spans that an editor would select."""

from __future__ import annotations

from fsagent_lint._fast import NamedTuple


class Span(NamedTuple):
    """Half-open range of code points in `Source.text`; offsets after its end are in the body."""

    start: int
    end: int


class Scalar:
    """A scalar; `style` is '' (plain), ', ", |, > or `raw` (text recovered from invalid YAML)."""

    __slots__ = ("end", "marked", "start", "style", "tag", "value")

    def __init__(self, start: int, end: int, value: str, style: str, marked: bool = False, tag: str = "") -> None:
        self.start, self.end, self.value, self.style, self.tag = start, end, value, style, tag
        self.marked = marked  # carries a tag or an anchor, or is reached through an alias

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def plain(self) -> bool:
        return self.style == ""


class List:
    __slots__ = ("end", "flow", "items", "marked", "start")

    def __init__(self, start: int, end: int, items: list[Node], flow: bool, marked: bool = False) -> None:
        self.start, self.end, self.items, self.flow, self.marked = start, end, items, flow, marked

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


class Map:
    __slots__ = ("end", "entries", "flow", "marked", "start")

    def __init__(self, start: int, end: int, entries: list[Entry], flow: bool, marked: bool = False) -> None:
        self.start, self.end, self.entries, self.flow, self.marked = start, end, entries, flow, marked

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


Node = Scalar | List | Map


class Entry:
    """One `key: value` of a mapping; `name` is the key's text, or None for a key that is not a scalar."""

    __slots__ = ("key", "name", "value")

    def __init__(self, key: Node, value: Node) -> None:
        self.key, self.value = key, value
        self.name = key.value if isinstance(key, Scalar) else None

    @property
    def start(self) -> int:
        return self.key.start

    @property
    def end(self) -> int:
        end, key_end = self.value.end, self.key.end  # an alias's value may end before its key
        return max(key_end, end)

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


class ParseError(Exception):
    """Invalid YAML: what is wrong, and where in the text."""

    def __init__(self, problem: str, offset: int) -> None:
        super().__init__(problem)
        self.problem, self.offset = problem, offset
