"""The Python API: what the command line does, as functions. See docs/api.md."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextvars import Context, copy_context
from enum import Enum

from fsagent_lint.agent.agent import Agent
from fsagent_lint.agent.enrich import Enricher
from fsagent_lint.agent.recognise import recognise
from fsagent_lint.agent.subject import Subject
from fsagent_lint.converter.convert import Converted
from fsagent_lint.converter.copy_states import CopyStates
from fsagent_lint.converter.job import Job
from fsagent_lint.converter.run import convert_agent
from fsagent_lint.errors import UserError
from fsagent_lint.files.border import UnreadableError
from fsagent_lint.files.paths import to_posix
from fsagent_lint.files.read import read_file
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import get_harness, plain_id
from fsagent_lint.linter import run
from fsagent_lint.linter.check_each import FileResult, check_each
from fsagent_lint.linter.check_text import check_text
from fsagent_lint.linter.fix_run import FixRun
from fsagent_lint.model.result import Result
from fsagent_lint.model.tool import ACCEPT_ALL, ACCEPT_NONE
from fsagent_lint.project.enrichers import load_enrichers
from fsagent_lint.project.find import role_of
from fsagent_lint.project.session import check_readable, load_harnesses
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.project.target import Progress, Watch

__all__ = [
    "NO_CONFIG",
    "Agent",
    "Converted",
    "FileResult",
    "FixRun",
    "Result",
    "UserError",
    "check_iter",
    "convert",
    "fix",
    "lint",
    "lint_text",
    "load",
]

PathLike = str | os.PathLike[str]


class NoConfig(Enum):
    """The type of `NO_CONFIG`."""

    NO_CONFIG = "no config"


NO_CONFIG = NoConfig.NO_CONFIG
"""In the place of a config file: the defaults apply, whatever config the project has."""
Config = PathLike | NoConfig | None
Cancelled = Callable[[], bool]
_NO_NAME = "agent.md"


def load(
    path_or_text: PathLike, *, harness: str | None = None, kind: str | None = None, name: str | None = None
) -> Agent:
    """Read one agent file, or its text: a string with line breaks is text.

    The default of `harness` and `kind` follows from the path of the file, or from its content. `name` selects an agent
    if the file holds several. UserError if they cannot be determined, or the file cannot be read; a file with mistakes
    is not an error.
    """
    path = os.fspath(path_or_text)
    if isinstance(path_or_text, str) and ("\n" in path or "\r" in path):
        document = Document(Source(_NO_NAME, path.encode("utf-8", "surrogatepass")))
        return _agent(document, None, harness, kind, name)
    try:
        data = read_file(path)
    except UnreadableError as error:
        raise UserError(f"{path}: {error}") from None
    return _agent(Document(Source(to_posix(path), data)), path, harness, kind, name)


def lint(
    paths: PathLike | Iterable[PathLike] = (),
    *,
    config: Config = None,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    harness: str | None = None,
    target: str | None = None,
    tool_format: str | None = None,
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
    request = _request(paths, config, select, ignore, plugins)
    request = request.replace(harness=harness, target=target, tool_format=tool_format)
    return run.check(run.prepare(request, find_copies=CopyStates), Watch(progress, cancelled)).result


def check_iter(
    paths: PathLike | Iterable[PathLike] = (),
    *,
    config: Config = None,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    harness: str | None = None,
    target: str | None = None,
    tool_format: str | None = None,
    plugins: bool = False,
) -> Iterator[FileResult]:
    """The findings of `lint`, file by file, each as soon as it is known.

    Findings about several files together come last: a path may come a second time.
    """
    request = _request(paths, config, select, ignore, plugins)
    request = request.replace(harness=harness, target=target, tool_format=tool_format)
    context = copy_context()  # what the caller does between two files must not change the tables in force
    prepared = context.run(run.prepare, request, (), CopyStates)
    return _in_context(check_each(prepared), context)


def lint_text(
    text: str | bytes,
    path: PathLike,
    *,
    config: Config = None,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    harness: str | None = None,
    target: str | None = None,
    tool_format: str | None = None,
    plugins: bool = False,
) -> Result:
    """Check a text as the file that it is, or will be: the findings that it would have at this path.

    The other files of the project are read from the disk. If the text is not an agent's, or the config excludes the
    path, `files` of the result is 0. The other arguments: as in `lint`.
    """
    request = _request((), config, select, ignore, plugins)
    request = request.replace(harness=harness, target=target, tool_format=tool_format, stdin_filename=os.fspath(path))
    return check_text(run.prepare(request, find_copies=CopyStates), os.fspath(path), _encode(text)).result


def fix(
    paths: PathLike | Iterable[PathLike],
    *,
    unsafe: bool = False,
    write: bool = True,
    target: str | None = None,
    tool_format: str | None = None,
    enrichers: Iterable[Enricher] = (),
    plugins: bool = False,
    config: Config = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> FixRun:
    """Rewrite files in place; returns the remaining findings, and a unified diff of the changes.

    `unsafe`: also apply fixes that need review. `write=False` changes nothing. `target` and `tool_format`: write the
    tools for another harness, or in another form (auto, list, csv, map, permission), instead of what the config says.
    `enrichers` change the tools that are written for a target, after those of the config; `plugins`: as in `lint`.
    """
    request = _request(paths, config, (), (), plugins)
    request = request.replace(fix=write, diff=not write, unsafe_fixes=unsafe, target=target, tool_format=tool_format)
    checked = run.check(run.prepare(request, enrichers, CopyStates), Watch(progress, cancelled))
    return FixRun(checked.result, checked.diff)


def convert(
    source: PathLike | Agent,
    to: str,
    *,
    harness: str | None = None,
    kind: str | None = None,
    tool_format: str = "auto",
    unsafe: bool = False,
    enrichers: Iterable[Enricher] = (),
    plugins: bool = False,
    config: PathLike | None = None,
) -> Converted:
    """Convert a whole file for another harness, in memory; returns its path, its bytes, and the losses.

    If it cannot be converted, `error` of the result gives the reason. `unsafe`: convert even if the effect is wider
    than the intent. `enrichers` run after those of the config; `plugins`: as in `lint`.
    """
    agent = source if isinstance(source, Agent) else load(source, harness=harness, kind=kind)
    settings = run.start_run(None if config is None else os.fspath(config), plugins=plugins)
    load_harnesses(to, agent.harness)
    job = Job(
        get_harness(plain_id(to)),
        ".",
        form=tool_format,
        accept=ACCEPT_ALL if unsafe else ACCEPT_NONE,
        enrichers=[*load_enrichers(settings, plugins=plugins), *enrichers],
        subjects=Subjects(settings),
    )
    return convert_agent(agent.subject, job)


def _agent(document: Document, path: str | None, harness: str | None, kind: str | None, name: str | None) -> Agent:
    settings = run.start_run()
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
    kind_name = kind or (found_kind if found_kind in owner.kinds else owner.main_kind)
    if kind_name not in owner.kinds:
        raise UserError(f"{owner.title} has no kind `{kind_name}`; it has {', '.join(owner.kinds)}.")
    subjects = Subjects(settings)
    if owner.kinds[kind_name].of_file(document.source.path).file != "markdown":
        source = document.source
        return Agent(_member(subjects.read(source.path, source.data, owner, kind_name), name))
    return Agent(subjects.of_document(document, owner, kind_name))


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
    paths: PathLike | Iterable[PathLike],
    config: Config,
    select: str | Iterable[str],
    ignore: str | Iterable[str],
    plugins: bool,
) -> run.Request:
    # A single dash would mean standard input.
    named = tuple("./-" if path == "-" else path for path in _strings(paths))
    return run.Request(
        paths=named,
        config=None if config is None or isinstance(config, NoConfig) else os.fspath(config),
        isolated=config is NO_CONFIG,
        select=_strings(select),
        ignore=_strings(ignore),
        plugins=plugins,
    )


def _strings(values: PathLike | Iterable[PathLike]) -> tuple[str, ...]:
    """A single value stands for a list of one."""
    if isinstance(values, (str, os.PathLike)):
        return (os.fspath(values),)
    return tuple(os.fspath(value) for value in values)


def _encode(text: str | bytes) -> bytes:
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def _in_context(results: Iterator[FileResult], context: Context) -> Iterator[FileResult]:
    while (found := context.run(next, results, None)) is not None:
        yield found
