"""Whatever a file looks like: nothing else changes, a second fix changes nothing, and no agent gets more than was meant."""

from __future__ import annotations

import dataclasses
import io

import yaml
from fixing import look, repair, reports
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.widening import EVERY_TOOL, bounds_of, loosened, wider
from fsagent_lint.effect.presets import FORM
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import builtin_ids, get_harness
from fsagent_lint.harnesses.vocabulary import native_names
from fsagent_lint.model.policy import Action
from fsagent_lint.model.tool import Tool
from fsagent_lint.rewrite.convert_tools import policy_to_write

HARNESSES = [
    id for id in builtin_ids() if "agent" in get_harness(id).kinds and get_harness(id).kinds["agent"].file == "markdown"
]
FORMS = ("auto", "list", "csv", "map", "permission")
NAMES = {id: tuple(name for name, tool in get_harness(id).tools.items() if tool.grants) for id in HARNESSES} | {
    "opencode": ("read", "bash", "grep", "glob", "edit", "write", "todowrite", "webfetch", "lsp", "task"),
    "kilo": ("read", "bash", "grep", "glob", "edit", "write", "todowrite", "webfetch", "task"),
    "copilot": ("read", "execute", "search", "edit", "web", "agent", "todo", "ask_user"),
    "canonical": ("Read", "Shell", "Grep", "Glob", "Edit", "Write", "TodoWrite", "Monitor", "Agent", "mcp:db/query"),
}
"""What people write: the tools of the table, or the names for several of them."""
STRANGERS = ("mcp__db__query", "db/query", "db_*", "frobnicate", "Bash", "read")
SCOPED = ("Bash(git diff:*)", "Bash(rm *)", "Agent(reviewer)")


@dataclasses.dataclass
class Text:
    """A frontmatter that is being put together, and the comments in it."""

    lines: list[str] = dataclasses.field(default_factory=list)
    comments: list[str] = dataclasses.field(default_factory=list)


