"""libyaml through PyYAML, without resolver and constructor; PyYAML's own parser where libyaml is missing."""

from __future__ import annotations

import re
from typing import Any

from fsagent_lint._fast import lazy_patterns
from fsagent_lint.frontmatter.nodes import ParseError

with lazy_patterns():  # PyYAML's patterns are never used here, and are two thirds of its import cost
    import yaml
    from yaml.composer import Composer
    from yaml.parser import Parser
    from yaml.reader import Reader
    from yaml.scanner import Scanner

try:
    from yaml._yaml import CParser

    HAS_LIBYAML = True
except ImportError:  # PyYAML was built without libyaml, as in a browser
    HAS_LIBYAML = False


class _NoResolver:
    """Resolving would cost more than parsing, and scalars are resolved by dialect later."""

    def resolve(self, *_: Any) -> str:
        return ""

    def descend_resolver(self, *_: Any) -> None: ...

    def ascend_resolver(self, *_: Any) -> None: ...


if HAS_LIBYAML:

    class _Composer(_NoResolver, CParser):
        pass


class _PythonComposer(_NoResolver, Reader, Scanner, Parser, Composer):
    """The same in Python, some 40 times slower."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)


def compose(text: str) -> Any:
    """The root node, or None for an empty document."""
    try:
        parser = _Composer(text) if HAS_LIBYAML else _PythonComposer(text)
        try:
            return parser.get_single_node()
        finally:
            parser.dispose()
    except yaml.YAMLError as error:
        raise _explain(error) from None
    except (ValueError, OverflowError, RecursionError) as error:
        raise ParseError(str(error), 0) from None


def check_depth(text: str, limit: int) -> None:
    """Check the depth by the events, which libyaml produces lazily: its composer recurses and would crash the process."""
    depth = 0
    loader = yaml.CLoader if HAS_LIBYAML else yaml.Loader
    try:
        for event in yaml.parse(text, Loader=loader):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > limit:
                    mark = event.start_mark
                    raise ParseError(f"nested more than {limit} levels deep", mark.index if mark else 0)
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
    except yaml.YAMLError as error:
        raise _explain(error) from None
    except (ValueError, OverflowError, RecursionError) as error:
        raise ParseError(str(error), 0) from None


def _explain(error: yaml.YAMLError) -> ParseError:
    if isinstance(error, yaml.MarkedYAMLError):
        return _marked(error)
    if isinstance(error, yaml.reader.ReaderError):
        return ParseError(
            f"{_in_words_of_libyaml(error.reason)}: character #x{_code(error.character):04x}", error.position
        )
    return ParseError(str(error), 0)


def _marked(error: Any) -> ParseError:
    """A problem in libyaml's words and at its place, whichever parser found it: rules tell problems apart by the words."""
    mark = error.problem_mark or error.context_mark
    problem, index = error.problem or error.context or "invalid YAML", mark.index if mark else 0
    if not HAS_LIBYAML:
        if problem.startswith("expected <block end>"):
            problem = f"expected {_IN_BLOCK.get(error.context, 'key')}, but"
        if problem == "but found another document" and not mark.buffer.startswith("---", mark.pointer):
            problem = "did not find expected <document start>"
        index -= problem.startswith("found unknown escape character '")
    return ParseError(_in_words_of_libyaml(problem), index)


def _in_words_of_libyaml(problem: str) -> str:
    if not HAS_LIBYAML:
        for words, others in _WORDS.items():
            problem = re.sub(words, others, problem)
    return problem


_IN_BLOCK = {"while parsing a block collection": "'-' indicator"}
_WORDS = {
    r"^(mapping|sequence) (.*) not allowed here": r"\1 \2 not allowed in this context",
    r"^sequence entries": "block sequence entries",
    r"^special characters": "control characters",
    r"escape sequence of \d hexadecimal numbers": "hexdecimal number",
    r"'(<[^<>]*>)'": r"\1",
    r" a line break": " line break",
    r"^expected (?:the |a )?(.*?), but.*": r"did not find expected \1",
    r"^(found .*?) '.*'": r"\1",
}
"""What PyYAML's own parser says, and how libyaml says it."""


def _code(character: object) -> int:
    return ord(character) if isinstance(character, str) else int(str(character))
