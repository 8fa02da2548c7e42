"""The Python API: what the command line does, as functions. See docs/api.md."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections.abc import Callable, Iterable, Iterator
from contextvars import Context, copy_context
from typing import ParamSpec, TypeVar, cast, get_args

from fsagent_lint.agent.agent import Agent, Enricher, Enrichers
from fsagent_lint.agent.enrich import compose
from fsagent_lint.agent.recognise import recognise
from fsagent_lint.agent.subject import Subject
from fsagent_lint.converter.agents import job_for
from fsagent_lint.converter.copy_states import CopyStates
from fsagent_lint.converter.job import ConvertRun
from fsagent_lint.converter.run import convert_files, is_convertible
from fsagent_lint.converter.sync import SyncResult
from fsagent_lint.converter.sync_run import sync_files
from fsagent_lint.errors import UserError
from fsagent_lint.files.border import Border, PathError, UnreadableError
from fsagent_lint.files.paths import absolute, to_posix
from fsagent_lint.files.read import exists, is_folder, read_file
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import active_tables, get_harness, in_force, plain_id
from fsagent_lint.linter import run
from fsagent_lint.linter.check_each import FileResult, check_each
from fsagent_lint.linter.check_text import check_text
from fsagent_lint.linter.fix_run import FixRun
from fsagent_lint.linter.selection import loss_filter
from fsagent_lint.model.choices import (
    NO_CONFIG,
    Config,
    HarnessId,
    KindName,
    OutputType,
    PathLike,
    ToolFormat,
    check_choice,
)
from fsagent_lint.model.converted import Converted
from fsagent_lint.model.policy import Action, Policy, PolicyRule
from fsagent_lint.model.result import Result
from fsagent_lint.model.tool import Risk, ScopedTool, Tool, ToolLike
from fsagent_lint.project.enrichers import load_enrichers, several
from fsagent_lint.project.find import find, role_of
from fsagent_lint.project.neighbours import Discoverer
from fsagent_lint.project.session import accepted, check_readable, load_harnesses
from fsagent_lint.project.settings import Settings
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.project.target import Progress, Watch, split_unclear
from fsagent_lint.project.tool_registry import RegisteredTool, Registry, load_plugins

__all__ = [
    "NO_CONFIG",
    "Action",
    "Agent",
    "ConvertRun",
    "Converted",
    "Enricher",
    "FileResult",
    "FixRun",
    "HarnessId",
    "Kind",
    "OutputType",
    "Policy",
    "PolicyRule",
    "RegisteredTool",
    "Registry",
    "Result",
    "Risk",
    "ScopedTool",
    "SyncResult",
    "Tool",
    "ToolFormat",
    "ToolLike",
    "UserError",
    "check_iter",
    "compose",
    "convert",
    "convert_all",
    "fix",
    "harness_id",
    "lint",
    "lint_text",
    "load",
    "registry",
    "sync",
]

Kind = KindName
Cancelled = Callable[[], bool]
Paths = PathLike | Iterable[PathLike]
_NO_NAME = "agent.md"
_P = ParamSpec("_P")
_R = TypeVar("_R")


def _restoring(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Afterwards the same tables are in force as before, whatever the config of the run names."""

    @functools.wraps(function)
    def wrapper(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        with in_force(active_tables()):
            return function(*args, **kwargs)

    return wrapper


def harness_id(text: str) -> HarnessId:
    """Text as a harness: for versions such as `claude-code@2.1.197`, for tables of your own, and for text from elsewhere.

    Whether there is such a harness is checked where it is used, by the config that is in force there.
    """
    return cast(HarnessId, text)


@_restoring
def load(
    path_or_text: PathLike,
    *,
    harness: HarnessId | None = None,
    kind: Kind | None = None,
    name: str | None = None,
    plugins: bool = False,
    config: Config = None,
) -> Agent:
    """Read one agent file, or its text: a string with line breaks is text.

    The default of `harness` and `kind` follows from the path of the file, or from its content. `name` selects an agent
    if the file holds several. UserError if they cannot be determined, or the file cannot be read; a file with mistakes
    is not an error. `plugins` allows installed packages to run that bring tools; `config`: a config file to use instead of
    the nearest one, or `NO_CONFIG`.
    """
    settings = run.start_run(config, plugins=plugins)
    path = os.fspath(path_or_text)
    if isinstance(path_or_text, str) and ("\n" in path or "\r" in path):
        document = Document(Source(_NO_NAME, _encode(path)))
        return _agent(settings, document, None, harness, kind, name)
    try:
        data = read_file(path)
    except UnreadableError as error:
        raise UserError(f"{path}: {error}") from None
    return _agent(settings, Document(Source(to_posix(path), data)), path, harness, kind, name)


@_restoring
def lint(
    paths: Paths = (),
    *,
    config: Config = None,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    harness: HarnessId | None = None,
    target: HarnessId | None = None,
    tool_format: ToolFormat | None = None,
    plugins: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Result:
    """Check the files in some paths, or in the current project.

    `config`: a config file to use instead of the nearest one, or `NO_CONFIG`. `select` and `ignore`: rules, as on the
    command line. `harness`: whose files those are whose path does not determine it. `target` and `tool_format`: check
    the tools for another harness, or for another form. `plugins` allows installed packages to run: the enrichers that
    the config names, and those that bring tools. `progress(done, total, path)` is called after each file, and
    `cancelled()` before: if it returns true, the run ends, and the result holds the findings so far.
    """
    request = _request(paths, config, select, ignore, harness, target, tool_format, plugins)
    return run.check(run.prepare(request, CopyStates), Watch(progress, cancelled)).result


def check_iter(
    paths: Paths = (),
    *,
    config: Config = None,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    harness: HarnessId | None = None,
    target: HarnessId | None = None,
    tool_format: ToolFormat | None = None,
    plugins: bool = False,
) -> Iterator[FileResult]:
    """The findings of `lint`, file by file, each as soon as it is known.

    Findings about several files together come last: a path may come a second time.
    """
    request = _request(paths, config, select, ignore, harness, target, tool_format, plugins)
    context = copy_context()  # what the caller does between two files must not change the tables in force
    prepared = context.run(run.prepare, request, CopyStates)
    return _in_context(check_each(prepared), context)


@_restoring
def lint_text(
    text: str | bytes,
    path: PathLike,
    *,
    config: Config = None,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    harness: HarnessId | None = None,
    target: HarnessId | None = None,
    tool_format: ToolFormat | None = None,
    plugins: bool = False,
) -> Result:
    """Check a text as the file that it is, or will be: the findings that it would have at this path.

    The other files of the project are read from the disk. If the text is not an agent's, or the config excludes the
    path, `files` of the result is 0. The other arguments: as in `lint`.
    """
    name = os.fspath(path)
    request = _request((), config, select, ignore, harness, target, tool_format, plugins)
    prepared = run.prepare(request.replace(stdin_filename=name), CopyStates)
    return check_text(prepared, name, _encode(text)).result


@_restoring
def fix(
    paths: Paths,
    *,
    unsafe: bool = False,
    write: bool = True,
    harness: HarnessId | None = None,
    target: HarnessId | None = None,
    tool_format: ToolFormat | None = None,
    enrich: Enrichers = (),
    plugins: bool = False,
    config: Config = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> FixRun:
    """Rewrite files in place; returns the remaining findings, and a unified diff of the changes.

    `unsafe`: also apply fixes that need review. `write=False` changes nothing. `target` and `tool_format`: write the
    tools for another harness, or in another form, instead of what the config says. `enrich`: what changes the tools
    that are written for a target, after the enrichers of the config. The other arguments: as in `lint`.
    """
    request = _request(paths, config, (), (), harness, target, tool_format, plugins)
    request = request.replace(fix=write, diff=not write, unsafe_fixes=unsafe, enrichers=several(enrich))
    checked = run.check(run.prepare(request, CopyStates), Watch(progress, cancelled))
    return FixRun(checked.result, checked.diff)


def convert(
    source: PathLike | Agent,
    to: HarnessId,
    *,
    harness: HarnessId | None = None,
    kind: Kind | None = None,
    tool_format: ToolFormat = "auto",
    unsafe: bool = False,
    enrich: Enrichers = (),
    plugins: bool = False,
    config: Config = None,
) -> Converted:
    """Convert a whole file for another harness, in memory: `load`, and `Agent.write`."""
    if not isinstance(source, Agent):
        source = load(source, harness=harness, kind=kind, plugins=plugins, config=config)
    return source.write(to, tool_format=tool_format, unsafe=unsafe, enrich=enrich, plugins=plugins, config=config)


@_restoring
def convert_all(
    paths: Paths,
    to: HarnessId | Iterable[HarnessId],
    *,
    from_: HarnessId | None = None,
    out: PathLike = ".",
    tool_format: ToolFormat = "auto",
    with_mcp: bool = False,
    force: bool = False,
    write: bool = True,
    unsafe: bool = False,
    enrich: Enrichers = (),
    plugins: bool = False,
    config: Config = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> ConvertRun:
    """Convert files for other harnesses, and write them where those look for them: what `fsagent-lint convert` does.

    `paths`: files and folders; if there are none, the current project. `write=False` only collects the diffs. If the
    run is cancelled, nothing is written. The other arguments are the options of the same names, or those of `lint`.
    """
    settings = run.start_run(config, plugins=plugins)
    wanted = list(dict.fromkeys(_strings(to)))
    harnesses = load_harnesses(*wanted, from_)
    targets = [get_harness(plain_id(id)) for id in wanted]
    owner = plain_id(from_) if from_ is not None else None
    check_readable(owner)
    named = _strings(paths)
    scan = find(named, settings, harnesses, harness=owner)
    known, unclear = split_unclear(scan.targets)
    others = [each for each in known if owner in (None, each.harness) and {*targets} - {get_harness(each.harness)}]
    files = [each for each in others if each.path in named or is_convertible(each)]
    errors = [*scan.errors, *unclear]
    if not files and not errors:
        raise UserError("No agent files of another harness found, so there is nothing to convert.")
    _check_folder(os.fspath(out))
    common = dataclasses.replace(
        job_for(targets[0], settings, tool_format, load_enrichers(settings, enrich, plugins=plugins)),
        out=os.fspath(out),
        accept=accepted(settings, unsafe=unsafe),
        force=force,
        write=write,
        with_mcp=with_mcp,
    )
    jobs = [dataclasses.replace(common, target=target) for target in targets]
    outcome = convert_files(files, jobs, Watch(progress, cancelled))
    outcome.errors[:0] = errors
    is_ignored = loss_filter(settings)
    outcome.losses = [(path, loss) for path, loss in outcome.losses if not is_ignored(path, loss.code)]
    outcome.left = len(others) - len(files)
    return outcome


@_restoring
def sync(
    *,
    check: bool = False,
    prune: bool = False,
    force: bool = False,
    unsafe: bool = False,
    enrich: Enrichers = (),
    plugins: bool = False,
    config: Config = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> SyncResult:
    """Update the copies that the section [sync] of the config asks for: what `fsagent-lint sync` does.

    `check=True` writes nothing. If the run is cancelled, nothing is written. The other arguments are the options of the
    same names, or those of `lint`.
    """
    settings = run.start_run(config, plugins=plugins)
    result = sync_files(
        settings,
        load_harnesses(),
        check=check,
        prune=prune,
        force=force,
        enrichers=load_enrichers(settings, enrich, plugins=plugins),
        accept=accepted(settings, unsafe=unsafe),
        watch=Watch(progress, cancelled),
    )
    is_ignored = loss_filter(settings)
    result.losses = [each for each in result.losses if not is_ignored(each[1], each[2].code)]
    return result


@_restoring
def registry(path: PathLike = ".", *, config: Config = None, plugins: bool = False) -> Registry:
    """The tools that agents below a folder can have: built in, of the config and the project, and of packages.

    `plugins` allows installed packages to run that bring tools.
    """
    settings = run.start_run(config, plugins=plugins)
    neighbours = Discoverer().neighbours(os.path.join(path, "x"))
    return Registry(settings, neighbours, load_plugins() if plugins else ())


def _agent(
    settings: Settings, document: Document, path: str | None, harness: str | None, kind: str | None, name: str | None
) -> Agent:
    harnesses = load_harnesses(harness)
    harness = plain_id(harness) if harness is not None else None
    check_readable(harness if kind in (None, "agent") else None)
    wanted = [each for each in harnesses if harness in (None, each.id)]
    role = role_of(path, settings, wanted) if path is not None else None
    role = role or recognise(document, document.source.path, wanted)
    if role is None and harness is None:
        raise UserError(
            f"{document.source.path}: its harness cannot be determined from the path or the content. Pass `harness=`."
        )
    id, found_kind = role if role is not None else (harness or "", "agent")
    owner = get_harness(harness or id)
    if kind is not None:
        check_choice("kind", kind, get_args(KindName))
    kind_name = kind or (found_kind if found_kind in owner.kinds else owner.main_kind)
    if kind_name not in owner.kinds:
        raise UserError(f"{owner.title} has no kind `{kind_name}`; it has {', '.join(owner.kinds)}.")
    subjects = Subjects(settings)
    if owner.kinds[kind_name].of_file(document.source.path).file != "markdown":
        source = document.source
        return Agent.of(_member(subjects.read(source.path, source.data, owner, kind_name), name))
    return Agent.of(subjects.of_document(document, owner, kind_name))


def _member(whole: Subject, name: str | None) -> Subject:
    """The agent of a list that has the wanted name; without a name, the only one."""
    from fsagent_lint.agent.data.markdown import members

    path = whole.document.source.path
    try:
        found = members(whole)
    except UserError as error:
        raise UserError(f"{path}: {error}.") from None
    wanted = [each for each in found if name in (None, each.document.stem)]
    if len(wanted) == 1:
        return wanted[0]
    names = ", ".join(each.document.stem for each in found) or "nothing"
    problem = "choose one by name" if name is None else f"not exactly one is named `{name}`"
    raise UserError(f"{path} has several agents ({names}); {problem}.")


def _request(
    paths: Paths,
    config: Config,
    select: str | Iterable[str],
    ignore: str | Iterable[str],
    harness: str | None,
    target: str | None,
    tool_format: str | None,
    plugins: bool,
) -> run.Request:
    if tool_format is not None:
        check_choice("tool format", tool_format, get_args(ToolFormat))
    return run.Request(
        # A single dash would mean standard input.
        paths=tuple("./-" if path == "-" else path for path in _strings(paths)),
        config=config,
        select=_strings(select),
        ignore=_strings(ignore),
        harness=harness,
        target=target,
        tool_format=tool_format,
        plugins=plugins,
    )


def _strings(values: Paths) -> tuple[str, ...]:
    """A single value stands for a list of one."""
    if isinstance(values, (str, os.PathLike)):
        return (os.fspath(values),)
    return tuple(os.fspath(value) for value in values)


def _encode(text: str | bytes) -> bytes:
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def _in_context(results: Iterator[FileResult], context: Context) -> Iterator[FileResult]:
    while (found := context.run(next, results, None)) is not None:
        yield found


def _check_folder(out: str) -> None:
    """UserError for what is not a folder, or lies behind a link in the project that leads out of it."""
    if exists(out) and not is_folder(out):
        raise UserError(f"{out}: not a folder.")
    try:
        Border().check_folder(absolute(out))
    except PathError:
        raise UserError(f"{out}: is outside the project; not written.") from None
