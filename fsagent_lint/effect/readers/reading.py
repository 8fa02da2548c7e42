"""The result of a frontmatter reader, and the reader for standard YAML."""

from __future__ import annotations

from fsagent_lint._fast import NamedTuple
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.values import Value, core, data_value, evaluate_entries


class Reading(NamedTuple):
    """The settings that a harness reads from a file, or why it does not load the file."""

    data: dict[str, Value]
    error: str = ""


def read_data(document: Document) -> Reading:
    """A data file, or a part of one; of two equal keys the last one counts."""
    if document.source.problem is not None:
        return Reading({}, f"the file is {document.source.problem}")
    if document.error is not None:
        return Reading({}, f"invalid data: {document.error.problem}")
    return Reading(evaluate_entries(document.entries, data_value, merge=False))


def read_core(document: Document) -> Reading:
    """Plain YAML 1.2, as the standard has it."""
    if document.source.problem not in (None, "missing"):
        return Reading({}, f"the frontmatter is {document.source.problem}")
    if document.error is not None:
        return Reading({}, f"invalid YAML: {document.error.problem}")
    return Reading(evaluate_entries(document.entries, core))
