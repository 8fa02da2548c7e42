"""The registry: every tool by its name, its harness, its agent, and where it was defined."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import pytest

from fsagent_lint.cli.main import run
from fsagent_lint.errors import UserError
from fsagent_lint.harnesses.tables import get_harness, harness_ids
from fsagent_lint.model.tool import BUILTIN, Tool
from fsagent_lint.project.neighbours import Discoverer
from fsagent_lint.project.settings import Settings
from fsagent_lint.project.tool_registry import RegisteredTool, Registry, load_plugins

CLAUDE, OPENCODE, COPILOT = (get_harness(id) for id in ("claude-code", "opencode", "copilot"))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".opencode/tools").mkdir(parents=True)
    (tmp_path / ".opencode/tools/deploy.ts").write_text("export default tool({})\nexport const undo = tool({})\n")
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {"db": {}}}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def registry(project: Path) -> Registry:
    settings = Settings(custom_tools=("audit",), mcp_servers=("web",))
    return Registry(settings, Discoverer().neighbours(str(project / "x")))


def names(entries: tuple[RegisteredTool, ...]) -> list[str]:
    return list(dict.fromkeys(str(entry.tool) for entry in entries))


def test_all_are_built_in_configured_or_discovered(registry: Registry) -> None:
    found = {str(entry.tool): entry.origin for entry in registry.all()}
    assert [name for name, origin in found.items() if origin == "built in"] == list(BUILTIN)
    assert {name: origin for name, origin in found.items() if origin != "built in"} == {
        "custom:audit": "config",
        "mcp:web/*": "config",
        "mcp:db/*": ".mcp.json",
        "custom:deploy": ".opencode/tools/deploy.ts",
        "custom:deploy_undo": ".opencode/tools/deploy.ts",
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Shell", ["Shell"]),
        ("Bash", ["Shell"]),
        ("todowrite", ["TodoWrite", "TodoRead"]),
        ("deploy", ["custom:deploy"]),
        ("custom:deploy", ["custom:deploy"]),
        ("db", ["mcp:db/*"]),
        ("nonsense", []),
    ],
)
def test_a_tool_is_found_by_any_of_its_names(registry: Registry, name: str, expected: list[str]) -> None:
    assert names(registry.get(name)) == expected


def test_a_harness_has_what_it_has_a_name_for(registry: Registry) -> None:
    assert {"Shell", "custom:deploy", "custom:audit", "mcp:web/*"} <= set(names(registry.for_harness(OPENCODE)))
    assert "mcp:db/*" not in names(registry.for_harness(OPENCODE))
    [db] = [entry for entry in registry.for_harness(COPILOT) if entry.tool == Tool.mcp("db")]
    assert db.names_in(COPILOT) == ("db/*",)
    assert db.risk == "unknown"


def test_descriptions_are_read_when_asked(registry: Registry) -> None:
    [shell] = registry.get("Shell")
    assert shell.description.startswith("Run commands")
    [deploy] = registry.get("deploy")
    assert deploy.description == ""


class Point:
    """What `importlib.metadata` finds of a plugin."""

    name, value = "mine", "package.module:tools"

    def __init__(self, loaded: object) -> None:
        self.loaded = loaded

    def load(self) -> object:
        if isinstance(self.loaded, Exception):
            raise self.loaded
        return self.loaded


def plug_in(monkeypatch: pytest.MonkeyPatch, loaded: object) -> None:
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: [Point(loaded)] if group else [])


@pytest.mark.usefixtures("project")
def test_plugins_bring_tools(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    table = {"name": "ship", "description": "Ship it.", "risk": "network", "names": {"opencode": "ship_it"}}
    plug_in(monkeypatch, lambda: [table])
    [entry] = load_plugins()
    assert (entry.tool, entry.risk, entry.description) == (Tool.custom("ship"), "network", "Ship it.")
    assert run(["tools", "ship"]) == 2  # nobody asked for plugins
    assert run(["tools", "ship", "--plugins"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("custom:ship (network): Ship it.\n  claude-code  no such tool\n  opencode     ship_it\n")
    assert out.endswith("  defined      plugin `mine` (package.module:tools)\n")
    assert run(["tools", "--plugins"]) == 0
    assert "custom:ship" in capsys.readouterr().out


@pytest.mark.parametrize(
    "loaded",
    [ImportError("gone"), 3, [3], [{"nme": "x"}], [{"name": "x", "risk": "fun"}]],
    ids=["import", "no-tables", "no-table", "key", "risk"],
)
def test_a_broken_plugin_is_named(monkeypatch: pytest.MonkeyPatch, loaded: object) -> None:
    plug_in(monkeypatch, loaded)
    with pytest.raises(UserError, match="plugin `mine`"):
        load_plugins()


@pytest.mark.usefixtures("project")
def test_the_command_line_says_where_a_tool_was_defined(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tools", "deploy"]) == 0
    first, *lines, last = capsys.readouterr().out.splitlines()
    assert (first, last) == ("custom:deploy (unknown)", "  defined      .opencode/tools/deploy.ts")
    assert [line.split() for line in lines] == [
        [id, "deploy"] if id == "opencode" else [id, "no", "such", "tool"] for id in harness_ids() if id != "canonical"
    ]
    assert run(["tools", "deplyo"]) == 2
    assert "Did you mean `deploy`?" in capsys.readouterr().err
