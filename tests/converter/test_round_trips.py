"""Conversions from every kind of file of every harness table to every harness, and again.

Whatever a file says: its result loads, the body is the same, the agent gets no more than was meant, and what is
converted once more for the same harness does not change. With and without a `name`.
"""

from __future__ import annotations

import re
import tomllib
from typing import cast

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import fsagent_lint
from fsagent_lint import Agent, Converted, Kind, harness_id
from fsagent_lint.agent.widening import bounds_of, is_excess
from fsagent_lint.harnesses.kind import Key
from fsagent_lint.harnesses.tables import builtin_ids, get_harness
from fsagent_lint.model.policy import Action
from fsagent_lint.model.tool import HARMFUL, Tool

BODY = "Do --- what you are asked to.\r\n\ttabs and trailing blanks  \n"
ROLES = [
    (id, name) for id in builtin_ids() for name, kind in get_harness(id).kinds.items() if kind.is_convertible
]  # files that are only checked are no sources; Codex' agents are targets alone
ALIKE = ({"agent", "mode", "chatmode"}, {"command", "prompt"}, {"skill"})
SCOPES = ("git diff:*", "git *", "rm *")


def name_of(role: tuple[str, str]) -> str:
    return "-".join(role)


# ------------------------------------------------------------------------------------------------------------- sources


def flow(items: list[str]) -> str:
    return "[" + ", ".join(f'"{item}"' for item in items) + "]"


def tool_value(draw: st.DrawFn, key: Key, names: list[str]) -> str:
    """A value as the table says that the harness takes it, on one line."""
    form = draw(st.sampled_from(key.forms))
    if form == "preset":
        return draw(st.sampled_from(sorted(key.presets)))
    if form == "map":
        return "{" + ", ".join(f'"{name}": {draw(st.sampled_from(("true", "false")))}' for name in names) + "}"
    if form == "permission":
        actions = st.sampled_from(("allow", "ask", "deny"))
        return "{" + ", ".join(f'"{name}": {draw(actions)}' for name in names) + "}"
    if key.role != "switch" and names and draw(st.booleans()):
        names = [*names, f"{names[0]}({draw(st.sampled_from(SCOPES))})"]
    return flow(names) if form == "list" else f'"{(" " if form == "space-separated" else ", ").join(names)}"'


@st.composite
def sources(draw: st.DrawFn, role: tuple[str, str]) -> str:
    """A file that a harness could have, with tools from its own table, and with a name or without."""
    harness, kind = get_harness(role[0]), get_harness(role[0]).kinds[role[1]]
    fields = {"description": "Reviews changes."}
    if kind.under:
        fields |= {"slug": "agent", "name": "agent", "roleDefinition": '"Do what you are asked to."'}
    elif draw(st.booleans()):
        fields["name"] = "agent"
    choices = [*harness.tools, *harness.everything[:1], "frobnicate"]
    for name, key in kind.keys.items():
        if key.required or draw(st.booleans()):
            names = draw(st.lists(st.sampled_from(choices), max_size=4, unique=True))
            fields[name] = tool_value(draw, key, names)
    if kind.under:
        return f"{kind.under}:\n  - " + "\n    ".join(f"{name}: {value}" for name, value in fields.items()) + "\n"
    return "---\n" + "".join(f"{name}: {value}\n" for name, value in fields.items()) + "---\n" + BODY


def plain(role: tuple[str, str], *, named: bool) -> str:
    """A file that restricts nothing; one of a list always does."""
    kind = get_harness(role[0]).kinds[role[1]]
    if kind.under:
        return f"{kind.under}:\n  - {{slug: agent, name: agent, roleDefinition: Do what you are asked to., groups: [read]}}\n"
    name = "name: agent\n" if named else ""
    return f"---\n{name}description: Reviews changes.\n---\n{BODY}"


# -------------------------------------------------------------------------------------------------------- what must hold


def targets(kind: str) -> list[str]:
    """The harnesses that have a place for such a file."""
    (alike,) = (kinds for kinds in ALIKE if kind in kinds)
    return [
        id for id in builtin_ids() if any(each.path for name, each in get_harness(id).kinds.items() if name in alike)
    ]


