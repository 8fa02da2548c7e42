"""Roo Code keeps its modes in one YAML file: each is an agent of its own, and one mistake costs all of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import fsagent_lint
from fsagent_lint.agent.data.subject import DataSubject, read_data
from fsagent_lint.agent.widening import bounds_of, wider
from fsagent_lint.cli.main import run
from fsagent_lint.effect.js_regex import as_scope, regex_problem, to_wildcards
from fsagent_lint.errors import UserError
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.linter.checker import Checker
from fsagent_lint.linter.fixer import Fixed, fix_file
from fsagent_lint.model.finding import Finding, Fix, Safety
from fsagent_lint.project.target import Target
from fsagent_lint.rewrite.proof_data import prove_data
from fsagent_lint.rewrite.safety import overreach
from fsagent_lint.rules import all_rules

CHECKER = Checker([rule for rule in all_rules() if not rule.opt_in])
MODE = Target(".roomodes", "roo", "mode", False)
DOCS = """\
# Modes of this project.
customModes:
  - slug: docs-writer # known by this
    name: "📝 Docs"
    roleDefinition: >-
      You write documentation.
    whenToUse: Use this mode for docs.
    description: Writes docs
    customInstructions: |
      - Be brief.
      - Never: guess.
    groups:
      - read # all of it
      - - edit
        - fileRegex: \\.(md|mdx)$
          description: Markdown only
      - mcp
    source: project
  - slug: planner
    name: Planner
    roleDefinition: You plan.
    groups: []
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def mode(groups: str, slug: str = "a") -> str:
    return f"  - slug: {slug}\n    name: A\n    roleDefinition: You do it all day.\n    groups: {groups}\n"


def roster(*modes: str) -> str:
    return "customModes:\n" + "".join(modes)


def read(text: str | bytes) -> DataSubject:
    return read_data(".roomodes", text.encode() if isinstance(text, str) else text, get_harness("roo"), "mode")


def judge(text: str | bytes) -> list[Finding]:
    return CHECKER.check(read(text))[0]


def repair(text: str | bytes, *, unsafe: bool = False) -> Fixed:
    wanted = Safety.UNSAFE if unsafe else Safety.SAFE
    return fix_file(MODE, text.encode() if isinstance(text, str) else text, CHECKER, wanted)


def reported(text: str) -> list[tuple[str, str]]:
    """The name of each finding with the text that it points at."""
    return [(each.name, text[each.span.start : each.span.end]) for each in judge(text)]


# ------------------------------------------------------------------------------------------------------ reading


def test_each_mode_is_an_agent() -> None:
    docs, planner = read(DOCS).members
    assert judge(DOCS) == []
    assert (docs.document.stem, planner.document.stem) == ("docs-writer", "planner")
    assert {"read_file", "write_to_file", "use_mcp_tool", "new_task"} <= set(docs.effect.tools)
    assert "execute_command" in docs.effect.denied
    always = {name for name, tool in get_harness("roo").tools.items() if tool.presence == "always"}
    assert set(planner.effect.tools) == always
    assert planner.effect.conditional == ()


