"""Tables that a config or a package brings: merged, checked, and in force in every command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sample_table import TABLE

import fsagent_lint
from fsagent_lint.cli.main import run
from fsagent_lint.errors import DataError
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.merge import merge_tables
from fsagent_lint.harnesses.tables import builtin_ids, get_harness, harness_ids, use_tables
from fsagent_lint.harnesses.vocabulary import identify
from fsagent_lint.project.config import load_settings

AGENT = "---\ndescription: d\ntools: [peek, hamer]\n---\nPrompt.\n"


@pytest.fixture(autouse=True)
def built_in_again() -> Iterator[None]:
    yield
    use_tables({})


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    put(tmp_path / ".mine/agents/a.md", AGENT)
    put(tmp_path / ".claude/agents/c.md", "---\nname: c\ndescription: d\ntools: Read, Bash\n---\nPrompt.\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def under(prefix: str, table: str) -> str:
    """A table as a section of a config."""
    nested = table.replace("\n[", f"\n[{prefix}.")
    return f"[{prefix}]\n{nested}"


def tables(tmp_path: Path, text: str) -> dict[str, Harness]:
    return load_settings(str(put(tmp_path / "fsagent-lint.toml", text))).tables


# ------------------------------------------------------------------------------------------- what is merged


def test_a_table_of_ones_own_needs_no_more_than_what_it_says(tmp_path: Path) -> None:
    [mine] = tables(tmp_path, under("harness.mine", TABLE)).values()
    assert (mine.id, mine.title, mine.version, mine.verified) == ("mine", "Mine", "", None)
    assert mine.kinds["agent"].globs == (".mine/agents/*.md",)


def test_a_correction_leaves_the_rest_as_it_was(tmp_path: Path) -> None:
    text = """
    [harness.opencode.tools]
    deploy = { grants = ["Publish"] }
    bash = { condition = "the shell is on", presence = "conditional" }
    [harness.opencode.names]
    sh = { gives = ["bash"] }
    [harness.opencode.kinds.agent]
    globs = ["bots/*.md", "..."]
    """
    [mine] = tables(tmp_path, text).values()
    before = get_harness("opencode")
    assert list(mine.tools) == [*before.tools, "deploy"]
    assert (mine.tools["bash"].grants, mine.tools["bash"].presence) == (("Shell",), "conditional")
    assert mine.natives("sh") == ("bash",)
    assert mine.kinds["agent"].globs == ("bots/*.md", *before.kinds["agent"].globs)
    assert mine.kinds["agent"].path == before.kinds["agent"].path
    assert (mine.version, mine.verified) == (before.version, before.verified)


def test_who_extends_has_a_name_and_places_of_its_own(tmp_path: Path) -> None:
    text = """
    [harness.fork]
    extends = "opencode"
    [harness.fork.kinds.agent]
    globs = [".fork/agents/*.md"]
    [harness.spoon]
    extends = "fork"
    title = "Spoon"
    [harness.spoon.names]
    sh = { gives = ["bash"] }
    """
    found = tables(tmp_path, text)
    fork, spoon, before = found["fork"], found["spoon"], get_harness("opencode")
    assert list(fork.tools) == list(spoon.tools) == list(before.tools)
    assert (fork.title, fork.verified, fork.surprises) == ("fork", None, ())
    assert fork.kinds["agent"].globs == (".fork/agents/*.md",)
    assert {kind.path for kind in fork.kinds.values()} == {""}
    assert fork.kinds["command"].globs == spoon.kinds["agent"].globs == ()
    assert (fork.lookup("sh"), spoon.natives("sh")) == (None, ("bash",))


def test_a_list_may_say_where_the_rest_goes() -> None:
    assert merge_tables({"a": [1, 2]}, {"a": [0, "...", 3]}) == {"a": [0, 1, 2, 3]}
    assert merge_tables({"a": [1, 2]}, {"a": [3]}) == {"a": [3]}
    assert merge_tables({}, {"a": ["..."]}) == {"a": []}
    assert merge_tables({"a": {"b": 1, "c": 2}}, {"a": {"b": 3}, "d": 4}) == {"a": {"b": 3, "c": 2}, "d": 4}


def test_a_table_may_be_a_file_and_be_corrected_too(tmp_path: Path) -> None:
    put(tmp_path / "tables/mine.toml", TABLE)
    text = "harness-tables = ['tables/mine.toml']\n[harness.mine]\ntitle = 'Really mine'\n"
    [mine] = tables(tmp_path, text).values()
    assert (mine.id, mine.title, list(mine.tools)) == ("mine", "Really mine", ["peek", "hammer"])


def test_a_built_in_table_can_be_tried_from_a_config(tmp_path: Path) -> None:
    """The file that one contributes is the file that one has tried."""
    from fsagent_lint.harnesses.tables import FOLDER

    for id in builtin_ids():
        put(tmp_path / f"{id}.toml", Path(FOLDER, f"{id}.toml").read_text(encoding="utf-8"))
        [mine] = tables(tmp_path, f"harness-tables = ['{id}.toml']").values()
        assert repr(mine) == repr(get_harness(id))


# ------------------------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("titel = 'x'", "harness.mine: unknown key 'titel'; did you mean 'title'?"),
        ("id = 'other'", "harness.mine.id: 'other', but the table defines 'mine'"),
        ("extends = 'nobody'", "harness.mine.extends: 'nobody' is not one of claude-code,"),
        ("extends = 'mine'", "harness.mine.extends: mine extends mine"),
        ("extends = 3", "harness.mine.extends: 3 is not one of"),
        ("reader = 'cor'", "harness.mine.reader: 'cor' is not one of core,"),
        ("semantics = 'x'", "harness.mine.semantics: 'x' is not one of allow-list,"),
        ("mcp.tool = '{server}'", "harness.mine.mcp.tool: '{server}' must have {server} and {tool} once"),
        ("mcp.server = '{server.__class__}'", "must have {server} once, and no other braces"),
        ("mcp.outside = '*'", "harness.mine.mcp.outside: expected a list"),
        ("tools.peek.grants = ['Raed']", "harness.mine.tools.peek.grants: 'Raed' is not one of Shell,"),
        ("tools.peek.brings = ['x']", "harness.mine.tools.peek: 'x' is not one of peek, hammer"),
        ("tools.peek.when = 'x'", "harness.mine.tools.peek.when: 'x' is not one of kilo-model, opencode-model,"),
        ("names.x.gives = ['y']", "harness.mine.names.x: gives 'y', which is not one of the tools"),
        ("names.x.means = ['y']", "harness.mine.names.x.means: 'y' is not one of Shell,"),
        ("names.x.use = ['y']", "harness.mine.names.x.use: 'y' is neither a tool nor a name"),
        ("write.Reed = ['peek']", "harness.mine.write: 'Reed' is not one of Shell,"),
        ("foreign-names.x = {}", "harness.mine.foreign-names: 'x' is not one of"),
        ("foreign-names.copilot.x = ['y']", "harness.mine.foreign-names.copilot: 'y' is not one of peek, hammer"),
        ("discovers = [{file = '../x', what = 'servers'}]", "discovers[0].file: '../x' must lie in the project"),
        ("discovers = [{file = 'x', what = 'sevrers'}]", "discovers[0].what: 'sevrers' is not one of servers,"),
        ("kinds.agnt = {}", "harness.mine.kinds: 'agnt' is not one of agent, skill,"),
        ("kinds.agent.globs = ['x/*']", "kinds.agent.globs: 'x/*': it must end in .md, or `file`"),
        ("kinds.agent.globs = ['/x/*.md']", "kinds.agent.globs: '/x/*.md' must lie in the project"),
        (f"kinds.agent.globs = ['{'x' * 2000}.md']", "a glob of more than 1024 characters"),
        ("kinds.agent.path = '../{name}.md'", "kinds.agent.path: '../{name}.md' must lie in the project"),
        ("kinds.agent.path = '.git/hooks/{name}.md'", "must lie in the project"),
        ("kinds.agent.path = 'a.md'", "kinds.agent.path: 'a.md' must have {name} once"),
        ("kinds.agent.path = '{name}.sh'", "kinds.agent.path: '{name}.sh' must end in .md"),
        ("kinds.agent.keys.tools.syntax = 'x'", "kinds.agent.keys.tools.syntax: 'x' is not one of claude-list,"),
        ("kinds.agent.keys.tools.forms = []", "kinds.agent.keys.tools.forms: name at least one of list,"),
        (
            "kinds.agent.keys.tools.forms = ['auto']",
            "forms: 'auto' is not one of list, csv, space-separated, map, permission, preset",
        ),
        ("kinds.agent.keys.tools.instead = 'x'", "kinds.agent.keys.tools.instead: 'x' is not one of tools"),
        ("kinds.agent.keys.tools.gates.x = 'y'", "kinds.agent.keys.tools.gates: 'y' is not one of"),
        ("kinds.agent.wrong-keys.x = {role = 'deny', use = 'y'}", "wrong-keys.x.use: 'y' is not one of tools"),
        ("kinds.agent.fields.x.type = ['text']", "kinds.agent.fields.x.type: 'text' is not one of string,"),
        ("kinds.agent.fields.x.check = 'y'", "kinds.agent.fields.x.check: 'y' is not one of"),
        ("kinds.agent.fields.x.adds = ['y']", "kinds.agent.fields.x.adds: 'y' is not one of peek, hammer"),
        ("kinds.agent.fields.x.instead = 'y'", "kinds.agent.fields.x.instead: 'y' is not one of name,"),
        ("kinds.agent.fields.x.pattern = '(a+)+b'", "kinds.agent.fields.x: unknown key 'pattern'"),
        ("kinds.agent.fields.x.format = '(a+)+b'", "fields.x.format: '(a+)+b' is not one of lower-name,"),
        ("kinds.agent.placeholder = '(a+)+b'", "kinds.agent.placeholder: '(a+)+b' is not one of ${word},"),
        ("kinds.agent.notation.command = '{command}y'", "must have {command} once, and something before it"),
        ("mcp.valid-server = '(a+)+b'", "mcp.valid-server: '(a+)+b' is not one of lower-name,"),
        ("mcp.valid-tool = '(a+)+b'", "mcp.valid-tool: '(a+)+b' is not one of lower-name,"),
        (
            "mcp-config = {files = ['x'], key = 'x', transports = {}, variables = ['NAMENAME']}",
            "mcp-config: 'NAMENAME' must have NAME once, and something before them",
        ),
        ("kinds.agent.fields.tools = {}", "kinds.agent: 'tools' is only one of a key, a wrong key and a field"),
        ("kinds.agent.shared-with = ['x']", "kinds.agent: 'x' is not one of"),
    ],
)
def test_errors_name_the_file_and_the_key(tmp_path: Path, change: str, message: str) -> None:
    put(tmp_path / "mine.toml", TABLE)
    text = f"harness-tables = ['mine.toml']\n[harness.mine]\n{change}\n"
    with pytest.raises(DataError) as caught:
        tables(tmp_path, text)
    assert str(caught.value).startswith(str(tmp_path / "fsagent-lint.toml"))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("mine.toml", "title = [", "mine.toml: not valid TOML"),
        ("mine.toml", "title = 'x'", "mine.toml: missing key 'mcp'"),
        ("mine.toml", TABLE.replace("[tools]", "[toolz]"), "mine.toml: unknown key 'toolz'; did you mean 'tools'?"),
        ("gone.toml", "", "gone.toml: no such file or folder"),
        ("../mine.toml", "", "a table must be in the folder of the config, or below it"),
        ("/etc/mine.toml", "", "a table must be in the folder of the config, or below it"),
        ("nobody-has-it", "", "harness-tables[0]: 'nobody-has-it' is neither a .toml file nor a harness"),
        ("opencode", "", "harness-tables[0]: 'opencode' is neither"),
    ],
)
def test_a_file_that_is_no_table_is_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    put(tmp_path / "mine.toml", text)
    with pytest.raises(DataError) as caught:
        tables(tmp_path, f"harness-tables = ['{name}']")
    assert message in str(caught.value)


def test_a_table_that_links_out_of_the_project_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "repo/.git").mkdir(parents=True)
    secret = put(tmp_path / "secret", "password = 'hunter2'\n")
    os.symlink(secret, tmp_path / "repo/mine.toml")
    with pytest.raises(DataError, match="is outside the project") as caught:
        tables(tmp_path / "repo", "harness-tables = ['mine.toml']")
    assert "hunter2" not in str(caught.value)


def test_tables_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"harness\.b\.extends: a extends b extends a"):
        tables(tmp_path, "[harness.a]\nextends = 'b'\n[harness.b]\nextends = 'a'\n")


def test_a_table_that_many_extend_is_put_together_once(tmp_path: Path) -> None:
    """Else ten harnesses of five tables each, in a row, would be merged ten million times."""
    names = [f"h{number}" for number in range(10)]
    for name, parent in zip(names, [*names[1:], "opencode"], strict=True):
        for layer in range(5):
            put(
                tmp_path / f"{name}-{layer}.toml",
                f"id = '{name}'\nextends = '{parent}'\ntools.t{layer} = {{grants = ['Read']}}\n",
            )
    found = tables(tmp_path, f"harness-tables = {[f'{name}-{layer}.toml' for name in names for layer in range(5)]}\n")
    assert {"t0", "t4", "bash"} <= found["h0"].tools.keys()


@pytest.mark.parametrize(
    "config", ["harness-tables = [" + "'a.toml', " * 51 + "]", "\n".join(f"harness.a{n} = {{}}" for n in range(51))]
)
def test_a_config_brings_a_limited_number_of_tables(tmp_path: Path, config: str) -> None:
    with pytest.raises(DataError, match="more than 50 harness tables"):
        tables(tmp_path, config)


def test_a_wrong_table_ends_every_command(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / "fsagent-lint.toml", "[harness.opencode]\ntitel = 'x'\n")
    for command in (["."], ["explain", ".claude/agents/c.md"], ["tools"], ["harnesses"], ["convert", "--to", "vscode"]):
        assert run(command) == 2
        assert "harness.opencode: unknown key 'titel'" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------- what it is for


@pytest.fixture
def configured(project: Path) -> Path:
    put(project / "fsagent-lint.toml", under("harness.mine", TABLE))
    return project


@pytest.mark.usefixtures("configured")
def test_files_are_found_and_judged(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 1
    out = capsys.readouterr().out
    assert ".mine/agents/a.md:3:15: error FA101 [unknown-tool]" in out
    assert "`hammer`" in out
    assert "in 2 files" in out


@pytest.mark.usefixtures("configured")
def test_without_the_config_nobody_knows_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--isolated"]) == 0
    assert "1 file" in capsys.readouterr().out
    assert run(["--isolated", "--harness", "mine", "."]) == 2
    assert "There is no harness `mine`." in capsys.readouterr().err


@pytest.mark.usefixtures("configured")
def test_it_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", ".mine/agents/a.md", "--harness", "mine", "--output-format", "json"]) == 0
    [file] = json.loads(capsys.readouterr().out)["files"]
    assert file["effects"]["mine"]["tools"] == ["peek"]
    assert file["effects"]["mine"]["denied"] == ["hammer"]


def test_files_are_rewritten_for_it(configured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = configured / ".claude/agents/c.md"
    before = path.read_text()
    assert run(["--fix", "--target", "mine", str(path)]) == 1
    assert "Claude Code also reads the file, and would grant no tools" in capsys.readouterr().out
    assert path.read_text() == before
    path = put(configured / "agents/c.md", before)
    assert run(["--fix", "--harness", "claude-code", "--target", "mine", str(path)]) == 0
    assert "tools:\n  - peek\n  - hammer\n" in path.read_text()


def test_files_are_converted_to_it_and_from_it(configured: Path) -> None:
    assert run(["convert", "--to", "mine", ".claude"]) == 0
    assert "tools:\n  - peek\n  - hammer\n" in (configured / ".mine/agents/c.md").read_text()
    put(configured / ".mine/agents/a.md", AGENT.replace("hamer", "hammer"))
    assert run(["convert", "--from", "mine", "--to", "claude-code", ".mine/agents/a.md"]) == 0
    assert "tools: Read, Bash\n" in (configured / ".claude/agents/a.md").read_text()


def test_it_can_be_kept_in_sync(configured: Path) -> None:
    config = configured / "fsagent-lint.toml"
    config.write_text(config.read_text() + "[sync]\nsource = '.claude/agents'\ntargets = ['mine']\n")
    (configured / ".mine/agents/a.md").unlink()
    assert run(["sync"]) == 0
    assert "peek" in (configured / ".mine/agents/c.md").read_text()
    assert run(["sync", "--check"]) == 0


@pytest.mark.usefixtures("configured")
def test_its_names_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tools", "hammer"]) == 0
    assert "  mine         hammer\n" in capsys.readouterr().out
    assert run(["harnesses"]) == 0
    assert "mine: Mine\n  agent     .mine/agents/*.md\n" in capsys.readouterr().out


def test_a_name_of_its_own_is_foreign_elsewhere(configured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(configured / ".claude/agents/c.md", "---\nname: c\ndescription: d\ntools: Read, hammer\n---\nPrompt.\n")
    assert run([".claude"]) == 1
    assert "FA103 [foreign-tool]" in capsys.readouterr().out
    assert run(["--isolated", ".claude"]) == 1
    assert "FA101 [unknown-tool]" in capsys.readouterr().out


def test_a_kind_without_a_place_cannot_be_written(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / "fsagent-lint.toml", "[harness.fork]\nextends = 'opencode'\n")
    assert run(["convert", "--to", "fork", ".claude"]) == 2
    assert "fork has no place for agents" in capsys.readouterr().out


def test_places_of_the_config_come_first(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(project / "fsagent-lint.toml", under("harness.mine", TABLE.replace(".mine/agents/*", ".claude/agents/*")))
    assert run(["--output-format", "json", ".claude"]) == 1
    assert {each["harness"] for each in json.loads(capsys.readouterr().out)["findings"]} == {"mine"}


def test_python_programs_have_it_too(configured: Path) -> None:
    assert fsagent_lint.load(configured / ".mine/agents/a.md").harness == fsagent_lint.harness_id("mine")
    made = fsagent_lint.convert(configured / ".claude/agents/c.md", fsagent_lint.harness_id("mine"))
    assert (made.path, made.error) == (".mine/agents/c.md", "")
    [finding] = fsagent_lint.lint(configured / ".mine").findings
    assert finding.finding.name == "unknown-tool"


def test_every_thread_has_the_tables_of_its_own_run(tmp_path: Path) -> None:
    own = tables(tmp_path, under("harness.mine", TABLE))
    use_tables(own)
    assert identify("hammer", get_harness("claude-code")).how == "foreign"
    seen: list[object] = []
    thread = threading.Thread(
        target=lambda: seen.extend([harness_ids(), identify("hammer", get_harness("claude-code")).how])
    )
    thread.start()
    thread.join()
    assert seen == [builtin_ids(), "unknown"]
    assert harness_ids() == (*builtin_ids(), "mine")


# ---------------------------------------------------------------------------------------------- in packages

ENTRY_POINTS = """\
[fsagent_lint.harnesses]
mine = mine_agents.inner
empty-one = mine_agents
[fsagent_lint.enrichers]
no-shell = mine_enrichers:without_shell
"""
ENRICHER = """\
from fsagent_lint import Tool
def without_shell(harness, agent, policy):
    return policy.without(Tool.Shell)
