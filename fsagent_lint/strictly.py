"""What a harness reads in a tool value, where that is not what it looks like."""

from __future__ import annotations

from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.tool_values import Written
from fsagent_lint.effect.syntax import Names, read_names
from fsagent_lint.harnesses.kind import Key


def misread(subject: Subject, written: Written, key: Key) -> tuple[str, ...] | None:
    """The names that the harness takes from a list or a string; None where they are those that anyone would see."""
    if written.key not in subject.effect.data:
        return None
    names = read_names(subject.effect.data[written.key], key)
    if not isinstance(names, Names):
        return ()
    seen = {item.text if key.scopes == "dropped" else item.name for item in written.items}
    # A scope that makes the harness stumble is another rule's business.
    strict = {name.partition("(")[0] if key.scopes == "dropped" else name for name in names.names}
    seen = {name.partition("(")[0] for name in seen}
    return names.names if {name.partition("(")[0] for name in strict} != seen else None
