"""Write what was converted: the file of an agent, the folder of a skill, the MCP servers that they name."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.converter.job import ConvertRun, Job
from fsagent_lint.converter.mcp_servers import (
    Definition,
    add_servers,
    compare,
    config_file,
    find_definition,
    is_known,
    report_missing,
)
from fsagent_lint.converter.skill_folder import (
    KIND,
    find_copy,
    read_companions,
    report_left_out,
    show_change,
    write_copy,
)
from fsagent_lint.errors import UserError
from fsagent_lint.files.border import UnwritableError, real
from fsagent_lint.files.tree import TreeFile
from fsagent_lint.files.write import create, existing_file
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.converted import Converted
from fsagent_lint.model.loss import ReportedLoss
from fsagent_lint.model.result import Problem
from fsagent_lint.project.target import Target
from fsagent_lint.report.diff import diff


class Planned(NamedTuple):
    """An agent that has been converted, but not yet written."""

    shown: str
    source: Target
    converted: Converted
    job: Job

    @property
    def path(self) -> str:
        return os.path.join(self.job.out, *self.converted.path.split("/"))


def shown_path(path: str) -> str:
    return os.path.normpath(path).replace(os.sep, "/")


def is_member(converted: Converted, job: Job) -> bool:
    """Is the result a member of a list, in one file with other agents?"""
    return bool(converted.kind and job.target.kinds[converted.kind].under)


def write_planned(planned: Planned, run: ConvertRun) -> None:
    """Write a result, and for a skill the other files of its folder."""
    is_skill = planned.source.kind == KIND == planned.converted.kind
    folder = os.path.dirname(planned.path)
    tree = read_companions(planned.source.path, folder) if is_skill else None
    if not _write_result(planned, run) or tree is None:
        return
    run.losses += [(planned.shown, loss) for loss in report_left_out(tree)]
    for companion in tree.files:
        _write_companion(planned, companion, os.path.join(folder, *companion.path.split("/")), run)


def _write_result(planned: Planned, run: ConvertRun) -> bool:
    """Write the file of the agent itself; False if it must not be written."""
    path, shown, converted, job = planned.path, shown_path(planned.path), planned.converted, planned.job
    try:
        existing = existing_file(path, job.out)
        if real(path) == real(planned.source.file):
            raise UserError("is the source itself, through a link; not written")
        before = run.edited.get(shown, existing.data if existing is not None else None)
        data = converted.data if before is None else _overwrite(before, converted, job)
        if data == before:
            run.same += 1
            return True
        run.diffs.append(diff(shown, before or b"", data))
        if job.write:
            create(path, data, job.out)
    except (UnwritableError, UserError) as error:
        run.errors.append(Problem(shown, str(error)))
        return False
    if is_member(converted, job):
        run.edited[shown] = data
    run.written.append((planned.shown, shown))
    return True


_DIFFERS = "already exists and differs; --force overwrites it, --diff shows the change"


def _write_companion(planned: Planned, companion: TreeFile, path: str, run: ConvertRun) -> None:
    job, shown = planned.job, shown_path(path)
    try:
        existing = find_copy(path, companion, job.out)
        if existing == companion:
            run.same += 1
            return
        if existing is not None and job.write and not job.force:
            raise UnwritableError(_DIFFERS)
        run.diffs.append(show_change(shown, existing, companion))
        if job.write:
            write_copy(path, companion, job.out)
    except UnwritableError as error:
        run.errors.append(Problem(shown, str(error)))
    else:
        run.copied[planned.shown] += 1


def provide_servers(written: Sequence[Planned], job: Job, run: ConvertRun) -> None:
    """Report the MCP servers that the target does not know, or define them; each of them once."""
    needed = {name: planned for planned in reversed(written) for name in planned.converted.servers}
    file = config_file(job.target, job.out)
    definitions: list[Definition] = []
    for name, planned in needed.items():
        definition = _definition(name, planned.source, job)
        if definition is not None and job.with_mcp and file:
            there = job.subjects.discoverer.neighbours(planned.path)
            theirs = find_definition(name, job.target, there, only=True)
            if theirs is not None:
                run.losses += [(planned.shown, loss) for loss in compare(definition, theirs)]
            elif not is_known(name, job.target, there):
                definitions.append(definition)
        else:
            run.losses += [(planned.shown, loss) for loss in report_unknown(name, planned.source, planned.path, job)]
    if definitions:
        _define_servers(definitions, file, job, run)


def report_unknown(name: str, source: Target, path: str, job: Job) -> Iterator[ReportedLoss]:
    """Report a server that the source names if the target does not know it at the path of the result."""
    there = job.subjects.discoverer.neighbours(path)
    if not is_known(name, job.target, there, job.subjects.context(source.path).servers):
        yield report_missing(name, _definition(name, source, job), job.target, config_file(job.target, job.out))


def _definition(name: str, source: Target, job: Job) -> Definition | None:
    return find_definition(name, get_harness(source.harness), job.subjects.discoverer.neighbours(source.path))


def _define_servers(definitions: Sequence[Definition], file: str, job: Job, run: ConvertRun) -> None:
    path = os.path.join(job.out, *file.split("/"))
    shown = shown_path(path)
    try:
        existing = existing_file(path, job.out)
        before = run.edited.get(shown, existing.data if existing is not None else b"")
        result = add_servers(before, definitions, job.target, file)
        run.losses += [(shown, loss) for loss in result.losses]
        if not result.added:
            return
        run.diffs.append(diff(shown, before, result.data))
        if job.write:
            create(path, result.data, job.out)
    except UnwritableError as error:
        run.errors.append(Problem(shown, str(error)))
        return
    run.edited[shown] = result.data
    run.written += [(each.file, f"{shown} ({each.name})") for each in result.added]


def _overwrite(before: bytes, converted: Converted, job: Job) -> bytes:
    """The new content of an existing file; UserError if it must not be changed."""
    if is_member(converted, job):
        from fsagent_lint.agent.data.markdown import merge_into_list

        return merge_into_list(
            before, converted.data, converted.path, job.target.kinds[converted.kind], force=job.force or not job.write
        )
    if before != converted.data and not job.force and job.write:
        raise UserError(_DIFFERS)
    return converted.data