def test_a_file_regex_is_the_scope_of_edit() -> None:
    docs = read(DOCS).members[0]
    scopes = {str(rule.tool): rule.scope for rule in docs.intent.policy.rules}
    assert scopes["Edit"] == scopes["Write"] == as_scope(r"\.(md|mdx)$")
    assert scopes["Read"] is scopes["mcp:*/*"] is None


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ("[reed]", [("unknown-tool", "reed")]),
        ("[Read]", [("wrong-case-tool", "Read")]),
        ("[execute]", [("foreign-tool", "execute")]),
        ("[Bash]", [("foreign-tool", "Bash")]),
        ("[read_file]", [("unknown-tool", "read_file")]),
        ("[new_task]", [("unknown-tool", "new_task")]),
        ("['*']", [("unknown-tool", "*")]),
        ("[browser]", [("tool-not-for-agents", "browser")]),
        ("[mcp--db--query]", [("unknown-tool", "mcp--db--query")]),
        ("[read, read]", [("duplicate-tool", "read")]),
        ("[edit, [edit, {fileRegex: x}]]", [("duplicate-tool", "edit")]),
        ("[read, {edit: {fileRegex: x}}]", [("wrong-tools-shape", "groups")]),
        ("[[edit, {fileRegex: '*.md'}]]", [("invalid-option", "'*.md'")]),
        ("[[edit, {description: 1}]]", [("invalid-option", "1")]),
        ("[[edit]]", [("wrong-tools-shape", "groups")]),
        ("[[edit, {fileregex: x}]]", [("invalid-option", "fileregex")]),
        ("[[edit, {paths: x}]]", [("invalid-option", "paths")]),
        ("[[read, {fileRegex: x}]]", [("ignored-scope", "read")]),
        ("read", [("wrong-tools-shape", "groups")]),
        ("{read: true}", [("wrong-tools-shape", "groups")]),
        ("", [("tool-key-without-value", "groups")]),
        ("[read, edit, command, mcp, modes, web]", []),
        ("[read, [edit, {fileRegex: '', description: all}]]", []),
        ("[browser, browser]", [("tool-not-for-agents", "browser"), ("duplicate-tool", "browser"), ("tool-not-for-agents", "browser")]),
    ],
)  # fmt: skip
def test_a_mistake_in_groups_is_reported_where_it_is(groups: str, expected: list[tuple[str, str]]) -> None:
    assert reported(roster(mode(groups))) == expected


@pytest.mark.parametrize(
    "groups",
    [
        "[reed]",
        "[Read]",
        "[read_file]",
        "[read, read]",
        "read",
        "{read: true}",
        "",
        "[[edit, {fileRegex: '('}]]",
        "[1]",
    ],
)
def test_one_mistake_costs_every_mode(groups: str) -> None:
    bad, good = read(roster(mode(groups, "bad"), mode("[read]", "good"))).members
    assert not bad.effect.loads
    assert not good.effect.loads
    assert "`bad` keeps every mode from loading" in good.effect.error


@pytest.mark.parametrize("groups", ["[browser, read]", "[]", "[read, [browser, {}], browser]"])
def test_what_is_passed_over_costs_nothing(groups: str) -> None:
    assert read(roster(mode(groups))).members[0].effect.loads


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("slug: a_b", "invalid-field"),
        ("slug:", "missing-field"),
        ("name: ''", "missing-field"),
        ("roleDefinition: [x]", "invalid-field"),
        ("source: team", "invalid-field"),
        ("whenToUse: 5", "invalid-field"),
    ],
)
def test_a_wrong_field_keeps_the_file_from_loading(field: str, name: str) -> None:
    key = field.partition(":")[0]
    lines = [line for line in mode("[read]").split("\n") if key not in line]
    first = lines[0].strip(" -")
    text = roster("\n".join([f"  - {field}", f"    {first}", *lines[1:]]))
    found = read(text)
    assert [each.name for each in judge(text)] == [name]
    assert not found.members[0].effect.loads


def test_every_missing_field_is_named() -> None:
    missing = [each.message.split("`")[1] for each in judge("customModes:\n  - team: x\n")]
    assert sorted(missing) == ["groups", "name", "roleDefinition", "slug"]


def test_two_modes_of_one_slug() -> None:
    text = roster(mode("[]"), mode("[]", "b"), mode("[read]"))
    assert [(each.name, each.span.start) for each in judge(text)] == [("duplicate-agent", text.rindex("slug: a") + 6)]
    assert not read(text).members[1].effect.loads


@pytest.mark.parametrize(
    ("text", "silent"),
    [
        ("", True),
        ("# nothing\n", True),
        ("- a\n", True),
        ("modes: []\n", True),
        ("customModes:\n", True),
        ("customModes: {a: b}\n", False),
        ("customModes: text\n", False),
        ("customModes: [text]\n", False),
    ],
)
def test_what_is_no_list_of_modes(text: str, silent: bool) -> None:
    [finding] = judge(text)
    assert finding.name == "invalid-agents-file"
    assert ("without any warning" in finding.message) == silent
    assert repair(text, unsafe=True).data == text.encode()


