"""Convert many files: read, convert, prove, write, and report the losses."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator, Sequence

from fsagent_lint.agent.enrich import enriched
from fsagent_lint.agent.readers import readers_of
from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.converter.convert import convert_file, converted_prompt
from fsagent_lint.converter.file_formats import transcribe
from fsagent_lint.converter.job import ConvertRun, Job
from fsagent_lint.converter.mcp_servers import named_servers
from fsagent_lint.converter.overrides import override, own_fields
from fsagent_lint.converter.skill_folder import KIND
from fsagent_lint.converter.write_files import Planned, is_member, provide_servers, shown_path, write_planned
from fsagent_lint.errors import UserError
from fsagent_lint.files.names import fold
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.converted import Converted
from fsagent_lint.model.loss import LossKind, ReportedLoss
from fsagent_lint.model.result import Problem
from fsagent_lint.project.guard import guard
from fsagent_lint.project.target import UNWATCHED, Target, Watch, read_target
from fsagent_lint.rewrite.convert_tools import policy_to_write
from fsagent_lint.rewrite.proof import is_emptied, prove_conversion


def convert_files(targets: Sequence[Target], jobs: Sequence[Job], watch: Watch = UNWATCHED) -> ConvertRun:
    """Convert every file for each job, then write the results that have a place of their own.

    Which ones do is known only when all files are converted: of a run that is cancelled before, nothing is written.
    """
    run = ConvertRun()
    places: dict[tuple[str, str], list[Planned]] = {}
    pairs = [(target, job) for job in jobs for target in targets if target.harness != job.target.id]
    left = len(pairs)
    for target, (_, job) in zip(watch.over([target for target, _ in pairs]), pairs, strict=False):
        left -= 1
        with guard(target.path, run.errors, "the converter"):
            for planned in list(_plan(target, job, run)):
                member = planned.converted.name if is_member(planned.converted, job) else ""
                places.setdefault((fold(planned.path), member), []).append(planned)
    if left:
        return run
    written = [planned for rivals in places.values() for planned in _choose(rivals, run)]
    for planned in written:
        with guard(planned.source.path, run.errors, "the converter"):
            write_planned(planned, run)
    for job in jobs:
        provide_servers([planned for planned in written if planned.job is job], job, run)
    return run


def is_convertible(target: Target) -> bool:
    """Can its agents be converted? Those in JSON and TOML are only checked."""
    return get_harness(target.harness).kinds[target.kind].of_file(target.path).is_convertible


def _plan(target: Target, job: Job, run: ConvertRun) -> Iterator[Planned]:
    for shown, subject in agents(target, read_target(target), job):
        result = convert_agent(subject, job)
        if result.error:
            run.errors.append(Problem(shown, result.error))
        else:
            run.losses += [(shown, loss) for loss in result.losses]
            yield Planned(shown, target, result, job)


def _choose(rivals: Sequence[Planned], run: ConvertRun) -> Sequence[Planned]:
    """The result to write of those with the same place: none of them if they differ."""
    first = rivals[0]
    same_source = first.source.kind != KIND or all(each.shown == first.shown for each in rivals)
    if same_source and all(each.converted.data == first.converted.data for each in rivals):
        return rivals[:1]
    run.errors.append(Problem(shown_path(first.path), _conflict(rivals)))
    return ()


def _conflict(rivals: Sequence[Planned]) -> str:
    """Why several results for one place are not written, and what to do."""
    sources = list(dict.fromkeys(each.shown for each in rivals))
    if len(sources) == 1:
        options = " and ".join(f"--to {each.job.target.id}" for each in rivals)
        return f"{options} write different files here; convert to one of them only"
    harnesses = list(dict.fromkeys(each.source.harness for each in rivals))
    advice = "rename one of them, or convert only one of them"
    if len(harnesses) > 1:
        advice = f"select one with {' or '.join(f'--from {id}' for id in harnesses)}, or convert only one"
    return f"{' and '.join(sources)} would both be written to this file; {advice}"


def agents(target: Target, data: bytes, job: Job) -> Iterator[tuple[str, Subject]]:
    """The agents of a file, as markdown, each with the name that reports use for it."""
    whole = job.subjects.read(target.path, data, get_harness(target.harness), target.kind)
    if whole.sort is not Sort.DATA:
        yield target.path, whole
        return
    from fsagent_lint.agent.data.markdown import defines_none, members

    if defines_none(whole):
        return
    for subject in members(whole):
        yield f"{target.path}: {subject.document.stem}", subject


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
        return converted._replace(error=f"cannot be written for {target.title}: {error}")


def convert_subject(
    subject: Subject, job: Job, finish: Callable[[Converted], bytes] = lambda converted: converted.data
) -> Converted:
    """One agent, converted and proven, as markdown: the file format of the target does not matter.

    `finish`: what else is done to the converted file, before it is proven.
    """
    wanted = enriched(subject, job.target, job.enrichers)
    policy = wanted if wanted is not subject.intent.policy else None
    result = convert_file(subject, job.target, form=job.form, policy=policy, accept=job.accept)
    if result.error:
        return result
    # Not every harness finds the frontmatter behind a byte order mark, and none needs one.
    plain = result._replace(data=result.data.removeprefix(codecs.BOM_UTF8))
    try:
        result = plain._replace(data=override(plain.data, own_fields(plain.fields, job.target.id)))
        result = result._replace(data=finish(result))
    except UserError as error:
        return plain._replace(error=f"the file {error}")
    meant = policy_to_write(subject, job.target, wanted)
    prompt, readers = converted_prompt(subject, job.target, result.kind).data, readers_of(result.path)
    problem = prove_conversion(
        subject,
        result.data,
        job.target,
        result.kind,
        meant,
        job.accept,
        prompt=prompt,
        readers=readers,
        plain=plain.data,
    )
    after = subject.like(job.target, result.kind, Document(Source(result.path, result.data)))
    if not problem and "*" not in job.accept and is_emptied(subject, after, meant):
        problem = f"the agent would have no tools{_reasons(result.losses)}"
    lost = [tool for loss in result.losses if loss.code == LossKind.TOOL for tool in loss.tools]
    return result._replace(error=problem, servers=named_servers(subject, meant, lost))


def _reasons(losses: Sequence[ReportedLoss]) -> str:
    """Why tools are lost, after a colon: the first three reasons; empty if a field for the target alone takes them away."""
    found = [loss.message.rstrip(".") for loss in losses if loss.code in (LossKind.TOOL, LossKind.SCOPE)]
    listed = "; ".join((*found[:3], *([f"and {len(found) - 3} more"] if len(found) > 3 else ())))
    return f": {listed}" if listed else ""