def has_room(target: str, role: tuple[str, str]) -> bool:
    """Codex cannot restrict, and a list always does."""
    return target != "codex" or not get_harness(role[0]).kinds[role[1]].under


def result_of(made: Converted, target: str) -> Agent | None:
    """The converted file as its harness reads it; none where we cannot read it ourselves."""
    kind = get_harness(target).kinds[made.kind]
    if kind.file == "toml":
        data = tomllib.loads(made.data.decode())
        assert {name for name, field in kind.fields.items() if field.required} <= data.keys()
        assert data[kind.body].strip() == BODY.strip()
        return None
    return fsagent_lint.load(made.data.decode(), harness=harness_id(target), kind=cast(Kind, made.kind))


def check_tools(before: Agent, after: Agent) -> None:
    """Every tool was meant, or adds no risk; a tool that was limited still is, or is gone."""
    harness, effect = get_harness(after.harness), after.effect()
    assert not effect.open or before.policy.default is not Action.DENY
    for native in (*effect.tools, *effect.ask):
        facts = harness.tools[native]
        if facts.presence != "always":
            assert not is_excess(bounds_of(before.subject), harness, native), f"{native} was not meant"
    for tool in before.policy.named():
        if before.policy.scopes(tool) and after.policy.action(tool) is not Action.DENY:
            assert after.policy.scopes(tool), f"{tool} has no limit any more"


def approvals(agent: Agent) -> set[tuple[Tool, str]]:
    """Tools that run without a question, and their limits."""
    found = set()
    for name, key in agent.subject.kind.keys.items():
        if key.role == "approve":
            value = agent.frontmatter.get(name) or []
            for entry in value if isinstance(value, list) else re.findall(r"[^\s,(]+(?:\([^)]*\))?", str(value)):
                word, _, scope = str(entry).partition("(")
                found |= {(tool, scope.replace(":*", " *")) for tool in agent.subject.meaning(word).tools}
    return found


def check_approvals(before: Agent, after: Agent) -> None:
    """Nothing runs without a question that did not before, or that adds a risk."""
    had = approvals(before)
    for tool, scope in approvals(after):
        if tool.risk in HARMFUL:
            limits = {limit for each, limit in had if each.risk is tool.risk}
            assert {"", scope} & limits, f"{tool}({scope} was not approved"


def check_conversion(text: str, role: tuple[str, str], target: str) -> Converted:
    before = fsagent_lint.load(text, harness=harness_id(role[0]), kind=cast(Kind, role[1]))
    made = fsagent_lint.convert(before, harness_id(target))
    if made.error:
        return made
    after = result_of(made, target)
    if after is None:
        return made
    effect = after.effect()
    assert effect.loads, effect.error
    if not before.subject.kind.under and not after.subject.kind.under:
        assert made.data.endswith(BODY.encode())
    assert after.prompt == before.prompt
    check_tools(before, after)
    check_approvals(before, after)
    again = fsagent_lint.convert(after, harness_id(target))
    assert (again.error, again.path) == ("", made.path)
    assert again.data == made.data
    return made


@pytest.mark.parametrize("role", ROLES, ids=name_of)
@settings(max_examples=40)
@given(st.data())
def test_whatever_is_converted_loads_is_no_wider_and_stays_as_it_is(role: tuple[str, str], data: st.DataObject) -> None:
    target = data.draw(st.sampled_from(targets(role[1])))
    made = check_conversion(data.draw(sources(role)), role, target)
    event(f"to {target}: {'refused' if made.error else 'converted'}")


@pytest.mark.parametrize("named", [True, False], ids=["named", "nameless"])
@pytest.mark.parametrize("role", ROLES, ids=name_of)
def test_a_plain_file_is_converted_for_every_harness_with_such_files(role: tuple[str, str], named: bool) -> None:
    for target in targets(role[1]):
        if not has_room(target, role):
            continue
        made = check_conversion(plain(role, named=named), role, target)
        assert made.error == ""
        assert made.path == get_harness(target).kinds[made.kind].path.format(name="agent")


def test_every_table_is_a_source_and_a_target() -> None:
    assert {id for id, _ in ROLES} == set(builtin_ids())
    assert {id for _, kind in ROLES for id in targets(kind)} == set(builtin_ids())