def test_json_is_yaml_too() -> None:
    text = '{"customModes": [{"slug": "a", "name": "A", "roleDefinition": "“r”", "groups": ["Read"]}]}'
    assert reported(text) == [("wrong-case-tool", "Read")]
    assert repair(text).data.decode() == text.replace("Read", "read")


def test_typographic_quotes_break_quoted_text_and_nothing_else() -> None:
    assert judge(roster(mode("[read]")).replace("You do it all day.", "You’re “it” – so")) == []
    text = roster(mode("[read]")).replace("You do it all day.", '"You are “it”"')
    assert reported(text) == [("invalid-agents-file", "“")]


def test_a_merge_is_not_one() -> None:
    text = "base: &b {name: A, roleDefinition: r, groups: [read]}\ncustomModes:\n  - <<: *b\n    slug: a\n"
    assert {each.name for each in judge(text)} == {"missing-field"}


def test_prompts_may_be_long_and_lists_of_names_may_not() -> None:
    long = roster(mode("[reed]").replace("roleDefinition: ", f"roleDefinition: {'many words, and more ' * 8_000}"))
    assert len(long) > 160_000
    assert [finding.name for finding in judge(long)] == ["unknown-tool"]
    many = roster(mode(f"[{', '.join(['reed'] * 5_000)}]"))
    assert [finding.name for finding in judge(many)] == ["not-utf8"]
    assert repair(many).data == many.encode()


def test_a_comment_silences() -> None:
    text = roster(mode("[Read] # fsagent: ignore[wrong-case-tool] it is only an example"))
    assert judge(text) == []


# ------------------------------------------------------------------------------------------------------- fixing


def test_only_the_names_change() -> None:
    text = (
        DOCS.replace("- read #", "- Read #").replace("- edit", "- Edit").replace("groups: []", "groups: [Bash, 'Grep']")
    )
    fixed = repair(text.replace("\n", "\r\n"))
    expected = DOCS.replace("groups: []", "groups: [command, 'read']").replace("\n", "\r\n")
    assert fixed.data.decode() == expected
    assert (fixed.errors, fixed.left) == ([], [])


def test_an_entry_goes_with_its_options() -> None:
    text = roster(
        mode("\n      - read\n      - - edit\n        - fileRegex: x # only these\n      - [browser, {}] # old")
    )
    assert repair(text, unsafe=True).data.decode() == text.replace("- [browser, {}] # old", "# browser: old")


def test_text_becomes_a_list() -> None:
    assert repair(roster(mode("read, Bash"))).data.decode() == (
        roster(mode("\n      - read\n      - command")).replace("groups: ", "groups:")
    )


def test_a_denial_does_not_speak_of_the_others() -> None:
    text = roster(mode("{read: true, edit: false}"))
    assert repair(text).data.decode() == text
    assert repair(text, unsafe=True).data.decode() == roster(mode("[read]"))


def test_a_limit_is_not_lost_with_a_duplicate() -> None:
    text = roster(mode("[edit, [edit, {fileRegex: x}]]"))
    assert repair(text, unsafe=True).data.decode() == text


def test_a_key_of_another_harness() -> None:
    text = roster("  - slug: a\n    tools: [Read, Bash] # all\n    name: A\n    roleDefinition: r\n")
    assert repair(text).data.decode() == text.replace("tools: [Read, Bash]", "groups: [read, command]")


