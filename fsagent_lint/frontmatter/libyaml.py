"""libyaml through PyYAML, without resolver and constructor; ruamel.yaml where libyaml is missing."""

from __future__ import annotations

from typing import Any

from fsagent_lint._fast import lazy_patterns
from fsagent_lint.frontmatter.nodes import ParseError

with lazy_patterns():  # PyYAML's patterns are never used here, and are two thirds of its import cost
    import yaml

try:
    from yaml._yaml import CParser

    class _Composer(CParser):
        """Has no resolver: resolving would cost more than parsing, and scalars are resolved by dialect later."""

        def resolve(self, *_: Any) -> str:
            return ""

        def descend_resolver(self, *_: Any) -> None: ...

        def ascend_resolver(self) -> None: ...

    HAS_LIBYAML = True
except ImportError:  # pragma: no cover - PyYAML built without libyaml
    HAS_LIBYAML = False


def compose(text: str) -> Any:
    """The root node, or None for an empty document."""
    try:
        if not HAS_LIBYAML:  # pragma: no cover
            return _compose_with_ruamel(text)
        parser = _Composer(text)
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


def _compose_with_ruamel(text: str) -> Any:  # pragma: no cover
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError

    try:
        return YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise ParseError(error.problem or "invalid YAML", mark.index if mark else 0) from None


def _explain(error: yaml.YAMLError) -> ParseError:
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        return ParseError(error.problem or error.context or "invalid YAML", mark.index if mark else 0)
    if isinstance(error, yaml.reader.ReaderError):
        return ParseError(f"{error.reason}: character #x{_code(error.character):04x}", error.position)
    return ParseError(str(error), 0)


def _code(character: object) -> int:
    return ord(character) if isinstance(character, str) else int(str(character))
