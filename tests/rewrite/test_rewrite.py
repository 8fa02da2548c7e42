"""Tools written for another harness or in another form: what becomes of every shape, comment and quote, word for word."""

from __future__ import annotations

import pytest
from fixing import repair, reports

from fsagent_lint.agent.tool_values import ToolValue, read_tool_value
from fsagent_lint.frontmatter.nodes import Map
from fsagent_lint.frontmatter.parse import parse
from fsagent_lint.harnesses.kind import Key
from fsagent_lint.rewrite.entry_edits import Change, change_items, remove_item, replace_item

HEAD = "---\nname: a\ndescription: d\n"
TAIL = "model: inherit\n---\nThe body.\n"


def written(before: str, harness: str, target: str | None, form: str = "auto") -> str:
    """What becomes of the tool lines, and that nothing else changes, now or the second time."""
    fixed = repair(HEAD + before + TAIL, harness, target, form)
    assert fixed.errors == []
    after = fixed.data.decode()
    assert after.startswith(HEAD) and after.endswith(TAIL)
    assert repair(after, harness, target, form).data == fixed.data
    return after[len(HEAD) : -len(TAIL)]


def said(before: str, harness: str, target: str | None, form: str = "auto") -> list[tuple[str, str]]:
    found = reports(repair(HEAD + before + TAIL, harness, target, form))
    return [(finding.name, finding.message) for finding in found]


# ------------------------------------------------------------------------------------------------------- forms


@pytest.mark.parametrize(
    ("before", "harness", "target", "form", "after"),
    [
        pytest.param(
            "tools: [Read, Bash]\n", "claude-code", "vscode", "auto",
            'tools: ["read", "execute"]\n',
            id="list to list",
        ),
        pytest.param(
            "tools:\n  - Read\n  - Bash\n", "claude-code", "opencode", "map",
            'tools:\n  "*": false\n  read: true\n  bash: true\n',
            id="list to map: nothing else is allowed",
        ),
        pytest.param(
            "tools:\n  - Read\n  - Bash\n", "claude-code", "opencode", "auto",
            'permission:\n  "*": deny\n  read: allow\n  bash: allow\n',
            id="list to permission, which is OpenCode's own form",
        ),
        pytest.param(
            'tools:\n  "*": false\n  grep: true\n  bash: true\n  webfetch: false\n', "opencode", "claude-code", "list",
            "tools:\n  - Grep\n  - Bash\n",
            id="map to list: what is enabled",
        ),
        pytest.param(
            'tools: {edit: false}\npermission:\n  edit: {"git *": allow}\n', "opencode", "canonical", "auto",
            "disallowedTools:\n  - Edit\n  - NotebookEdit\n  - Write\n",
            id="a limit on one tool among all: a list of denials cannot say it",
        ),
        pytest.param(
            "tools:\n  lsp: true\n  task: true\n", "opencode", "vscode", "auto",
            'tools: ["search/usages", "agent"]\n',
            id="a map of nothing but true is an allow list",
        ),
        pytest.param(
            "tools: {bash: false, webfetch: false}\n", "opencode", "claude-code", "auto",
            "disallowedTools: Bash, WebFetch, Artifact, Monitor, PowerShell, SendUserFile, ShareOnboardingGuide, WebSearch\n",
            id="a map with denials is a deny list, also of what OpenCode never granted",
        ),
        pytest.param(
            "permission:\n  bash: deny\n  read: allow\n", "opencode", None, "map",
            "tools:\n  bash: false\n  read: true\n",
            id="permission to map",
        ),
        pytest.param(
            "tools:\n  bash: false\n  read: true\n", "opencode", None, "permission",
            "permission:\n  bash: deny\n  read: allow\n",
            id="map to permission",
        ),
        pytest.param(
            "tools:\n  Bash: false\n  read: true\n", "opencode", "opencode", "map",
            "tools:\n  bash: false\n  read: true\n",
            id="map to map",
        ),
        pytest.param(
            "tools: Read, Bash\n", "claude-code", "vscode", "auto",
            'tools: ["read", "execute"]\n',
            id="a comma string becomes the list that people write there",
        ),
        pytest.param(
            "tools: Read, Bash\n", "claude-code", "copilot", "list",
            'tools: ["read", "execute"]\n',
            id="comma string to list",
        ),
        pytest.param(
            "tools: [\"read\", 'execute']\n", "copilot", "claude-code", "auto",
            "tools: Read, Bash\n",
            id="list to the comma string that people write there",
        ),
        pytest.param(
            "tools: Read, Bash\n", "claude-code", "gemini", "auto",
            "tools:\n  - read_file\n  - run_shell_command\n",
            id="comma string to the block that people write there",
        ),
        pytest.param(
            "tools:\n  - Read\n  - Bash\n", "claude-code", None, "csv",
            "tools: Read, Bash\n",
            id="list to comma string",
        ),
        pytest.param(
            "tools: Read, Bash(git diff:*), Bash(git log:*)\n", "claude-code", "opencode", "auto",
            'permission:\n  "*": deny\n  read: allow\n'
            '  bash:\n    "*": deny\n    "git diff *": allow\n    "git log *": allow\n',
            id="scopes to patterns",
        ),
        pytest.param(
            "disallowedTools: Bash(rm:*)\n", "claude-code", "opencode", "auto",
            'permission:\n  bash:\n    "*": allow\n    "rm *": deny\n',
            id="a scoped denial to a pattern",
        ),
        pytest.param(
            "permission: deny\n", "opencode", "claude-code", "auto",
            "tools: []\n",
            id="a denial of everything",
        ),
        pytest.param(
            "tools: '*'\n", "claude-code", "opencode", "auto",
            "",
            id="everything is best said by no key",
        ),
    ],
)  # fmt: skip
def test_every_form_becomes_every_other(before: str, harness: str, target: str | None, form: str, after: str) -> None:
    assert written(before, harness, target, form) == after