@pytest.mark.parametrize(
    "text",
    [
        roster(mode("&g [Read]"), "  - slug: b\n    name: B\n    roleDefinition: r\n    groups: *g\n"),
        "customModes:\n  - &m {slug: a, name: A, roleDefinition: r, groups: [Read]}\n  - *m\n",
        "customModes:\n  - slug: a\n    slug: b\n    name: A\n    roleDefinition: r\n    groups: [Read]\n",
        "customModes:\n  - groups: read, edit\n    slug: a\n    name: A\n    roleDefinition: r\n",
    ],
)
def test_what_cannot_be_told_apart_is_left_alone(text: str) -> None:
    fixed = repair(text, unsafe=True)
    assert fixed.data.decode() == text
    assert fixed.left
    assert fixed.errors == []


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Modes of", "The modes of", "outside a mode"),
        ("Planner", "Planer", "something else in entry 2"),
        ("    groups: []", "groups: []", "outside `customModes`"),
        ("    groups: []", "    groups: [", "not be valid YAML"),
    ],
)
def test_a_fix_that_lies_is_found_out(old: str, new: str, why: str) -> None:
    at = DOCS.index(old)
    lie = Fix("lie", (Edit(Span(at, at + len(old)), new),), Safety.SAFE, frozenset(("groups",)))
    assert why in prove_data(read(DOCS), DOCS.replace(old, new, 1).encode(), [lie])


def test_a_group_that_nobody_named_is_found_out() -> None:
    assert "more than intended" in overreach(read(DOCS), DOCS.replace("- mcp\n", "- command\n", 1).encode())


NAMES = st.sampled_from(
    (
        "read",
        "edit",
        "command",
        "mcp",
        "modes",
        "Read",
        "Bash",
        "reed",
        "browser",
        "read_file",
        "apply_diff",
        "Grep",
        "*",
    )
)
ENTRY = st.one_of(
    NAMES,
    st.tuples(NAMES, st.sampled_from((r"{fileRegex: \.md$}", "{fileRegex: '*.md', description: x}", "{}", "x"))).map(
        lambda pair: f"[{pair[0] if pair[0] != '*' else 'read'}, {pair[1]}]"
    ),
).map(lambda text: "'*'" if text == "*" else text)
FLOW = st.lists(ENTRY, max_size=5).map(lambda entries: f"[{', '.join(entries)}]")
BLOCK = st.lists(st.tuples(ENTRY, st.sampled_from(("", " # why"))), min_size=1, max_size=5).map(
    lambda entries: "".join(f"\n      - {entry}{comment}" for entry, comment in entries)
)
MAPS = st.dictionaries(NAMES.filter(str.isalnum), st.sampled_from(("true", "false", "allow")), max_size=3).map(
    lambda entries: "{" + ", ".join(f"{key}: {value}" for key, value in entries.items()) + "}"
)
GROUPS = FLOW | BLOCK | MAPS | st.sampled_from(("", "read, edit", "read Bash", "'*'", "[", "&a [Read]"))


@given(st.lists(GROUPS, min_size=1, max_size=3), st.booleans())
@example(["[read, [Edit, {fileRegex: 'x'}], Bash]", "\n      - Read # why\n      - browser"], True)
@example(["[Grep, [read_file, {fileRegex: \\.md$}]]"], False)
@example(["\n      - read_file\n      - [Read, {fileRegex: \\.md$}]"], False)
@example(["[[read_file, {fileRegex: \\.md$}], [Read, {fileRegex: '*.md', description: x}]]"], False)
def test_whatever_the_groups_are_nothing_else_changes_and_no_mode_gets_more(groups: list[str], unsafe: bool) -> None:
    text = "# top\n" + roster(*(mode(each, f"m{number}") for number, each in enumerate(groups))) + "other: 1 # end\n"
    fixed = repair(text, unsafe=unsafe)
    # `[Grep, [read_file, …]]`: the group that has the one has the other, and without its limit.
    assert all("which is more than intended" in error for error in fixed.errors)
    assert repair(fixed.data, unsafe=unsafe).data == fixed.data
    before, after = read(text), read(fixed.data)
    assert [each.document.stem for each in after.members] == [each.document.stem for each in before.members]
    for old, new in zip(before.members, after.members, strict=True):
        if not unsafe:
            assert wider(new.own_effect, new.harness, bounds_of(old)) == ()
        for entry in old.document.entries:
            if entry.name != "groups":
                assert new.document.text_of(entry.name or "") == old.document.text_of(entry.name or "")


