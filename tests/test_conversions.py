"""The instruments that measure conversions: which ones are tried, who reads the result, and what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.adapters import get_adapter
from conformance.conversions.checks import (
    Intended,
    foreign_names,
    inexact,
    intended,
    lost_entries,
    missing,
    newly_approved,
    unlimited,
    wider,
)
from conformance.conversions.compare import SORTS, disagreements, lines
from conformance.conversions.corpus import agent_files, convert, read_result
from conformance.conversions.place import Reader, canonical, certain, readers, removable
from conformance.conversions.sample import Case, lay, sample, spread
from conformance.probe import Observation
from fsagent_lint.agent.subject import Subject
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import get_harness

BOTH = {id: get_adapter(id) for id in ("claude-code", "opencode", "copilot")}
FILES = {
    "one/.claude/agents/reviewer.md": "name: reviewer\ndescription: d\ntools: Read, Bash",
    "one/.claude/agents/twin.md": "name: twin\ndescription: other\ntools: Read, Bash",
    "one/.claude/agents/hooked.md": "name: hooked\ndescription: d\ntools: Grep\nhooks: {}",
    "two/.claude/agents/reader.md": "name: reader\ndescription: d\ntools: Read",
    "two/.opencode/agents/writer.md": "description: d\npermission:\n  bash: deny",
    "two/.claude/skills/s/SKILL.md": "name: s\ndescription: d",
}


@pytest.fixture
def repositories(tmp_path: Path) -> str:
    for name, fields in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"---\n{fields}\n---\nSome prompt.\n")
    return str(tmp_path)


def subject(fields: str, harness: str = "claude-code", kind: str = "agent") -> Subject:
    text = f"---\nname: probe\ndescription: d\n{fields}\n---\nSay ok.\n"
    return Subject(Document(Source("probe.md", text.encode())), get_harness(harness), kind)


def gained(before: Subject, after: Subject) -> list[str]:
    intent: Intended = intended(before)
    found = Reader(after.harness, after.kind_name).effect(after.document)
    granted = canonical(removable(certain(found), after.harness), after.harness)
    return [*wider(intent, granted, is_open=found.open), *unlimited(intent, granted, after)]


def test_every_pair_gets_its_turn_and_the_seed_decides() -> None:
    candidates = {("a", "b"): list("12345"), ("b", "a"): list("6"), ("a", "c"): list("789")}
    chosen = list(spread(candidates, "1"))
    assert [pair for pair, _ in chosen[:5]] == [("a", "b"), ("a", "c"), ("b", "a"), ("a", "b"), ("a", "c")]
    assert sorted(each for _, each in chosen) == list("123456789")
    assert chosen == list(spread(dict(reversed(candidates.items())), "1"))
    assert any(chosen != list(spread(candidates, str(seed))) for seed in range(2, 9))


def test_files_with_the_same_tools_are_tried_once_and_none_that_starts_programs(repositories: str) -> None:
    cases, refused = sample(agent_files(repositories), BOTH, 100, "1")
    tried = {(case.pair, case.source.probe.id) for case in cases}
    assert (("claude-code", "opencode"), "two/.claude/agents/reader.md") in tried
    assert len([pair for pair, id in tried if "reviewer" in id or "twin" in id]) == 2
    assert not any("hooked" in id or "SKILL" in id for _, id in tried)
    assert len(cases) + refused == 2 * 2 + 2
    assert len(sample(agent_files(repositories), BOTH, 3, "1")[0]) == 3


def test_a_file_is_laid_under_the_name_that_the_lab_calls() -> None:
    document = Document(Source("x.md", b"---\nname: other # mine\ntools: Read\n---\nRun this: `rm x`\n"))
    found = lay(document, ".claude/agents/probe.md")
    assert found.source.data == b"---\nname: probe # mine\ntools: Read\n---\nSay ok.\n"


def test_other_readers_of_the_folder_are_tried_too(repositories: str) -> None:
    cases, _ = sample(agent_files(repositories), BOTH, 100, "1")
    case = next(case for case in cases if case.pair == ("opencode", "claude-code"))
    assert [(trial.harness, trial.probe.path) for trial in case.results] == [
        ("claude-code", ""),
        ("copilot", ".claude/agents/probe.md"),
    ]
    other = case.results[1]
    assert list(BOTH["copilot"].project(other.probe)) == [".claude/agents/probe.md"]


def test_the_readers_of_a_place_know_whose_folder_it_is() -> None:
    found = readers(".claude/agents/x.md", "claude-code", "agent")
    assert [(each.harness.id, each.owner) for each in found] == [
        ("claude-code", ""),
        ("copilot", "claude-code"),
        ("vscode", "claude-code"),
    ]
    shared = readers(".github/agents/x.agent.md", "vscode", "agent")
    assert [(each.harness.id, each.owner) for each in shared] == [("vscode", "copilot"), ("copilot", "")]


@pytest.mark.parametrize("target", ["codex", "roo", "copilot"])
def test_a_result_can_be_read_in_every_file_format(repositories: str, target: str) -> None:
    # An agent without tool keys, which every harness can have.
    Path(repositories, "one/.claude/agents/reviewer.md").write_text("---\nname: a\ndescription: d\n---\nSome prompt.\n")
    [file] = [each for each in agent_files(repositories) if each.shown.endswith("reviewer.md")]
    result = convert(file, target)
    assert not result.error
    harness = get_harness(target)
    assert Reader(harness, result.kind).effect(read_result(result, harness)).loads


def test_wider_is_a_risk_that_nobody_named_or_a_tool_that_was_denied() -> None:
    assert gained(subject("tools: Read"), subject("tools: [read, bash]", "copilot")) == ["Shell"]
    assert gained(subject("tools: Read, Bash"), subject("tools: [read, bash]", "copilot")) == []
    denied = subject("permission:\n  bash: deny", "opencode")
    assert "Shell (denied)" in gained(denied, subject("", "copilot"))
    assert gained(subject(""), subject("", "copilot")) == []


def test_a_limit_must_stay() -> None:
    limited = subject('permission:\n  "*": deny\n  bash:\n    "*": deny\n    "git *": allow', "opencode")
    assert gained(limited, subject("tools: [bash]", "copilot")) == ["Shell without its limit"]
    assert gained(limited, limited) == []


def test_an_approval_is_not_added() -> None:
    before = subject("allowed-tools: Bash(git:*)", kind="skill")
    after = subject("allowed-tools: Bash", kind="skill")
    assert list(newly_approved(intended(before), after)) == ["Shell approved without its limit"]
    assert list(newly_approved(intended(subject("", kind="skill")), after)) == ["Shell approved"]
    assert list(newly_approved(intended(before), before)) == []


def test_what_is_missing_and_what_is_exact() -> None:
    intent = intended(subject("tools: Read, Bash, mcp__db__query"))
    less = subject("tools: {bash: false}", "opencode")
    found = less.effect
    assert [str(tool) for tool in missing(intent, found, less)] == ["Shell"]
    assert "lacks Shell" in inexact(intent, found, less)
    same = subject('permission:\n  "*": deny\n  read: allow\n  bash: allow\n  db_query: allow', "opencode")
    assert missing(intent, same.effect, same) == []
    assert list(inexact(intent, same.effect, same)) == []


def test_a_tool_that_gives_way_to_another_is_not_missing() -> None:
    intent = intended(subject("tools: [grep, bash]", "copilot"))
    after = subject("tools: Read, Grep, Glob, Bash")
    assert "Grep" not in after.effect.tools
    assert missing(intent, after.effect, after) == []


def test_an_entry_is_lost_when_nothing_of_it_is_left() -> None:
    before = subject("tools: [read, web]", "copilot")
    tools = {name: before.meaning(name).tools for name in ("read", "web")}
    assert [name for name, _ in lost_entries(before, tools["web"])] == ["web"]
    assert list(lost_entries(before, tools["read"][1:])) == []


def test_names_count_as_they_are_spelled() -> None:
    intent = intended(subject("tools: Read, Bash, mcp__db__query"))
    assert foreign_names(intent, subject("tools: [read_file, run_shell_command, mcp_db_query]", "gemini")) == (
        [],
        False,
    )
    foreign, mixed = foreign_names(intent, subject("tools: [read_file, Bash]", "gemini"))
    assert (foreign, mixed) == (["Bash"], True)
    assert foreign_names(intent, subject("tools: [Bash]", "gemini")) == (["Bash"], False)


def case_of(repositories: str) -> Case:
    cases, _ = sample(agent_files(repositories), BOTH, 100, "1")
    wanted = ("claude-code", "opencode"), "two/.claude/agents/reader.md"
    return next(case for case in cases if (case.pair, case.source.probe.id) == wanted)


@pytest.mark.parametrize(
    ("after", "found"),
    [
        (Observation(True, None, ("read",)), []),
        (Observation(True, None, ("read", "bash")), ["predicted otherwise: has bash", "wider: Shell"]),
        (Observation(True, None, ()), ["narrower: Read", "predicted otherwise: does not have read"]),
        (
            Observation(False, "no\nnot at all"),
            ["does not load: no", "predicted otherwise: does not load (no)"],
        ),
    ],
)
def test_every_disagreement_with_a_real_harness_is_listed(
    repositories: str, after: Observation, found: list[str]
) -> None:
    case = case_of(repositories)
    seen = {case.source.key: Observation(True, None, ("Read",)), case.results[0].key: after}
    assert sorted(f"{each.sort}: {each.what}" for each in disagreements(case, seen, BOTH)) == found


def test_disagreements_are_grouped_by_their_sort(repositories: str) -> None:
    case = case_of(repositories)
    seen = {case.source.key: Observation(True, None, ("Read",)), case.results[0].key: Observation(False, "no")}
    told = list(lines(list(disagreements(case, seen, BOTH))))
    assert [line.rstrip(":") for line in told if not line.startswith(" ")] == [SORTS[2], SORTS[3]]
    assert told[1] == "  claude-code -> opencode: no (two/.claude/agents/reader.md)"