def test_denials_win_when_keys_are_merged() -> None:
    before = "tools: Read, Bash, Edit, Write\ndisallowedTools: Bash\n"
    assert written(before, "claude-code", "copilot") == 'tools: ["read", "edit"]\n'
    assert written(before, "claude-code", "opencode") == 'permission:\n  "*": deny\n  read: allow\n  edit: allow\n'


def test_a_deny_list_becomes_what_remains_where_nothing_can_be_denied() -> None:
    before = "disallowedTools: Bash, Write, Edit, NotebookEdit\n"
    assert written(before, "claude-code", "copilot") == 'tools: ["read", "search", "web", "agent", "db/*"]\n'
    assert said(before, "claude-code", "copilot") == [
        (
            "lost-tool",
            "The denials become a list of tools in Copilot; tools of MCP servers are dropped, except those of `db`.",
        )
    ]


def test_one_name_becomes_several_and_several_become_one_in_the_order_of_the_author() -> None:
    assert written("tools: {todowrite: true, grep: true}\n", "opencode", "claude-code") == (
        "tools: TaskCreate, TaskUpdate, TaskGet, TaskList, Grep\n"
    )
    before = "tools: Write, TodoWrite, Edit, Read, MultiEdit\n"
    assert written(before, "claude-code", "opencode", "map") == (
        'tools:\n  "*": false\n  edit: true\n  todowrite: true\n  read: true\n'
    )


def test_a_tool_that_the_target_lacks_is_dropped_and_reported() -> None:
    before = "tools: Read, Monitor\n"
    assert written(before, "claude-code", "opencode") == 'permission:\n  "*": deny\n  read: allow\n'
    assert said(before, "claude-code", "opencode") == [("lost-tool", "OpenCode has no equivalent of Monitor; dropped.")]


