"""Changes of texts and files as editors apply them."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types as lsp

from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.lines import splits_newline
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.server.buffers import Buffer


def text_edits(buffer: Buffer, edits: Iterable[Edit]) -> list[lsp.TextEdit]:
    return [lsp.TextEdit(buffer.positions.range(edit.span), edit.text) for edit in edits]


def difference(buffer: Buffer, data: bytes) -> list[Edit]:
    """The edit that turns the text into a new one, as short as possible; none if they are equal."""
    old, new = buffer.text, data.decode("utf-8", "replace")
    if old == new:
        return []
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    end = next((at for at in range(most - start) if old[-1 - at] != new[-1 - at]), most - start)
    while start > 0 and splits_newline(old, start):
        start -= 1
    while end > 0 and (splits_newline(old, len(old) - end) or splits_newline(new, len(new) - end)):
        end -= 1
    return [Edit(Span(start, len(old) - end), new[start : len(new) - end])]


def workspace_edit(
    buffer: Buffer, edits: Iterable[Edit], capabilities: lsp.ClientCapabilities, *, snippet: bool = False
) -> lsp.WorkspaceEdit:
    """`snippet`: the texts are snippets, for editors that can edit so."""
    if not knows_versions(capabilities):
        return lsp.WorkspaceEdit(changes={buffer.uri: text_edits(buffer, edits)})
    document = lsp.OptionalVersionedTextDocumentIdentifier(uri=buffer.uri, version=buffer.version)
    found: list[lsp.TextEdit | lsp.AnnotatedTextEdit | lsp.SnippetTextEdit] = [*text_edits(buffer, edits)]
    if snippet:
        found = [
            lsp.SnippetTextEdit(buffer.positions.range(edit.span), lsp.StringValue(value=edit.text)) for edit in edits
        ]
    return lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(document, found)])


def new_file(uri: str, text: str) -> lsp.WorkspaceEdit:
    document = lsp.OptionalVersionedTextDocumentIdentifier(uri=uri, version=None)
    start = lsp.Position(0, 0)
    content = lsp.TextDocumentEdit(document, [lsp.TextEdit(lsp.Range(start, start), text)])
    return lsp.WorkspaceEdit(document_changes=[lsp.CreateFile(uri=uri), content])


def knows_versions(capabilities: lsp.ClientCapabilities) -> bool:
    """Does the editor take edits for a version of a document?"""
    edit = _edit_capabilities(capabilities)
    return edit is not None and bool(edit.document_changes)


def knows_snippets(capabilities: lsp.ClientCapabilities) -> bool:
    edit = _edit_capabilities(capabilities)
    return knows_versions(capabilities) and edit is not None and bool(edit.snippet_edit_support)


def creates_files(capabilities: lsp.ClientCapabilities) -> bool:
    edit = _edit_capabilities(capabilities)
    operations = edit.resource_operations if edit is not None else None
    return lsp.ResourceOperationKind.Create in (operations or ())


def _edit_capabilities(capabilities: lsp.ClientCapabilities) -> lsp.WorkspaceEditClientCapabilities | None:
    return capabilities.workspace.workspace_edit if capabilities.workspace is not None else None
