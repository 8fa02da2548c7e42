"""What the types of a harness table cannot say: names that must exist, places, templates and patterns."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import get_args

from fsagent_lint.effect.conditions import CONDITIONS
from fsagent_lint.effect.field_checks import CHECKS, LIMITS
from fsagent_lint.effect.fields import TYPES
from fsagent_lint.effect.presets import FORM
from fsagent_lint.effect.readers import READERS
from fsagent_lint.effect.semantics import SEMANTICS
from fsagent_lint.effect.syntax import LISTS
from fsagent_lint.errors import DataError
from fsagent_lint.files.globs import SPECIAL, glob_problem
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Key, Kind, KindName, ToolFormat
from fsagent_lint.harnesses.mcp import parse_mcp
from fsagent_lint.model.tool import BUILTIN, Risk

_SYNTAXES = (*LISTS, "switches", "permissions")
_ENDINGS = {"markdown": ".md", "toml": ".toml", "yaml": ""}
_FORMS = (*(form for form in get_args(ToolFormat) if form != "auto"), FORM)


def check_table(harness: Harness, where: str, ids: Collection[str]) -> None:
    """Raise DataError for what no run could make sense of; `ids`: the harnesses that there are."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", harness.id):
        raise DataError(f"{where}.id: {harness.id!r}: small letters and digits, with single dashes between them")
    _known([harness.reader], READERS, f"{where}.reader")
    _known([harness.semantics], SEMANTICS, f"{where}.semantics")
    _template(harness.mcp.tool, ("{server}", "{tool}"), f"{where}.mcp.tool")
    _template(harness.mcp.server, ("{server}",), f"{where}.mcp.server")
    _pattern(harness.mcp.valid_server, f"{where}.mcp.valid-server")
    _pattern(harness.mcp.valid_tool, f"{where}.mcp.valid-tool")
    for name, tool in harness.tools.items():
        _known(tool.grants, BUILTIN, f"{where}.tools.{name}.grants")
        _known((*tool.brings, *tool.unless), harness.tools, f"{where}.tools.{name}")
        _known([tool.when] if tool.when else (), CONDITIONS, f"{where}.tools.{name}.when")
    for name, value in harness.names.items():
        _known(value.means, BUILTIN, f"{where}.names.{name}.means")
        for use in value.use:
            if harness.lookup(use) is None:
                raise DataError(f"{where}.names.{name}.use: {use!r} is neither a tool nor a name")
    _known(harness.write, BUILTIN, f"{where}.write")
    for id, names in harness.foreign_names.items():
        _known([id], ids, f"{where}.foreign-names")
        _known((each for natives in names.values() for each in natives), harness.tools, f"{where}.foreign-names.{id}")
    for number, entry in enumerate(harness.discovers):
        _place(entry.file, f"{where}.discovers[{number}].file")
    for name, kind in harness.kinds.items():
        _known([name], get_args(KindName), f"{where}.kinds")
        _check_kind(kind, harness, f"{where}.kinds.{name}", ids)


def _check_kind(kind: Kind, harness: Harness, where: str, ids: Collection[str]) -> None:
    _check_places(kind, where)
    _known([kind.reader] if kind.reader else (), READERS, f"{where}.reader")
    _pattern(kind.placeholder, f"{where}.placeholder")
    for name, key in kind.keys.items():
        _check_key(key, kind, harness, f"{where}.keys.{name}")
    for name, wrong in kind.wrong_keys.items():
        _known([wrong.use] if wrong.use else (), kind.keys, f"{where}.wrong-keys.{name}.use")
    for name, field in kind.fields.items():
        inner = f"{where}.fields.{name}"
        _known(field.type, TYPES, f"{inner}.type")
        _known([field.check] if field.check else (), CHECKS, f"{inner}.check")
        _known([field.limits] if field.limits else (), LIMITS, f"{inner}.limits")
        _known(field.adds, harness.tools, f"{inner}.adds")
        _known((risk for risks in field.by_risk.values() for risk in risks), list(Risk), f"{inner}.by-risk")
        _known([field.instead] if field.instead else (), kind.fields, f"{inner}.instead")
        _pattern(field.pattern, f"{inner}.pattern")
    _known((*kind.shared_with, *kind.read_by), ids, where)
    doubly = [name for name in kind.fields if name in kind.keys or name in kind.wrong_keys]
    doubly += [name for name in kind.wrong_keys if name in kind.keys]
    if doubly:
        raise DataError(f"{where}: {doubly[0]!r} is only one of a key, a wrong key and a field")


