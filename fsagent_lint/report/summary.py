"""The last lines of a report for people, and its statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from fsagent_lint.model.finding import SEVERITIES, Safety
from fsagent_lint.model.result import BASELINE, COMMENTS, CONFIG, Result
from fsagent_lint.report import Report
from fsagent_lint.report.escape import escape

MAX_FOLDERS = 3
"""How many folders with files that are not checked are named."""


def summarize(report: Report) -> list[str]:
    """What was changed and what remains, in at most three lines; nothing with `quiet`."""
    if report.quiet:
        return []
    result, lines = report.result, []
    if result.changed:
        lines.append(_changes(report))
    if result.findings:
        lines.append(_findings(result))
    elif not result.changed and not result.errors:
        lines.append(_clean(result))
    if failed := {problem.path for problem in result.errors if problem.path}:
        lines.append(f"{count(len(failed), 'file')} could not be processed.")
    return lines


def statistics(result: Result) -> list[str]:
    """The number of findings per rule, the highest first; `[*]` if at least one finding can be fixed."""
    rules = Counter((located.finding.code, located.finding.name) for located in result.findings)
    fixable = {located.finding.code for located in result.findings if located.finding.fix}
    width = len(str(max(rules.values(), default=0)))
    return [
        f"{number:{width}}  {escape(code)} [{'*' if code in fixable else ' '}] {escape(name)}"
        for (code, name), number in sorted(rules.items(), key=lambda item: (-item[1], item[0]))
    ]


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def describe_unchecked(folders: Mapping[str, int]) -> str:
    """`folders`: each with the number of files that look like agents; those with most of them are named."""
    number = sum(folders.values())
    verbs = "looks like an agent but is" if number == 1 else "look like agents but are"
    advice = (
        f"{'pass it as an argument' if number == 1 else 'pass them as arguments'}, or add `[[paths]]` to the config"
    )
    if len(folders) == 1:
        return f"{count(number, 'file')} in {next(iter(folders))} {verbs} not checked: {advice}"
    most = sorted(folders, key=lambda folder: (-folders[folder], folder))
    shown = MAX_FOLDERS if len(most) > MAX_FOLDERS + 1 else len(most)
    places = [f"{folders[folder]:,} in {folder}" for folder in most[:shown]]
    if rest := most[shown:]:
        places.append(f"{sum(folders[folder] for folder in rest):,} in {len(rest):,} other folders")
    return f"{count(number, 'file')} {verbs} not checked ({', '.join(places)}): {advice}"


def describe_passed(links: Iterable[tuple[str, str, str]]) -> list[str]:
    """A note for each pair of harnesses. `links`: the path of each, its harness, and that of the file behind it."""
    pairs: dict[tuple[str, str], list[str]] = {}
    for path, harness, checked_for in links:
        pairs.setdefault((harness, checked_for), []).append(path)
    return [
        f"{count(len(paths), 'link')} not checked for {harness}: "
        f"{'it leads to a file' if len(paths) == 1 else 'they lead to files'} checked for {other} "
        f"({paths[0]}{', …' if paths[1:] else ''})"
        for (harness, other), paths in pairs.items()
    ]


def _changes(report: Report) -> str:
    result = report.result
    files = count(len(result.changed), "file")
    if result.fixed:
        return f"{'Would fix' if report.diff else 'Fixed'} {count(result.fixed, 'problem')} in {files}."
    return f"{'Would change' if report.diff else 'Changed'} {files}."


def _findings(result: Result) -> str:
    severities = Counter(located.finding.severity for located in result.findings)
    counts = [count(severities[kind], kind) for kind in SEVERITIES if severities[kind]]
    kinds = " and ".join(filter(None, (", ".join(counts[:-1]), counts[-1])))
    found = f"{kinds} remaining" if result.changed else f"Found {kinds}"
    return f"{found} in {count(result.files, 'file')}{_suppressed(result)}{_fixable(result)}."


def _fixable(result: Result) -> str:
    fixes = Counter(located.finding.fix.safety for located in result.findings if located.finding.fix)
    safe, unsafe = fixes[Safety.SAFE], fixes[Safety.UNSAFE]
    if safe and unsafe:
        return f"; {safe:,} fixable with --fix, {unsafe:,} more with --unsafe-fixes"
    if unsafe:
        return f"; {unsafe:,} fixable with --fix --unsafe-fixes"
    return f"; {safe:,} fixable with --fix" if safe else ""


def _clean(result: Result) -> str:
    if not result.files and result.changed_since:
        return f"No agent files changed since {escape(result.changed_since)}."
    if not result.files:
        return "No agent files found where harnesses look (`fsagent-lint harnesses`). Pass files or folders to check others."
    return f"No problems in {count(result.files, 'file')}{_suppressed(result)}."


def _suppressed(result: Result) -> str:
    numbers = [
        f"{result.suppressed[each]:,} by {each}" for each in (COMMENTS, CONFIG, BASELINE) if result.suppressed[each]
    ]
    return f" (suppressed: {', '.join(numbers)})" if numbers else ""