class Builder:
    """Draws a tool value in some shape, with comments in some places."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw, self.text = draw, Text()

    def chance(self) -> bool:
        return self.draw(st.sampled_from((True, False, False)))

    def comment(self) -> str:
        self.text.comments.append(f"# c{len(self.text.comments)} x")
        return self.text.comments[-1]

    def above(self, indent: str) -> None:
        if self.chance():
            self.text.lines.append(indent + self.comment())

    def line(self, line: str) -> None:
        self.text.lines.append(f"{line} {self.comment()}" if self.chance() else line)

    def quoted(self, name: str, style: str) -> str:
        plain = style == "" and name[0] not in "*@" and ":" not in name
        return name if plain else f"'{name}'" if style == "'" else f'"{name}"'

    def csv(self, key: str, names: list[str]) -> None:
        joint = self.draw(st.sampled_from((", ", ",", " , ")))
        style = self.draw(st.sampled_from(("", "'", '"')))
        self.line(f"{key}: {self.quoted(joint.join(names), style)}" if names else f"{key}: ''")

    def flow(self, key: str, names: list[str]) -> None:
        style = self.draw(st.sampled_from(("", "'", '"')))
        joint = self.draw(st.sampled_from((", ", ",", " , ")))
        pad = self.draw(st.sampled_from(("", " ")))
        inner = joint.join(self.quoted(name, style or ('"' if "(" in name else "")) for name in names)
        self.line(f"{key}: [{pad}{inner}{pad if names else ''}]")

    def flow_lines(self, key: str, names: list[str]) -> None:
        style = self.draw(st.sampled_from(("'", '"')))
        self.line(f"{key}: [")
        for number, name in enumerate(names):
            self.above("  ")
            last = number == len(names) - 1 and self.chance()
            self.line(f"  {self.quoted(name, style)}{'' if last else ','}")
        self.above("  ")
        self.line(self.draw(st.sampled_from(("]", "  ]"))))

    def block(self, key: str, names: list[str]) -> None:
        if not names:
            return self.flow(key, names)
        indent = self.draw(st.sampled_from(("", "  ", "    ")))
        self.line(f"{key}:")
        for name in names:
            self.above(indent)
            style = self.draw(st.sampled_from(("", "'", '"')))
            self.line(f"{indent}- {self.quoted(name, style)}")
        return self.above(indent)

    def block_map(self, top: str, entries: dict[str, str]) -> None:
        if not entries:
            return self.flow_map(top, entries)
        indent = self.draw(st.sampled_from(("  ", "    ")))
        self.line(f"{top}:")
        for name, word in entries.items():
            self.above(indent)
            key = self.quoted(name, self.draw(st.sampled_from(("", '"'))))
            self.line(f"{indent}{key}: {word}")
        return self.above(indent)

    def flow_map(self, key: str, entries: dict[str, str]) -> None:
        inner = ", ".join(f"{self.quoted(name, '')}: {word}" for name, word in entries.items())
        self.line(f"{key}: {{{inner}}}")

    def permission(self, key: str, entries: dict[str, str | dict[str, str]]) -> None:
        """A block whose entries may have patterns below them."""
        self.line(f"{key}:")
        for name, word in entries.items():
            self.above("  ")
            if isinstance(word, str):
                self.line(f"  {self.quoted(name, '')}: {word}")
                continue
            self.line(f"  {self.quoted(name, '')}:")
            for pattern, action in word.items():
                self.above("    ")
                self.line(f'    "{pattern}": {action}')


LISTS = (Builder.csv, Builder.flow, Builder.flow_lines, Builder.block)
MAPS = (Builder.block_map, Builder.flow_map)
ACTIONS = st.sampled_from(("allow", "ask", "deny"))
PATTERNS = st.dictionaries(st.sampled_from(("*", "git *", "rm *")), ACTIONS, min_size=1)


def _tool_keys(builder: Builder, harness: str, own_shapes: bool) -> None:
    draw = builder.draw
    keys = get_harness(harness).kinds["agent"].keys
    names = draw(st.lists(st.sampled_from((*NAMES[harness], *STRANGERS)), max_size=5, unique=not builder.chance()))
    if harness == "claude-code" and builder.chance():
        names.append(draw(st.sampled_from(SCOPED)))
    if own_shapes and "tools" not in keys:
        (key,) = keys
        builder.line(f"{key}: {draw(st.sampled_from(sorted(keys[key].presets)))}")
        return
    if own_shapes and "permission" in keys:
        kind = draw(st.sampled_from(("map", "permission", "both")))
        entries = draw(st.dictionaries(st.sampled_from(("*", *NAMES[harness], "db_*")), st.booleans(), max_size=5))
        switches = {name: "true" if on else "false" for name, on in entries.items()}
        rules = draw(
            st.dictionaries(
                st.sampled_from(("*", "bash", "edit", "read", "webfetch")), ACTIONS | PATTERNS, min_size=1, max_size=4
            )
        )
        rules = {name: word for name, word in rules.items() if isinstance(word, str) or name in ("bash", "edit")} or {
            "bash": "ask"
        }
        if kind != "permission":
            draw(st.sampled_from(MAPS))(builder, "tools", switches)
        if kind != "map":
            builder.permission("permission", rules)
        return
    key = "tools" if own_shapes else draw(st.sampled_from(("tools", "tools", "allowed-tools")))
    shapes = LISTS if not own_shapes or "csv" in keys[key].forms else LISTS[1:]
    draw(st.sampled_from(shapes))(builder, key, names)
    if "disallowedTools" in keys and builder.chance():
        builder.text.lines.append("x-between: 'a # b' # middle")
        denied = draw(st.lists(st.sampled_from(NAMES[harness]), min_size=1, max_size=3, unique=True))
        draw(st.sampled_from(LISTS))(builder, "disallowedTools", denied)


@dataclasses.dataclass(frozen=True)
class Case:
    before: bytes
    tools: bytes
    """The part with the tool keys."""
    after: bytes
    comments: tuple[str, ...]

    @property
    def data(self) -> bytes:
        return self.before + self.tools + self.after


@st.composite
def cases(draw: st.DrawFn, harness: str, *, own_shapes: bool = True) -> Case:
    builder = Builder(draw)
    builder.text.lines = []
    _tool_keys(builder, harness, own_shapes)
    newline = draw(st.sampled_from(("\n", "\r\n")))
    name = draw(st.sampled_from((["name: helper"], [])))
    before = ["---", *name, "description: 'what # it: does'  # kept"]
    after = draw(st.sampled_from(([], ["x-last: [1,  2] # kept too"], ["# the end"])))
    body = draw(st.sampled_from(("", "\n", "\nbody\n\n  text # no comment\n", "\n---\ntools: Bash\n", "\r\nbody")))
    bom = draw(st.sampled_from(("", "", "", "\ufeff")))

    def lines(parts: list[str]) -> bytes:
        return "".join(part + newline for part in parts).encode()

    text = builder.text
    return Case(
        bom.encode() + lines(before),
        lines(text.lines),
        lines(after) + b"---" + body.encode(),
        tuple(text.comments),
    )


def check_text(case: Case, result: bytes) -> None:
    """Bytes outside the tool keys are what they were, and every reader can read the rest."""
    assert result.startswith(case.before)
    assert result.endswith(case.after)
    assert len(result) >= len(case.before) + len(case.after)
    middle = result[len(case.before) : len(result) - len(case.after)]
    if b"x-between" in case.tools:
        assert b"x-between: 'a # b' # middle" in middle
    assert (b"\r\n" in middle) == (b"\r\n" in case.before) or not middle
    assert b"\n" not in middle.replace(b"\r\n", b"") or b"\r\n" not in case.before
    source = look(result, "canonical").document.source
    assert isinstance(yaml.compose(source.yaml_text), yaml.MappingNode)
    assert isinstance(YAML().load(io.StringIO(source.yaml_text)), dict)


def check_comments(case: Case, result: bytes) -> None:
    """No comment goes, even if its entry does; it may get the name of its entry."""
    text = result.decode()
    for comment in case.comments:
        assert text.count(comment.removeprefix("# ")) == 1, f"{comment} is lost or doubled"


def _has_only_presets(harness: Harness) -> bool:
    return all(key.forms == (FORM,) for key in harness.kinds["agent"].keys.values())


def _is_replaced(tool: Tool, before: Subject, there: Subject) -> bool:
    """Has every agent a tool in another harness, or is there a substitute, or one that the author named and that brings it?"""
    if there.harness is before.harness:
        return False
    if any(tool in there.harness.tools[native].granted for native in there.harness.fixed_tools):
        return True
    kept = {item.name for value in there.values for item in value.items}
    if not kept.isdisjoint(there.harness.substitutes.get(tool.name, ())):
        return True
    values = (*before.values, *before.misplaced)
    names = [item.name for value in values for item in value.items if item.name != "*"]
    named = {each for name in names for each in before.main_tools(name)}
    leader = tool.leader
    return tool not in named or (leader in named and there.intent.policy.action(leader) is not Action.DENY)


def _had(before: Subject, harness: Harness) -> set[str]:
    """Tools that the harness gave the agent already: one name of two for the same tool may be denied."""
    if harness is not before.harness or not before.effect.loads:
        return set()
    return {*before.effect.tools, *before.effect.ask, *((EVERY_TOOL,) if before.effect.open else ())}


def check_policy(before: Subject, there: Subject, said: str) -> None:
    """Not more than was meant; and all that was meant, where the target has a name for it."""
    meant = policy_to_write(before, there.harness)  # of two readings of a map, the narrower one
    assert set(wider(there.effect, there.harness, bounds_of(before))) <= _had(before, there.harness)
    assert loosened(there.intent.policy, meant) == []
    if meant.default is Action.DENY:
        assert any(value.shape != "null" for value in there.values), "an absent key would allow everything"
    if _has_only_presets(before.harness):
        return  # the author named a set of tools, and none of them
    if not there.effect.loads and not there.effect.data:
        return  # the target cannot read such a file at all, whatever its tools are
    for tool in meant.named():
        if meant.action(tool) is Action.DENY or there.intent.policy.action(tool) is not Action.DENY:
            continue
        lacking = not native_names((tool,), there.harness)
        assert str(tool) in said or lacking or _is_replaced(tool, before, there), f"{tool} is lost without a word"
    kept = [item.name for value in there.values for item in value.items]
    for value in (*before.values, *before.misplaced):
        for item in value.items:
            tools = before.meaning(item.name).tools
            lacking = not native_names(tools, there.harness) and not any(tool.custom for tool in tools)
            if (
                lacking
                and item.name not in ("*", *kept)
                and not all(_is_replaced(tool, before, there) for tool in tools)
                and all(meant.action(tool) is not Action.DENY for tool in tools)
                and all(there.intent.policy.action(tool) is Action.DENY for tool in tools)  # no other entry names them
            ):
                assert any(str(tool) in said for tool in tools), f"{item.name} is dropped without a word"


def convert(case: Case, harness: str, target: str, form: str) -> None:
    fixed = repair(case.data, harness, target, form)
    assert fixed.errors == []
    again = repair(fixed.data, harness, target, form)
    assert again.data == fixed.data
    assert again.errors == []
    check_text(case, fixed.data)
    before, there = look(case.data, harness), look(fixed.data, target)
    said = "\n".join(finding.message for finding in reports(fixed))
    refused = any(finding.name == "tool-format" for finding in fixed.left)
    event(f"{harness} to {target}: {'refused' if refused else 'changed' if fixed.data != case.data else 'as it was'}")
    if refused:
        assert fixed.data == case.data or harness == target
        return
    check_comments(case, fixed.data)
    if not any(
        finding.name == "conflicting-entries" for finding in fixed.fixed
    ):  # there, a denial wins over what comes later
        check_policy(before, there, said)


@given(st.data(), st.sampled_from(HARNESSES), st.sampled_from(HARNESSES), st.sampled_from(FORMS))
@settings(max_examples=600)
def test_written_for_another_harness(data: st.DataObject, harness: str, target: str, form: str) -> None:
    forms = {each for key in get_harness(target).kinds["agent"].keys.values() for each in key.forms}
    form = form if form in forms else "auto"
    assume(target != harness or form != "auto")  # that is a plain fix, which the next test is about
    case = data.draw(cases(harness))
    convert(case, harness, target, form)


@given(st.data(), st.sampled_from(HARNESSES), st.booleans())
@settings(max_examples=300)
def test_fixed_for_its_own_harness(data: st.DataObject, harness: str, unsafe: bool) -> None:
    case = data.draw(cases(harness, own_shapes=False))
    fixed = repair(case.data, harness, unsafe=unsafe)
    assert fixed.errors == []
    assert repair(fixed.data, harness, unsafe=unsafe).data == fixed.data
    check_text(case, fixed.data)
    before, after = look(case.data, harness), look(fixed.data, harness)
    check_comments(case, fixed.data)
    if not unsafe and not (before.effect.loads and before.effect.open):
        assert set(wider(after.effect, after.harness, bounds_of(before))) <= _had(before, after.harness)
