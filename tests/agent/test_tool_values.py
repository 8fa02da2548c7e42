"""Tool entries as people write them: every shape, with spans that can be replaced or that say that they cannot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsagent_lint.agent.tool_values import ToolItem, ToolValue, read_tool_value
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.quoting import split
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.kind import Key
from fsagent_lint.model.policy import Action


def written(yaml: str, *, blanks: bool = False) -> tuple[ToolValue, str]:
    document = Document(Source("a.md", f"---\n{yaml}\n---\n".encode()))
    entry = document.get("tools")
    assert entry is not None
    return read_tool_value(
        entry, document.source.text, Key(role="allow", syntax="x", forms=("csv",), blanks=blanks)
    ), document.source.text


def names(yaml: str, *, blanks: bool = False) -> list[str]:
    return [item.name for item in written(yaml, blanks=blanks)[0].items]


def items(yaml: str) -> tuple[ToolItem, ...]:
    return written(yaml)[0].items


# ------------------------------------------------------------------------------------------------------ shapes


@pytest.mark.parametrize(
    ("yaml", "shape", "found"),
    [
        ("tools: Read, Grep", "csv", ["Read", "Grep"]),
        ("tools: Read", "csv", ["Read"]),
        ("tools: Read Grep", "csv", ["Read", "Grep"]),
        ("tools: '*'", "csv", ["*"]),
        ("tools: 'Read, Grep'", "csv", ["Read", "Grep"]),
        ("tools: |\n  Read\n  Grep", "csv", ["Read", "Grep"]),
        ("tools: >-\n  Read,\n  Grep", "csv", ["Read", "Grep"]),
        ("tools: ''", "csv", []),
        ("tools: [Read, Grep]", "list", ["Read", "Grep"]),
        ("tools:\n  - Read\n  - Grep", "list", ["Read", "Grep"]),
        ("tools: []", "list", []),
        ("tools: [[Read], [Grep, [Edit]]]", "list", ["Read", "Grep", "Edit"]),
        ("tools: [{Read: true}, Grep]", "list", ["Read", "Grep"]),
        ("tools: {read: true, bash: false}", "map", ["read", "bash"]),
        ("tools: {}", "map", []),
        ("tools: {read: allow}", "permission", ["read"]),
        ("tools: {read: true, bash: deny}", "permission", ["read", "bash"]),
        ("tools: {bash: {'git *': allow}}", "permission", ["bash"]),
        ("tools: deny", "permission", ["*"]),
        ("tools:", "null", []),
        ("tools: ~", "null", []),
        ("tools: null", "null", []),
    ],
)
def test_the_shape_and_the_names_of_a_value(yaml: str, shape: str, found: list[str]) -> None:
    value, _ = written(yaml)
    assert (value.shape, [item.name for item in value.items]) == (shape, found)
    assert value.key == "tools"


@pytest.mark.parametrize("text", ["'null'", '"~"', "|\n  null"])
def test_text_that_only_looks_like_null_is_text(text: str) -> None:
    assert written(f"tools: {text}")[0].shape == "csv"


def test_a_quoted_action_is_the_name_of_a_tool() -> None:
    assert written("tools: 'allow'")[0].shape == "csv"


@pytest.mark.parametrize(
    ("word", "action"),
    [
        ("true", Action.ALLOW),
        ("True", Action.ALLOW),
        ("yes", Action.ALLOW),
        ("on", Action.ALLOW),
        ("allow", Action.ALLOW),
        ("'true'", Action.ALLOW),
        ("false", Action.DENY),
        ("off", Action.DENY),
        ("NO", Action.DENY),
        ("deny", Action.DENY),
        ("ask", Action.ASK),
        ("maybe", None),
        ("", None),
        ("[true]", None),
    ],
)
def test_a_switch_is_read_as_any_reader_would_take_it(word: str, action: Action | None) -> None:
    [item] = items(f"tools: {{bash: {word}}}")
    assert item.action is action


def test_actions_of_a_list_are_left_to_its_key() -> None:
    assert [item.action for item in items("tools: [Read, Grep]")] == [None, None]


def test_a_nested_map_is_one_entry_for_each_scope() -> None:
    found = items("tools:\n  bash:\n    '*': deny\n    'git diff *': allow\n    'rm *': ask")
    assert [(item.name, item.scope, item.action) for item in found] == [
        ("bash", None, Action.DENY),
        ("bash", "git diff *", Action.ALLOW),
        ("bash", "rm *", Action.ASK),
    ]


# ------------------------------------------------------------------------------------------------------ scopes


@pytest.mark.parametrize(
    ("text", "name", "scope"),
    [
        ("Bash(git diff:*)", "Bash", "git diff:*"),
        ("Bash (git diff:*)", "Bash", "git diff:*"),
        ("Bash( git diff )", "Bash", "git diff"),
        ("Bash(git add, git rm)", "Bash", "git add, git rm"),
        ("Bash(echo $(date))", "Bash", "echo $(date)"),
        ("Bash()", "Bash", None),
        ("Bash(*)", "Bash", None),
        ("Bash(:*)", "Bash", None),
        ("Read(**)", "Read", None),
        ("Read(~/secrets/**)", "Read", "~/secrets/**"),
        ("mcp__db__query(x)", "mcp__db__query", "x"),
        # What is not balanced is no scope: the entry is what it is.
        ("Bash(git", "Bash(git", None),
        ("Bash)", "Bash)", None),
        ("(Bash)", "(Bash)", None),
    ],
)
def test_a_scope_is_what_stands_in_parentheses(text: str, name: str, scope: str | None) -> None:
    [item] = items(f"tools:\n  - {text!r}".replace("\\", ""))
    assert (item.text, item.name, item.scope) == (text, name, scope)


def test_commas_inside_parentheses_do_not_separate() -> None:
    assert names("tools: Bash(a, b), Read") == ["Bash", "Read"]


def test_an_open_parenthesis_takes_the_rest_of_the_text() -> None:
    assert names("tools: Read, Bash(git add, Grep") == ["Read", "Bash(git add, Grep"]


def test_a_closing_parenthesis_too_many_changes_nothing() -> None:
    assert names("tools: Read), Grep") == ["Read)", "Grep"]


def test_blanks_separate_where_there_is_no_comma_or_where_the_harness_says_so() -> None:
    assert names("tools: Read Grep") == ["Read", "Grep"]
    assert names("tools: Read Grep, Edit") == ["Read Grep", "Edit"]
    assert names("tools: Read Grep, Edit", blanks=True) == ["Read", "Grep", "Edit"]
    assert names("tools: [Read Grep]") == ["Read Grep"]
    assert names("tools: [Read Grep]", blanks=True) == ["Read", "Grep"]


# ------------------------------------------------------------------------------------------------------- spans


@pytest.mark.parametrize(
    "yaml",
    [
        "tools: Read, Bash(git diff:*),Grep ,  Edit",
        "tools: 'Read, Grep'",
        'tools: "Read, Grep"',
        "tools: Read Grep",
        "tools: [Read, 'Grep', \"Edit\", Bash(a b)]",
        "tools:\n  - Read # why\n  - 'Grep'\n\n# more\nmodel: x",
        "tools: {read: true, 'bash': false, \"edit\": ask}",
        "tools:\n  read: true\n  bash:\n    'git *': allow",
        "tools: [😀, Read]",
        "description: 😀\ntools: Read, 😀, Grep",
    ],
)
def test_an_exact_span_holds_the_text_of_the_entry(yaml: str) -> None:
    value, text = written(yaml)
    assert value.items
    for item in value.items:
        selected = text[item.span.start : item.span.end]
        assert item.exact
        assert selected.strip("'\"") == item.text


@pytest.mark.parametrize(
    "yaml",
    [
        'tools: "Read,\\tGrep"',
        "tools: 'Read,''Grep'",
        "tools: >-\n  Read,\n  Grep",
        "tools: |\n  Read\n  Grep",
        "tools: Read,\n  Grep",
        "tools: !!str Read, Grep",
        "tools: &t Read, Grep",
        "other: &t Read\ntools: *t",
        "tools: [&t Read, *t]",
    ],
)
def test_an_entry_that_is_not_there_as_text_points_at_its_whole_scalar(yaml: str) -> None:
    value, _ = written(yaml)
    assert value.items
    for item in value.items:
        assert not item.exact
        assert item.span == (item.node.start, item.node.end)


def test_an_entry_of_a_map_points_at_its_key() -> None:
    value, text = written("tools: {read: true, bash: false}")
    assert [text[item.span.start : item.span.end] for item in value.items] == ["read", "bash"]


# ------------------------------------------------------------------------------------------------------- split

PARTS = st.lists(st.sampled_from(["a", "bc", " ", ",", "(", ")", "\n", "\t", "é"]), max_size=25).map("".join)


@given(PARTS, st.sampled_from([",", ", \t\n", ",\n", ""]))
def test_parts_are_trimmed_disjoint_and_in_order(text: str, separators: str) -> None:
    end = 0
    for start, stop in split(text, separators):
        assert end <= start < stop <= len(text)
        assert text[start:stop] == text[start:stop].strip(" \t\r\n")
        end = stop


@given(PARTS, st.sampled_from([",", ", \t\n", ",\n", ""]))
def test_only_separators_and_blanks_are_left_out(text: str, separators: str) -> None:
    kept = set[int]()
    for start, stop in split(text, separators):
        kept |= set(range(start, stop))
    assert all(char in f"{separators} \t\r\n" for at, char in enumerate(text) if at not in kept)


@given(
    st.lists(st.from_regex(r"[A-Za-z_]+(\([a-z ,:*]*\))?", fullmatch=True), max_size=6),
    st.sampled_from([",", ", ", " , "]),
)
def test_joined_names_come_apart_again(parts: list[str], glue: str) -> None:
    text = glue.join(parts)
    assert [text[start:end] for start, end in split(text, ",")] == parts