@given(st.binary(max_size=60) | st.text("customModes:-[]{}&*!#'\" \n\tgroupsread", max_size=80).map(str.encode))
@example(b"customModes:\n  - ? [a]\n    : b\n  - !!set {a}\n")
@example(b"customModes: " + b"[" * 5000)
@example(b"customModes:\n  - slug: \xff\n")
@example(b"customModes: &a [*a]\n")
@example(b"\xef\xbb\xbfcustomModes:\n  -\n  - {}\n")
@example(b"customModes: []\n---\ncustomModes: []\n")
@example(b"#" * 300_000)
def test_any_bytes_are_judged_and_left_alone_or_mended(data: bytes) -> None:
    subject = read(data)
    for finding in CHECKER.check(subject)[0]:
        assert 0 <= finding.span.start <= finding.span.end <= len(subject.document.source.text)
    fixed = repair(data, unsafe=True)
    assert repair(fixed.data, unsafe=True).data == fixed.data


# --------------------------------------------------------------------------------------------------- converting


def convert(*options: str) -> int:
    return run(["convert", *options])


def test_each_mode_becomes_a_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".roomodes", DOCS)
    assert convert("--to", "opencode") == 1
    assert (project / ".opencode/agents/docs-writer.md").read_text("utf-8") == (
        '---\ndescription: Writes docs. Use this mode for docs.\npermission:\n  "*": deny\n  read: allow\n  grep: allow\n'
        '  glob: allow\n  edit:\n    "*": deny\n    "*.md": allow\n    "*.mdx": allow\n---\n'
        "You write documentation.\n\n- Be brief.\n- Never: guess.\n"
    )
    assert 'permission:\n  "*": deny\n---\nYou plan.\n' in (project / ".opencode/agents/planner.md").read_text("utf-8")
    assert "[lost-tool] OpenCode has no equivalent of mcp:*/*" in capsys.readouterr().out


@pytest.mark.parametrize("harness", ["claude-code", "copilot", "vscode", "gemini", "qwen", "factory"])
def test_a_limit_that_cannot_be_kept_takes_the_tool_along(
    project: Path, capsys: pytest.CaptureFixture[str], harness: str
) -> None:
    put(project / ".roomodes", roster(mode(r"[read, [edit, {fileRegex: '\.md$'}]]", "docs")))
    assert convert("--to", harness, ".roomodes") == 1
    assert f"cannot limit Edit to `{as_scope(chr(92) + '.md$')}`; dropped" in capsys.readouterr().out
    [path] = [path for path in project.rglob("*docs*.md") if path.is_file()]
    given = fsagent_lint.load(path, harness=fsagent_lint.harness_id(harness)).effect()
    facts = get_harness(harness).tools
    assert not {"Edit", "Write"} & {grant for name in given.tools for grant in facts[name].grants}
    assert convert("--to", harness, "--unsafe-fixes", "--force", ".roomodes") == 1
    assert "written without it" in capsys.readouterr().out


@pytest.mark.parametrize("options", ["{fileregex: '\\.md$'}", "{fileRegex: [a, b]}", "{files: src}"])
def test_a_limit_that_is_not_read_was_meant_all_the_same(project: Path, options: str) -> None:
    put(project / ".roomodes", roster(mode(f"[read, [edit, {options}]]")))
    assert convert("--to", "claude-code") == 1
    assert "tools: Read, Grep, Glob\n" in (project / ".claude/agents/a.md").read_text("utf-8")


def test_a_regex_that_is_no_wildcard_is_lost(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".roomodes", roster(mode("[[edit, {fileRegex: '[jt]sx?$'}]]")))
    assert convert("--to", "opencode") == 2
    assert "the agent would have no tools: OpenCode cannot limit Edit" in capsys.readouterr().out
    put(project / ".roomodes", roster(mode("[read, [edit, {fileRegex: '[jt]sx?$'}]]")))
    assert convert("--to", "opencode") == 1
    assert "[lost-scope] OpenCode cannot limit Edit" in capsys.readouterr().out
    assert "edit" not in (project / ".opencode/agents/a.md").read_text("utf-8")


