"""MCP servers that a file defines in its frontmatter, in the shape of one harness or another."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint._fast import NO_ENTRIES, NamedTuple, pattern
from fsagent_lint.frontmatter.values import Value

_VARIABLE = pattern(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")
"""A reference to an environment variable that every harness understands."""


class _Shape(NamedTuple):
    keys: dict[str, str]
    """Key to its neutral name."""
    addresses: dict[str, str]
    """The keys for the address of a server, with the transport that they imply."""
    types: dict[str, str] = NO_ENTRIES
    """The words for a transport under `type`, the first one of each is written."""
    needs: dict[str, Value] = NO_ENTRIES
    """Values for keys that it requires and others do without."""
    is_list: bool = False
    """Servers are the items of a list, each a map of one server."""


_PLAIN = {key: key for key in ("command", "args", "env", "headers")}
_SHAPES = {
    "claude": _Shape(_PLAIN, {"url": "http"}, {"stdio": "stdio", "http": "http", "sse": "sse"}, is_list=True),
    "copilot": _Shape(
        {**_PLAIN, "tools": "tools"},
        {"url": "http"},
        {"local": "stdio", "stdio": "stdio", "http": "http", "sse": "sse"},
        needs={"tools": ["*"]},
    ),
    "gemini": _Shape(
        {**_PLAIN, "cwd": "cwd", "timeout": "timeout", "include_tools": "tools"},
        {"url": "sse", "http_url": "http"},
        {"http": "http", "sse": "sse"},
    ),
    "kiro": _Shape({**_PLAIN, "timeout": "timeout"}, {"url": "http"}),
    "qwen": _Shape(
        {**_PLAIN, "cwd": "cwd", "timeout": "timeout", "includeTools": "tools"}, {"url": "sse", "httpUrl": "http"}
    ),
}


class _Server(NamedTuple):
    transport: str
    address: Value
    settings: dict[str, Value]


def convert_servers(value: Value, source: str, target: str) -> tuple[Value, list[str]]:
    """The servers in the shape of the target, and the names of those that it cannot define."""
    converted: dict[str, Value] = {}
    lost = []
    for name, config in _named(value):
        server = _read(config, _SHAPES[source]) if source else None
        written = _write(server, _SHAPES[target]) if server is not None and target else None
        if written is None:
            lost.append(name)
        else:
            converted[name] = written
    if target and _SHAPES[target].is_list:
        return [{name: config} for name, config in converted.items()], lost
    return converted, lost


def _named(value: Value) -> Iterator[tuple[str, Value]]:
    """Every server with its config; a list may also refer to servers by their names alone."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, dict):
            yield from ((str(name), config) for name, config in each.items())
        else:
            yield str(each), None


def _read(config: Value, shape: _Shape) -> _Server | None:
    """A server, independent of its harness; None for one with settings that others do not have."""
    if not isinstance(config, dict) or not _is_portable(config):
        return None
    rest = dict(config)
    word = rest.pop("type", None)
    key = next((key for key in shape.addresses if key in rest), "")
    address = rest.pop(key, None)
    transport = shape.types.get(word) if word is not None else shape.addresses.get(key, "stdio")
    if transport is None or not set(rest) <= set(shape.keys):
        return None
    settings = {shape.keys[own]: each for own, each in rest.items()}
    if settings.get("tools") == ["*"]:
        del settings["tools"]
    is_complete = "command" in settings if transport == "stdio" else address is not None
    return _Server(transport, address, settings) if is_complete else None


def _is_portable(value: Value) -> bool:
    """Is there no reference to a variable that only some harnesses understand?"""
    if isinstance(value, dict):
        return all(map(_is_portable, value.values()))
    if isinstance(value, list):
        return all(map(_is_portable, value))
    if not isinstance(value, str):
        return True
    text = _VARIABLE.sub("", value)
    return "$" not in text and "{env:" not in text


def _write(server: _Server, shape: _Shape) -> dict[str, Value] | None:
    own = {neutral: key for key, neutral in shape.keys.items()}
    if not set(server.settings) <= set(own):
        return None
    config: dict[str, Value] = {}
    word = next((word for word, transport in shape.types.items() if transport == server.transport), "")
    if word and (server.address is not None or shape.needs):
        config["type"] = word
    if server.address is not None:
        keys = [key for key, transport in shape.addresses.items() if transport == server.transport]
        if not keys and not word:
            return None
        config[next(iter(keys or shape.addresses))] = server.address
    config |= {own[neutral]: value for neutral, value in server.settings.items()}
    if server.address is None and shape.needs:
        config.setdefault("args", [])
    return {**config, **{key: value for key, value in shape.needs.items() if key not in config}}
