"""`python -m benchmarks.conversions FOLDER`: converts every agent file for every other harness, and checks the results.

FOLDER holds repositories. Nothing is written there. Prints a table for each way of writing; see README.md.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from conformance.conversions.checks import (
    Intended,
    can_have,
    foreign_names,
    inexact,
    intended,
    is_new_risk,
    lost_entries,
    missing,
    newly_approved,
    unapproved,
    unlimited,
    wider,
)
from conformance.conversions.corpus import AgentFile, agent_files, convert, read_result
from conformance.conversions.place import Reader, canonical, certain, natives, readers, removable
from fsagent_lint.agent.subject import Goal, Subject
from fsagent_lint.effect.effect import Effect
from fsagent_lint.files.paths import to_posix
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import all_harnesses, get_harness
from fsagent_lint.linter.checker import Checker
from fsagent_lint.linter.fixer import fix_file
from fsagent_lint.linter.selection import choose_rules
from fsagent_lint.model.finding import Safety
from fsagent_lint.model.tool import Tool
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.rules import Family

REWRITE = "tool-format"
"""The rule that writes the tools for `--target`."""
OFFENCES = ("wider", "wider-if", "new-risk", "narrower", "emptied", "foreign", "mixed", "silent", "inexact")
COLUMNS = ("files", "written", "refused", *OFFENCES[:-1], "losses", "exact", "exact, with tools")


class Written(NamedTuple):
    """What would be written for a target, or why it is not."""

    document: Document | None
    kind: str = ""
    losses: tuple[str, ...] = ()
    refusal: str = ""


class Case(NamedTuple):
    """One file and one target, with the result and everything wrong with it: column to what it is."""

    file: AgentFile
    target: str
    written: Written
    offences: dict[str, list[str]]


def conversions(files: Iterable[AgentFile]) -> Iterator[Case]:
    """Every file for every other harness, each result in the place where that harness looks for it."""
    for file in files:
        intent = intended(file.subject)
        for target in all_harnesses():
            if target.id != file.harness:
                written = _converted(file, target.id)
                yield Case(file, target.id, written, _check(file, intent, target.id, written, None))


def _converted(file: AgentFile, target: str) -> Written:
    result = convert(file, target)
    if result.error:
        return Written(None, refusal=result.error)
    losses = tuple(loss.message for loss in result.losses)
    return Written(read_result(result, get_harness(target)), result.kind, losses)


def rewrites(files: Iterable[AgentFile]) -> Iterator[Case]:
    """Every file written for every other harness in the place where it is."""
    checkers = {
        each.id: Checker(choose_rules((), ()), subjects=Subjects(goal=Goal(each)))
        for each in all_harnesses()
        if any(facts.file == "markdown" and not facts.under for facts in each.kinds.values())
    }
    for file in files:
        intent = intended(file.subject)
        around = _own_readers(file)
        before = {each.harness.id: each.effect(file.subject.document) for each in around}
        for target, checker in checkers.items():
            if target != file.harness and file.place.kind in get_harness(target).kinds:
                written = _rewritten(file, checker)
                yield Case(file, target, written, _check(file, intent, target, written, before))


def _rewritten(file: AgentFile, checker: Checker) -> Written:
    fixed = fix_file(file.place, file.data, checker, Safety.SAFE)
    if refusal := next((each.message for each in fixed.left if each.name == REWRITE), ""):
        return Written(None, refusal=refusal)
    if not any(each.name == REWRITE for each in fixed.fixed):
        return Written(None)
    findings = [*fixed.left, *(each.finding for each in fixed.lost)]
    losses = tuple(each.message for each in findings if checker.is_of(each, Family.CONVERSION))
    return Written(Document(Source(file.place.path, fixed.data)), file.place.kind, losses)


def _check(
    file: AgentFile, intent: Intended, target: str, written: Written, before: dict[str, Effect] | None
) -> dict[str, list[str]]:
    """`before`: what the readers of the place did with a file that was rewritten there."""
    document = written.document
    if document is None:
        return {}
    if before is None:
        place = readers(document.source.path, target, written.kind)
    else:  # the target need not read the folder
        others = (each for each in _own_readers(file) if each.harness.id != target)
        place = (Reader(get_harness(target), written.kind), *others)
    effects = [(reader, reader.effect(document)) for reader in place]
    if before is not None:  # only the tools are rewritten
        effects[0] = (place[0], place[0].effect_of_tools(document))
    after = file.subject.like(get_harness(target), written.kind, document)
    found = effects[0][1]
    lost, asked = missing(intent, found, after), unapproved(intent, after)
    foreign, mixed = foreign_names(intent, after)
    more, more_if = _wider(intent, effects, document, file.subject, before or {})
    return {
        "wider": [*more, *newly_approved(intent, after)],
        "wider-if": more_if,
        "new-risk": [
            str(tool) for tool in _certain(effects[0]) if intent.is_unrestricted and is_new_risk(tool, intent)
        ],
        "narrower": [str(tool) for tool in lost if can_have(tool, intent, after)]
        + [
            f"{tool} not approved"
            for tool in asked
            if "approve" in after.kind.roles and after.harness.write.get(tool.name)
        ],
        "emptied": list(_emptied(intent, effects, before or {})),
        "foreign": foreign,
        "mixed": foreign if mixed else [],
        "silent": _silent(file.subject, [*lost, *asked], written.losses),
        "inexact": list(inexact(intent, found, after)),
    }


def _own_readers(file: AgentFile) -> tuple[Reader, ...]:
    """Everyone who reads a file where it is: nobody, if only its content shows whose it is."""
    path = to_posix(os.path.abspath(file.place.path))
    return () if file.place.assumed else readers(path, file.harness, file.place.kind)


def _certain(found: tuple[Reader, Effect]) -> frozenset[Tool]:
    return canonical(removable(certain(found[1]), found[0].harness), found[0].harness)


def _wider(
    intent: Intended,
    effects: list[tuple[Reader, Effect]],
    document: Document,
    subject: Subject,
    before: dict[str, Effect],
) -> tuple[list[str], list[str]]:
    """What readers grant too much, and what they would where a condition outside the file is met."""
    sure: list[str] = []
    unsure: list[str] = []
    for reader, found in effects:
        had = before.get(reader.harness.id, Effect(False))
        known = canonical(natives(had), reader.harness)
        granted = _certain((reader, found)) - known
        possible = canonical(removable(found.conditional, reader.harness), reader.harness) - granted - known
        after = subject.like(reader.harness, reader.kind_name, document)
        is_open = found.loads and found.open and not had.open
        more = (*wider(intent, granted, is_open=is_open), *unlimited(intent, granted, after))
        sure += [f"{reader.harness.id}: {each}" for each in more]
        unsure += [f"{reader.harness.id}: {each}" for each in wider(intent, possible, is_open=False)]
    return sure, unsure


def _emptied(intent: Intended, effects: list[tuple[Reader, Effect]], before: dict[str, Effect]) -> Iterator[str]:
    """Readers that grant nothing, where the target or the source grants something; or granted something before."""
    target = _grants_some(*effects[0])
    for reader, found in effects:
        had = before.get(reader.harness.id)
        some = (target or intent.grants_some) if had is None else _grants_some(reader, had)
        if some and not _grants_some(reader, found):
            yield f"{reader.harness.id}: {'no tool' if found.loads else f'does not load ({found.error})'}"


def _grants_some(reader: Reader, found: Effect) -> bool:
    return bool(removable(natives(found), reader.harness))


def _silent(subject: Subject, lost: list[Tool], losses: tuple[str, ...]) -> list[str]:
    """Entries that no reported loss mentions, by their own name or by that of a tool."""
    return [
        entry
        for entry, tools in lost_entries(subject, lost)
        if not any(word in loss for loss in losses for word in (entry, *map(str, tools)))
    ]


def count(cases: Iterable[Case]) -> dict[tuple[str, str], Counter[str]]:
    """Rows of the table: source and target to columns; last the sum of all rows."""
    rows: dict[tuple[str, str], Counter[str]] = {}
    for case in cases:
        row = rows.setdefault((case.file.harness, case.target), Counter())
        row["files"] += 1
        row["refused"] += bool(case.written.refusal)
        if case.written.document is not None:
            row["written"] += 1
            row["losses"] += len(case.written.losses)
            row["exact"] += not case.offences["inexact"]
            if case.file.subject.values or case.file.subject.misplaced:
                row["restricted"] += 1
                row["restricted exact"] += not case.offences["inexact"]
            row.update(name for name, what in case.offences.items() if what)
    rows["all", "all"] = sum(rows.values(), Counter())
    return rows


def table(rows: dict[tuple[str, str], Counter[str]]) -> Iterator[str]:
    yield f"| from | to | {' | '.join(COLUMNS)} |"
    yield f"| --- | --- |{' ---: |' * len(COLUMNS)}"
    for (source, target), row in sorted(rows.items(), key=lambda each: (each[0] == ("all", "all"), each[0])):
        cells = [str(row[name]) for name in COLUMNS[:-2]]
        cells += [_share(row["exact"], row["written"]), _share(row["restricted exact"], row["restricted"])]
        yield f"| {source} | {target} | {' | '.join(cells)} |"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.1%})" if whole else "0"


def listing(cases: Iterable[Case], wanted: str) -> Iterator[str]:
    """The files that a column counts, each with what is wrong, what was there and what would be written."""
    for case in cases:
        is_refused = wanted == "refused" and case.written.refusal
        if what := [case.written.refusal] if is_refused else case.offences.get(wanted, []):
            yield f"### {wanted}: {case.file.shown} ({case.file.harness} -> {case.target}): {'; '.join(what)}"
            yield case.file.subject.document.source.text.rstrip()
            if case.written.document is not None:
                yield f"--> {case.written.document.source.path}"
                yield case.written.document.source.text.rstrip()
                yield from (f"loss: {loss}" for loss in case.written.losses)
            yield ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="each repository in a folder of its own")
    parser.add_argument("--from", dest="source", action="append", help="only files of these harnesses")
    parser.add_argument("--to", action="append", help="only for these harnesses")
    parser.add_argument("--list", choices=(*OFFENCES, "refused"), action="append", default=[], metavar="COLUMN")
    parser.add_argument("--list-to", default="-", help="the file for the lists [standard output]")
    options = parser.parse_args()
    files = [file for file in agent_files(options.folder) if options.source is None or file.harness in options.source]
    lists: list[str] = []
    for title, way, is_agent in (
        ("Conversions of agents", conversions, True),
        ("Conversions of skills, commands and prompts", conversions, False),
        ("Rewrites of agents in place", rewrites, True),
        ("Rewrites of skills, commands and prompts in place", rewrites, False),
    ):
        chosen = [file for file in files if file.is_agent is is_agent]
        cases = [case for case in way(chosen) if options.to is None or case.target in options.to]
        print(f"## {title}", "", *table(count(cases)), "", sep="\n", flush=True)
        lists += [f"## {title}", ""] if options.list else []
        lists += [line for name in options.list for line in listing(cases, name)]
    if options.list_to == "-":
        print(*lists, sep="\n")
    else:
        with open(options.list_to, "w", encoding="utf-8") as file:
            print(*lists, sep="\n", file=file)


if __name__ == "__main__":
    main()