@pytest.mark.parametrize(
    ("before", "target", "form", "after"),
    [
        ("tools: Monitor\n", "opencode", "auto", 'permission:\n  "*": deny\n'),
        ("tools: Monitor\n", "opencode", "map", 'tools:\n  "*": false\n'),
        ("tools: Monitor # m\n", "copilot", "auto", "tools: [] # m\n"),
        ("tools: [ Monitor ]\n", "copilot", "auto", "tools: []\n"),
        ("tools:\n- Monitor # m\n- Workflow\n", "copilot", "auto", "# Monitor: m\ntools: []\n"),
        ("tools: # key\n  # first\n  - Monitor # m\n  # last\n", "copilot", "auto",
         "# Monitor: first\n# Monitor: m\ntools: [] # key\n  # last\n"),
        ("tools: [ # open\n  Monitor, # m\n  # last\n]\n", "copilot", "auto",
         "# Monitor: m\n# last\ntools: [] # open\n"),
    ],
)  # fmt: skip
def test_an_emptied_value_says_so(before: str, target: str, form: str, after: str) -> None:
    assert written(before, "claude-code", target, form) == after


def test_what_cannot_be_limited_is_left_out_and_reported() -> None:
    before = "tools: Read, Bash(git diff:*)\n"
    assert written(before, "claude-code", "copilot") == 'tools: ["read"]\n'
    assert [name for name, _ in said(before, "claude-code", "copilot")] == ["lost-scope"]
    patterns = "permission:\n  bash:\n    '*': allow\n    'rm *': deny\n"
    assert written(patterns, "opencode", "claude-code") == "disallowedTools: Bash, Monitor, PowerShell\n"
    assert written(patterns, "opencode", "copilot") == (
        'tools: ["read", "edit", "search", "web", "agent", "todo", "db/*"]\n'
    )
    assert "execute" not in written(patterns, "opencode", "vscode")


def test_a_switch_cannot_ask_and_a_permission_can() -> None:
    before = "permission:\n  bash: ask\n  edit: deny\n"
    assert written(before, "opencode", None, "map") == before


def test_a_form_that_the_target_cannot_load_is_refused() -> None:
    before = "tools: [read]\n"
    assert written(before, "copilot", "claude-code", "map") == before
    assert said(before, "copilot", "claude-code", "map") == [
        ("tool-format", "Claude Code cannot load `tools` as map; it accepts csv or list.")
    ]


@pytest.mark.parametrize("form", ["map", "permission", "space-separated"])
def test_a_form_that_its_own_harness_does_not_have_changes_nothing(form: str) -> None:
    before = "tools: Read\n"
    assert written(before, "claude-code", None, form) == before
    assert said(before, "claude-code", None, form) == []


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ("tools: &x [Read, Bash]\nothers: *x\n", "`tools` uses YAML anchors, aliases or tags"),
        ("tools: Read\ntools: Bash\n", "a tool key occurs twice"),
        ("? tools\n: Read\n", "`tools` shares its line with another key"),
    ],
)
def test_what_cannot_be_written_safely_is_left_alone(before: str, why: str) -> None:
    assert written(before, "claude-code", "vscode") == before
    assert ("tool-format", f"The tools cannot be written for VS Code: {why}.") in said(before, "claude-code", "vscode")


# ---------------------------------------------------------------------------------------------------- comments


def test_comments_stay_with_the_entries_of_a_block_list() -> None:
    before = (
        "tools: # the key\n"
        "  # before the first\n"
        "  - Read # reads\n"
        "  # between\n"
        "  - Monitor # watches\n"
        "  - Bash # runs\n"
        "  # after the last\n"
    )
    assert written(before, "claude-code", "opencode") == (
        "permission: # the key\n"
        '  "*": deny\n'
        "  # before the first\n"
        "  read: allow # reads\n"
        "  # Monitor: between\n"
        "  # Monitor: watches\n"
        "  bash: allow # runs\n"
        "  # after the last\n"
    )
    assert written(before, "claude-code", "vscode") == (
        "tools: # the key\n"
        "  # before the first\n"
        "  - read # reads\n"
        "  # Monitor: between\n"
        "  # Monitor: watches\n"
        "  - execute # runs\n"
        "  # after the last\n"
    )


