"""Checks of a harness table that types cannot express: names that must exist, paths, templates and globs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
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
from fsagent_lint.files.names import is_git
from fsagent_lint.harnesses.formats import FORMATS, PLACEHOLDERS
from fsagent_lint.harnesses.harness import Harness, McpConfig
from fsagent_lint.harnesses.kind import Key, Kind
from fsagent_lint.harnesses.mcp import parse_mcp
from fsagent_lint.harnesses.model_names import ModelNames
from fsagent_lint.harnesses.notation import Notation
from fsagent_lint.model.choices import KindName, ToolFormat
from fsagent_lint.model.tool import BUILTIN, HARMFUL, Risk

_SYNTAXES = (*LISTS, "switches", "permissions")
_ENDINGS = {"markdown": (".md",), "toml": (".toml",), "yaml": ("",), "json": (".json",), "jsonc": (".json", ".jsonc")}
_FORMS = (*(form for form in get_args(ToolFormat) if form not in ("auto", "native")), FORM)


def check_table(harness: Harness, where: str, ids: Collection[str]) -> None:
    """Raise DataError for an unusable table; `ids`: the existing harnesses."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", harness.id):
        raise DataError(f"{where}.id: {harness.id!r}: small letters and digits, with single dashes between them")
    _check_known([harness.reader], READERS, f"{where}.reader")
    _check_known([harness.semantics], SEMANTICS, f"{where}.semantics")
    _check_mcp(harness, where)
    _check_models(harness.models, f"{where}.models")
    for name, tool in harness.tools.items():
        _check_known(tool.grants, BUILTIN, f"{where}.tools.{name}.grants")
        _check_known([tool.certain] if tool.certain else (), CONDITIONS, f"{where}.tools.{name}.certain")
        _check_known(tool.falls_with, harness.tools, f"{where}.tools.{name}.falls-with")
        _check_known(tool.along, tool.grants, f"{where}.tools.{name}.along")
        _check_known((*tool.brings, *tool.unless), harness.tools, f"{where}.tools.{name}")
        _check_known([tool.when] if tool.when else (), CONDITIONS, f"{where}.tools.{name}.when")
    for name, value in harness.names.items():
        _check_known(value.means, BUILTIN, f"{where}.names.{name}.means")
        _check_known(value.along, harness.canonical(name) or (), f"{where}.names.{name}.along")
        for use in value.use:
            if harness.lookup(use) is None:
                raise DataError(f"{where}.names.{name}.use: {use!r} is neither a tool nor a name")
    _check_known(harness.write, BUILTIN, f"{where}.write")
    _check_known(harness.substitutes, BUILTIN, f"{where}.substitutes")
    for each, others in harness.substitutes.items():
        _check_substitute(each, others, harness, f"{where}.substitutes.{each}")
    for id, names in harness.foreign_names.items():
        _check_known([id], ids, f"{where}.foreign-names")
        _check_known(
            (each for natives in names.values() for each in natives), harness.tools, f"{where}.foreign-names.{id}"
        )
    for number, entry in enumerate(harness.discovers):
        _check_path(entry.file, f"{where}.discovers[{number}].file")
    _check_known((*harness.hooks.matched, *harness.hooks.guards), harness.hooks.events, f"{where}.hooks")
    for name, kind in harness.kinds.items():
        _check_known([name], get_args(KindName), f"{where}.kinds")
        _check_kind(kind, harness, f"{where}.kinds.{name}", ids)


def _check_mcp(harness: Harness, where: str) -> None:
    _check_template(harness.mcp.tool, ("{server}", "{tool}"), f"{where}.mcp.tool")
    _check_template(harness.mcp.server, ("{server}",), f"{where}.mcp.server")
    _check_known([harness.mcp.valid_server] if harness.mcp.valid_server else (), FORMATS, f"{where}.mcp.valid-server")
    _check_known([harness.mcp.valid_tool], FORMATS, f"{where}.mcp.valid-tool")
    if harness.mcp_config is not None:
        _check_variables(harness.mcp_config, f"{where}.mcp-config")