def test_servers_that_only_some_may_have(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".roomodes", roster(mode("[mcp]") + "    allowedMcpServers: [db]\n"))
    assert convert("--to", "gemini") == 2
    assert "denies some of the MCP servers" in capsys.readouterr().out


def test_a_mode_without_groups_gets_nothing(project: Path) -> None:
    put(project / ".roomodes", "customModes:\n  - slug: a\n    name: A\n    roleDefinition: r\n")
    convert("--to", "claude-code")
    assert "tools: []" in (project / ".claude/agents/a.md").read_text("utf-8")


def test_what_cannot_be_read_is_not_converted(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".roomodes", "customModes: [\n")
    assert convert("--to", "opencode") == 2
    assert "it cannot be read" in capsys.readouterr().out


GREP = "---\nname: finder\ndescription: Finds.\ntools: Grep, TodoWrite, Task\n---\nFind: it.\n\n  So.\n"


def test_agents_become_modes(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".claude/agents/finder.md", GREP)
    put(project / ".claude/agents/all.md", "---\nname: all\ndescription: Does.\n---\nDo.\n")
    assert convert("--to", "roo") == 0
    assert (project / ".roomodes").read_text("utf-8") == (
        "customModes:\n  - slug: all\n    name: all\n    roleDefinition: Do.\n    description: Does.\n    whenToUse: Does.\n"
        "    groups:\n      - read\n      - edit\n      - command\n      - mcp\n"
        "  - slug: finder\n    name: finder\n    roleDefinition: |-\n      Find: it.\n\n        So.\n"
        "    description: Finds.\n    whenToUse: Finds.\n    groups:\n      - read\n"
    )
    assert capsys.readouterr().out.count("wrote .roomodes") == 2
    assert judge((project / ".roomodes").read_bytes()) == []
    assert convert("--to", "roo") == 0


def test_a_mode_is_added_and_the_others_stay(project: Path) -> None:
    for text in (
        DOCS,
        DOCS.replace("\n", "\r\n"),
        DOCS.rstrip("\n"),
        "\ufeff" + DOCS,
        DOCS + "\n# the end\nother: 1\n",
    ):
        put(project / ".roomodes", text)
        put(project / ".claude/agents/finder.md", GREP)
        assert convert("--to", "roo") == 0
        after = (project / ".roomodes").read_bytes().decode()
        start = after.index("  - slug: finder")
        end = after.index("      - read", start) + len("      - read")
        assert after[:start].rstrip("\r\n") + after[end:] == text
        assert [each.document.stem for each in read(after).members] == ["docs-writer", "planner", "finder"]
        assert ("\r\n" in text) == ("\r\n    name: finder" in after)


def test_a_mode_of_the_same_name_is_not_overwritten(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = put(project / ".roomodes", DOCS + mode("[command]", "finder") + mode("[]", "last")).read_text("utf-8")
    put(project / ".claude/agents/finder.md", GREP)
    assert convert("--to", "roo") == 2
    assert "already has a different `finder`" in capsys.readouterr().out
    assert convert("--to", "roo", "--diff") == 0
    assert (project / ".roomodes").read_text("utf-8") == before
    assert convert("--to", "roo", "--force") == 0
    after = (project / ".roomodes").read_text("utf-8")
    assert after.startswith(DOCS + "  - slug: finder\n    name: finder\n    roleDefinition: |-\n")
    assert after.endswith(mode("[]", "last"))


@pytest.mark.parametrize(
    "text",
    [
        '{"customModes": [{"slug": "a", "name": "A", "roleDefinition": "r", "groups": []}]}',
        "customModes: [\n",
        "a: 1\n",
        "- a\n",
    ],
)
def test_what_takes_a_person_is_left_to_one(project: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    put(project / ".roomodes", text)
    put(project / ".claude/agents/finder.md", GREP)
    assert convert("--to", "roo") == 2
    assert (project / ".roomodes").read_text("utf-8") == text
    assert "error: .roomodes: " in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "# ours\n", "customModes: []\n", "customModes:\n"])
