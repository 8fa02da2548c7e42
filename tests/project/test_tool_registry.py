"""The registry: every tool by its name, its harness, its agent, and where it was defined."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

import pytest

import fsagent_lint
from docgen.__main__ import ROOT
from fsagent_lint import Agent
from fsagent_lint.cli.main import run
from fsagent_lint.errors import UserError
from fsagent_lint.harnesses.tables import harness_ids
from fsagent_lint.model.tool import BUILTIN, Tool
from fsagent_lint.project.neighbours import Discoverer
from fsagent_lint.project.settings import Settings
from fsagent_lint.project.tool_registry import RegisteredTool, Registry, load_plugins


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
    assert {"Shell", "custom:deploy", "custom:audit", "mcp:web/*"} <= set(names(registry.for_harness("opencode")))
    assert "mcp:db/*" not in names(registry.for_harness("opencode"))
    [db] = [entry for entry in registry.for_harness("copilot") if entry.tool == Tool.mcp("db")]
    assert db.names("copilot") == ("db/*",)
    assert db.names("opencode") == ()
    assert db.risk == "unknown"
    with pytest.raises(UserError, match=r"There is no harness `copilott`\. Did you mean `copilot`"):
        registry.for_harness("copilott")  # type: ignore[arg-type]


def test_an_agent_has_the_tools_that_it_may_use(registry: Registry) -> None:
    agent = Agent(name="a", description="d", tools=[Tool.Read, Tool.Todo, Tool.mcp("db", "query"), Tool.Shell])
    assert names(registry.enabled(agent, "copilot")) == ["Shell", "Read", "TodoWrite", "TodoRead", "mcp:db/*"]
    assert names(registry.enabled(agent, "opencode")) == ["Shell", "Read", "TodoWrite", "TodoRead"]
    denied = Agent(name="a", description="d", disallowed_tools=[Tool.Shell, "mcp:*"])
    enabled = names(registry.enabled(denied, "opencode"))
    assert {"Read", "custom:deploy"} <= set(enabled)
    assert {"Shell", "mcp:web/*"}.isdisjoint(enabled)
    assert "custom:deploy" not in names(registry.enabled(denied, "copilot"))


def test_what_the_registry_knows_lint_knows_too(project: Path) -> None:
    path = project / ".opencode/agents/a.md"
    path.parent.mkdir()
    text = "---\ndescription: d\npermission:\n  '*': deny\n  deploy: allow\n  deplyo: allow\n---\nPrompt.\n"
    path.write_text(text)
    [found] = fsagent_lint.lint(path).findings
    assert found.finding.fix is not None
    assert (found.finding.name, found.finding.fix.title) == ("unknown-tool", "Replace with `deploy`")


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


# ------------------------------------------------------------------------------------------- a package, as it is installed

PACKAGE = {
    "acme_tools/__init__.py": "",
    "acme_tools/tools.py": """
TOOLS = [
    {
        "name": "ship",
        "risk": "network",
        "description-file": "ship.txt",
        "variables": {"place": "the staging area"},
        "names": {"opencode": "ship_it", "claude-code": "Ship"},
    }
]
""",
    "acme_tools/ship.txt": "Ship the build to ${place}: `${opencode}` in OpenCode. Risk: ${risk}.\n",
    "acme_tools-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: acme-tools\nVersion: 1.0\n",
    "acme_tools-1.0.dist-info/entry_points.txt": "[fsagent_lint.tools]\nacme = acme_tools.tools:TOOLS\n",
}
SHIPPER = "---\nname: shipper\ndescription: d\ntools: Read, Ship\n---\nShip it.\n"


@pytest.fixture
def package(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with its metadata, as an installer leaves it."""
    site = tmp_path_factory.mktemp("site")
    for name, text in PACKAGE.items():
        path = site / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(site)
    for module in ("acme_tools", "acme_tools.tools"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    return site


def test_the_page_shows_this_package() -> None:
    page = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    assert PACKAGE["acme_tools/tools.py"].strip() in page
    assert 'acme = "acme_tools.tools:TOOLS"' in page


@pytest.mark.usefixtures("package")
def test_everybody_knows_the_tools_of_a_package_that_may_run(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = project / ".claude/agents/shipper.md"
    path.parent.mkdir(parents=True)
    path.write_text(SHIPPER)
    assert [found.finding.name for found in fsagent_lint.lint(path).findings] == ["unknown-tool"]
    assert "acme_tools.tools" not in sys.modules
    assert fsagent_lint.lint(path, plugins=True).findings == []
    made = fsagent_lint.convert(path, "opencode", plugins=True)
    assert "  ship_it: allow\n" in made.text
    assert fsagent_lint.convert(path, "copilot", plugins=True).losses[0].message == (
        "Copilot has no equivalent of custom:ship; dropped."
    )
    agent = fsagent_lint.load(path, plugins=True)
    assert agent.policy.named() == (Tool.Read, Tool.custom("ship"))
    registry = fsagent_lint.registry(plugins=True)
    [ship] = [entry for entry in registry.enabled(agent, "opencode") if entry.tool == Tool.custom("ship")]
    assert (ship.names("opencode"), ship.names("claude-code"), ship.names("copilot")) == (("ship_it",), ("Ship",), ())
    assert ship.description == "Ship the build to the staging area: `ship_it` in OpenCode. Risk: network."
    assert run(["tools", "ship", "--plugins"]) == 0
    assert "custom:ship (network): Ship the build to the staging area" in capsys.readouterr().out
    assert run(["explain", "--plugins", "--output-format", "json", str(path)]) == 0
    assert '"custom:ship": "allow"' in capsys.readouterr().out


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("ship.txt", "To ${plaec}.", r"has \$\{plaec\}; there are claude-code, name, opencode, place, risk"),
        ("ship.txt", None, "description-file: 'ship.txt' of acme_tools.tools cannot be read: "),
        ("tools.py", "TOOLS = [{'name': 'x', 'description_file': 'y'}]", "unknown key 'description_file'"),
    ],
    ids=["variable", "file", "key"],
)
def test_what_is_wrong_with_a_package_is_said(package: Path, file: str, text: str | None, problem: str) -> None:
    if text is None:
        (package / "acme_tools" / file).unlink()
    else:
        (package / "acme_tools" / file).write_text(text)
    with pytest.raises(UserError, match=problem):
        fsagent_lint.registry(plugins=True)


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
