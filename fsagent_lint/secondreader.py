"""A second, independent, comment-aware reader of frontmatter (ruamel.yaml), for proving what the first one did."""

from __future__ import annotations

from functools import lru_cache
from typing import Any


@lru_cache(maxsize=2)
def load(text: str) -> dict[Any, Any] | None:
    """The mapping that a frontmatter is; None where there is none to be had."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        loaded = YAML().load(text)
    except (
        YAMLError,
        ValueError,
        TypeError,
        AttributeError,
        KeyError,
        OverflowError,
        RecursionError,
        NotImplementedError,
    ):
        return None
    return loaded if isinstance(loaded, dict) else {} if loaded is None else None


def comments(text: str) -> list[str]:
    """Every comment that it finds, in order."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    found: list[str] = []
    try:
        for token in YAML().scan(text):
            for group in getattr(token, "_comment", None) or ():
                for comment in group if isinstance(group, list) else [group]:
                    if comment is not None:
                        found += [line.strip() for line in comment.value.split("\n") if line.strip()]
    except (YAMLError, ValueError, TypeError, AttributeError):
        return []
    return found
