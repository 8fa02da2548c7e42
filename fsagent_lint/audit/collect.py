"""One checked file to the facts about its agents: what each harness that reads it makes of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fsagent_lint.agent.explain import (
    describe_effect,
    distance,
    mcp_entries,
    read_in,
    readers_of_subject,
)
from fsagent_lint.agent.readers import Reader
from fsagent_lint.agent.subject import Sort, Subject, effect_in
from fsagent_lint.agent.widening import Bounds
from fsagent_lint.audit.capabilities import capabilities, inherits
from fsagent_lint.audit.delegation import callees
from fsagent_lint.audit.facts import ANY, AsSubagent, Entry, Reading
from fsagent_lint.report.explanation import describe_policy
from fsagent_lint.rewrite.proof import starting
from fsagent_lint.rules._privilege import has_every_tool, limits_commands

if TYPE_CHECKING:
    from fsagent_lint.effect.effect import Effect
    from fsagent_lint.frontmatter.document import Document
    from fsagent_lint.project.target import Target

LONGEST_HEAD = 8_000
"""How many characters of a frontmatter are kept."""


def entries_of(target: Target, subject: Subject) -> Iterator[Entry]:
    """Every agent of a file; a file that its harness cannot read has one that does not load."""
    for agent in subject.agents or ((subject,) if _is_refused(subject) else ()):
        yield _entry(target, agent)


def _is_refused(subject: Subject) -> bool:
    """Is it a data file whose agents cannot be found, and not merely one that has none?"""
    from fsagent_lint.agent.data.subject import DataSubject

    return isinstance(subject, DataSubject) and subject.refused is not None


def _entry(target: Target, agent: Subject) -> Entry:
    document = agent.document
    line, end_line, head = _place(document, agent)
    description = document.text_of("description")
    return Entry(
        path=target.path,
        name=agent.title or agent.name,
        kind=agent.kind_name,
        line=line,
        end_line=end_line,
        description=" ".join((description or "").split()),
        intended=describe_policy(agent.intent.policy),
        head=head[:LONGEST_HEAD],
        home=_home(agent),
        readings=tuple(_reading(agent, reader) for reader in _readers(agent)),
    )


def _place(document: Document, agent: Subject) -> tuple[int, int, str]:
    """The first and the last line of an agent, and the text that defines it."""
    source = document.source
    if agent.sort is Sort.MARKDOWN or agent.sort is Sort.UNCLEAR:
        return 1, source.whole.count("\n") + 1, source.yaml_text if source.problem in (None, "unclosed") else ""
    spans = [entry.span for entry in document.entries]
    if not spans:
        return 1, 1, ""
    start, end = min(span.start for span in spans), max(span.end for span in spans)
    return source.position(start)[0], source.position(end)[0], source.text[start:end]


def _home(agent: Subject) -> str:
    """Its plugin, or the folder around the first hidden one of its path, such as the one with `.claude`."""
    if agent.plugin is not None:
        return agent.plugin.folder
    parts = agent.document.source.path.replace("\\", "/").split("/")
    hidden = [at for at, part in enumerate(parts[:-1]) if part.startswith(".") and part not in (".", "..")]
    return "/".join(parts[: hidden[0]]) if hidden else ""


def _readers(agent: Subject) -> list[Reader]:
    """Who reads the file where it lies; a file that lies where no harness looks is for its own."""
    if agent.sort is Sort.UNCLEAR:
        return []
    found = readers_of_subject(agent)
    if any(reader.harness is agent.harness for reader in found):
        return found
    return [Reader(agent.harness, agent.kind, ""), *found]


def _reading(agent: Subject, reader: Reader) -> Reading:
    harness, owner = reader.harness, reader.owner
    effect = effect_in(agent, harness, owner)
    if not effect.loads:
        return Reading(harness.id, harness.title, owner, loads=False, error=effect.error)
    read = read_in(agent, harness)
    facts, servers = describe_effect(effect, agent, harness, owner), mcp_entries(effect, read, owner)
    far = distance(Bounds(agent.intent.policy, agent.granted), harness, read.kind, effect.natives)
    return Reading(
        harness.id,
        harness.title,
        owner,
        loads=True,
        known_as=facts["known_as"] or "",
        grants=capabilities(effect, read, servers),
        unrestricted=_is_unrestricted(effect, read, owner),
        tools=tuple(facts["tools"]),
        ask=tuple(facts["ask"]),
        conditional=tuple(facts["conditional"]),
        mcp=(ANY,) if effect.open else tuple(entry.item.text for entry in servers),
        approved=tuple(facts["approved"]),
        permission_mode=facts["permission_mode"] or "",
        starts=tuple(starting(effect, read.kind)),
        wider=far.more,
        narrower=far.less,
        subagent=_as_subagent(facts["subagent"]),
        calls=tuple(callees(effect, read)),
    )


def _is_unrestricted(effect: Effect, read: Subject, owner: str) -> bool:
    """Can it do all that an agent can do, of its own?"""
    if inherits(read) or limits_commands(read):
        return False
    return has_every_tool(effect, read.harness, read.kind, owner)


def _as_subagent(facts: dict[str, object] | None) -> AsSubagent | None:
    if facts is None:
        return None
    without = facts["without"]
    assert isinstance(without, list)
    return AsSubagent(bool(facts["loads"]), str(facts["error"] or ""), tuple(without))
