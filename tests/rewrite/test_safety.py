"""A safe fix grants only what the author named in a positive word, approves nothing and starts no hook."""

from __future__ import annotations

import re

import pytest
from fixing import RULES

from fsagent_lint.agent.subject import Subject
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.harnesses.vocabulary import identify
from fsagent_lint.linter.checker import Checker
from fsagent_lint.linter.fixer import Fixed, fix_file
from fsagent_lint.model.finding import Finding, Fix, Safety
from fsagent_lint.model.tool import HARMFUL, Tool
from fsagent_lint.project.target import Target
from fsagent_lint.rewrite.safety import mark_unsafe
from fsagent_lint.rules import Bad, Consequence, Rule, all_rules
from fsagent_lint.testing import unmark

HEAD = "---\nname: abc\ndescription: d\n"
BODY = "---\nYou review what others have written.\n"
HOOKS = "hooks:\n  PreToolUse:\n    - matcher: {}\n      hooks: [{{type: command, command: ./check}}]\n"


def fixed(text: str, harness: str, kind: str, wanted: Safety) -> Fixed:
    path = ".x/abc/SKILL.md" if kind == "skill" else "abc.md"
    return fix_file(Target(path, harness, kind, False), text.encode(), Checker(RULES), wanted)


NEEDS_REVIEW = {
    "a map that is read as nothing": ("claude-code", "agent", HEAD + "tools: {Bash: false}\n" + BODY),
    "the same in a file that does not load": ("claude-code", "agent", "---\nname: abc\ntools: {Bash: false}\n" + BODY),
    "a map that is refused": ("copilot", "agent", HEAD + "tools: {bash: false, read: true}\n" + BODY),
    "one that denies alone": ("copilot", "agent", HEAD + "tools: {bash: false}\n" + BODY),
    "rules that are refused": (
        "opencode",
        "agent",
        HEAD + "permission: [{action: bash, resource: '*', effect: deny}]\n" + BODY,
    ),
    "a switch that stops the harness": ("opencode", "agent", HEAD + "tools: {bash: no}\n" + BODY),
    "a colour that stops the harness": ("opencode", "agent", HEAD + "color: blue\n" + BODY),
    "YAML that is refused": ("copilot", "agent", "---\nname: abc\ndescription: Use it: often\n" + BODY),
    "a hook in YAML that is refused": (
        "copilot",
        "agent",
        "---\nname: abc\ndescription: Use it: often\ntools: [read]\nhooks: {sessionStart: [{bash: ./x}]}\n" + BODY,
    ),
    "a key that only looks like approvals": ("claude-code", "skill", HEAD + "tools: Read, Bash\n" + BODY),
    "the same in a command": ("claude-code", "command", "---\ndescription: d\ntools: read\n" + BODY),
    "a map that approves nothing": ("claude-code", "skill", HEAD + "allowed-tools: {Bash: true}\n" + BODY),
    "an approval in the wrong case": ("claude-code", "skill", HEAD + "allowed-tools: bash\n" + BODY),
    "an approval in another harness's words": ("claude-code", "command", "---\nallowed-tools: create\n" + BODY),
    "a hook that waits for no tool": ("claude-code", "agent", HEAD + "tools: Read\n" + HOOKS.format("bash") + BODY),
    "a tool that is enabled": ("opencode", "agent", HEAD + "tools: {write: false, edit: true}\n" + BODY),
    "a key that overrides a denial": (
        "opencode",
        "agent",
        HEAD + "tools: {edit: false}\npermissions: {edit: {'*.md': allow}}\n" + BODY,
    ),
}


@pytest.mark.parametrize(("harness", "kind", "text"), NEEDS_REVIEW.values(), ids=NEEDS_REVIEW)
def test_what_grants_more_than_was_named_needs_review(harness: str, kind: str, text: str) -> None:
    safe = fixed(text, harness, kind, Safety.SAFE)
    left = [finding.fix.safety for finding in safe.left if finding.fix is not None]
    assert (safe.errors, Safety.UNSAFE in left, Safety.SAFE in left) == ([], True, False)
    unsafe = fixed(text, harness, kind, Safety.UNSAFE)
    assert (unsafe.errors, unsafe.data != safe.data) == ([], True)