def _check_places(kind: Kind, where: str) -> None:
    for glob in kind.globs:
        if kind.file == "yaml" and not _is_name(glob):
            raise DataError(f"{where}.globs: {glob!r}: a list of agents is told by the name of its file alone")
        if kind.file != "yaml" and not glob.endswith(".md"):
            raise DataError(f"{where}.globs: {glob!r}: only markdown is looked for, so it must end in .md")
        _place(glob, f"{where}.globs")
    if kind.path:
        _template(kind.path, ("{name}",) if kind.file != "yaml" else (), f"{where}.path")
        _place(kind.path, f"{where}.path")
        if not kind.path.endswith(_ENDINGS[kind.file]):
            raise DataError(f"{where}.path: {kind.path!r} must end in {_ENDINGS[kind.file]}")
    if (kind.file == "markdown") == bool(kind.body):
        raise DataError(f"{where}.body: the field for the prompt, where a file is not markdown")
    if (kind.file == "yaml") != bool(kind.under):
        raise DataError(f"{where}.under: the key of the list of agents, where a file is YAML")
    if kind.file == "toml" and kind.globs:
        raise DataError(f"{where}.globs: such files are written, and not looked for")


def _is_name(glob: str) -> bool:
    return SPECIAL.isdisjoint(glob) and "/" not in glob and not glob.endswith(".md")


def _check_key(key: Key, kind: Kind, harness: Harness, where: str) -> None:
    _known([key.syntax], _SYNTAXES, f"{where}.syntax")
    _known(key.forms, _FORMS, f"{where}.forms")
    if not key.forms:
        raise DataError(f"{where}.forms: name at least one of {', '.join(_FORMS)}")
    _known([key.instead] if key.instead else (), kind.keys, f"{where}.instead")
    if (FORM in key.forms) != bool(key.presets):
        raise DataError(f"{where}: a key that takes the form {FORM!r} has presets, and no other")
    for value, names in key.presets.items():
        for name in names:
            if name not in harness.everything and harness.lookup(name) is None and parse_mcp(name, harness) is None:
                raise DataError(f"{where}.presets.{value}: {name!r} is neither a tool nor a name")
    gates = {tool.gate or name for name, tool in harness.tools.items()}
    _known(key.gates.values(), gates, f"{where}.gates")


def _known(names: Iterable[str], known: Collection[str], where: str) -> None:
    for name in names:
        if name not in known:
            raise DataError(f"{where}: {name!r} is not one of {', '.join(known)}")


def _template(text: str, holes: tuple[str, ...], where: str) -> None:
    if sorted(re.findall(r"\{[^{}]*\}|[{}]", text)) != sorted(holes):
        raise DataError(f"{where}: {text!r} must have {' and '.join(holes)} once, and no other braces")


def _place(path: str, where: str) -> None:
    """Tables name places inside a project, and none that git keeps for itself."""
    if path.startswith(("/", "\\")) or path[1:2] == ":" or not {"..", ".git"}.isdisjoint(re.split(r"[/\\]", path)):
        raise DataError(f"{where}: {path!r} must lie in the project")
    if problem := glob_problem(path):
        raise DataError(f"{where}: {path!r}: {problem}")


def _pattern(text: str, where: str) -> None:
    try:
        re.compile(text)
    except re.error as error:
        raise DataError(f"{where}: {text!r} is not a regular expression: {error}") from None