def test_comments_stay_with_the_entries_of_a_list_in_brackets() -> None:
    before = (
        "tools: [ # open\n"
        "  'Read', # reads\n"
        "  # between\n"
        '  "Bash", # runs\n'
        "  'Monitor' # watches\n"
        "  # after the last\n"
        "] # close\n"
    )
    assert written(before, "claude-code", "vscode") == (
        "tools: # open\n"
        "  - read # reads\n"
        "  # between\n"
        "  - execute # runs\n"
        "  # Monitor: watches\n"
        "  # after the last\n"
        "  # close\n"
    )
    assert written(before, "claude-code", "opencode", "map") == (
        "tools: # open\n"
        '  "*": false\n'
        "  read: true # reads\n"
        "  # between\n"
        "  bash: true # runs\n"
        "  # Monitor: watches\n"
        "  # after the last\n"
        "  # close\n"
    )


def test_comments_stay_with_the_entries_of_a_map() -> None:
    before = (
        "tools:\n"
        "  # first\n"
        "  bash: false # no shell\n"
        "  # second\n"
        "  read: true # look\n"
        "  # last\n"
    )  # fmt: skip
    assert written(before, "opencode", None, "permission") == (
        "permission:\n"
        "  # first\n"
        "  bash: deny # no shell\n"
        "  # second\n"
        "  read: allow # look\n"
        "  # last\n"
    )  # fmt: skip
    assert written(before, "opencode", "claude-code") == (
        "tools:\n"
        "  # bash: first\n"
        "  # bash: no shell\n"
        "  # second\n"
        "  - Read # look\n"
        "  # last\n"
    )  # fmt: skip
    assert written(before.replace("read: true", "grep: false"), "opencode", "claude-code") == (
        "disallowedTools:\n"
        "  # first\n"
        "  - Bash # no shell\n"
        "  # second\n"
        "  - Grep # look\n"
        "  - Monitor\n"
        "  - PowerShell\n"
        "  # last\n"
    )  # fmt: skip


def test_comments_among_patterns_stay_where_the_patterns_stay() -> None:
    before = (
        "tools:\n"
        "  plan_enter: false # never\n"
        "permission: # mine\n"
        "  bash: # careful\n"
        "    # all of it\n"
        "    '*': ask\n"
        "    'git *': allow # harmless # really\n"
        "  # the rest\n"
    )
    assert written(before, "opencode", "kilo") == (
        "permission: # mine\n"
        "  plan_exit: deny # never\n"
        "  bash: # careful\n"
        "    # all of it\n"
        '    "*": ask\n'
        '    "git *": allow # harmless # really\n'
        "  # the rest\n"
    )
    assert written(before, "opencode", None, "permission") == before  # a formatter does not merge keys


def test_comments_among_patterns_stay_where_their_entry_goes() -> None:
    before = 'permission:\n  "*": deny # all\n  bash: # no\n    # push\n    "git *": deny # none\n'
    after = 'permission:\n  "*": deny # all\n  # bash: no\n  # bash(git *): push\n  # bash(git *): none\n'
    assert written(before, "opencode", "kilo", "permission") == after
    assert written(before, "opencode", "opencode", "permission") == before  # it has this form already


def test_a_name_that_would_be_taken_for_another_tool_is_not_written() -> None:
    before = "tools: ['edit', 'WEB/fetch']\n"
    assert written(before, "copilot", "kilo") == before
    assert [message for _, message in said(before, "copilot", "kilo") if "could be read as WebFetch" in message]


def test_a_number_sign_in_quotes_is_no_comment() -> None:
    before = "permission:\n  bash:\n    '*': deny # stop\n    'echo # x': allow\n  write: deny # w\n"
    assert written(before, "opencode", "opencode") == before.replace("write", "edit")


def test_comments_move_above_the_key_where_the_form_has_no_lines() -> None:
    before = "tools: # key\n  # first\n  - Read # reads\n  - Bash\n"
    assert written(before, "claude-code", None, "csv") == "# first\n# reads\ntools: Read, Bash # key\n"


def test_comments_of_a_key_that_goes_stay_in_its_place() -> None:
    before = "tools: [Read, Bash] # some\neffort: high\ndisallowedTools: # not these\n  # ever\n  - Bash # danger\n"
    assert written(before, "claude-code", "copilot") == (
        'tools: ["read"] # some\neffort: high\n# disallowedTools: not these\n# Bash: ever\n# Bash: danger\n'
    )


