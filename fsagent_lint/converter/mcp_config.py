"""The definition of an MCP server, translated from the shape of one harness's config file to that of another's."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Mapping
from typing import Any

from fsagent_lint.errors import UserError
from fsagent_lint.files.globs import Glob
from fsagent_lint.harnesses.harness import Harness, McpConfig

_STDIO, _HTTP, _SSE = "stdio", "http", "sse"
_FOREIGN_VARIABLE = re.compile(r"\$\{[^}]*\}?|\{(?:env|file):[^}]*\}?")
"""What looks like a variable in any notation."""


def translate_server(definition: Mapping[str, Any], source: Harness, target: Harness) -> dict[str, Any]:
    """The definition as the target writes it; UserError with the reason if it would mean something else.

    Variables stay variables: nothing is expanded.
    """
    ours, theirs = source.mcp_config, target.mcp_config
    assert ours is not None and theirs is not None
    transport = _transport(definition, ours)
    if transport not in theirs.transports:
        raise UserError(f"uses {transport or 'an unknown transport'}, which {target.title} does not support")
    parts = _take_apart(definition, transport, ours, source)
    translated = {name: _translate(value, source, target) for name, value in parts.items()}
    return _put_together(translated, transport, theirs, target)


def _transport(definition: Mapping[str, Any], config: McpConfig) -> str:
    written = definition.get("type")
    if written is not None:
        types = {**config.also_types, **{name: each for each, name in reversed(config.transports.items()) if name}}
        return types.get(str(written), "")
    if "command" in definition:
        return _STDIO
    found = next((each for each, key in config.urls.items() if key in definition), "")
    return found or (_HTTP if "url" in definition else "")


def _take_apart(definition: Mapping[str, Any], transport: str, config: McpConfig, source: Harness) -> dict[str, Any]:
    """The parts by neutral names; UserError for one that no other harness has."""
    names = {
        "type": "",
        config.env: "env",
        config.urls.get(transport, "url"): "url",
        **dict.fromkeys(config.drops, ""),
    }
    names |= {name: name for name in ("command", "args", "cwd", "headers")}
    parts: dict[str, Any] = {}
    for key, value in definition.items():
        if key == config.switch:
            parts["off"] = value is (key == "disabled")
        elif key in names:
            parts |= {names[key]: value} if names[key] else {}
        elif config.always.get(key) != value:
            raise UserError(f"has `{key}`, which only {source.title} supports")
    if config.joins_command and isinstance(parts.get("command"), list):
        first, *rest = parts["command"] or [""]
        parts |= {"command": first, "args": rest}
    for name, expected in (
        ("command", str),
        ("url", str),
        ("args", list),
        ("env", dict),
        ("headers", dict),
        ("cwd", str),
    ):
        if name in parts and not isinstance(parts[name], expected):
            raise UserError(f"has a `{name}` of the wrong type")
    if not parts.get("command" if transport == _STDIO else "url"):
        raise UserError(f"has no {'command' if transport == _STDIO else 'URL'}")
    return parts


def _put_together(parts: Mapping[str, Any], transport: str, config: McpConfig, target: Harness) -> dict[str, Any]:
    server: dict[str, Any] = {"type": config.transports[transport]} if config.transports[transport] else {}
    if transport == _STDIO:
        args = parts.get("args", [])
        if config.joins_command:
            server["command"] = [parts["command"], *args]
        else:
            server |= {"command": parts["command"], **({"args": args} if args else {})}
        server |= {config.env: parts["env"]} if parts.get("env") else {}
        server |= {"cwd": parts["cwd"]} if parts.get("cwd") else {}
    else:
        server[config.urls.get(transport, "url")] = parts["url"]
        server |= {"headers": parts["headers"]} if parts.get("headers") else {}
    if parts.get("off"):
        if not config.switch:
            raise UserError(f"is disabled, which {target.title} cannot express")
        server[config.switch] = config.switch == "disabled"
    return {**server, **config.always}


def _translate(value: Any, source: Harness, target: Harness) -> Any:
    if isinstance(value, str):
        return "".join(_translate_text(value, source, target))
    if isinstance(value, list):
        return [_translate(each, source, target) for each in value]
    if isinstance(value, dict):
        return {key: _translate(each, source, target) for key, each in value.items()}
    return value


def _translate_text(text: str, source: Harness, target: Harness) -> Iterator[str]:
    ours, theirs = source.mcp_config, target.mcp_config
    assert ours is not None and theirs is not None
    end = 0
    for variable in _variables(text, ours):
        yield _check_literal(text[end : variable.start()], source, target)
        end = variable.end()
        name, default = variable["name"], variable.groupdict().get("default")
        if any(Glob(pattern).name(name) for pattern in ours.own_variables):
            raise UserError(f"uses `{variable[0]}`, which only {source.title} sets")
        if default is not None and not theirs.default:
            raise UserError(f"uses `{variable[0]}`, but {target.title} does not support defaults for variables")
        template = theirs.default if default is not None else theirs.variables[0]
        yield template.replace("NAME", name).replace("DEFAULT", default or "")
    yield _check_literal(text[end:], source, target)


def _variables(text: str, config: McpConfig) -> Iterator[re.Match[str]]:
    """The variables in a text, from left to right."""
    templates = (*config.variables, *((config.default,) if config.default else ()))
    # All matches of each pattern, in order: a variable inside another one is passed over.
    found = (_pattern(template).finditer(text) for template in templates)
    every = heapq.merge(*found, key=lambda match: (match.start(), -match.end()))
    at = 0
    for match in every:
        if match.start() >= at:
            yield match
            at = match.end()


def _pattern(template: str) -> re.Pattern[str]:
    # A variable does not begin inside another one, so a text of beginnings alone is read only once.
    again = f"(?!{re.escape(template.partition('NAME')[0])})"
    escaped = re.escape(template).replace("NAME", rf"(?P<name>{again}[A-Za-z_](?:{again}\w)*)")
    return re.compile(escaped.replace("DEFAULT", f"(?P<default>(?:{again}[^{{}}])*)"), re.ASCII)


def _check_literal(text: str, source: Harness, target: Harness) -> str:
    """The text; UserError if it has a variable of another sort, or one only in the target's notation."""
    if found := _FOREIGN_VARIABLE.search(text):
        raise UserError(f"uses `{found[0]}`, which only {source.title} supports")
    assert target.mcp_config is not None
    if found := next(_variables(text, target.mcp_config), None):
        raise UserError(f"contains `{found[0]}`, which {target.title} would read as a variable")
    return text
