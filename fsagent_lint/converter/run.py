"""Convert many files: read, convert, prove, write, and report the losses."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Sequence

from fsagent_lint.agent.enrich import Enricher
from fsagent_lint.agent.readers import readers_of
from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.converter.convert import Converted, convert_file, converted_prompt
from fsagent_lint.converter.file_formats import transcribe
from fsagent_lint.errors import UserError
from fsagent_lint.files.read import read_file
from fsagent_lint.files.write import UnwritableError, create, existing_file
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.finding import Consequence
from fsagent_lint.model.result import Problem
from fsagent_lint.model.tool import ACCEPT_NONE
from fsagent_lint.project.guard import guard
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.project.target import Target
from fsagent_lint.report import describe_problem
from fsagent_lint.report.diff import diff
from fsagent_lint.report.escape import MESSAGE, escape
from fsagent_lint.rewrite.convert_tools import policy_to_write
from fsagent_lint.rewrite.losses import ReportedLoss
from fsagent_lint.rewrite.proof import prove_conversion


@dataclasses.dataclass(frozen=True)
class Job:
    target: Harness
    out: str
    form: str = "auto"
    accept: frozenset[str] = ACCEPT_NONE
    force: bool = False
    write: bool = True
    enrichers: Sequence[Enricher] = ()
    subjects: Subjects = dataclasses.field(default_factory=Subjects)


@dataclasses.dataclass
class ConvertRun:
    written: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    """The source and the path of each file that was written."""
    same: int = 0
    losses: list[tuple[str, ReportedLoss]] = dataclasses.field(default_factory=list)
    errors: list[Problem] = dataclasses.field(default_factory=list)
    diffs: list[str] = dataclasses.field(default_factory=list)
    lists: dict[str, bytes] = dataclasses.field(default_factory=dict)
    """Lists of agents, as far as they have been written."""

    @property
    def exit_code(self) -> int:
        if self.errors:
            return 2
        return 1 if any(loss.consequence is not Consequence.STYLE for _, loss in self.losses) else 0

    def render(self, *, quiet: bool, diff: bool) -> str:
        lines = ["".join(self.diffs).rstrip("\n")] if diff and self.diffs else []
        if not quiet:
            verb = "would write" if diff else "wrote"
            lines += [f"{escape(source)}: {verb} {escape(path)}" for source, path in self.written]
        lines += [f"{escape(path)}: [{loss.code}] {escape(loss.message, MESSAGE)}" for path, loss in self.losses]
        lines += [f"error: {describe_problem(problem)}" for problem in self.errors]
        if not quiet and not self.written and not self.errors:
            lines.append("It is there already." if self.same == 1 else f"All {self.same} files are there already.")
        return "".join(f"{line}\n" for line in lines)


def convert_files(targets: Sequence[Target], job: Job) -> ConvertRun:
    """Convert one file after another."""
    run = ConvertRun()
    taken: dict[tuple[str, str], str] = {}
    for target in targets:
        with guard(target.path, run.errors, "the converter"):
            for shown, subject in list(agents(target, read_file(target.path), job)):
                result = convert_agent(subject, job)
                run.losses += [(shown, loss) for loss in result.losses]
                place = (result.path, result.name if _is_member(result, job) else "")
                if result.error:
                    run.errors.append(Problem(shown, result.error))
                elif place in taken:
                    run.errors.append(Problem(shown, f"{result.path} is the place of {taken[place]} already"))
                else:
                    taken[place] = shown
                    _write_result(shown, result, job, run)
    return run


def agents(target: Target, data: bytes, job: Job) -> Iterator[tuple[str, Subject]]:
    """The agents of a file, as markdown, each with the name that reports use for it."""
    whole = job.subjects.read(target.path, data, get_harness(target.harness), target.kind)
    if whole.sort is not Sort.LIST:
        yield target.path, whole
        return
    from fsagent_lint.agent.lists.markdown import members

    for subject in members(whole):
        yield f"{target.path}: {subject.document.stem}", subject


def _is_member(converted: Converted, job: Job) -> bool:
    """Is the result a member of a list, in one file with other agents?"""
    return bool(converted.kind and job.target.kinds[converted.kind].under)


def convert_agent(subject: Subject, job: Job) -> Converted:
    """One agent, converted in memory and proven, in the file format of the target."""
    return to_target_format(convert_subject(subject, job), job.target)


def to_target_format(converted: Converted, target: Harness) -> Converted:
    """The converted markdown in the file format of the target."""
    if converted.error:
        return converted
    try:
        return converted._replace(data=transcribe(converted.data, target.kinds[converted.kind]))
    except UserError as error:
        return converted._replace(error=f"{target.title} cannot have it: {error}")


def convert_subject(subject: Subject, job: Job) -> Converted:
    """One agent, converted and proven, as markdown: the file format of the target does not matter."""
    wanted = subject.enriched(job.target, job.enrichers)
    policy = wanted if wanted is not subject.intent.policy else None
    result = convert_file(subject, job.target, form=job.form, policy=policy, accept=job.accept)
    if result.error:
        return result
    meant = policy_to_write(subject, job.target, wanted)
    prompt, readers = converted_prompt(subject, job.target, result.kind).data, readers_of(result.path)
    problem = prove_conversion(
        subject, result.data, job.target, result.kind, meant, job.accept, prompt=prompt, readers=readers
    )
    return result._replace(error=problem) if problem else result


def _write_result(source: str, converted: Converted, job: Job, run: ConvertRun) -> None:
    path = os.path.join(job.out, *converted.path.split("/"))
    shown = os.path.normpath(path).replace(os.sep, "/")
    try:
        existing = existing_file(path, job.out)
        before = run.lists.get(shown, existing.data if existing is not None else None)
        data = converted.data if before is None else _overwrite(before, converted, job)
        if data == before:
            run.same += 1
            return
        run.diffs.append(diff(shown, before or b"", data))
        if job.write:
            create(path, data, job.out)
    except (UnwritableError, UserError) as error:
        run.errors.append(Problem(shown, str(error)))
        return
    if _is_member(converted, job):
        run.lists[shown] = data
    run.written.append((source, shown))


def _overwrite(before: bytes, converted: Converted, job: Job) -> bytes:
    """The new content of an existing file; UserError if it must not be changed."""
    if _is_member(converted, job):
        from fsagent_lint.agent.lists.markdown import merge_into_list

        return merge_into_list(
            before, converted.data, converted.path, job.target.kinds[converted.kind], force=job.force or not job.write
        )
    if before != converted.data and not job.force and job.write:
        raise UserError("is there already, and differs; --force overwrites it, --diff shows how")
    return converted.data
