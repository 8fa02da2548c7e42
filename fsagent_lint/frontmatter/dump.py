"""Plain values as JSON or YAML that every reader reads as the same values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_TEXT = "tag:yaml.org,2002:str"


def to_yaml(value: Mapping[str, Any], *, indented: bool = False) -> str:
    """Text of several lines as a block where that is read back as the same text, else in quotes.

    `indented`: lists below their key stand a step to the right of it.
    """
    from io import StringIO

    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    def dump(data: Any) -> str:
        stream, yaml = StringIO(), YAML()
        yaml.width = 4096
        if indented:
            yaml.indent(mapping=2, sequence=4, offset=2)
        yaml.dump(data, stream)
        return stream.getvalue()

    text = dump(_styled(value, blocks=True))
    try:
        same = YAML(typ="safe", pure=True).load(text) == value
    except YAMLError:
        same = False
    return text if same else dump(_styled(value, blocks=False))


def _styled(value: Any, *, blocks: bool) -> Any:
    """`yes` and `1:30` in quotes: older readers of YAML take them for something else."""
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString, SingleQuotedScalarString
    from yaml import ScalarNode
    from yaml.resolver import Resolver

    def styled(each: Any) -> Any:
        if isinstance(each, Mapping):
            return {styled(key): styled(item) for key, item in each.items()}
        if isinstance(each, list):
            return [styled(item) for item in each]
        if not isinstance(each, str):
            return each
        if "\n" in each and blocks:
            return LiteralScalarString(each)
        if not each.isprintable():  # line separators too, which only this style keeps
            return DoubleQuotedScalarString(each)
        return each if resolve(ScalarNode, each, (True, False)) == _TEXT else SingleQuotedScalarString(each)

    resolve: Callable[..., str] = Resolver().resolve
    return styled(value)
