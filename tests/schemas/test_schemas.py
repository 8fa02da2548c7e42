"""The schemas accept what the program accepts, and refuse what it refuses."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

import fsagent_lint
from fsagent_lint.harnesses.tables import all_harnesses, get_harness
from fsagent_lint.rules import Bad, Good, all_rules
from fsagent_lint.schemas.config import config_schema
from fsagent_lint.schemas.frontmatter import frontmatter_schema
from fsagent_lint.testing import unmark

ROOT = Path(__file__).parents[2]
CONFIG = Draft202012Validator(config_schema())


@cache
def validator(harness: str, kind: str) -> Draft202012Validator:
    return Draft202012Validator(frontmatter_schema(get_harness(harness), kind))


def problems(harness: Any, kind: Any, text: str) -> list[str]:
    values = fsagent_lint.load(text, harness=harness, kind=kind).frontmatter
    return [error.message for error in validator(harness, kind).iter_errors(values)]


KINDS = [(harness.id, kind) for harness in all_harnesses() for kind in harness.kinds if harness.reads(kind)]


@pytest.mark.parametrize(("harness", "kind"), KINDS)
def test_every_schema_is_one(harness: str, kind: str) -> None:
    Draft202012Validator.check_schema(frontmatter_schema(get_harness(harness), kind))


def test_the_schema_of_the_config_is_one() -> None:
    Draft202012Validator.check_schema(config_schema())


def examples(sort: type[Good | Bad]) -> Iterator[Any]:
    for rule in all_rules():
        for number, example in enumerate(rule.examples):
            if (
                isinstance(example, sort)
                and (example.harness, example.kind) in KINDS
                and example.text.startswith("---\n")
            ):
                yield pytest.param(example, id=f"{rule.name} {number}")


def is_faultless(example: Good | Bad) -> bool:
    """Does no rule about the file, its fields or its shape report anything?"""
    text = unmark(example.text)[0]
    harness: Any = example.harness
    return not fsagent_lint.lint_text(text, f"x/{example.kind}.md", harness=harness).findings


@pytest.mark.parametrize("example", list(examples(Good)))
def test_a_file_without_findings_is_valid(example: Good) -> None:
    text = unmark(example.text)[0]
    if example.path or example.files or not is_faultless(example):
        pytest.skip("other rules report something")
    assert problems(example.harness, example.kind, text) == []


NOT_IN_A_SCHEMA = 3
"""Examples of wrong values that only a check of ours finds, such as text that must not begin with a dash."""


def test_wrong_values_are_refused() -> None:
    found = [each.values[0] for each in examples(Bad) if str(each.id).startswith(("invalid-field ", "missing-field "))]
    plain = [example for example in found if not example.path and not example.files]
    accepted = [each for each in plain if not problems(each.harness, each.kind, unmark(each.text)[0])]
    assert len(plain) > 4
    assert [unmark(each.text)[0] for each in accepted][NOT_IN_A_SCHEMA:] == []


def test_a_schema_knows_tools_and_values() -> None:
    claude, opencode = (
        frontmatter_schema(get_harness(id), "agent")["properties"] for id in ("claude-code", "opencode")
    )
    assert claude["color"]["enum"][0] == "red"
    assert "description" in claude["model"]
    listed = next(each for each in claude["tools"]["anyOf"] if each["type"] == "array")
    assert "Bash" in listed["items"]["anyOf"][0]["enum"]
    assert opencode["tools"]["properties"]["bash"]["type"] == "boolean"
    assert opencode["permission"]["anyOf"][0]["properties"]["bash"]["description"].startswith("Run commands in a shell")


def toml_blocks() -> list[str]:
    text = (ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    return re.findall(r"```toml\n(.*?)```", text, re.DOTALL)


@pytest.mark.parametrize("text", toml_blocks(), ids=lambda text: text.split("\n")[0][:40])
def test_the_documented_config_is_valid(text: str) -> None:
    values = tomllib.loads(text)
    assert [error.message for error in CONFIG.iter_errors(values.get("tool", {}).get("fsagent-lint", values))] == []


@pytest.mark.parametrize(
    "text",
    [
        "selct = []",
        "select = ['no-such-rule']",
        "fail-on = 'fatal'",
        "tool-format = 'tabular'",
        "[[paths]]\nglob = 'x'",
        "[severity]\nunknown-tool = 'loud'",
        "[sync]\nsource = 'x'",
        "[harness.claude-code.kinds.agent]\nglob = ['x']",
    ],
)
def test_a_wrong_config_is_refused(text: str) -> None:
    assert [*CONFIG.iter_errors(tomllib.loads(text))]


def test_every_key_of_the_config_is_described() -> None:
    properties = config_schema()["properties"]
    assert [name for name, each in properties.items() if not each.get("description")] == []


def command_line(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "fsagent_lint", "schema", *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def test_the_command_prints_what_the_files_have() -> None:
    assert command_line("config").stdout == (ROOT / "schemas/fsagent-lint.json").read_text(encoding="utf-8")
    found = command_line("frontmatter", "--harness", "copilot", "--kind", "prompt")
    assert json.loads(found.stdout) == json.loads((ROOT / "schemas/copilot-prompt.json").read_text(encoding="utf-8"))


def test_the_command_names_what_it_needs() -> None:
    assert "needs --harness" in command_line("frontmatter").stderr
    assert "no kind `nonsense`" in command_line("frontmatter", "--harness", "opencode", "--kind", "nonsense").stderr
    assert "--harness and --kind" in command_line("config", "--kind", "agent").stderr
