"""Models by maker, family and version, in the words of each harness."""

from __future__ import annotations

import pytest

from fsagent_lint.effect.table_check import check_table
from fsagent_lint.errors import DataError
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.model_names import ModelName, ModelNames, parse_model, write_model
from fsagent_lint.harnesses.tables import all_harnesses, get_harness, harness_ids

SONNET = ModelName("anthropic", "sonnet")


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("sonnet", SONNET),
        ("anthropic/haiku", ModelName("anthropic", "haiku")),
        ("claude-sonnet-4-6", SONNET._replace(version=("4", "6"))),
        ("claude-4-sonnet", SONNET._replace(version=("4",))),
        ("Claude Sonnet 4.5 (copilot)", SONNET._replace(version=("4", "5"))),
        ("Claude Sonnet 4.5 (Preview) (copilot)", SONNET._replace(version=("4", "5"))),
        ("anthropic/claude-sonnet-4-20250514", SONNET._replace(version=("4",), date="20250514")),
        ("openrouter/anthropic/claude-sonnet-4.5", SONNET._replace(version=("4", "5"))),
        ("github-copilot/gpt-4.1", ModelName("openai", "gpt", ("4", "1"))),
        ("GPT-5.3-Codex (copilot)", ModelName("openai", "codex", ("5", "3"))),
        ("google/gemini-2.5-flash-lite", ModelName("google", "flash-lite", ("2", "5"))),
        ("claude-3-5-sonnet-20241022", None),
        ("zai-coding-plan/glm-4.6", None),
        ("gpt-4.1-mini-5", None),
        ("fast", None),
        ("", None),
    ],
)
def test_a_name_is_a_maker_a_family_and_a_version(text: str, model: ModelName | None) -> None:
    assert parse_model(text) == model


@pytest.mark.parametrize(
    ("text", "harness", "written"),
    [
        ("claude-sonnet-4-6", "opencode", "anthropic/claude-sonnet-4-6"),
        ("claude-sonnet-4-6", "copilot", "Claude Sonnet 4.6 (copilot)"),
        ("claude-sonnet-4-6", "kiro", "claude-sonnet-4.6"),
        ("sonnet", "opencode", "anthropic/claude-sonnet-4-5"),
        ("sonnet", "claude-code", "sonnet"),
        ("Claude Opus 4.5 (copilot)", "claude-code", "claude-opus-4-5"),
        ("Claude Opus 4.5 (copilot)", "copilot", "Claude Opus 4.5 (copilot)"),
        ("anthropic/claude-haiku-4-5-20251001", "claude-code", "claude-haiku-4-5-20251001"),
        ("anthropic/claude-haiku-4-5-20251001", "vscode", "Claude Haiku 4.5 (copilot)"),
        ("claude-sonnet-4-5", "factory", "claude-sonnet-4-5-20250929"),
        ("claude-sonnet-4-6", "factory", "claude-sonnet-4-6"),
        ("zai-coding-plan/glm-4.6", "kilo", "zai-coding-plan/glm-4.6"),
        ("opencode/gpt-5.4", "kilo", "opencode/gpt-5.4"),
        ("opencode/gpt-5.4", "codex", "gpt-5.4"),
        ("google/gemini-2.5-flash", "gemini", "gemini-2.5-flash"),
        ("flash", "gemini", "flash"),
        ("sonnet", "gemini", None),
        ("gpt-5.4", "claude-code", None),
        ("Claude Opus 4.6 (fast mode) (copilot)", "opencode", None),
        ("gemini-3-pro-preview", "opencode", None),
        ("gpt", "opencode", None),
    ],
)
def test_a_model_in_the_words_of_another_harness(text: str, harness: str, written: str | None) -> None:
    assert write_model(text, get_harness(harness).models) == written


def test_a_template_without_a_version_is_an_error() -> None:
    harness = get_harness("kiro")
    wrong = harness.replace(models=ModelNames(written={"anthropic": {"opus": "claude-opus"}}))
    with pytest.raises(DataError, match=r"mine\.models\.written\.anthropic\.opus: 'claude-opus' must have {version}"):
        check_table(wrong, "mine", harness_ids())


@pytest.mark.parametrize("harness", [each for each in all_harnesses() if each.models.written], ids=lambda each: each.id)
def test_what_a_table_writes_is_read_as_the_same_model(harness: Harness) -> None:
    names = harness.models
    for maker, families in names.written.items():
        for family, template in families.items():
            assert template.count("{version}") == 1
            for other in ("7", "7.8"):
                model = ModelName(maker, family, tuple(other.split(".")))
                separator = "-" if maker in names.dashed else "."
                text = template.replace("{version}", separator.join(model.version))
                assert parse_model(text) == model
                assert write_model(text, names) == text
        for family, text in names.bare.get(maker, {}).items():
            found = parse_model(text)
            assert found is not None
            assert (found.maker, found.family) == (maker, family)
    for name in names.irregular.values():
        assert write_model(name, names) == name
