"""Update the generated copies of a project, or report those that are not current."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence

from fsagent_lint.agent.agent import Enricher
from fsagent_lint.agent.copies import State
from fsagent_lint.agent.copy_marker import Marker, find_marker, is_edited
from fsagent_lint.converter.job import Job
from fsagent_lint.converter.overrides import override, overrides_for
from fsagent_lint.converter.run import convert_subject, to_target_format
from fsagent_lint.converter.skill_folder import KIND, read_companions, report_left_out
from fsagent_lint.converter.sync import (
    Copy,
    SyncResult,
    add_marker,
    orphans,
    state_of,
)
from fsagent_lint.converter.sync_skills import FolderCopy, FolderSync, find_manifests
from fsagent_lint.converter.write_files import report_unknown
from fsagent_lint.errors import UserError
from fsagent_lint.files.border import Border, PathError, UnreadableError, UnwritableError, project_of, real
from fsagent_lint.files.globs import Glob
from fsagent_lint.files.names import fold
from fsagent_lint.files.paths import absolute, to_posix
from fsagent_lint.files.read import is_folder, list_folder, read_file
from fsagent_lint.files.write import create, existing_file, remove
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.converted import NOT_CONVERTED, Converted
from fsagent_lint.model.loss import ReportedLoss
from fsagent_lint.model.result import Problem
from fsagent_lint.model.tool import ACCEPT_NONE
from fsagent_lint.project.find import find
from fsagent_lint.project.guard import guard
from fsagent_lint.project.settings import Settings, Sync
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.project.target import UNWATCHED, Target, Watch, read_target, split_unclear
from fsagent_lint.report.diff import diff


def sync_files(
    settings: Settings,
    harnesses: Sequence[Harness],
    *,
    check: bool,
    prune: bool,
    force: bool,
    enrichers: Sequence[Enricher] = (),
    accept: frozenset[str] = ACCEPT_NONE,
    watch: Watch = UNWATCHED,
) -> SyncResult:
    """Update every copy that the config asks for; with `check`, nothing is written.

    What a copy replaces is known only when all of them are made: of a run that is cancelled before, nothing is written.
    """
    if settings.sync is None:
        if check:  # a hook for many repositories: without copies, none is out of date
            return SyncResult(is_configured=False)
        raise UserError(
            "The config has no [sync] section, so there is nothing to sync. `fsagent-lint init` proposes one."
        )
    result = SyncResult()
    copies = _wanted(settings, settings.sync, harnesses, enrichers, accept, watch, result)
    if copies is None:
        return result
    marked = _marked(settings, settings.sync, harnesses)
    for copy in copies:
        _update(settings, copy, result, check=check, force=force)
    for path in orphans(marked, copies, [_relative(problem.path, settings) for problem in result.errors]):
        result.states.append((path, State.ORPHAN, ""))
        if prune and not check:
            _remove(settings, path, result, force=force)
    for folder in _folder_copies(settings, settings.sync, copies, result):
        FolderSync(folder, settings.folder, result, check=check, prune=prune, force=force).run()
    return result


def _update(settings: Settings, copy: Copy, result: SyncResult, *, check: bool, force: bool) -> None:
    try:
        existing = existing_copy(settings, copy)
    except UnwritableError as error:
        result.errors.append(Problem(copy.path, str(error)))
        return
    state = state_of(copy, existing)
    if state is not State.CURRENT:
        result.states.append((copy.path, state, diff(copy.path, existing or b"", copy.data)))
    if not check and state is not State.CURRENT:
        _write(settings, copy, state, force, result)


def _folder_copies(settings: Settings, sync: Sync, copies: Sequence[Copy], result: SyncResult) -> list[FolderCopy]:
    """The folders of generated skills: those that are wanted, and those whose source is gone."""
    wanted = {
        folder: FolderCopy(folder, posixpath.dirname(copy.source), copy.companions)
        for copy in copies
        if (folder := posixpath.dirname(copy.path)) and copy.companions is not None
    }
    # If a source could not be converted, its copy is not an orphan.
    homes = set() if result.errors else places(sync, KIND)
    old = [FolderCopy(each, "") for each in find_manifests(settings.folder, homes) if each not in wanted]
    return [*wanted.values(), *old]


def places(sync: Sync, only: str = "") -> set[str]:
    """The folders that files of the targets are written into."""
    kinds = [(name, kind) for id in sync.targets for name, kind in get_harness(id).kinds.items()]
    return {kind.path.split("/{name}")[0] for name, kind in kinds if kind.path and only in ("", name)}


def _wanted(
    settings: Settings,
    sync: Sync,
    harnesses: Sequence[Harness],
    enrichers: Sequence[Enricher],
    accept: frozenset[str],
    watch: Watch,
    result: SyncResult,
) -> list[Copy] | None:
    """The copies as they should be; None if that is cancelled."""
    copies: dict[str, Copy] = {}
    subjects = Subjects(settings)
    sources = find_sources(settings, sync, harnesses, result)
    left = len(sources)
    for target in watch.over(sources):
        left -= 1
        with guard(target.path, result.errors, "the converter"):
            data = read_target(target)
            for id in (id for id in sync.targets if id != target.harness):
                job = Job(get_harness(id), settings.folder, accept=accept, enrichers=enrichers, subjects=subjects)
                copy = make_copy(target, data, job, settings, sync, result)
                if copy is not None and (first := copies.get(fold(copy.path))) is not None:
                    advice = "rename one of them, or leave one out with `exclude` in [sync]"
                    taken = f"{copy.path} is already the copy of {first.source}; {advice}"
                    result.errors.append(Problem(target.path, taken))
                elif copy is not None:
                    copies[fold(copy.path)] = copy
    return list(copies.values()) if not left else None


def make_copy(target: Target, data: bytes, job: Job, settings: Settings, sync: Sync, result: SyncResult) -> Copy | None:
    """The copy of a source for one harness; None if it cannot be made, which is an error of the run."""
    id, source = job.target.id, _relative(target.path, settings)

    def finish(converted: Converted) -> bytes:
        finished = override(converted.data, overrides_for(sync.overrides, id, converted.name))
        return add_marker(source, finished) if _is_fenced(converted, job) else finished

    converted = to_target_format(_convert(target, data, job, finish), job.target)
    if converted.error:
        result.errors.append(Problem(target.path, f"for {id}: {converted.error}"))
        return None
    place = os.path.join(settings.folder, *converted.path.split("/"))
    servers = (loss for name in converted.servers for loss in report_unknown(name, target, place, job))
    _report(result, converted.path, source, (*converted.losses, *servers))
    written = converted.data if _is_fenced(converted, job) else add_marker(source, converted.data, fenced=False)
    copy = Copy(converted.path, source, written)
    if not target.kind == KIND == converted.kind:
        return copy
    tree = read_companions(target.path, os.path.dirname(place))
    _report(result, converted.path, source, report_left_out(tree))
    return copy._replace(companions=tree.files)


def _is_fenced(converted: Converted, job: Job) -> bool:
    return job.target.kinds[converted.kind].file == "markdown"


def _report(result: SyncResult, path: str, source: str, losses: Iterable[ReportedLoss]) -> None:
    result.losses += [(path, source, loss) for loss in losses]


def _convert(target: Target, data: bytes, job: Job, finish: Callable[[Converted], bytes]) -> Converted:
    """The converted source, as markdown; a list of agents can be neither a source nor a copy."""
    kind = get_harness(target.harness).kinds[target.kind].of_file(target.path)
    if not kind.is_convertible:
        from fsagent_lint.agent.data.markdown import only_checked

        return NOT_CONVERTED._replace(error=only_checked(kind))
    if kind.under:
        return NOT_CONVERTED._replace(
            error=f"a list of {target.kind}s cannot be kept in sync; `convert` writes its copies"
        )
    subject = job.subjects.read(target.path, data, get_harness(target.harness), target.kind)
    converted = convert_subject(subject, job, finish)
    if not converted.error and job.target.kinds[converted.kind].under:
        where = f"{job.target.title} keeps its {converted.kind}s in one file"
        return converted._replace(
            error=f"{where}, which cannot be kept in sync; `convert --to {job.target.id}` adds to it"
        )
    return converted


def find_sources(settings: Settings, sync: Sync, harnesses: Sequence[Harness], result: SyncResult) -> list[Target]:
    """The agents in the source folders that the config includes; copies are never sources."""
    folders = [os.path.join(settings.folder, *source.split("/")) for source in sync.source]
    for folder, source in zip(folders, sync.source, strict=True):
        if not is_folder(folder):
            raise UserError(f"sync.source: {source}: no such folder.")
        try:
            Border().check_folder(absolute(folder), project_of(settings.folder))
        except PathError as error:
            raise UserError(f"sync.source: {source}: {error}") from None
    scan = find(folders, settings, harnesses)
    result.errors += scan.errors
    include = [Glob(pattern) for pattern in sync.include]
    exclude = [Glob(pattern) for pattern in sync.exclude]

    def wanted(target: Target) -> bool:
        path = _relative(target.path, settings)
        return (not include or any(glob.covers(path) for glob in include)) and not any(
            glob.covers(path) for glob in exclude
        )

    known, unclear = split_unclear(filter(wanted, scan.targets))
    result.errors += unclear
    return known


def _marked(settings: Settings, sync: Sync, harnesses: Sequence[Harness]) -> dict[str, Marker]:
    """Generated files in the folders of the targets."""
    found = {}
    for folder in sorted(places(sync)):
        for path in _candidates(os.path.join(settings.folder, *folder.split("/")), settings, harnesses):
            try:
                marker = find_marker(read_file(path, root=absolute(settings.folder)))
            except UnreadableError:
                continue
            if marker is not None:
                found[_relative(path, settings)] = marker
    return found


def _candidates(place: str, settings: Settings, harnesses: Sequence[Harness]) -> Iterator[str]:
    """Files that may have been generated: agents, and the TOML files, which are written but never read."""
    if is_folder(place):
        names = list_folder(place, root=absolute(settings.folder))
        yield from (target.path for target in find([place], settings, harnesses).targets)
        yield from (os.path.join(place, name) for name in names if name.endswith(".toml"))


def existing_copy(settings: Settings, copy: Copy) -> bytes | None:
    path = os.path.join(settings.folder, *copy.path.split("/"))
    existing = existing_file(path, settings.folder)
    if existing is not None and existing.path == real(os.path.join(settings.folder, *copy.source.split("/"))):
        raise UnwritableError("is the source itself, through a link; not written")
    return existing.data if existing is not None else None


def _write(settings: Settings, copy: Copy, state: State, force: bool, result: SyncResult) -> None:
    if state in (State.EDITED, State.FOREIGN) and not force:
        advice = f"change {copy.source} instead, and overwrite it with --force"
        if state is State.FOREIGN:
            advice = f"--force overwrites it, and `exclude` in [sync] leaves {copy.source} out"
        result.errors.append(Problem(copy.path, f"is {state}; {advice}"))
        return
    try:
        create(os.path.join(settings.folder, *copy.path.split("/")), copy.data, settings.folder)
    except UnwritableError as error:
        result.errors.append(Problem(copy.path, str(error)))
    else:
        result.written.append(copy.path)


def _remove(settings: Settings, path: str, result: SyncResult, *, force: bool) -> None:
    try:
        existing = existing_file(os.path.join(settings.folder, *path.split("/")), settings.folder)
        if existing is not None and not force and is_edited(existing.data):
            raise UnwritableError(f"is {State.EDITED}; --force removes it")
        remove(os.path.join(settings.folder, *path.split("/")), settings.folder)
    except UnwritableError as error:
        result.errors.append(Problem(path, str(error)))
    else:
        result.removed.append(path)


def _relative(path: str, settings: Settings) -> str:
    """A path relative to the folder of the config, as the config writes it."""
    return to_posix(os.path.relpath(path, settings.folder))