def _check_variables(config: McpConfig, where: str) -> None:
    for template in (*config.variables, *([config.default] if config.default else [])):
        parts = ("NAME", "DEFAULT") if template is config.default else ("NAME",)
        if any(template.count(part) != 1 for part in parts) or template.startswith("NAME"):
            raise DataError(f"{where}: {template!r} must have {' and '.join(parts)} once, and something before them")


def _check_models(models: ModelNames, where: str) -> None:
    for maker, families in models.written.items():
        for family, template in families.items():
            _check_template(template, ("{version}",), f"{where}.written.{maker}.{family}")


def _check_substitute(tool: str, names: Sequence[str], harness: Harness, where: str) -> None:
    natives = [native for name in names for native in harness.natives(name)]
    if tool in harness.write:
        raise DataError(f"{where}: `write` names it already")
    if not natives or any(grant.risk in HARMFUL for native in natives for grant in harness.tools[native].granted):
        raise DataError(f"{where}: {', '.join(names)} names no tool, or one that can do harm")


def _check_kind(kind: Kind, harness: Harness, where: str, ids: Collection[str]) -> None:
    _check_paths(kind, where)
    for file in kind.data:
        _check_known([file], [each for each in _ENDINGS if each != "markdown"], f"{where}.data")
        _check_kind(kind.in_format(file), harness, f"{where}.data.{file}", ids)
    for section, held in kind.holds.items():
        _check_known([held], harness.kinds, f"{where}.holds.{section}")
        if kind.file not in harness.kinds[held].data:
            raise DataError(f"{where}.holds.{section}: {held} has no `data.{kind.file}`, which says how it looks there")
    _check_known([kind.reader] if kind.reader else (), READERS, f"{where}.reader")
    _check_known([kind.placeholder] if kind.placeholder else (), PLACEHOLDERS, f"{where}.placeholder")
    _check_notation(kind.notation, f"{where}.notation")
    for name, key in kind.keys.items():
        _check_key(key, kind, harness, f"{where}.keys.{name}")
    for name, wrong in kind.wrong_keys.items():
        _check_known([wrong.use] if wrong.use else (), kind.keys, f"{where}.wrong-keys.{name}.use")
    for name, field in kind.fields.items():
        inner = f"{where}.fields.{name}"
        _check_known(field.type, TYPES, f"{inner}.type")
        _check_known([field.check] if field.check else (), CHECKS, f"{inner}.check")
        _check_known([field.limits] if field.limits else (), LIMITS, f"{inner}.limits")
        _check_known(field.adds, harness.tools, f"{inner}.adds")
        _check_known((risk for risks in field.by_risk.values() for risk in risks), list(Risk), f"{inner}.by-risk")
        _check_known([field.instead] if field.instead else (), kind.fields, f"{inner}.instead")
        _check_known(field.needs, kind.fields, f"{inner}.needs")
        _check_known([field.format] if field.format else (), FORMATS, f"{inner}.format")
    _check_known((*kind.shared_with, *kind.read_by), ids, where)
    _check_known(kind.ignored_in_plugins, kind.fields, f"{where}.ignored-in-plugins")
    repeated = [name for name in kind.fields if name in kind.keys or name in kind.wrong_keys]
    repeated += [name for name in kind.wrong_keys if name in kind.keys]
    if repeated:
        raise DataError(f"{where}: {repeated[0]!r} is only one of a key, a wrong key and a field")


def _check_notation(notation: Notation, where: str) -> None:
    templates = [("input", "{name}"), ("command", "{command}"), ("file", "{path}")]
    found = [(key, getattr(notation, key), part) for key, part in templates if getattr(notation, key)]
    found += [("argument", template, "{n}") for template in notation.argument]
    for key, template, part in found:
        if template.count(part) != 1 or template.startswith(part):
            raise DataError(f"{where}.{key}: {template!r} must have {part} once, and something before it")
    if not all((*notation.arguments, *notation.variables)):
        raise DataError(f"{where}: a placeholder must not be empty")


def _check_paths(kind: Kind, where: str) -> None:
    _check_globs(kind, where)
    for name in kind.names:
        _check_name(name, f"{where}.names")
    if kind.path:
        _check_template(kind.path, ("{name}",) if kind.file != "yaml" else (), f"{where}.path")
        _check_path(kind.path, f"{where}.path")
        if not kind.path.endswith(_ENDINGS[kind.file]):
            raise DataError(f"{where}.path: {kind.path!r} must end in {' or '.join(_ENDINGS[kind.file])}")
        if kind.file not in ("markdown", "toml") and not kind.under:
            raise DataError(f"{where}.path: such a file is not written")
    _check_data(kind, where)


