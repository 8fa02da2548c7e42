"""Agents written in Python: found by their imports, judged by the same rules, edited without touching anything else."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fsagent_lint import NO_CONFIG
from fsagent_lint.agent.python.detect import MODULES, may_define_agents
from fsagent_lint.agent.python.outline import SdkNames, outline
from fsagent_lint.agent.python.source import MAX_MODULE, PythonSource
from fsagent_lint.agent.python.subject import read_module
from fsagent_lint.harnesses.sdk import get_sdk
from fsagent_lint.linter.checker import Checker
from fsagent_lint.linter.fixer import Fixed, fix_file
from fsagent_lint.linter.run import Request, check, prepare
from fsagent_lint.linter.selection import choose_rules
from fsagent_lint.model.finding import Finding, Safety
from fsagent_lint.project.target import Target
from fsagent_lint.rewrite.proof_python import prove_module

HEAD = "from claude_agent_sdk import AgentDefinition as A, ClaudeAgentOptions as O\n"
TARGET = Target("agents.py", "claude-code", "python", False)
CHECKER = Checker(choose_rules((), ()))
SDK_NAMES = SdkNames(MODULES, {"AgentDefinition": ("tools",)}, ())


def judge(text: str, checker: Checker = CHECKER) -> list[Finding]:
    return checker.check(checker.subject(TARGET, text.encode()))[0]


def told(body: str) -> list[tuple[str, str]]:
    """Name and place of each finding behind the usual imports."""
    text = HEAD + body
    return [(each.name, text[each.span.start : each.span.end]) for each in judge(text)]


def fixed(data: bytes | str, wanted: Safety = Safety.SAFE) -> Fixed:
    data = data if isinstance(data, bytes) else data.encode()
    return fix_file(TARGET, data, CHECKER, wanted)


def mended(body: str, wanted: Safety = Safety.SAFE) -> str:
    result = fixed(HEAD + body, wanted)
    assert not result.errors
    assert fixed(result.data, wanted).data == result.data
    ast.parse(result.data)
    return result.data.decode().removeprefix(HEAD)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("A('d', 'p', tools=['Read', 'Grep'])", []),
        ("A('d', 'p', tools=['frobnicate'])", [("unknown-tool", "frobnicate")]),
        ("A('d', 'p', ['read'])", [("wrong-case-tool", "read")]),
        ("A('d', 'p', tools=['execute'])", [("foreign-tool", "execute")]),
        ("A('d', 'p', tools=['Task'])", [("renamed-tool", "Task")]),
        ("A('d', 'p', tools=['Read', 'LS'])", [("removed-tool", "LS")]),
        ("A('d', 'p', tools=['Read', 'Read'])", [("duplicate-tool", "Read")]),
        ("A('d', 'p', tools=['db/query'])", [("wrong-mcp-form", "db/query")]),
        ("A('d', 'p', tools=['B\u0430sh'])", [("lookalike-tool", "B\u0430sh")]),
        ("A('d', 'p', tools=['Bash(git diff:*)'])", [("ignored-scope", "Bash(git diff:*)")]),
        ("A('d', 'p', disallowedTools=['bash'])", [("wrong-case-tool", "bash")]),
        ("A('d', 'p', tools=['Read' 'Grep'])", [("unknown-tool", "'Read' 'Grep'")]),
        ("A('d', 'p', tools=('Read',))", [("wrong-tools-shape", "tools")]),
        ("O(tools='Read')", [("wrong-tools-shape", "tools")]),
        ("O(tools=['Bash'], disallowed_tools='Write')", [("wrong-tools-shape", "disallowed_tools")]),
        ("O(tools=['Bash'], disallowed_tools=['Bash'])", [("allow-deny-conflict", "Bash")]),
        ("O(tools=['Bash'], disallowed_tools=['Bash(rm *)'])", []),
        ("O(tools=['Bash'], allowed_tools=['Bash(git *)', 'mcp__db', 'mcp__db__*'])", []),
        ("O(tools=[], mcp_servers={'db': 1}, allowed_tools=['mcp__bd__q'])", [("unknown-mcp-server", "mcp__bd__q")]),
        ("O(tools=[], mcp_servers={'db': 1}, allowed_tools=['mcp__db__q', 'mcp__db'])", []),
        ("O(tools=[], mcp_servers={**x, 'db': 1}, allowed_tools=['mcp__bd__q'])", []),
        ("O(tools=[], mcp_servers=x, allowed_tools=['mcp__bd__q'])", []),
        ("O(tools=[], mcp_servers={'db': 1}, agents={'a': A('d', 'p', ['mcp__x__q'])})", [("unknown-mcp-server", "mcp__x__q")]),
        ("A('d', 'p', ['mcp__x__q'])", []),
        ("O(tools=[], mcp_servers={'db': 1}, agents={'a': A('d', 'p', ['mcp__x__q'], mcpServers=['x'])})", []),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_call_is_reported_where_it_stands(body: str, expected: list[tuple[str, str]]) -> None:
    assert told(body) == expected


def test_a_message_is_the_one_that_markdown_gets() -> None:
    (finding,) = judge(f"{HEAD}A('d', 'p', tools=['read'])")
    markdown = Target("a.md", "claude-code", "agent", False)
    subject = CHECKER.subject(markdown, b"---\nname: a\ndescription: d\ntools: read\n---\n")
    (other,) = CHECKER.check(subject)[0]
    assert finding[3:5] == other[3:5]


@pytest.mark.parametrize(
    "head",
    [
        "from claude_agent_sdk import AgentDefinition",
        "from claude_agent_sdk import AgentDefinition as Other\nAgentDefinition = Other",
        "from claude_agent_sdk.types import AgentDefinition",
        "from claude_agent_sdk import *",
        "try:\n    from claude_agent_sdk import AgentDefinition\nexcept ImportError:\n    AgentDefinition = None",
        "if True:\n    from claude_code_sdk.types import AgentDefinition",
        "import claude_agent_sdk\nAgentDefinition = claude_agent_sdk.AgentDefinition",
    ],
)
def test_imports_at_the_top(head: str) -> None:
    found = [each.name for each in judge(f"{head}\nAgentDefinition('d', 'p', ['Reed'])\n")]
    # An assignment hides where a name comes from.
    assert found == ([] if "\nAgentDefinition =" in head else ["unknown-tool"])


@pytest.mark.parametrize(
    "text",
    [
        "import claude_agent_sdk\nclaude_agent_sdk.AgentDefinition('d', 'p', ['Reed'])",
        "import claude_agent_sdk as sdk\nsdk.AgentDefinition('d', 'p', ['Reed'])",
        "import claude_agent_sdk.types as t\nt.AgentDefinition('d', 'p', ['Reed'])",
        "def f():\n    from claude_agent_sdk import AgentDefinition as B\n    return B('d', 'p', ['Reed'])",
        "import claude_code_sdk as c\nc.ClaudeCodeOptions(tools=['Reed'])",
        "class C:\n    from claude_agent_sdk import AgentDefinition as B\n    agent = B('d', 'p', tools=['Reed'])",
    ],
)
def test_imports_in_every_form(text: str) -> None:
    assert [each.name for each in judge(text)] == ["unknown-tool"]


@pytest.mark.parametrize(
    "body",
    [
        "A('d', 'p', tools=names)",
        "A('d', 'p', tools=[*names, name, f'{x}d', b'Reed', 'a' + 'b'])",
        "A('d', 'p', tools=list(('Reed',)))",
        "O(tools={'type': 'preset', 'preset': 'claude_code'})",
        "A('d', 'p', tools=None)",
        "A(**names)",
        "def f(**names):\n    A(**names)",
        "o = other()\no.tools = ['Reed']",
        "def f(o):\n    o.allowed_tools.append('Reed')",
        "A('d', 'p', tools=names + other)",
        "A(*x, ['Reed'])",
        "A(*x, 'p', ['Reed'])",
        "T = ['Reed']\nT = ['Read']\nA('d', 'p', tools=T)",
        "T = ['Reed']\nT += ['Read']\nA('d', 'p', tools=T)",
        "def f(T):\n    A('d', 'p', tools=T)\nT = ['Reed']",
        "def f():\n    class A: ...\n    A('d', 'p', tools=['Reed'])",
        "A('''---\ntools: Reed\n---\n''', 'tools: Reed')",
        "other(tools=['Reed'])",
    ],
)
def test_what_only_running_the_program_would_tell_is_left_alone(body: str) -> None:
    assert told(body) == []
    assert mended(body) == body


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("A('d', 'p', ['Read'], ['Reed'])", "Reed"),
        ("O(['Read'], ['Read', 'Reed'])", "Reed"),
        ("A(**{'tools': ['Reed']})", "Reed"),
        ("def f(x):\n    more = {'tools': ['Reed'], 'x': x}\n    return A('d', 'p', **more)", "Reed"),
        ("more = dict(tools=['Reed'])\nif x:\n    more['model'] = 'opus'\nA('d', 'p', **more)", "Reed"),
        ("def f():\n    names = ['Reed']\n    return A('d', 'p', tools=names)", "Reed"),
        ("BASE = ['Reed']\nA('d', 'p', tools=['Read', *BASE])", ""),
        ("A('d', 'p', tools=['Reed'] + names)", "Reed"),
        ("A('d', 'p', tools=names + ['Read'] + ['Reed'])", "Reed"),
        ("o = O()\no.disallowed_tools = ['Reed']", "Reed"),
        ("o = O()\nif x:\n    o.disallowed_tools += ['Reed']", "Reed"),
        ("def f(o: O):\n    o.allowed_tools.append('Reed')", "Reed"),
        ("def f(o: 'O', p: O):\n    p.allowed_tools.extend(['Read', 'Reed'])", "Reed"),
        ("from dataclasses import replace\no = O()\nreplace(o, allowed_tools=['Reed'])", "Reed"),
        ("import dataclasses\ndef f(o: O):\n    return dataclasses.replace(o, allowed_tools=['Reed'])", "Reed"),
        (
            "class C:\n    def f(self):\n        o = O(tools=['Read'])\n        o.tools = ['Reed']\n        return o",
            "Reed",
        ),
    ],
)
def test_values_are_followed_where_they_are_plain_to_see(body: str, expected: str) -> None:
    assert told(body) == ([("unknown-tool", expected)] if expected else [])
    assert mended(body) == body
    assert "Read" in mended(body, Safety.UNSAFE) or "append" in body or "+" in body


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("A('d', 'p', disallowed_tools=['Bash'])", [("misnamed-tool-key", "disallowed_tools")]),
        ("A('d', 'p', allowed_tools=['Read'])", [("misnamed-tool-key", "allowed_tools")]),
        ("O(tools=[], disallowedTools=['Bash'])", [("misnamed-tool-key", "disallowedTools")]),
        ("O(tools=[], allowedTools=['Read'])", [("misnamed-tool-key", "allowedTools")]),
    ],
)
def test_an_argument_that_the_class_does_not_have_is_named(body: str, expected: list[tuple[str, str]]) -> None:
    assert told(body) == expected
    assert mended(body, Safety.UNSAFE) == body
    (finding,) = judge(HEAD + body)
    assert "the call fails" in finding.message


SERVER = (
    "from claude_agent_sdk import tool, create_sdk_mcp_server as serve\n"
    "@tool('add', 'd', {})\nasync def plus(args): ...\n"
    "@tool('take', 'd', {})\nasync def minus(args): ...\n"
    "calc = serve('x', tools=[plus, minus])\n"
    "O(tools=[], mcp_servers={'my calc': calc, 'web': web}, allowed_tools=['%s'])\n"
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mcp__my_calc__add", []),
        ("mcp__my_calc", []),
        ("mcp__my_calc__*", []),
        ("mcp__web__any", []),
        ("mcp__my_calc__ad", [("unknown-tool", "mcp__my_calc__ad")]),
        ("mcp__my_calc__plus", [("unknown-tool", "mcp__my_calc__plus")]),
        ("mcp__calc__add", [("unknown-mcp-server", "mcp__calc__add")]),
    ],
)
def test_a_server_that_the_program_makes_has_the_tools_that_it_was_given(
    name: str, expected: list[tuple[str, str]]
) -> None:
    assert told(SERVER % name) == expected
    assert told((SERVER % name).replace("[plus, minus]", "[plus, *more]")) == [
        each for each in expected if each[0] == "unknown-mcp-server"
    ]


def test_the_nearest_tool_of_a_server_is_suggested() -> None:
    body = SERVER % "mcp__my_calc__ad"
    assert mended(body, Safety.UNSAFE) == body.replace("__ad'", "__add'")


def test_hooks_that_wait_for_no_tool() -> None:
    body = (
        "from claude_agent_sdk import HookMatcher\n"
        "O(tools=[], hooks={'PreToolUse': [HookMatcher(matcher='bash|Edit', hooks=[f])],\n"
        "  'PostToolUse': [HookMatcher('Wirte'), HookMatcher(), HookMatcher(matcher=x)],\n"
        "  'Stop': [HookMatcher(matcher='bash')], event: [HookMatcher(matcher='bash')]})\n"
    )
    assert told(body) == [("unknown-hook-matcher", "bash"), ("unknown-hook-matcher", "Wirte")]
    assert mended(body) == body  # the hook would start to run
    assert mended(body, Safety.UNSAFE) == body.replace("bash|Edit", "Bash|Edit").replace("Wirte", "Write")


def test_sets_are_no_lists() -> None:
    assert mended("O(tools={'Read', 'Grep'})") == "O(tools=['Read', 'Grep'])"
    (finding,) = judge(f"{HEAD}A('d', 'p', tools={{'Read'}})")
    assert (finding.name, finding.consequence.value) == ("wrong-tools-shape", "refused")


def test_a_large_module_is_read_only_where_it_matters() -> None:
    other = (
        "def f{0}(x):\n    if x:\n        return [{0}, 'ä', f'{{x}}']\n    elif y:\n        pass\n    a = 1; b = 2\n\n"
    )
    text = HEAD + "".join(other.format(number) for number in range(300)) + "A('d', 'p', tools=['Reed'])  # ü\n"
    kept = outline(ast.parse(text), text, SDK_NAMES)
    assert len(kept) == len(text)
    assert len(kept.split()) < len(text.split()) / 2
    assert ast.dump(ast.parse(kept).body[0]) == ast.dump(ast.parse(text).body[0])
    assert [(each.name, text[each.span.start : each.span.end]) for each in judge(text)] == [("unknown-tool", "Reed")]


@pytest.mark.parametrize(
    "body",
    [
        "def f():\n    @deco\n    @other(1)\n    class B: pass\n    return A('d', 'p', tools=['Reed'])",
        "try:\n    x\nexcept E as e:\n    y\nelse:\n    A('d', 'p', tools=['Reed'])\nfinally:\n    z",
        "match x:\n    case [1]:\n        y\n    case _:\n        A('d', 'p', tools=['Reed'])",
        "if a:\n    x\nelif b:\n    y\nelif c:\n    A('d', 'p', tools=['Reed'])\nelse:\n    z",
        "async def f():\n    async with a as b:\n        '''doc\nstring'''\n        A('d', 'p', tools=['Reed'])",
        "x = 1; y = '''\n'''; A('d', 'p', tools=['Reed']); z = \\\n  3",
        "x = 'ä'; A('ü', 'p', tools=['Reed'])\n\f\ny = 1",
        "def g():\n    def A(**x): ...\nA('d', 'p', tools=['Reed'])",
        "while x:\n    for y in z: pass\n    else: A('d', 'p', tools=['Reed'])",
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_blanking_the_rest_changes_nothing(body: str, newline: str) -> None:
    text = f"\ufeff{HEAD}{body}\nlast = 'ö'\n".replace("\n", newline)
    assert [(each.name, text[each.span.start : each.span.end]) for each in judge(text)] == [("unknown-tool", "Reed")]


def test_a_constant_is_judged_where_it_is_written_and_once() -> None:
    body = "T: list[str] = ['read']\nA('d', 'p', tools=T)\ndef f():\n    return A('d', 'p', tools=T)\n"
    assert told(body) == [("wrong-case-tool", "read")]
    assert mended(body) == body.replace("read", "Read")


def test_a_constant_that_serves_other_ends_too_is_not_changed() -> None:
    body = "T = ['read']\nA('d', 'p', tools=T)\nprint('read' in T)\n"
    assert told(body) == [("wrong-case-tool", "read")]
    assert mended(body) == body


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("O(allowed_tools=['Read'], permission_mode='bypassPermissions')", True),
        ("O(allowed_tools=['Bash'], permission_mode='bypassPermissions')", False),
        ("O(allowed_tools=['Read'], permission_mode='acceptEdits')", True),
        ("O(allowed_tools=['Write'], permission_mode='acceptEdits')", False),
        ("O(allowed_tools=['Read'])", False),
        ("O(allowed_tools=['mcp__calc__add'])", False),
        ("O(allowed_tools=['mcp__calc__add'], permission_mode='acceptEdits')", True),
        ("O(allowed_tools=[])", True),
        ("O(allowed_tools=[], tools=[])", False),
        ("O(allowed_tools=[], disallowed_tools=x)", False),
        ("O(allowed_tools=[], permission_mode='dontAsk')", False),
        ("O(allowed_tools=[], permission_mode='plan')", False),
        ("O(allowed_tools=[], permission_mode=mode)", False),
        ("O(allowed_tools=[], can_use_tool=f)", False),
        ("O(allowed_tools=[], hooks=f)", False),
        ("O(allowed_tools=[], **more)", False),
        ("O(allowed_tools=[*x])", False),
        ("o = O(allowed_tools=[])\no.tools = []", False),
        ("from dataclasses import replace\nreplace(O(allowed_tools=[]), tools=[])", False),
        ("T = []\nT.append('x')\nO(allowed_tools=T)", False),
    ],
)
def test_approving_is_not_restricting(body: str, expected: bool) -> None:
    assert told(body) == ([("allowed-tools-not-a-restriction", "allowed_tools")] if expected else [])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("A('d', 'p', tools=['read', \"grep\"])", "A('d', 'p', tools=['Read', \"Grep\"])"),
        ("A('d', 'p', tools=['Read', 'Read'])", "A('d', 'p', tools=['Read'])"),
        ("A('d', 'p', tools=['Read', 'Read',])", "A('d', 'p', tools=['Read',])"),
        ("A('d', 'p', tools=[\n    'Read',  # one\n    'Read',  # two\n    x,\n])", "A('d', 'p', tools=[\n    'Read',  # one\n    # Read: two\n    x,\n])"),
        ("O(tools='Read, grep')", "O(tools=['Read', 'Grep'])"),
        ("O(tools=(\n  'Read',  # why\n  'grep',\n))", "O(tools=[\n  'Read',  # why\n  'Grep',\n])"),
        ("O(tools=('Read', 'Read'))", "O(tools=['Read'])"),
        ("O(tools=(('Read', 'Grep')))", "O(tools=(['Read', 'Grep']))"),
        ("A('d', 'p', tools=['Task', 'db/q'])", "A('d', 'p', tools=['Agent', 'mcp__db__q'])"),
        ("A('d', 'p', tools=[r'read', '''grep''', 'gr' 'ep', '\\x72ead'])", "A('d', 'p', tools=[r'read', '''grep''', 'gr' 'ep', '\\x72ead'])"),
        ("O(tools=r'Read')", "O(tools=r'Read')"),
        ("T = 'Read'\nO(tools=T)", "T = 'Read'\nO(tools=T)"),
    ],
)  # fmt: skip
def test_fixes_change_the_literals_and_nothing_else(body: str, expected: str) -> None:
    assert mended(body) == expected


def test_unsafe_fixes_wait_for_a_yes() -> None:
    assert mended("A('d', 'p', tools=['Reed'])") == "A('d', 'p', tools=['Reed'])"
    assert mended("A('d', 'p', tools=['Reed'])", Safety.UNSAFE) == "A('d', 'p', tools=['Read'])"


def test_a_tool_of_the_program_itself_goes_by_its_servers_name() -> None:
    body = (
        "from claude_agent_sdk import tool, create_sdk_mcp_server as serve\n"
        "@tool('search', 'd', {})\nasync def search(args): ...\n"
        "O(tools=[], mcp_servers={'my db': serve('x', tools=[search])}, allowed_tools=['search'])\n"
    )
    assert told(body) == [("unknown-tool", "search")]
    assert mended(body, Safety.UNSAFE) == body.replace("=['search']", "=['mcp__my_db__search']")
    assert told(body.replace("{'my db'", "{**x, 'my db'")) == [("unknown-tool", "search")]


@pytest.mark.parametrize(
    ("prefix", "encoding"),
    [
        ("", "utf-8"),
        ("\ufeff", "utf-8"),
        ("# -*- coding: latin-1 -*-\r\n", "latin-1"),
        ("# coding: cp1252\r\n", "cp1252"),
    ],
)
def test_bytes_stay_as_they_are(prefix: str, encoding: str) -> None:
    text = f"{prefix}{HEAD}x = 'Grüße'; A('é', 'p', tools=['read'])  # ä\r\ny = 1\n\f\r\n".replace("\n", "\r\n")
    data = text.replace("\r\r\n", "\r\n").encode(encoding)
    result = fixed(data)
    assert not result.errors
    assert result.data == data.replace(b"'read'", b"'Read'")


def test_comments_silence_and_unused_ones_are_reported() -> None:
    assert told("A('d', 'p', tools=['Reed'])  # fsagent: ignore[unknown-tool] ours") == []
    assert told("# fsagent: ignore[FA101] ours\nA('d', 'p', tools=['Reed'])") == []
    assert told("# fsagent: ignore-file[FA101] ours\n\n\nA('d', 'p', tools=['Reed'])") == []
    assert told("x = 1  # fsagent: ignore[unknown-tool]") == [("unused-ignore", "# fsagent: ignore[unknown-tool]")]
    text = "x = '''\n# fsagent: ignore-file[unknown-tool] no comment\n'''\nA('d', 'p', tools=['Reed'])"
    assert told(text) == [("unknown-tool", "Reed")]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"x = (", "never closed"),
        (b"x = '\xff'", "utf-8"),
        (b"x = 1\0", "null"),
        (b"x = " + b"[" * 30_000 + b"]" * 30_000, "nested"),
        (b"x = " + b"-" * 30_000 + b"1", "nested"),
        (b"x = a" + b".b" * 30_000, "nested"),
        (b"if a:\n  pass\n" + b"elif a:\n  pass\n" * 5_000, "nested"),
        (b"x = 1\n" * 900_000, f"larger than {MAX_MODULE // 1024} KiB"),
    ],
)
def test_what_cannot_be_read_is_reported_and_left_alone(data: bytes, problem: str) -> None:
    data = HEAD.encode() + b"A('d', 'p', tools=['read'])\n" + data
    result = fixed(data)
    assert result.data == data
    assert [finding.name for finding in result.left] == ["invalid-python"]
    assert problem in result.left[0].message


@pytest.mark.parametrize("cookie", [b"zlib", b"rot13", b"no-such-codec", b"utf-7"])
def test_odd_encodings_do_no_harm(cookie: bytes) -> None:
    data = b"# coding: " + cookie + b"\n" + HEAD.encode() + b"A('d', 'p', tools=['read'])\n"
    source = PythonSource("x.py", data)
    assert source.fault is not None or source.to_bytes(source.text) == data
    assert [each.name for each in fixed(data).left] in (["invalid-python"], [])


def test_the_proof_refuses_changes_elsewhere() -> None:
    data = f"{HEAD}A('d', 'p', tools=['read'])\nx = 1\n".encode()
    subject = read_module("a.py", data)
    fixes = [each.fix for each in CHECKER.check(subject)[0] if each.fix is not None]
    assert prove_module(subject, data.replace(b"read", b"Read"), fixes) == ""
    assert "outside" in prove_module(subject, data.replace(b"read", b"Read").replace(b"x = 1", b"x = 2"), fixes)
    assert "no longer be parsed" in prove_module(subject, data.replace(b"'read'", b"'Read"), fixes)
    assert "calls or arguments" in prove_module(subject, data.replace(b"tools=", b"skills="), fixes)
    assert "would be granted" in prove_module(subject, data.replace(b"read", b"Bash"), fixes)


NAMES = st.sampled_from(["Read", "read", "Task", "LS", "db/q", "x", "Bash(git *)", "mcp__a__b", "Grep", "grep"])
ITEM = st.one_of(NAMES.map(repr), NAMES.map(lambda name: f'"{name}"'), st.sampled_from(["*more", "name", "'a' 'b'"]))
GAP = st.sampled_from(["", " ", "\n  ", "  # note\n "])


@given(st.lists(st.tuples(ITEM, GAP), max_size=6), st.sampled_from(["[]", "()"]), st.booleans())
@settings(max_examples=40, deadline=None)
def test_fixing_settles_and_keeps_what_it_does_not_know(
    items: list[tuple[str, str]], brackets: str, trailing: bool
) -> None:
    inside = "".join(f"{item},{gap}" for item, gap in items)
    inside = inside if trailing or brackets == "()" else inside.rstrip(",")
    text = f"{HEAD}A('d', 'p', tools={brackets[0]}{inside}\n{brackets[1]})  # end\nrest = '# {len(items)}'\n"
    result = fixed(text)
    assert not result.errors
    assert fixed(result.data).data == result.data
    assert result.data.decode().count("*more") == text.count("*more")
    assert result.data.endswith(text[text.rindex(")  # end") :].encode())


# Whole runs.


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "agents.py").write_text(f"{HEAD}A('d', 'p', tools=['read'])\n", encoding="utf-8")
    (tmp_path / "src" / "other.py").write_text("import os\n", encoding="utf-8")
    (tmp_path / "src" / "talk.py").write_text("# claude_agent_sdk has AgentDefinition\n", encoding="utf-8")
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def found(**request: object) -> list[tuple[str, int, int, str]]:
    result = check(prepare(Request(config=NO_CONFIG, **request))).result  # type: ignore[arg-type]
    assert not result.errors
    return [(each.path, each.line, each.column, each.finding.name) for each in result.findings]


EXPECTED = [("src/agents.py", 2, 21, "wrong-case-tool")]


@pytest.mark.parametrize("in_git", [False, True])
def test_modules_are_found(project: Path, in_git: bool) -> None:
    if in_git:
        git(project, "init")
    assert found() == EXPECTED
    assert found(paths=("src",)) == EXPECTED
    assert found(paths=("src/agents.py", "src/other.py")) == EXPECTED
    assert found(ignore=("FA102",)) == []


def test_modules_that_git_ignores_or_that_are_unchanged_are_left_out(project: Path) -> None:
    git(project, "init")
    git(project, "add", ".")
    git(project, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-m", "x")
    assert found(changed=True) == found(changed=True, paths=("src/agents.py",)) == []
    (project / "src" / "agents.py").write_text(f"{HEAD}A('d', 'p', tools=['grep'])\n", encoding="utf-8")
    assert found(changed=True) == found(changed=True, paths=("src/agents.py",)) == EXPECTED
    (project / "new.py").write_text(f"{HEAD}A('d', 'p', tools=['grep'])\n", encoding="utf-8")
    assert len(found()) == 2
    (project / ".gitignore").write_text("new.py\n", encoding="utf-8")
    assert found() == EXPECTED


def test_servers_of_the_project_are_known_too(project: Path) -> None:
    options = "O(tools=[], mcp_servers={'db': 1}, allowed_tools=['mcp__web__get'])\n"
    (project / "src" / "agents.py").write_text(HEAD + options, encoding="utf-8")
    assert [each[3] for each in found()] == ["unknown-mcp-server"]
    (project / ".mcp.json").write_text('{"mcpServers": {"web": {}}}', encoding="utf-8")
    git(project, "init")
    assert found() == []


def test_fix_and_diff(project: Path) -> None:
    path = project / "src" / "agents.py"
    before = path.read_text(encoding="utf-8")
    shown = check(prepare(Request(config=NO_CONFIG, diff=True)))
    assert "+A('d', 'p', tools=['Read'])" in shown.diff
    assert path.read_text(encoding="utf-8") == before
    check(prepare(Request(config=NO_CONFIG, fix=True)))
    assert path.read_text(encoding="utf-8") == before.replace("read", "Read")


def imports(folder: Path) -> set[str]:
    code = "import sys\nfrom fsagent_lint.cli.main import run\nrun([])\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-I", "-c", code], cwd=folder, capture_output=True, text=True)
    return set(done.stderr.split())


@pytest.mark.usefixtures("unmeasured")
def test_libcst_is_imported_for_a_candidate_only(project: Path) -> None:
    assert "libcst" in imports(project)
    (project / "src" / "agents.py").write_text(f"{HEAD}x: A | O\n", encoding="utf-8")
    assert "libcst" not in imports(project)
    (project / "src" / "agents.py").unlink()
    modules = imports(project)
    assert "fsagent_lint.linter.checker" in modules
    assert "libcst" not in modules


# The table.


def test_the_table_agrees_with_the_code() -> None:
    sdk = get_sdk()
    for call in sdk.calls.values():
        for name in call.names:
            assert may_define_agents(f"from {MODULES[0]} import {name}".encode())
        for key in call.keys.values():
            assert {"csv", "tuple", "set"} == set(key.misfits)
