"""What the types of the settings cannot express: shorthand forms, globs, and names that must exist."""

from collections.abc import Collection, Iterable
from typing import Any, get_args

from fsagent_lint.errors import DataError
from fsagent_lint.files.globs import glob_problem
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.pinned_versions import split_versions
from fsagent_lint.harnesses.tables import builtin_harness, builtin_ids
from fsagent_lint.model.choices import ToolFormat
from fsagent_lint.model.tool import ALIASES, BUILTIN, Risk, parse_selector
from fsagent_lint.project.settings import Options
from fsagent_lint.suggest import hint

EVERY = "*"
"""In `tool-format`: every harness that has no entry of its own."""


def check_version(data: object, where: str) -> None:
    """Stop before anything else is judged: another version may have other keys."""
    required = data.get("required-version") if isinstance(data, dict) else None
    if not required:
        return
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    from fsagent_lint import __version__

    try:
        fits = SpecifierSet(str(required)).contains(__version__, prereleases=True)
    except InvalidSpecifier:
        raise DataError(f'{where}.required-version: {required!r} is not of the form ">=0.1, <1"') from None
    if not fits:
        raise DataError(f"{where}.required-version: the project requires {required}, but this is {__version__}")


def normalise_options(data: object, where: str) -> object:
    """Shorthand to the full form: `ignore` may be a list, `tool-format` and `sync.source` a string."""
    if not isinstance(data, dict):
        return data
    data = dict(data)
    ignore = data.get("ignore")
    if isinstance(ignore, list) and all(isinstance(code, str) for code in ignore):
        data["ignore"] = dict.fromkeys(ignore, "")
    elif "ignore" in data and not isinstance(ignore, dict):
        raise DataError(f"{where}.ignore: expected a list of rules, or a table of rule to reason")
    form = data.get("tool-format", {})
    if isinstance(form, str):
        if form not in get_args(ToolFormat):
            raise DataError(f"{where}.tool-format: {form!r} is not one of {', '.join(get_args(ToolFormat))}")
        data["tool-format"] = {EVERY: form}
    elif not isinstance(form, dict):
        raise DataError(f"{where}.tool-format: expected a tool format, or a table of harness to tool format")
    sync = data.get("sync")
    if isinstance(sync, dict) and isinstance(sync.get("source"), str):
        data["sync"] = {**sync, "source": [sync["source"]]}
    return split_versions(data, where)


def check_options(options: Options, where: str, folder: str) -> dict[str, Harness]:
    """Raise DataError for a value that cannot be used; return the tables of harnesses that are not built in."""
    _check_globs(options, where)
    tables = _check_harnesses(options, where, folder)
    for number, entry in enumerate(options.enrich):
        for key in ("add", "remove"):
            _check_tools(getattr(entry, key), f"{where}.enrich[{number}].{key}")
        for key, value in entry.when.items():
            _check_condition(value, f"{where}.enrich[{number}].when.{key}")
    for name in options.accept_widening:
        if name not in set(Risk):
            _check_tools((name,), f"{where}.accept-widening", also=[risk.value for risk in Risk])
    return tables


def check_known(what: str, name: str, known: Collection[str], where: str) -> None:
    if name not in known:
        raise DataError(f"{where}: unknown {what} {name!r}. {hint(name, known, f'fsagent-lint {what}s')}")


def _check_globs(options: Options, where: str) -> None:
    globs = {
        "exclude": options.exclude,
        "per-file-ignores": options.per_file_ignores,
        "paths": [entry.glob for entry in options.paths],
        "enrich": [value for entry in options.enrich for value in _values(entry.when.get("path", []))],
        "sync.include": options.sync.include if options.sync else (),
        "sync.exclude": options.sync.exclude if options.sync else (),
        "audit.allow": options.audit.allow,
    }
    for key, patterns in globs.items():
        for pattern in patterns:
            if problem := glob_problem(str(pattern)):
                raise DataError(f"{where}.{key}: {pattern!r}: {problem}")


def _check_harnesses(options: Options, where: str, folder: str) -> dict[str, Harness]:
    tables: dict[str, Harness] = {}
    if options.harness or options.harness_tables:
        from fsagent_lint.project.own_tables import own_tables

        tables = own_tables(options, where, folder)
    named: list[tuple[str, str]] = [("target", options.target)] if options.target else []
    named += [("tool-format", id) for id in options.tool_format if id != EVERY]
    named += [(f"paths[{number}].harness", entry.harness) for number, entry in enumerate(options.paths)]
    for number, entry in enumerate(options.enrich):
        values = _values(entry.when.get("harness", []))
        named += [(f"enrich[{number}].when.harness", str(value)) for value in values]
    if options.sync:
        named += [("sync.targets", target) for target in options.sync.targets]
    for key, name in named:
        if name not in tables and name not in builtin_ids():
            tables[name] = _installed(name, tables, f"{where}.{key}")
    for number, path in enumerate(options.paths):
        harness = tables.get(path.harness) or builtin_harness(path.harness)
        if not harness.reads(path.kind):
            kinds = ", ".join(kind for kind in harness.kinds if harness.reads(kind))
            what = f"{harness.title} has no {path.kind}s in markdown files (it has: {kinds})"
            raise DataError(f"{where}.paths[{number}].kind: {what}")
    return tables


def _installed(name: str, tables: Collection[str], where: str) -> Harness:
    from fsagent_lint.project.own_tables import installed_harness

    harness = installed_harness(name)
    if harness is None:
        raise DataError(f"{where}: unknown harness {name!r}. {hint(name, [*builtin_ids(), *tables])}")
    return harness


def _check_tools(names: Iterable[str], where: str, also: Collection[str] = ()) -> None:
    for name in names:
        if parse_selector(name) is None:
            what = (
                "a canonical tool, nor a risk" if also else "a canonical tool, nor `mcp:server/tool` or `custom:name`"
            )
            guess = hint(name.partition("(")[0], [*BUILTIN, *ALIASES, *also], "fsagent-lint tools")
            raise DataError(f"{where}: {name!r} is not {what}. {guess}")


def _check_condition(value: Any, where: str) -> None:
    for one in _values(value):
        if not isinstance(one, (str, int, float, bool)):
            raise DataError(f"{where}: expected a value or a list of values, got {one!r}")


def _values(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
