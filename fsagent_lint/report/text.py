"""The report for people: each finding with its source line, carets under it, its fix, and where its rule is explained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fsagent_lint.model.finding import Fix, Safety
from fsagent_lint.model.result import Located, Result
from fsagent_lint.report import MAX_ALIKE, MAX_PER_FILE, Report, by_file, describe_problem
from fsagent_lint.report.condense import condense
from fsagent_lint.report.escape import MESSAGE, escape, escape_place, show_line, wrap
from fsagent_lint.report.summary import count, statistics, summarize

_STYLES = {"path": "1", "error": "1;31", "warning": "1;33", "note": "1;36", "gutter": "34", "help": "36"}


def render(report: Report) -> str:
    report = condense(report)
    result = report.result
    lines = [*(statistics(result) if report.statistics else _findings(report))]
    label = _paint("error", "error:", report.color)
    lines += [_wrapped(label, "error:", describe_problem(problem), report) for problem in result.errors]
    if not report.quiet:
        label = _paint("note", "note:", report.color)
        lines += [_wrapped(label, "note:", note, report) for note in _notes(result)]
    lines += summarize(report)
    return "".join(f"{line}\n" for line in lines)


def _findings(report: Report) -> Iterator[str]:
    explained: set[str] = set()
    for path, group in by_file(report.result.findings).items():
        group, alike = (group, {}) if report.concise else _fold(group)
        for located in group[:MAX_PER_FILE]:
            yield _headline(located, report)
            if not report.concise:
                yield from _details(located, report, is_explained=report.quiet or located.finding.name in explained)
                yield ""
            explained.add(located.finding.name)
        for (code, name), number in alike.items():
            more = f"{number:,} more in this file; `--output-format concise` shows all"
            yield f"{_paint('path', escape_place(path), report.color)}: {_paint('note', code, report.color)} [{name}] {more}\n"
        if len(group) > MAX_PER_FILE:
            yield f"{_paint('path', escape_place(path), report.color)}: and {len(group) - MAX_PER_FILE:,} more in this file"
            if not report.concise:
                yield ""


def _fold(group: list[Located]) -> tuple[list[Located], dict[tuple[str, str], int]]:
    """The findings to show in full; and for each rule, how many notes are left out."""
    seen: Counter[tuple[str, str]] = Counter()
    shown = []
    for located in group:
        rule = (located.finding.code, located.finding.name)
        seen[rule] += located.finding.severity == "note"
        if seen[rule] <= MAX_ALIKE:
            shown.append(located)
    return shown, {rule: number - MAX_ALIKE for rule, number in seen.items() if number > MAX_ALIKE}


def _headline(located: Located, report: Report) -> str:
    finding = located.finding
    path, place = escape_place(located.path), f":{located.line}:{located.column}:"
    code, name = f"{finding.severity} {escape(finding.code)}", f"[{escape(finding.name)}]"
    painted = f"{_paint('path', path, report.color)}{place} {_paint(finding.severity, code, report.color)} {name}"
    return _wrapped(painted, f"{path}{place} {code} {name}", escape(finding.message, MESSAGE), report)


def _wrapped(painted: str, plain: str, message: str, report: Report) -> str:
    """A label and its message, wrapped between words if the report goes to a terminal. `painted`: the label in colour."""
    lines = wrap(message, report.columns, len(plain) + 1, 2) if report.columns and not report.concise else [message]
    return "\n".join([f"{painted} {lines[0]}".rstrip(), *lines[1:]])


def _details(located: Located, report: Report, *, is_explained: bool) -> Iterator[str]:
    """The source line, the fix, and for the first finding of a rule how to read its page."""
    color, width, number = report.color, report.width, str(located.line)
    margin = " " * len(number)
    if located.source_line.strip():
        end = located.end_column - 1 if located.end_line == located.line else len(located.source_line)
        shown, first, last = show_line(located.source_line, located.column - 1, end, width)
        carets = _paint(located.finding.severity, "^" * (last - first), color)
        yield _paint("gutter", f"{margin} |", color)
        yield f"{_paint('gutter', f'{number} |', color)} {shown}"
        yield f"{_paint('gutter', f'{margin} |', color)} {' ' * first}{carets}"
    equals = _paint("gutter", f"{margin} =", color)
    if located.finding.fix:
        yield f"{equals} {_help(located.finding.fix, color)}"
    if not is_explained:
        yield f"{equals} {_paint('help', 'docs:', color)} fsagent-lint explain {escape(located.finding.name)}"


def _help(fix: Fix, color: bool) -> str:
    flag = "--fix" if fix.safety is Safety.SAFE else "--fix --unsafe-fixes"
    return f"{_paint('help', 'help:', color)} {escape(fix.title, MESSAGE)} ({flag})"


def _notes(result: Result) -> Iterator[str]:
    if result.findings:
        for harness, files in result.assumed.items():
            yield f"{count(files, 'file')} checked as {escape(harness)} by name or content alone"
    for note in result.notes:
        yield escape(note, MESSAGE)


def _paint(style: str, text: str, color: bool) -> str:
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if color else text
