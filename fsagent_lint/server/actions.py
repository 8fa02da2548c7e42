"""Code actions: fixes, suppression comments, and tools or whole files in another form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types as lsp

from fsagent_lint.agent.subject import Sort
from fsagent_lint.converter.convert import kind_for
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.harnesses.tables import all_harnesses
from fsagent_lint.linter.checker import Checker
from fsagent_lint.linter.fixer import fix_file, fix_problem
from fsagent_lint.linter.ignore_comment import ignore_comment
from fsagent_lint.model.finding import Finding, Safety
from fsagent_lint.report.escape import escape
from fsagent_lint.server.diagnostics import diagnostic
from fsagent_lint.server.edits import creates_files, difference, knows_snippets, workspace_edit
from fsagent_lint.server.workspace import View

FIX_ALL = f"{lsp.CodeActionKind.SourceFixAll.value}.fsagent-lint"
NATIVE = f"{lsp.CodeActionKind.RefactorRewrite.value}.native"
CONVERT = f"{lsp.CodeActionKind.RefactorRewrite.value}.convert"
KINDS = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll, FIX_ALL, NATIVE, CONVERT]
CONVERT_COMMAND = "fsagent-lint.convert"
_REASON = "TODO: reason"


def code_actions(
    view: View,
    findings: Sequence[Finding],
    selection: lsp.Range,
    only: Sequence[str] | None,
    capabilities: lsp.ClientCapabilities,
) -> Iterator[lsp.CodeAction]:
    """`only`: the kinds that the editor asks for."""
    wanted = view.buffer.positions.span(selection)
    here = [each for each in findings if each.span.start <= wanted.end and wanted.start <= each.span.end]
    if _asks_for(lsp.CodeActionKind.QuickFix.value, only):
        for finding in here:
            yield from _fix(view, finding, capabilities)
        for finding in here:
            yield from _ignores(view, finding, capabilities)
    if _asks_for(FIX_ALL, only):
        data = _fixed(view, view.workspace.checker)
        yield from _rewrite(view, data, "Apply all safe fixes", FIX_ALL, capabilities)
    if _asks_for(NATIVE, only) and _is_at_tools(view, wanted.start):
        data = _fixed(view, view.workspace.tool_format("native"))
        title = f"Write the tools as usual for {view.subject.harness.title}"
        yield from _rewrite(view, data, title, NATIVE, capabilities)
    if _asks_for(CONVERT, only) and creates_files(capabilities):
        yield from _conversions(view)


def formatted(view: View) -> list[Edit]:
    """The tools in the form that the config asks for."""
    return difference(view.buffer, _fixed(view, view.workspace.tool_format()))


def _asks_for(kind: str, only: Sequence[str] | None) -> bool:
    return only is None or any(kind == each or kind.startswith(f"{each}.") for each in only)


def _fix(view: View, finding: Finding, capabilities: lsp.ClientCapabilities) -> Iterator[lsp.CodeAction]:
    if finding.fix is None or fix_problem(view.subject, finding, view.workspace.checker):
        return
    is_safe = finding.fix.safety is Safety.SAFE
    title = finding.fix.title if is_safe else f"{finding.fix.title} (needs review)"
    yield lsp.CodeAction(
        title=escape(title),
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[diagnostic(view, finding)],
        is_preferred=is_safe or None,
        edit=workspace_edit(view.buffer, finding.fix.edits, capabilities),
    )


def _ignores(view: View, finding: Finding, capabilities: lsp.ClientCapabilities) -> Iterator[lsp.CodeAction]:
    snippet = knows_snippets(capabilities)
    for whole_file, where in ((False, "here"), (True, "in this file")):
        edit = ignore_comment(
            view.workspace.checker, view.target, view.subject, finding, _REASON, whole_file=whole_file
        )
        if edit is not None:
            if snippet:
                before, _, after = edit.text.partition(_REASON)
                edit = edit._replace(text=f"{_in_snippet(before)}${{1:reason}}{_in_snippet(after)}")
            yield lsp.CodeAction(
                title=f"Ignore {finding.name} {where}",
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=[diagnostic(view, finding)],
                edit=workspace_edit(view.buffer, [edit], capabilities, snippet=snippet),
            )


def _in_snippet(text: str) -> str:
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


def _fixed(view: View, checker: Checker | None) -> bytes:
    if checker is None:
        return view.buffer.data
    return fix_file(view.target, view.buffer.data, checker, Safety.SAFE).data


def _rewrite(
    view: View, data: bytes, title: str, kind: str, capabilities: lsp.ClientCapabilities
) -> Iterator[lsp.CodeAction]:
    if edits := difference(view.buffer, data):
        yield lsp.CodeAction(title=title, kind=kind, edit=workspace_edit(view.buffer, edits, capabilities))


def _is_at_tools(view: View, offset: int) -> bool:
    return any(value.entry.start <= offset <= value.entry.end for part in view.subject.parts for value in part.values)


def _conversions(view: View) -> Iterator[lsp.CodeAction]:
    """One for each harness that such a file can be written for; the command works out what would be lost."""
    subject = view.subject
    if subject.sort is not Sort.MARKDOWN or subject.kind_name == "skill":
        return  # with a skill, other files have to be copied
    for harness in all_harnesses():
        if harness is not subject.harness and not harness.neutral and kind_for(subject, harness):
            title = f"Write this {subject.kind_name} for {harness.title}"
            command = lsp.Command(title=title, command=CONVERT_COMMAND, arguments=[view.buffer.uri, harness.id])
            yield lsp.CodeAction(title=title, kind=CONVERT, command=command)
