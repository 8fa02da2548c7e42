"""The page of surprises: what real harnesses did with small files, beside what those files say."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from fsagent_lint.docgen.markdown import NOTICE, code, codes, table
from fsagent_lint.docgen.recordings import Recording, Recordings
from fsagent_lint.docgen.rules import file_name
from fsagent_lint.document import Document
from fsagent_lint.escape import escape
from fsagent_lint.explain import distance
from fsagent_lint.findings import Consequence, Finding
from fsagent_lint.harness import get_harness
from fsagent_lint.record import Record
from fsagent_lint.rule import all_rules
from fsagent_lint.source import Source
from fsagent_lint.strict import load
from fsagent_lint.subject import Subject

CHOICE = Path(__file__).with_name("surprises.toml")


class Group(Record):
    """Recordings that surprise in one way."""

    title: str
    about: str
    kind: Literal["wider", "narrower", "refused", "beside"]
    show: dict[str, tuple[str, ...]]
    """Harness to the ids of its recordings."""


class Choice(Record):
    same: tuple[str, ...]
    """Recordings that every harness has, each of the same file."""
    groups: tuple[Group, ...]


def page(recordings: Recordings) -> str:
    choice = load(Choice, tomllib.loads(CHOICE.read_text(encoding="utf-8")), CHOICE.name)
    return NOTICE + "\n".join(_sections(choice, recordings))


def _sections(choice: Choice, recordings: Recordings) -> Iterator[str]:
    observed = recordings.observed()
    seen = [f"{each.title} {recordings.version(each.id)} ({recordings.count(each.id):,})" for each in observed]
    yield "# What your agent file really does\n"
    yield (
        "Small agent files were laid before the real programs, and the tools that each gave its agent were recorded: "
        f"{', '.join(seen)}. Here are some of them, with the file, what the agent got, and what fsagent-lint says about "
        "it. Where nothing else is shown, the file has a name and a description, and nothing is wrong with them.\n"
    )
    fixed = [f"{each.title}'s {codes(each.fixed_tools)}" for each in observed if each.fixed_tools]
    yield f"Tools that no file can take away are left out: {'; '.join(fixed)}.\n" if fixed else ""
    yield "## One line, and what each makes of it\n"
    rows = [
        [code(_same(id, recordings)), *(outcome(recordings.get(each.id, id), recordings) for each in observed)]
        for id in choice.same
    ]
    yield table(["in the frontmatter", *(each.title for each in observed)], rows)
    for group in choice.groups:
        yield f"## {group.title}\n\n{group.about}\n"
        for id, ids in group.show.items():
            yield f"### {get_harness(id).title}\n"
            yield from _entries([recordings.get(id, each) for each in ids], group, recordings)


def _same(id: str, recordings: Recordings) -> str:
    shown = {recordings.get(harness.id, id).shown for harness in recordings.observed()}
    if len(shown) != 1:
        raise ValueError(f"the recordings {id!r} are not of the same file")
    return shown.pop()


def _entries(shown: Sequence[Recording], group: Group, recordings: Recordings) -> Iterator[str]:
    # What a harness says about every file alike says nothing about any of them.
    telling = len({each.error for each in shown}) == len(shown)
    for recording in shown:
        subject = _subject(recording)
        if not _is(group.kind, recording, subject):
            raise ValueError(f"{recording.harness}: {recording.id!r} is not {group.kind}")
        yield "".join(_files(recording))
        if recording.error and telling:
            yield f"{subject.harness.title} says:\n\n{_block(recording.error, 'text')}"
        yield " ".join([f"**The agent {_gets(outcome(recording, recordings))}.**", *_remark(recording, subject)]) + "\n"


def _files(recording: Recording) -> Iterator[str]:
    if recording.shown or not recording.files:
        yield _block(recording.shown, "markdown" if recording.shown == recording.text else "yaml")
    for path, text in recording.files.items():
        language = path.rpartition(".")[2].replace("md", "markdown")
        yield f"\nBeside it, {code(path)}:\n\n{_block(text, language)}"


def _block(text: str, language: str) -> str:
    return f"```{language}\n{text.strip(chr(10))}\n```\n"


def _subject(recording: Recording) -> Subject:
    harness = get_harness(recording.harness)
    path = harness.kinds["agent"].path.format(name="probe")
    return Subject(Document(Source(path, recording.text.encode())), harness, "agent")


def _is(kind: str, recording: Recording, subject: Subject) -> bool:
    if kind == "refused" or recording.tools is None:
        return kind == "refused" and recording.tools is None
    far = distance(subject.intent.policy, subject.harness, recording.tools)
    return bool({"wider": far.more, "narrower": far.less, "beside": recording.files}[kind])


_NOT_LOADED = "not loaded"


def _gets(outcome: str) -> str:
    return f"is {outcome}" if outcome == _NOT_LOADED else f"gets {outcome}"


def outcome(recording: Recording, recordings: Recordings) -> str:
    """What the running agent had, in the harness' own names and as few words as possible."""
    if recording.tools is None:
        return _NOT_LOADED
    harness = get_harness(recording.harness)
    usual = recordings.get(recording.harness, "absent").tools or frozenset()
    order = [*harness.tools, *sorted(recording.tools - set(harness.tools))]
    given = [tool for tool in order if tool in recording.tools.difference(harness.fixed_tools)]
    missing = [tool for tool in order if tool in usual - recording.tools]
    extra = [tool for tool in given if tool not in usual]
    if not given:
        return "no tools"
    if len(missing) > len(given):
        return f"only {codes(given)}"
    every = f"every tool but {codes(missing)}" if missing else "every tool"
    return f"{every}, and {codes(extra)}" if extra else every


def _remark(recording: Recording, subject: Subject) -> Iterator[str]:
    """The gravest thing that the linter says about the file itself."""
    rules = {rule.code: rule for rule in all_rules() if not rule.opt_in}
    found: list[Finding] = [finding for rule in rules.values() for finding in rule.check(subject)]
    found = [finding for finding in found if finding.name != "wider-elsewhere"]
    if found and not recording.files:
        worst = min(found, key=lambda finding: (_WORST.index(finding.consequence), finding.span))
        yield f"{escape(worst.message)} ([{worst.name}](rules/{file_name(rules[worst.code])}))"


_WORST = list(Consequence)