def test_the_comment_of_an_entry_that_becomes_part_of_another_one_goes_there() -> None:
    before = "tools:\n  - Write # create\n  - Read\n  - Edit # change\n"
    assert written(before, "claude-code", "opencode", "map") == (
        'tools:\n  "*": false\n  edit: true # create # change\n  read: true\n'
    )


# ------------------------------------------------------------------------------------------- the author's habits


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tools: 'read, bash'\n", "tools: 'Read, Bash'\n"),
        ("tools: read,bash\n", "tools: Read,Bash\n"),
        ("tools: [ 'read' ,\"bash\",grep ]\n", "tools: [ 'Read' ,\"Bash\",Grep ]\n"),
        ("tools:\n- read\n- 'bash'\n", "tools:\n- Read\n- 'Bash'\n"),
        ("tools:\n    -   read\n\n    -   bash   \n", "tools:\n    -   Read\n\n    -   Bash   \n"),
        ('"tools": [read]\n', '"tools": [Read]\n'),
        ("tools : [read]\n", "tools : [Read]\n"),
    ],
)
def test_quotes_indentation_and_style_are_kept_for_its_own_harness(before: str, after: str) -> None:
    assert written(before, "claude-code", None) == after


@pytest.mark.parametrize(
    "before",
    [
        "tools: 'Read, Bash'\n",
        "tools: Read,Bash\n",
        "tools: [ 'Read' ,\"Bash\" ]\n",
        "tools:\n- Read\n- 'Bash'\n",
        "tools:\n  -   Read\n\n  -   Bash   \n",
        '"tools": [Read, Bash]\n',
        "tools : [Read, Bash]\n",
        "tools: [Monitor, Read, Workflow, Bash]\n",
        "tools: Monitor, Read, Workflow, Bash\n",
        "tools: [Read,\n        Monitor,\n        Bash]\n",
    ],
)
def test_whatever_the_style_was_another_harness_gets_its_own(before: str) -> None:
    assert written(before, "claude-code", "vscode") == 'tools: ["read", "execute"]\n'
    assert written(before, "claude-code", "gemini") == "tools:\n  - read_file\n  - run_shell_command\n"


def test_a_comment_above_text_stays_above_its_first_entry() -> None:
    before = "tools:\n  # c\n  Read,\n  Bash\n"
    assert written(before, "claude-code", "vscode") == "tools:\n  # c\n  - read\n  - execute\n"
    assert written("tools:\n  # c\n  read\n", "copilot", "claude-code", "csv") == "# c\ntools: Read\n"


def test_line_ends_and_byte_order_mark_are_kept() -> None:
    before = "\ufeff---\r\nname: a\r\ndescription: d\r\ntools:\r\n    - Read # r\r\n    - Bash\r\n---".encode()
    assert (
        repair(before, "claude-code", "opencode").data
        == (
            "\ufeff---\r\nname: a\r\ndescription: d\r\npermission:\r\n"
            '    "*": deny\r\n    read: allow # r\r\n    bash: allow\r\n---'
        ).encode()
    )


def test_an_indented_frontmatter_stays_indented() -> None:
    before = "---\n  description: d\n  tools: [Read, Bash]\n---\n"
    assert repair(before, "claude-code", "opencode").data.decode() == (
        '---\n  description: d\n  permission:\n    "*": deny\n    read: allow\n    bash: allow\n---\n'
    )


# ------------------------------------------------------------------------------------------------ single entries


def value(text: str) -> ToolValue:
    root = parse(text)
    assert isinstance(root, Map)
    return read_tool_value(root.entries[0], text, Key(role="allow", syntax="x", forms=("csv",), blanks=True))


def edited(text: str, **names: list[str]) -> str | None:
    """The text with entries renamed or, for no names, taken out."""
    from fsagent_lint.frontmatter.edits import apply_edits

    tools = value(text)
    changes = [Change(item, names[item.name]) for item in tools.items if item.name in names]
    edits = change_items(text, tools, changes)
    return None if edits is None else apply_edits(text, edits)