"""
WHEEL = {
    "mine_agents/__init__.py": "raise SystemExit('this must not run')\n",
    "mine_agents/inner/mine.toml": TABLE,
    "mine_enrichers.py": ENRICHER,
    "mine_agents-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: mine-agents\nVersion: 1\n",
    "mine_agents-1.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "mine_agents-1.dist-info/entry_points.txt": ENTRY_POINTS,
}


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python with this program as it is here, and a package that brings a table and would fail if it were run."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    python = str(folder / ("Scripts/python" if os.name == "nt" else "bin/python"))
    ask = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    wheel = folder / "mine_agents-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in WHEEL.items():
            archive.writestr(name, text)
        record = "".join(f"{name},,\n" for name in [*WHEEL, "mine_agents-1.dist-info/RECORD"])
        archive.writestr("mine_agents-1.dist-info/RECORD", record)
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-compile"]
    subprocess.run([*install, "--target", packages, str(wheel)], check=True)
    here = [path for path in sys.path if path.endswith("site-packages")]
    put(Path(packages, "beside.pth"), "\n".join([*here, str(Path(__file__).parents[2])]))
    return python


def call(python: str, folder: Path, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [python, "-m", "fsagent_lint", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_a_package_brings_a_table(python: str, project: Path) -> None:
    status, out = call(python, project, "--harness", "mine", ".")
    assert (status, "FA101 [unknown-tool] Mine has no tool `hamer`" in out) == (1, True)
    assert call(python, project, "convert", "--to", "mine", ".claude")[0] == 0
    assert "tools:\n  - peek\n  - hammer\n" in (project / ".mine/agents/c.md").read_text()
    status, out = call(python, project, "explain", "--harness", "mine", ".mine/agents/c.md")
    assert (status, "grants peek, hammer" in out) == (0, True)
    path = put(project / "agents/c.md", (project / ".claude/agents/c.md").read_text())
    assert call(python, project, "--fix", "--harness", "claude-code", "--target", "mine", "agents/c.md")[0] == 0
    assert "tools:\n  - peek\n  - hammer\n" in path.read_text()


def test_a_package_counts_only_where_it_is_asked_for(python: str, project: Path) -> None:
    assert "1 file" in call(python, project)[1]
    assert "mine" not in call(python, project, "harnesses")[1]
    put(project / "fsagent-lint.toml", "harness-tables = ['mine']\n")
    assert "2 files" in call(python, project)[1]
    assert "mine: Mine\n" in call(python, project, "harnesses")[1]
    assert "  mine         hammer\n" in call(python, project, "tools", "Shell")[1]
    config = "target = 'mine'\n[harness.more]\nextends = 'opencode'\n"
    put(project / "fsagent-lint.toml", config + "[[paths]]\nglob = 'agents/*.md'\nharness = 'claude-code'\n")
    put(project / "agents/c.md", (project / ".claude/agents/c.md").read_text())
    status, out = call(python, project, "--diff", "agents")
    assert (status, "+  - peek\n+  - hammer\n" in out) == (1, True)


def test_a_package_without_its_table_is_named(python: str, project: Path) -> None:
    status, out = call(python, project, "--target", "empty-one")
    assert status == 2
    assert "The package `mine_agents` declares the harness `empty-one`, but has no empty-one.toml." in out


def test_a_config_may_name_enrichers_but_only_a_person_lets_them_run(python: str, project: Path) -> None:
    put(project / "fsagent-lint.toml", "enrichers = ['no-shell']\n")
    convert = ("convert", "--to", "opencode", ".claude")
    status, out = call(python, project, *convert)
    assert status == 2
    assert "The config runs code of installed packages (`no-shell`). Allow it with --plugins." in out
    assert not (project / ".opencode").exists()
    assert call(python, project, *convert, "--plugins")[0] == 0
    text = (project / ".opencode/agents/c.md").read_text()
    assert "read: allow" in text
    assert "bash: allow" not in text
    assert call(python, project, ".claude")[0] == 0  # to judge needs no enricher