def test_an_empty_list_is_filled(project: Path, text: str) -> None:
    put(project / ".roomodes", text)
    put(project / ".claude/agents/finder.md", GREP)
    assert convert("--to", "roo") == 0
    after = (project / ".roomodes").read_text("utf-8")
    assert [each.document.stem for each in read(after).members] == ["finder"]
    assert after.startswith("# ours\n") == text.startswith("#")


def test_a_shell_for_some_commands_is_left_out(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".claude/agents/a.md", "---\nname: a\ndescription: d\ntools: Read, Bash(git diff:*)\n---\nDo.\n")
    assert convert("--to", "roo") == 1
    assert "[lost-scope] Roo Code cannot limit Shell" in capsys.readouterr().out
    assert "command" not in (project / ".roomodes").read_text("utf-8")


def test_a_limit_survives_the_way_there_and_back(project: Path) -> None:
    put(project / ".roomodes", roster(mode(r"[read, [edit, {fileRegex: '\.md$'}]]")))
    (project / "out").mkdir()
    text = fsagent_lint.convert(project / ".roomodes", "canonical").data.decode()
    back = fsagent_lint.convert(put(project / "out/a.md", text), "roo", harness="canonical")
    assert back.error == ""
    [again] = read(back.data).members
    assert again.intent.policy.scopes(fsagent_lint.load(project / ".roomodes").policy.named()[-1])
    assert r"\.md$" in back.data.decode()


def test_sync_leaves_lists_to_convert(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".claude/agents/finder.md", GREP)
    put(project / "fsagent-lint.toml", '[sync]\nsource = ".claude/agents"\ntargets = ["roo"]\n')
    assert run(["sync"]) == 2
    assert "cannot be kept in sync" in capsys.readouterr().err
    assert not (project / ".roomodes").exists()


# ------------------------------------------------------------------------------------------------ the other commands


def test_explain_tells_of_every_mode(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".roomodes", DOCS)
    assert run(["explain", ".roomodes", "--output-format", "json"]) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert [(each["path"], each["name"]) for each in files] == [(".roomodes", "docs-writer"), (".roomodes", "planner")]
    assert [list(each["effects"]) for each in files] == [["roo"], ["roo"]]
    assert "write_to_file" in files[0]["effects"]["roo"]["tools"]
    assert run(["explain", ".roomodes"]) == 0
    assert "without its limit" not in capsys.readouterr().out