@pytest.mark.parametrize(
    ("text", "names", "after"),
    [
        ("tools: a, b, c\n", {"a": []}, "tools: b, c\n"),
        ("tools: a, b, c\n", {"b": []}, "tools: a, c\n"),
        ("tools: a, b, c\n", {"a": [], "b": []}, "tools: c\n"),
        ("tools: a, b, c\n", {"b": [], "c": []}, "tools: a\n"),
        ("tools: a, b, c\n", {"a": [], "c": []}, "tools: b\n"),
        ("tools: a, b\n", {"a": [], "b": []}, "tools: []\n"),
        ("tools: a b c\n", {"b": ["x", "z"]}, "tools: a x z c\n"),
        ("tools: a\n", {"a": ["x", "z"]}, "tools: x, z\n"),
        ("tools: [a, b, c]\n", {"a": [], "b": []}, "tools: [c]\n"),
        ("tools: [a, b, c,]\n", {"c": []}, "tools: [a, b,]\n"),
        ("tools: [a, b]\n", {"a": [], "b": []}, "tools: []\n"),
        ("tools: [a, b]\n", {"a": ["x", "y, z"]}, 'tools: [x, "y, z", b]\n'),
        ("tools:\n- a\n- b # b\n- c\n", {"b": []}, "tools:\n- a\n# b: b\n- c\n"),
        ("tools:\n- a # a\n- b\n", {"a": ["x", "z"]}, "tools:\n- x # a\n- z\n- b\n"),
        ("tools:\n- a\n- b\n", {"a": [], "b": []}, "tools: []\n"),
        ("tools:\n- a, b\n- c\n", {"a": []}, "tools:\n- b\n- c\n"),
        ("tools:\n- a, b\n- c\n", {"a": [], "b": []}, "tools:\n- c\n"),
        ("tools: {a: true, b: false}\n", {"a": []}, "tools: {b: false}\n"),
        ("tools: {a: true, b: false}\n", {"a": ["x", "z"]}, "tools: {x: true, z: true, b: false}\n"),
        ("tools: {a: true}\n", {"a": []}, "tools: {}\n"),
        ("tools:\n  a: true # a\n  b: false\n", {"a": []}, "tools:\n  # a: a\n  b: false\n"),
        ("tools:\n  a: true # a\n", {"a": ["x", "z"]}, "tools:\n  x: true # a\n  z: true\n"),
        ("tools:\n  a: true\n  b: true\n", {"a": [], "b": []}, "tools: {}\n"),
        ("tools: [a, # of a\n  b]\n", {"b": []}, None),
    ],
)
def test_entries_are_renamed_and_taken_out(text: str, names: dict[str, list[str]], after: str | None) -> None:
    assert edited(text, **names) == after


def test_a_name_that_is_there_already_is_not_written_again() -> None:
    from fsagent_lint.frontmatter.edits import apply_edits

    text = "tools: LS, Read\n"
    tools = value(text)
    edits = replace_item(text, tools, tools.items[0], ["Read", "Glob"])
    assert edits is not None and apply_edits(text, edits) == "tools: Glob, Read\n"
    edits = replace_item(text, tools, tools.items[0], ["Read"])
    assert edits is not None and apply_edits(text, edits) == "tools: Read\n"


def test_text_that_is_not_what_it_says_is_not_touched() -> None:
    text = 'tools: "Re\\x61d, Bash"\n'
    assert remove_item(text, value(text), value(text).items[0]) is None


def test_what_was_denied_does_not_come_back_on_the_second_pass() -> None:
    """`read` lists folders in OpenCode, and not in VS Code: rewritten, it must not be read as OpenCode's again."""
    text = '---\ndescription: d\npermission:\n  "*": deny\n  read: allow\n  list: deny\n---\n'
    fixed = repair(text, "opencode", "vscode")
    assert fixed.data.decode() == '---\ndescription: d\ntools: ["read"]\n---\n'
    assert repair(fixed.data, "opencode", "vscode").data == fixed.data


def test_a_file_without_a_prompt_is_written_for_another_harness_once() -> None:
    fixed = repair(HEAD + 'tools: {"*": false, db_*: true}\n---\n', "opencode", "gemini")
    assert fixed.data.decode() == HEAD + "tools:\n  - mcp_db_*\n---\n"
    assert reports(fixed) == []
