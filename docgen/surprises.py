"""The page of surprises: small files, and what real harnesses did with them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Literal

from docgen.markdown import NOTICE, anchor, code, codes, table
from docgen.outcome import outcome, sentence
from docgen.recordings import Recording, Recordings
from docgen.rules import file_name
from fsagent_lint._fast import Record
from fsagent_lint.agent.explain import distance
from fsagent_lint.agent.subject import Context, Subject
from fsagent_lint.agent.widening import bounds_of
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.model.finding import Consequence, Finding
from fsagent_lint.model.schema import load_record
from fsagent_lint.report.escape import escape
from fsagent_lint.rules import all_rules

CHOICE = Path(__file__).with_name("surprises.toml")


class Group(Record):
    """Recordings with the same kind of surprise."""

    title: str
    about: str
    kind: Literal["wider", "narrower", "refused", "beside", "subagent", "ran"]
    """The property that all of them have, which is checked."""
    show: dict[str, tuple[str, ...]]
    """Harness to the ids of its recordings."""


class Choice(Record):
    same: tuple[str, ...]
    """Ids of recordings of the same file by several harnesses."""
    groups: tuple[Group, ...]


_SAME = "The same line in each harness"


def page(recordings: Recordings) -> str:
    choice = load_record(Choice, tomllib.loads(CHOICE.read_text(encoding="utf-8")), CHOICE.name)
    return NOTICE + "\n".join(_sections(choice, recordings))


def _sections(choice: Choice, recordings: Recordings) -> Iterator[str]:
    observed = recordings.observed()
    seen = [
        f"{each.title} {recordings.version(each.id)} ({recordings.count(each.id):,} files{recordings.since(each.id)})"
        for each in observed
    ]
    yield "# What your agent file really does\n"
    yield (
        "The real harnesses were run on small agent files, and the tools that they granted were recorded: "
        f"{', '.join(seen)}. Here are some of them: the file, the tools that the agent was granted, and what fsagent-lint reports. "
        "The lines `name` and `description` of each file are not shown unless they matter.\n"
    )
    fixed = [f"{each.title}'s {codes(each.fixed_tools)}" for each in observed if each.fixed_tools]
    yield f"Tools that no file can deny are left out: {'; '.join(fixed)}.\n" if fixed else ""
    yield (
        " · ".join(f"[{title}]({anchor(title)})" for title in (_SAME, *(group.title for group in choice.groups))) + "\n"
    )
    yield f"## {_SAME}\n"
    having = [each for each in observed if all(recordings.has(each.id, id) for id in choice.same)]
    rows = [
        [code(_same(id, having, recordings)), *(outcome(recordings.get(each.id, id), recordings) for each in having)]
        for id in choice.same
    ]
    yield table(["in the frontmatter", *(each.title for each in having)], rows)
    for group in choice.groups:
        yield f"## {group.title}\n\n{group.about}\n"
        for id, ids in group.show.items():
            yield f"### {get_harness(id).title}\n"
            yield from _entries([recordings.get(id, each) for each in ids], group, recordings)


def _same(id: str, harnesses: Sequence[Harness], recordings: Recordings) -> str:
    shown = {recordings.get(harness.id, id).shown for harness in harnesses}
    if len(shown) != 1:
        raise ValueError(f"the recordings {id!r} are not of the same file")
    return shown.pop()


def _entries(shown: Sequence[Recording], group: Group, recordings: Recordings) -> Iterator[str]:
    # A message that is the same for every file explains none of them.
    show_errors = len({each.error for each in shown}) == len(shown)
    for servers, together in groupby(shown, key=lambda recording: recording.servers):
        if servers:
            named = [f"{code(name)} ({codes(tools)})" for name, tools in servers]
            yield f"With the MCP {'server' if len(named) == 1 else 'servers'} {', '.join(named)}:\n"
        yield from (_entry(each, group, recordings, show_errors=show_errors) for each in together)


def _entry(recording: Recording, group: Group, recordings: Recordings, *, show_errors: bool) -> str:
    subject = _subject(recording)
    if not _has_kind(group.kind, recording, subject):
        raise ValueError(f"{recording.harness}: {recording.id!r} is not {group.kind}")
    parts = ["".join(_files(recording))]
    if recording.error and show_errors:
        parts.append(f"{subject.harness.title} reports:\n\n{_block(recording.error, 'text')}")
    parts.append(" ".join([f"**{sentence(recording, recordings)}**", *_remark(recording, subject)]) + "\n")
    return "\n".join(parts)


def _files(recording: Recording) -> Iterator[str]:
    if recording.kind != "agent":
        how = " that the model loads by itself" if recording.role == "loaded-skill" else ""
        yield f"In a {recording.kind}{how}:\n\n"
    if recording.shown:
        yield _block(recording.shown, "markdown" if recording.shown == recording.text else "yaml")
    elif not recording.files:
        yield "Nothing about tools.\n"
    for path, text in recording.files.items():
        language = path.rpartition(".")[2].replace("md", "markdown")
        yield f"\nNext to it, {code(path)}:\n\n{_block(text, language)}"


def _block(text: str, language: str) -> str:
    return f"```{language}\n{text.strip(chr(10))}\n```\n"


def _subject(recording: Recording) -> Subject:
    harness = get_harness(recording.harness)
    path = harness.kinds[recording.kind].path.format(name="probe")
    servers = frozenset(name for name, _ in recording.servers)
    return Subject(Document(Source(path, recording.text.encode())), harness, recording.kind, Context(servers))


def _has_kind(kind: str, recording: Recording, subject: Subject) -> bool:
    if kind == "refused" or recording.tools is None:
        return kind == "refused" and recording.tools is None
    difference = distance(bounds_of(subject), subject.harness, subject.kind, recording.tools)
    return {
        "wider": bool(difference.more),
        "narrower": bool(difference.less),
        "beside": bool(recording.files or recording.servers),
        "subagent": recording.role == "subagent",
        "ran": recording.ran is not None,
    }[kind]


def _remark(recording: Recording, subject: Subject) -> Iterator[str]:
    """The message of the most severe finding about the file itself."""
    rules = {rule.code: rule for rule in all_rules() if not rule.opt_in}
    found: list[Finding] = [finding for rule in rules.values() for finding in rule.check(subject)]
    found = [finding for finding in found if finding.name not in ("wider-elsewhere", "narrower-elsewhere")]
    if found and not recording.files:
        worst = min(found, key=lambda finding: (_WORST.index(finding.consequence), finding.span))
        yield f"{escape(worst.message)} ([{worst.name}](rules/{file_name(rules[worst.code])}))"


_WORST = list(Consequence)