def test_one_mode_is_exported_by_its_name(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".roomodes", DOCS)
    assert run(["export", ".roomodes", "--as", "json"]) == 2
    assert "has several agents (docs-writer, planner); choose one by name" in capsys.readouterr().err
    assert run(["export", ".roomodes", "--as", "json", "--name", "docs-writer"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert (value["name"], value["kind"], value["path"]) == ("docs-writer", "mode", ".roomodes")
    assert value["prompt"] == "You write documentation.\n\n- Be brief.\n- Never: guess."
    assert run(["export", ".roomodes", "--as", "json", "--shape", "claude", "--name", "planner"]) == 0
    assert json.loads(capsys.readouterr().out)["planner"]["tools"] == []


def test_a_mode_is_an_agent_in_python(project: Path) -> None:
    put(project / ".roomodes", DOCS)
    agent = fsagent_lint.load(project / ".roomodes", name="planner")
    assert (agent.harness, agent.kind, agent.name, agent.prompt) == ("roo", "mode", "planner", "You plan.")
    assert agent.effect("roo").loads
    with pytest.raises(UserError, match="not exactly one is named `nobody`"):
        fsagent_lint.load(project / ".roomodes", name="nobody")


def test_it_is_found_by_its_name_wherever_it_lies(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (".roomodes", "packages/a/.kilocodemodes", "x.roomodes", ".roomodes.md"):
        put(project / path, roster(mode("[Read]")))
    assert run(["--output-format", "concise"]) == 1
    found = {line.partition(":")[0] for line in capsys.readouterr().out.splitlines() if "FA102" in line}
    assert found == {".roomodes", "packages/a/.kilocodemodes"}
    assert run(["packages", "--output-format", "concise"]) == 1
    assert run([".roomodes", "--fix"]) == 0
    assert (project / ".roomodes").read_text("utf-8") == roster(mode("[read]"))


def test_the_lists_of_two_programs_may_have_the_same_modes(project: Path) -> None:
    for path in (".roomodes", ".kilocodemodes"):
        put(project / path, roster(mode("[read]")))
    assert run([]) == 0


def test_what_every_mode_has_is_no_difference(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = put(project / ".claude/agents/finder.md", GREP.replace(", TodoWrite, Task", ""))
    assert convert("--to", "roo") == 0
    assert run([]) == 0
    put(agent, GREP.replace("Grep", "Grep, Bash"))
    capsys.readouterr()
    assert run(["--output-format", "concise"]) == 1
    assert "This agent differs from .roomodes: only Claude Code grants `Shell`" in capsys.readouterr().out


def test_in_place_it_becomes_nothing_else(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".roomodes", DOCS)
    assert run(["--target", "opencode", "--fix", ".roomodes"]) == 1
    assert "OpenCode does not read this file" in capsys.readouterr().out
    assert (project / ".roomodes").read_text("utf-8") == DOCS


def test_commands_and_skills_are_markdown(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / ".roo/commands/go.md", "---\ndescription: d\nmode: code\n---\nGo.\n")
    put(project / ".roo/skills/find/SKILL.md", "---\nname: seek\ndescription: d\nmodeSlugs: [code]\n---\nFind.\n")
    assert run(["--output-format", "concise"]) == 1
    [line, _] = capsys.readouterr().out.splitlines()
    assert "SKILL.md" in line
    assert "`seek`" in line or "`find`" in line


# -------------------------------------------------------------------------------------------- regular expressions


@pytest.mark.parametrize(
    ("regex", "wildcards"),
    [
        (r"\.md$", ("*.md",)),
        (r"\.(js|ts)$", ("*.js", "*.ts")),
        (r"\.md$|\.txt$", ("*.md", "*.txt")),
        (r"^(docs/.*|README\.md)$", ("docs/*", "README.md")),
        (r"\.(test|spec)\.(?:js|ts)$", ("*.test.js", "*.test.ts", "*.spec.js", "*.spec.ts")),
        (r"docs/", ("*docs/*",)),
        (r"^a.b$", ("a?b",)),
        (r"x.+$", ("*x?*",)),
        ("", ("*",)),
        (r"[jt]s$", None),
        (r"\.mdx?$", None),
        (r"(a|b)?c", None),
        (r"(?=a)b", None),
        (r"a$b", None),
        (r"\*\.md$", None),
        (r"(a)\1", None),
        (r"\w+", None),
        ("(" * 400 + ")" * 400, None),
        ("(a|b)" * 12, None),
    ],
)
def test_a_regex_as_wildcards(regex: str, wildcards: tuple[str, ...] | None) -> None:
    assert to_wildcards(as_scope(regex)) == wildcards


@pytest.mark.parametrize("regex", ["*.md", "**/x", "(", "a)", "[a", "a\\", "a**", "^*", "(?P<a>b)", "x|+", "a{2}{3}"])
def test_what_javascript_takes_for_no_regex(regex: str) -> None:
    assert regex_problem(regex)


@pytest.mark.parametrize(
    "regex", [r"\.md$", "a*?b", "a+?", "a??", "[*]", "[^]]", "(?<n>a)", "(?<!a)b", "a{2,}", "a{,2}", "]", "}", "{", ""]
)
def test_what_it_takes_for_one(regex: str) -> None:
    assert not regex_problem(regex)
