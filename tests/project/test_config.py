"""Config files: which one is found, what it may say, and what the errors name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fsagent_lint.errors import DataError
from fsagent_lint.project.config import check_codes, find_config, load_settings

REPOSITORY = Path(__file__).parents[2]


def write(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def load(tmp_path: Path, text: str) -> object:
    return load_settings(write(tmp_path / "fsagent-lint.toml", text))


def test_the_nearest_file_wins(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    outer = write(tmp_path / "pyproject.toml", "[tool.fsagent-lint]\n")
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert find_config(str(deep)) == outer
    inner = write(tmp_path / "a" / "fsagent-lint.toml", "")
    assert find_config(str(deep)) == inner


def test_own_file_wins_over_pyproject(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[tool.fsagent-lint]\n")
    own = write(tmp_path / "fsagent-lint.toml", "")
    assert find_config(str(tmp_path)) == own


def test_the_search_ends_at_the_repository(tmp_path: Path) -> None:
    write(tmp_path / "fsagent-lint.toml", "")
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    assert find_config(str(tmp_path / "repo")) is None


def test_pyproject_without_the_section_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write(tmp_path / "pyproject.toml", '[project]\ndependencies = ["fsagent-lint"]\n')
    assert find_config(str(tmp_path)) is None
    write(tmp_path / "pyproject.toml", "this is [not toml\n")
    assert find_config(str(tmp_path)) is None


def test_a_folder_named_pyproject_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").mkdir()
    assert find_config(str(tmp_path)) is None


@pytest.mark.usefixtures("unmeasured")
def test_tomllib_is_not_imported_without_a_config(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write(tmp_path / "pyproject.toml", "[project]\nname = 'x'\n")
    code = f"""if True:
        import sys
        from fsagent_lint.project.config import find_config, load_settings
        load_settings(find_config({str(tmp_path)!r}))
        print("tomllib" in sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_defaults_without_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load_settings(None)
    assert settings.folder == os.getcwd()
    assert settings.tool_format == {}
    assert settings.select == ()


FULL = """
select = ["unknown-tool"]
exclude = ["vendor/", "*.tmpl.md"]
target = "opencode"
tool-format = "map"
accept-widening = ["execute", "Edit"]
mcp-servers = ["db"]
custom-tools = ["deploy"]
baseline = "baseline.json"
enrichers = ["mine"]
[ignore]
FA101 = "not yet"
[per-file-ignores]
"agents/*.md" = ["FA101", "ambiguous-empty-tools"]
[[paths]]
glob = "agents/*.md"
harness = "canonical"
[[enrich]]
when = { name = "database-agent", harness = ["opencode"], tags = "database", path = "agents/*.md", steps = 3 }
add = ["mcp:db/*", "Shell(git diff *)"]
remove = ["Bash"]
[sync]
source = ".claude/agents"
targets = ["opencode", "copilot"]
[sync.overrides.reviewer]
model = "x"
"""


def check_full(path: str) -> None:
    settings = load_settings(path)
    assert settings.ignore == {"FA101": "not yet"}
    assert settings.per_file_ignores == {"agents/*.md": ("FA101", "ambiguous-empty-tools")}
    assert (settings.paths[0].harness, settings.paths[0].kind) == ("canonical", "agent")
    assert settings.enrich[0].when["steps"] == 3
    assert settings.sync is not None
    assert settings.sync.source == (".claude/agents",)
    assert settings.sync.overrides == {"reviewer": {"model": "x"}}
    assert settings.enrichers == ("mine",)
    assert settings.file == path
    assert settings.folder == os.path.dirname(path)


def test_every_key(tmp_path: Path) -> None:
    check_full(write(tmp_path / "fsagent-lint.toml", FULL))


def test_the_same_keys_under_tool(tmp_path: Path) -> None:
    head, _, tables = FULL.partition("[ignore]")
    nested = f"[ignore]{tables}".replace("[[", "[[tool.fsagent-lint.").replace("\n[", "\n[tool.fsagent-lint.")
    nested = nested.replace("[tool.fsagent-lint.[tool.", "[[tool.").replace("[ignore]", "[tool.fsagent-lint.ignore]", 1)
    text = f"[tool.fsagent-lint]{head}{nested}"
    check_full(write(tmp_path / "pyproject.toml", text))
    check_full(write(tmp_path / "fsagent-lint.toml", text))


def test_ignore_may_be_a_list(tmp_path: Path) -> None:
    path = write(tmp_path / "fsagent-lint.toml", 'ignore = ["FA101", "ambiguous-empty-tools"]\n')
    assert load_settings(path).ignore == {"FA101": "", "ambiguous-empty-tools": ""}


def test_sources_may_be_several(tmp_path: Path) -> None:
    path = write(tmp_path / "fsagent-lint.toml", '[sync]\nsource = ["a", "b"]\ntargets = ["opencode"]\n')
    sync = load_settings(path).sync
    assert sync is not None
    assert sync.source == ("a", "b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []", "unknown key 'selct'; did you mean 'select'? (known: accept-widening,"),
        ("per_file_ignores = {}", "unknown key 'per_file_ignores'; did you mean 'per-file-ignores'?"),
        ("select = 'x'", "select: expected a list"),
        ("select = [1]", "select[0]: expected a string"),
        ("ignore = 'x'", "ignore: expected a list of rules, or a table"),
        ("ignore = [1]", "ignore: expected a list of rules, or a table"),
        ("tool-format = 'yaml'", "'yaml' is not one of auto, native, list, csv, space-separated, map, permission"),
        ("target = 'opencod'", "target: unknown harness 'opencod'. Did you mean `opencode`?"),
        ("[sync]\nsource = 'a'\ntargets = []\noverrides = {opencode = 3}", "sync.overrides.opencode: expected a table"),
        ("[[paths]]\nglob = 'a'", "missing key 'harness'"),
        ("[[paths]]\nglob = 'a'\nharness = 'x'", "paths[0].harness: unknown harness 'x'"),
        ("[[paths]]\nglob = 'a'\nharness = 'opencode'\nkind = 'agnt'", "'agnt' is not one of agent, skill"),
        ("[[enrich]]\nwhen = {harness = 'x'}", "enrich[0].when.harness: unknown harness 'x'"),
        ("[[enrich]]\nwhen = {tags = {a = 1}}", "enrich[0].when.tags: expected a value or a list of values"),
        (
            "[[enrich]]\nadd = ['Reed']",
            "enrich[0].add: 'Reed' is not a canonical tool, nor `mcp:server/tool` or `custom:name`. Did you mean `Read`?",
        ),
        ("[[enrich]]\nadd = ['Shell(git']", "enrich[0].add: 'Shell(git' is not a canonical tool"),
        ("[[enrich]]\nad = []", "enrich[0]: unknown key 'ad'"),
        ("accept-widening = ['exekute']", "'exekute' is not a canonical tool, nor a risk. Did you mean `execute`?"),
        ("[sync]\nsource = 'a'\ntargets = ['x']", "sync.targets: unknown harness 'x'"),
        ("[sync]\nsource = 1\ntargets = []", "sync.source: expected a list"),
        ("exclude = ['']", "exclude: '': an empty glob"),
        ("exclude = ['!x']", "a glob cannot be negated here"),
        ("exclude = ['../x']", "cannot leave it"),
        (f"exclude = ['{'x' * 2000}']", "a glob of more than"),
        ("harness = 1", "harness: expected a table"),
        ("[harness]\nmine = 1", "harness.mine: expected a table"),
        ("select = [\n", "not valid TOML"),
        ("a = " + "[" * 50_000, "nested too deeply"),
        ("x = '" + "x" * 64 * 1024 + "'", "larger than 64 KiB"),
        ("a." * 20_000 + "a = 1", "line 1 has more than 500 dots"),
        ("[tool.fsagent-lint]\n[other]\n", "put all keys under [tool.fsagent-lint], or none of them"),
        ("tool.fsagent-lint = 'x'", "expected a table"),
    ],
)
def test_errors_name_the_place_and_the_remedy(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        load(tmp_path, text)
    assert str(tmp_path / "fsagent-lint.toml") in str(caught.value)
    assert message in str(caught.value)


def test_a_harness_of_ones_own_can_be_named(tmp_path: Path) -> None:
    path = write(tmp_path / "fsagent-lint.toml", "target = 'mine'\n[harness.mine]\nextends = 'opencode'\n")
    settings = load_settings(path)
    assert (settings.target, list(settings.tables)) == ("mine", ["mine"])


@pytest.mark.parametrize("data", [b"\xff\xfe", b"select = ['\xff']"])
def test_not_utf8(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "fsagent-lint.toml").write_bytes(data)
    with pytest.raises(DataError, match="not valid TOML"):
        load_settings(str(tmp_path / "fsagent-lint.toml"))


def test_what_is_no_file_is_an_error_and_does_not_block(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        load_settings(str(tmp_path / "missing.toml"))
    os.mkfifo(tmp_path / "fsagent-lint.toml")
    with pytest.raises(DataError, match="not a regular file"):
        load_settings(find_config(str(tmp_path)))


def test_a_config_that_links_out_of_the_project_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    secret = write(tmp_path / "secret", "password = 'hunter2'\n")
    os.symlink(secret, tmp_path / "repo" / "fsagent-lint.toml")
    with pytest.raises(DataError, match="is outside the project"):
        load_settings(find_config(str(tmp_path / "repo")))


def test_rules_must_exist(tmp_path: Path) -> None:
    text = "select = ['FA101']\nignore = ['ambiguous-empty-tools']\n[per-file-ignores]\n'*.md' = ['ambiguous-empty-tool']\n"
    settings = load_settings(write(tmp_path / "fsagent-lint.toml", text))
    with pytest.raises(
        DataError,
        match=r"per-file-ignores\.\*\.md: unknown rule 'ambiguous-empty-tool'. Did you mean `ambiguous-empty-tools`\?",
    ):
        check_codes(settings, {"FA101", "ambiguous-empty-tools"})
    check_codes(settings, {"FA101", "ambiguous-empty-tools", "ambiguous-empty-tool"})


@pytest.mark.parametrize("required", [">=0.1", "==0.1.*", ">=0.1, <1", "~=0.1.0"])
def test_a_version_that_the_config_is_for(tmp_path: Path, required: str) -> None:
    load(tmp_path, f'required-version = "{required}"\n')


@pytest.mark.parametrize("required", [">=99", "<0.1", "==0.0.1"])
def test_another_version_stops_before_keys_that_only_the_right_one_knows(tmp_path: Path, required: str) -> None:
    with pytest.raises(DataError, match=f"required-version: the project requires {required}, but this is 0"):
        load(tmp_path, f'required-version = "{required}"\nnew-key = true\n')


@pytest.mark.parametrize("required", ['"newest"', '">=0.1 <1"', "1", "['>=0.1']"])
def test_a_required_version_that_says_nothing(tmp_path: Path, required: str) -> None:
    with pytest.raises(DataError, match=r'required-version: .* is not of the form ">=0.1, <1"'):
        load(tmp_path, f"required-version = {required}\n")


@pytest.mark.parametrize(
    "text",
    [
        '[harness.claude-code]\nversion = "2.1.197"\n',
        'target = "claude-code@2.1.197"\n',
        '[[paths]]\nglob = "a/*.md"\nharness = "claude-code@2.1.197"\n',
        '[tool-format]\n"claude-code@2.1.197" = "list"\n',
        '[sync]\nsource = ".opencode/agents"\ntargets = ["claude-code@2.1.197"]\n',
        '[[enrich]]\nwhen = { harness = ["claude-code@2.1.197"] }\nadd = ["Read"]\n',
    ],
)
def test_a_config_says_which_version_a_team_runs(tmp_path: Path, text: str) -> None:
    (tmp_path / "fsagent-lint.toml").write_text(text)
    found = load_settings(str(tmp_path / "fsagent-lint.toml")).tables["claude-code"]
    assert found.full_id == "claude-code@2.1.197"
    assert "TaskOutput" in found.tools


def test_what_a_config_changes_goes_before_the_version(tmp_path: Path) -> None:
    text = '[harness.claude-code]\nversion = "2.1.197"\ntools.TaskCreate = { presence = "always" }\n'
    (tmp_path / "fsagent-lint.toml").write_text(text)
    found = load_settings(str(tmp_path / "fsagent-lint.toml")).tables["claude-code"]
    assert found.tools["TaskCreate"].presence == "always"
    assert found.tools["TaskCreate"].grants == ("TodoWrite",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('target = "claude-code@2.1.197"\n[harness.claude-code]\nversion = "2.1.198"\n', "elsewhere"),
        ('target = "claude-code@1.0"\n[tool-format]\n"claude-code@2.0" = "list"\n', "one version"),
        ('target = "claude-code@x"\n', "dotted numbers"),
        ('[harness.agent-skills]\nversion = "1.0"\n', "has no versions"),
        ('target = "nobody@1.0"\n', "nobody"),
    ],
)
def test_a_version_that_cannot_be_is_an_error(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "fsagent-lint.toml").write_text(text)
    with pytest.raises(DataError, match=said):
        load_settings(str(tmp_path / "fsagent-lint.toml"))