@pytest.mark.parametrize(
    ("harness", "kind", "before", "after"),
    [
        ("copilot", "agent", "description: Use it: often\ntools: [read, edit]\n", 'description: "Use it: often"\n'),
        ("copilot", "agent", "description: d\nallowed-tools: [Bash]\n", "description: d\ntools: [Bash]\n"),
        ("claude-code", "agent", "description: d\ntools: execute, Grep\n", "description: d\ntools: Bash, Grep\n"),
        ("claude-code", "agent", "description: d\nallowed-tools: Bash\n", "description: d\ntools: Bash\n"),
        ("opencode", "agent", "description: d\ntools: [edit]\n", 'permission:\n  "*": deny\n  edit: allow\n'),
        ("opencode", "agent", "color: blue\npermission: {'*': allow}\n", 'color: "#3b82f6"\n'),
        ("cursor", "skill", "description: Use it: often\n", 'description: "Use it: often"\n'),
    ],
)
def test_what_was_named_is_granted(harness: str, kind: str, before: str, after: str) -> None:
    result = fixed(f"---\nname: abc\n{before}{BODY}", harness, kind, Safety.SAFE)
    assert result.errors == []
    assert after in result.data.decode()


@pytest.mark.parametrize("tools", ["[run_shell_command]", "[run_shell_command, edit]", "run_shell_command"])
def test_a_list_whose_entries_are_all_denied_never_becomes_every_tool(tools: str) -> None:
    text = HEAD + f"tools: {tools}\ndisallowedTools: {tools}\n" + BODY
    for wanted in Safety:
        result = fixed(text, "qwen", "agent", wanted)
        assert result.errors == []
        assert "none" in result.data.decode().partition("tools: ")[2].partition("\n")[0]
        assert not result.subject.granted


def test_a_rule_that_calls_too_much_safe_is_overruled() -> None:
    text = HEAD + "tools: Read\n" + BODY
    at = text.index("Read")

    class Generous(Rule):
        """A rule that adds a shell."""

        code, name, consequence = "FA999", "generous", Consequence.STYLE

        def check(self, subject: Subject) -> list[Finding]:  # type: ignore[override]
            start = subject.document.source.text.index("tools: ") + len("tools: ")
            span = Span(start, start + 4)
            fix = Fix("Add", (Edit(span, "Read, Bash"),), Safety.SAFE, frozenset(("tools",)))
            return [self.finding(span, "Too few.", fix=fix)]

    checker = Checker([Generous()])
    subject = checker.subject(Target("abc.md", "claude-code", "agent", False), text.encode())
    (finding,) = checker.check(subject)[0]
    assert finding.span.start == at
    assert finding.fix is not None
    assert finding.fix.safety is Safety.UNSAFE


def test_of_many_fixes_only_those_that_do_too_much_are_unsafe() -> None:
    text = HEAD + "tools: Read, Glob\n" + BODY
    checker = Checker([])
    subject = checker.subject(Target("abc.md", "claude-code", "agent", False), text.encode())
    places = {"Read": "'Read'", "Glob": "Bash"}
    findings = []
    for old, new in places.items():
        span = Span(text.index(old), text.index(old) + 4)
        fix = Fix("", (Edit(span, new.strip("'")),), Safety.SAFE, frozenset(("tools",)))
        findings.append(Finding("FA999", "x", span, Consequence.STYLE, "", fix))
    marked = [finding.fix.safety for finding in mark_unsafe(subject, findings) if finding.fix is not None]
    assert marked == [Safety.SAFE, Safety.UNSAFE]


EXAMPLES = [
    pytest.param(example, id=f"{rule.name}-{number}")
    for rule in all_rules()
    for number, example in enumerate(rule.examples)
    if isinstance(example, Bad)
    and example.harness
    and not example.target
    and example.form == "auto"
    and example.kind != "python"
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_no_safe_fix_of_an_example_grants_a_harmful_tool_that_it_does_not_name(example: Bad) -> None:
    text = unmark(example.text)[0]
    target = Target(example.path or "abc.md", example.harness, example.kind, False)
    checker = Checker(RULES)
    before = checker.subject(target, text.encode("utf-8", "surrogateescape"))
    after = fix_file(target, before.document.source.data, checker, Safety.SAFE)
    assert after.errors == []
    named = _words(text, example.harness)
    for old, new in zip(before.parts, after.subject.parts, strict=True):
        harmful = {tool for tool in new.granted if new.effect.loads and tool.risk in HARMFUL}
        fresh = harmful - (old.granted if old.effect.loads else frozenset())
        always = {tool for native in new.harness.fixed_tools for tool in new.harness.tools[native].granted}
        assert fresh - always <= named or "*" in text


def _words(text: str, harness: str) -> set[Tool]:
    """Every tool that a word of the file could name."""
    words = re.findall(r"[\w/-]+", text)
    return {tool for word in words for tool in identify(word, get_harness(harness), frozenset()).tools}