def _check_globs(kind: Kind, where: str) -> None:
    for glob in kind.globs:
        if kind.file == "markdown" and not glob.endswith(".md"):
            raise DataError(f"{where}.globs: {glob!r}: it must end in .md, or `file` say what such a file is")
        if kind.file != "markdown" and not (_is_name(glob) or ("/" in glob and glob.endswith(_ENDINGS[kind.file]))):
            wanted = " or ".join(_ENDINGS[kind.file])
            raise DataError(f"{where}.globs: {glob!r}: the name of a file, or a path that ends in {wanted}")
        _check_path(glob, f"{where}.globs")


def _check_data(kind: Kind, where: str) -> None:
    if (kind.file == "markdown" or bool(kind.holds)) == bool(kind.body):
        raise DataError(
            f"{where}.body: the field for the prompt, where a file is not markdown and no config of several kinds"
        )
    if kind.under and (kind.file != "yaml" or kind.holds):
        raise DataError(f"{where}.under: the key of a list of agents, where a file is YAML")
    if kind.holds and kind.file == "markdown":
        raise DataError(f"{where}.holds: the keys of a data file")


def _check_name(name: str, where: str) -> None:
    """A name that any markdown file could have shows nothing."""
    if "/" in name or not name.endswith(".md") or not name.removesuffix(".md").strip("*"):
        raise DataError(f"{where}: {name!r} is not a file name such as 'SKILL.md' or '*.agent.md'")


def _is_name(glob: str) -> bool:
    return SPECIAL.isdisjoint(glob) and "/" not in glob and not glob.endswith(".md")


def _check_key(key: Key, kind: Kind, harness: Harness, where: str) -> None:
    _check_known([key.syntax], _SYNTAXES, f"{where}.syntax")
    _check_known(key.forms, _FORMS, f"{where}.forms")
    if not key.forms:
        raise DataError(f"{where}.forms: name at least one of {', '.join(_FORMS)}")
    _check_known([key.instead] if key.instead else (), kind.keys, f"{where}.instead")
    if key.quotes and key.layout != "flow":
        raise DataError(f"{where}.quotes: only names in brackets are quoted, so it needs layout = 'flow'")
    if stranger := next((name for name in key.order if harness.lookup(name) is None), ""):
        raise DataError(f"{where}.order: {stranger!r} is neither a tool nor a name")
    if (FORM in key.forms) != bool(key.presets):
        raise DataError(f"{where}: a key that takes the form {FORM!r} has presets, and no other")
    for value, names in key.presets.items():
        for name in names:
            if name not in harness.everything and harness.lookup(name) is None and parse_mcp(name, harness) is None:
                raise DataError(f"{where}.presets.{value}: {name!r} is neither a tool nor a name")
    _check_known(key.unverified, harness.tools, f"{where}.unverified")
    gates = {tool.gate or name for name, tool in harness.tools.items()}
    _check_known(key.gates.values(), gates, f"{where}.gates")


def _check_known(names: Iterable[str], known: Collection[str], where: str) -> None:
    for name in names:
        if name not in known:
            raise DataError(f"{where}: {name!r} is not one of {', '.join(known)}")


def _check_template(text: str, placeholders: tuple[str, ...], where: str) -> None:
    if sorted(re.findall(r"\{[^{}]*\}|[{}]", text)) != sorted(placeholders):
        raise DataError(f"{where}: {text!r} must have {' and '.join(placeholders)} once, and no other braces")


def _leaves(path: str) -> bool:
    return any(part == ".." or is_git(part) for part in re.split(r"[/\\]", path))


def _check_path(path: str, where: str) -> None:
    """Tables may only name paths inside a project, and none inside `.git`."""
    if path.startswith(("/", "\\")) or path[1:2] == ":" or _leaves(path):
        raise DataError(f"{where}: {path!r} must lie in the project")
    if problem := glob_problem(path):
        raise DataError(f"{where}: {path!r}: {problem}")
