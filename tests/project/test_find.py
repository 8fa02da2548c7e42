"""Which files a scan finds, whose they are, and what it says about the rest; on real trees."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from fsagent_lint.agent.recognise import recognise
from fsagent_lint.errors import UserError
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import get_harness, parse_table
from fsagent_lint.project.excludes import PerFileIgnores
from fsagent_lint.project.find import Scan, find, is_excluded, role_of
from fsagent_lint.project.settings import PathEntry, Settings

REPOSITORY = Path(__file__).parents[2]
AGENT = "---\nname: a\ndescription: d\ntools: Read, Grep\n---\nprompt\n"
OPEN_AGENT = "---\ndescription: d\nmode: subagent\ntools:\n  bash: false\n---\nprompt\n"
HUB_AGENT = "---\ndescription: d\ntools: ['read', 'search']\n---\nprompt\n"
DOC = "---\ntitle: Page\ndescription: d\n---\ntext\n"


def table(id: str, kinds: dict[str, object], tools: list[str], mcp: str) -> Harness:
    data = {
        "id": id,
        "title": id,
        "version": "1",
        "verified": date(2026, 1, 1),
        "sources": [],
        "reader": "core",
        "semantics": "allow-list",
        "mcp": {"tool": mcp, "server": mcp.replace("{tool}", "*")},
        "kinds": kinds,
        "tools": {tool: {"grants": []} for tool in tools},
        "write": {},
    }
    return parse_table(data, id)


def key(role: str, *forms: str) -> dict[str, object]:
    return {"role": role, "syntax": "x", "forms": list(forms)}


def field(**facts: object) -> dict[str, object]:
    return {"type": ["string"], **facts}


COMMON = {"name": field(), "description": field(), "model": field()}
CLAUDE = table(
    "claude",
    {
        "agent": {
            "globs": [".claude/agents/**/*.md", "{plugin}/agents/**/*.md"],
            "keys": {"tools": key("allow", "csv", "list"), "disallowedTools": key("deny", "csv", "list")},
            "fields": {**COMMON, "name": field(required=True), "color": field(values=["red", "blue"])},
            "read-by": ["hub"],
        },
        "skill": {
            "globs": [".claude/skills/**/SKILL.md", "{plugin}/skills/**/SKILL.md"],
            "keys": {"allowed-tools": key("approve", "csv", "list")},
            "fields": COMMON,
        },
        "command": {
            "globs": [".claude/commands/**/*.md", "{plugin}/commands/**/*.md"],
            "keys": {"allowed-tools": key("approve", "csv", "list")},
            "fields": {"description": field(), "argument-hint": field()},
        },
    },
    ["Read", "Grep", "Bash", "Write"],
    "mcp__{server}__{tool}",
)
OPEN = table(
    "open",
    {
        "agent": {
            "globs": [".open/agent/**/*.md", ".open/agents/**/*.md"],
            "keys": {"tools": key("switch", "map"), "permission": key("permission", "permission")},
            "fields": {**COMMON, "mode": field(values=["primary", "subagent"]), "color": field(format="hex-color")},
        },
        "skill": {"globs": [".open/skills/**/SKILL.md"], "fields": COMMON},
    },
    ["read", "grep", "bash", "write"],
    "{server}_{tool}",
)
HUB = table(
    "hub",
    {
        "agent": {
            "globs": [".github/agents/*.md", ".github/agents/*.agent.md"],
            "keys": {"tools": key("allow", "list", "csv")},
            "fields": COMMON,
        },
        "prompt": {"globs": [".github/prompts/*.prompt.md"], "keys": {"tools": key("allow", "list")}, "fields": COMMON},
    },
    ["read", "search", "execute"],
    "{server}/{tool}",
)
CANON = table("canon", {"agent": {"fields": COMMON}, "skill": {"fields": COMMON}}, ["Shell"], "mcp:{server}/{tool}")
HARNESSES = [CLAUDE, OPEN, HUB, CANON]

Tree = Callable[[dict[str, str]], Path]


def git(*arguments: str) -> None:
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*command, *arguments], capture_output=True, check=True)


@pytest.fixture(params=["git", "walk"])
def tree(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """A project in the current folder, once as a repository and once as plain files."""
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)
    if request.param == "git":
        git("init", "-q")

    def build(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return root

    return build


def scan(*paths: str, settings: Settings | None = None, harness: str | None = None) -> Scan:
    return find(paths, settings or Settings(folder=os.getcwd()), HARNESSES, harness=harness)


def roles(result: Scan) -> dict[str, str]:
    return {target.path: f"{target.harness}/{target.kind}{'?' * target.assumed}" for target in result.targets}


def messages(result: Scan) -> dict[str, str]:
    return {problem.path: problem.message for problem in result.errors}


def test_a_project(tree: Tree) -> None:
    tree(
        {
            ".claude/agents/a.md": AGENT,
            ".claude/agents/team/b.md": AGENT,
            ".claude/skills/s/SKILL.md": AGENT,
            ".claude/skills/s/reference.md": "x",
            ".claude/commands/c.md": "x",
            ".claude/rules/r.md": AGENT,
            "packages/x/.claude/agents/d.md": AGENT,
            ".open/agents/e.md": OPEN_AGENT,
            ".open/agents/README.md": "x",
            ".github/agents/f.agent.md": HUB_AGENT,
            ".github/prompts/g.prompt.md": "x",
            ".github/prompts/notes.md": "x",
            ".github/workflows/w.md": AGENT,
            "agents/h.md": AGENT,
            "README.md": AGENT,
            "CLAUDE.md": AGENT,
            "AGENTS.md": AGENT,
        }
    )
    result = scan()
    assert roles(result) == {
        ".claude/agents/a.md": "claude/agent",
        ".claude/agents/team/b.md": "claude/agent",
        ".claude/skills/s/SKILL.md": "claude/skill",
        ".claude/commands/c.md": "claude/command",
        "packages/x/.claude/agents/d.md": "claude/agent",
        ".open/agents/e.md": "open/agent",
        ".open/agents/README.md": "open/agent",
        ".github/agents/f.agent.md": "hub/agent",
        ".github/prompts/g.prompt.md": "hub/prompt",
    }
    assert result.errors == []
    assert result.skipped == []
    assert [target.path for target in result.targets] == sorted(roles(result))


def test_plugin_folders(tree: Tree) -> None:
    files = [f"{folder}/{kind}" for folder in ("p", "q", "r") for kind in ("agents/x/a.md", "commands/c.md", "a.md")]
    tree(dict.fromkeys([*files, "p/skills/s/SKILL.md"], AGENT))
    tree({"p/.claude-plugin/plugin.json": "{}", "q/plugin.json": "{}"})
    assert roles(scan()) == {
        "p/agents/x/a.md": "claude/agent",
        "p/commands/c.md": "claude/command",
        "p/skills/s/SKILL.md": "claude/skill",
        "q/agents/x/a.md": "claude/agent",
        "q/commands/c.md": "claude/command",
    }


def test_the_project_may_be_a_plugin_itself(tree: Tree) -> None:
    tree({".claude-plugin/plugin.json": "{}", "agents/a.md": AGENT, "docs/agents/b.md": AGENT})
    assert roles(scan()) == {"agents/a.md": "claude/agent"}


def test_ignored_files_are_not_found(tree: Tree) -> None:
    tree(
        {
            ".gitignore": "# generated\n/build/\n*.local.md\n!keep.local.md\n\\#x.md\n**/tmp/**\n",
            "packages/.gitignore": "y/\n!.claude/agents/back.local.md\n",
            ".claude/agents/a.md": AGENT,
            ".claude/agents/a.local.md": AGENT,
            ".claude/agents/keep.local.md": AGENT,
            ".claude/agents/#x.md": AGENT,
            "build/.claude/agents/b.md": AGENT,
            "x/build/.claude/agents/b.md": AGENT,
            "x/tmp/.claude/agents/t.md": AGENT,
            "packages/y/.claude/agents/c.md": AGENT,
            "packages/.claude/agents/back.local.md": AGENT,
        }
    )
    assert set(roles(scan())) == {
        ".claude/agents/a.md",
        ".claude/agents/keep.local.md",
        "x/build/.claude/agents/b.md",
        "packages/.claude/agents/back.local.md",
    }


def test_a_walk_leaves_out_dependencies_and_environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("node_modules/x", "my-env", "src"):
        path = tmp_path / folder / ".claude/agents/a.md"
        path.parent.mkdir(parents=True)
        path.write_text(AGENT)
    (tmp_path / "my-env" / "pyvenv.cfg").write_text("")
    os.symlink("..", tmp_path / "src" / "loop")
    assert set(roles(scan())) == {"src/.claude/agents/a.md"}


def test_a_subfolder_still_obeys_the_ignore_rules_above(tree: Tree) -> None:
    tree({".gitignore": "*.local.md\n", "x/.claude/agents/a.md": AGENT, "x/.claude/agents/a.local.md": AGENT})
    if not os.path.exists(".git"):
        os.mkdir(".git")  # not a repository that git would accept: the walk takes over
    assert set(roles(scan("x"))) == {"x/.claude/agents/a.md"}


def test_an_ignored_folder_can_be_named(tree: Tree) -> None:
    tree({".gitignore": "dist/\n", "dist/.claude/agents/a.md": AGENT})
    assert roles(scan()) == {}
    assert roles(scan("dist")) == {"dist/.claude/agents/a.md": "claude/agent"}


def test_named_files(tree: Tree) -> None:
    tree(
        {
            ".claude/agents/a.md": "no frontmatter",
            "categories/a.md": AGENT,
            "categories/b.md": OPEN_AGENT,
            "categories/c.md": HUB_AGENT,
            "x/SKILL.md": "nothing",
            "x/y.prompt.md": "nothing",
            "docs/d.md": DOC,
            "empty.md": "",
            "notes.txt": AGENT,
            "README.md": AGENT,
            "rules/r.md": AGENT,
            ".github/workflows/w.md": AGENT,
        }
    )
    names = [str(path.relative_to(os.getcwd())) for path in Path.cwd().rglob("*.*") if path.is_file()]
    result = scan(*[name for name in names if not name.startswith(".git/")])
    assert roles(result) == {
        ".claude/agents/a.md": "claude/agent",
        "categories/a.md": "claude/agent?",
        "categories/b.md": "open/agent?",
        "categories/c.md": "hub/agent?",
        "x/SKILL.md": "claude/skill?",
        "x/y.prompt.md": "hub/prompt?",
    }
    assert result.skipped == [
        ".github/workflows/w.md",
        "README.md",
        "docs/d.md",
        "empty.md",
        "notes.txt",
        "rules/r.md",
    ]
    assert result.errors == []


def test_a_named_folder_is_searched_by_content(tree: Tree) -> None:
    files = {"a.md": AGENT, "sub/b.md": OPEN_AGENT, "README.md": AGENT, "c.md": DOC, ".gemini/agents/d.md": AGENT}
    tree({f"categories/{name}": text for name, text in files.items()})
    expected = {"categories/a.md": "claude/agent?", "categories/sub/b.md": "open/agent?"}
    assert roles(scan("categories")) == roles(scan("./categories/")) == expected
    assert roles(scan()) == roles(scan(".")) == {}
    assert scan("categories").skipped == []


def test_what_lies_beside_the_agents_of_a_harness_is_not_searched(tree: Tree) -> None:
    tree({".claude/agents/a.md": AGENT, ".claude/output-styles/b.md": AGENT})
    assert set(roles(scan(".claude"))) == {".claude/agents/a.md"}
    assert scan(".claude/output-styles/b.md").skipped == [".claude/output-styles/b.md"]
    assert roles(scan(".claude/output-styles/b.md", harness="open")) == {".claude/output-styles/b.md": "open/agent"}


def test_a_checkout_below_a_harness_folder_is_a_project_of_its_own(tree: Tree) -> None:
    tree({".claude/worktrees/w/.git": "", ".claude/worktrees/w/x/c.md": AGENT})
    assert roles(scan(".claude/worktrees/w/x/c.md")) == {".claude/worktrees/w/x/c.md": "claude/agent?"}


def test_the_harness_can_be_told(tree: Tree) -> None:
    tree({"x/a.md": AGENT, "x/b.md": "no frontmatter", "x/s/SKILL.md": AGENT, ".claude/agents/c.md": AGENT})
    assert roles(scan("x", ".claude", harness="canon")) == {
        "x/a.md": "canon/agent",
        "x/s/SKILL.md": "canon/skill",
        ".claude/agents/c.md": "claude/agent",
    }
    assert roles(scan("x/b.md", harness="open")) == {"x/b.md": "open/agent"}
    with pytest.raises(UserError, match=r"unknown harness 'x' \(known: claude, open, hub, canon\)"):
        scan(harness="x")


def test_config_paths_win(tree: Tree) -> None:
    tree({"agents/a.md": "x", "agents/README.md": "x", "sub/agents/b.md": "x", ".claude/agents/c.md": "x", "z.md": "x"})
    entries = (
        PathEntry(glob="agents/*.md", harness="canon"),
        PathEntry(glob=".claude/agents/", harness="open"),
        PathEntry(glob="z.md", harness="hub", kind="prompt"),
    )
    settings = Settings(folder=os.getcwd(), paths=entries)
    expected = {"agents/a.md": "canon/agent", ".claude/agents/c.md": "open/agent", "z.md": "hub/prompt"}
    assert roles(scan(settings=settings)) == expected
    assert role_of("agents/new.md", settings, HARNESSES) == ("canon", "agent")
    assert role_of("sub/agents/new.md", settings, HARNESSES) is None
    os.chdir("sub")
    assert role_of("../agents/new.md", settings, HARNESSES) == ("canon", "agent")


def test_classify_needs_no_file(tree: Tree) -> None:
    tree({})
    settings = Settings(folder=os.getcwd())
    assert role_of("x/.open/agent/y/z.md", settings, HARNESSES) == ("open", "agent")
    assert role_of("x/.open/agent/y/z.txt", settings, HARNESSES) is None
    os.makedirs(".claude/agents")
    os.chdir(".claude/agents")
    assert role_of("a.md", settings, HARNESSES) == ("claude", "agent")


def test_excluded_files_are_left_out_even_when_named(tree: Tree) -> None:
    tree({".claude/agents/a.md": AGENT, ".claude/agents/x.md": AGENT, "vendor/.claude/agents/v.md": AGENT})
    settings = Settings(folder=os.getcwd(), exclude=("x.md", "vendor/"))
    assert set(roles(scan(settings=settings))) == {".claude/agents/a.md"}
    assert scan(".claude/agents/x.md", "vendor", settings=settings) == Scan([], [], [])
    assert is_excluded("vendor/q.md", settings)
    assert not is_excluded("q.md", settings)


def test_rules_can_be_ignored_per_file(tree: Tree) -> None:
    root = tree({})
    settings = Settings(folder=os.getcwd(), per_file_ignores={"old/": ("A", "B"), "*.tmpl.md": ("B", "C")})
    ignores = PerFileIgnores(settings)
    assert ignores.codes(f"{root}/old/x/a.tmpl.md") == {"A", "B", "C"}
    assert ignores.codes(f"{root}/x/a.md") == set()
    assert ignores.codes("/elsewhere/old/a.md") == set()


def test_the_same_file_five_times(tree: Tree) -> None:
    root = tree({".claude/agents/a.md": AGENT})
    given = [".claude/agents/a.md", "./.claude/agents/a.md", ".claude", ".", str(root / ".claude/agents/a.md")]
    assert roles(scan(*given)) == {".claude/agents/a.md": "claude/agent"}


def test_paths_are_shown_as_given_where_they_lie_outside(tree: Tree) -> None:
    root = tree({"x/.claude/agents/a.md": AGENT, "y/z": ""})
    os.chdir("y")
    assert set(roles(scan("../x"))) == {"../x/.claude/agents/a.md"}
    assert set(roles(scan(str(root / "x")))) == {f"{root}/x/.claude/agents/a.md"}


def test_what_is_not_there_is_an_error_and_the_run_goes_on(tree: Tree) -> None:
    tree({".claude/agents/a.md": AGENT, "file.md": "x"})
    result = scan("missing.md", "agents/*.md", "nul\0.md", "file.md/x.md", ".claude")
    assert set(roles(result)) == {".claude/agents/a.md"}
    assert messages(result) == {
        "missing.md": "no such file or folder",
        "agents/*.md": "no such file or folder; nothing matches the pattern",
        "nul\0.md": "cannot be read: invalid file name",
        "file.md/x.md": "cannot be read: Not a directory",
    }


def test_odd_names(tree: Tree) -> None:
    names = [
        os.fsdecode(b"\xff.md"),
        "line\nbreak.md",
        "x" * 252 + ".md",
        "-rf.md",
        os.fsdecode("ü.md".encode()),
        "[x].md",
        "a b.md",
    ]
    tree({f".claude/agents/{name}": AGENT for name in names})
    assert set(roles(scan())) == {f".claude/agents/{name}" for name in names}
    assert set(roles(scan(*roles(scan())))) == {f".claude/agents/{name}" for name in names}


def test_deleted_files_are_not_found(tree: Tree) -> None:
    tree({".claude/agents/a.md": AGENT, ".claude/agents/b.md": AGENT})
    if os.path.exists(".git"):
        git("add", "-A")
    os.unlink(".claude/agents/a.md")
    assert scan() == Scan([scan().targets[0]], [], [])
    assert set(roles(scan())) == {".claude/agents/b.md"}


def test_links_that_leave_the_project_are_not_read(tree: Tree, tmp_path: Path) -> None:
    tree({".claude/agents/a.md": AGENT, "x": ""})
    (tmp_path / "secret.md").write_text(AGENT)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "o.md").write_text(AGENT)
    for name, target in {
        "out.md": "../../../secret.md",
        "chain.md": "out.md",
        "absolute.md": str(tmp_path / "secret.md"),
        "environ.md": "/proc/self/environ",
        "zero.md": "/dev/zero",
    }.items():
        os.symlink(target, f".claude/agents/{name}")
    os.symlink(tmp_path / "outside", "linked")
    os.symlink(tmp_path / "secret.md", "elsewhere.md")
    result = scan()
    assert set(roles(result)) == {".claude/agents/a.md"}
    assert set(messages(result)) == {
        f".claude/agents/{name}.md" for name in ("out", "chain", "absolute", "environ", "zero")
    }
    assert all(message.startswith("is outside the project") for message in messages(result).values())
    named = scan("elsewhere.md", "linked", "linked/o.md", harness="open")
    assert roles(named) == {}
    assert set(messages(named)) == {"elsewhere.md", "linked", "linked/o.md"}


def test_a_link_into_the_repository_itself_is_not_read(tree: Tree) -> None:
    tree({".claude/agents/a.md": AGENT})
    os.makedirs(".git", exist_ok=True)
    Path(".git/config").touch()
    os.symlink("../../.git/config", ".claude/agents/b.md")
    assert messages(scan(".claude/agents/b.md")) == {".claude/agents/b.md": "is inside .git; not read"}


def test_broken_and_looping_links(tree: Tree) -> None:
    tree({".claude/agents/a.md": AGENT, "docs/x.md": "x"})
    os.symlink("nowhere.md", ".claude/agents/broken.md")
    os.symlink("self.md", ".claude/agents/self.md")
    os.symlink("two.md", ".claude/agents/one.md")
    os.symlink("one.md", ".claude/agents/two.md")
    os.symlink("user@host.123:456", ".claude/agents/.#lock.md")
    os.symlink("nowhere.md", "docs/broken.md")
    os.symlink("..", ".claude/agents/up")
    result = scan()
    assert set(roles(result)) == {".claude/agents/a.md"}
    assert messages(result) == {
        ".claude/agents/broken.md": "a broken link",
        ".claude/agents/self.md": "a link to itself",
        ".claude/agents/one.md": "a link to itself",
        ".claude/agents/two.md": "a link to itself",
    }
    assert messages(scan("docs")) == {}
    assert messages(scan("docs/broken.md")) == {"docs/broken.md": "a broken link"}


def test_a_real_file_is_judged_once(tree: Tree) -> None:
    tree({".claude/agents/real.md": AGENT, "source/s.md": AGENT})
    os.makedirs(".github/agents")
    os.makedirs(".open/agents")
    os.symlink("real.md", ".claude/agents/alias.md")
    os.symlink("../../.claude/agents/real.md", ".github/agents/real.md")  # the hub reads claude's agents anyway
    os.symlink("../../source/s.md", ".claude/agents/source.md")
    os.symlink("../../.claude/agents/real.md", ".open/agents/real.md")
    result = scan()
    assert roles(result) == {".claude/agents/real.md": "claude/agent", ".claude/agents/source.md": "claude/agent"}
    assert messages(result) == {}
    assert result.passed == ((".open/agents/real.md", "open", "claude"),)
    assert roles(scan(".claude/agents/alias.md")) == {".claude/agents/alias.md": "claude/agent"}


def test_what_is_no_regular_file_is_an_error_where_an_agent_is_expected(tree: Tree) -> None:
    tree({".claude/agents/a.md": AGENT, "docs/x.md": "x", ".claude/agents/folder.md/inner.md": AGENT})
    os.mkfifo(".claude/agents/pipe.md")
    os.mkfifo("docs/pipe.md")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(".claude/agents/socket.md")
    result = scan()
    assert set(roles(result)) == {".claude/agents/a.md", ".claude/agents/folder.md/inner.md"}
    assert messages(result) == {
        ".claude/agents/pipe.md": "a named pipe, not a regular file",
        ".claude/agents/socket.md": "a socket, not a regular file",
        ".claude/agents/folder.md": "a folder, not a regular file",
    }
    assert messages(scan("docs/pipe.md")) == {"docs/pipe.md": "a named pipe, not a regular file"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_listed_is_an_error(tree: Tree) -> None:
    tree({".claude/agents/a.md": AGENT, ".open/agents/b.md": AGENT})
    os.chmod(".open/agents", 0)
    try:
        result = scan()
    finally:
        os.chmod(".open/agents", 0o755)
    assert set(roles(result)) == {".claude/agents/a.md"}
    assert "Permission denied" in result.errors[0].message


def test_changed_files_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    git("init", "-q", "-b", "main")
    os.makedirs(".claude/agents")
    for name in "abc":
        Path(f".claude/agents/{name}.md").write_text(AGENT)
    git("add", "-A")
    git("commit", "-qm", "x")
    Path(".claude/agents/b.md").write_text(OPEN_AGENT)
    Path(".claude/agents/new.md").write_text(AGENT)
    settings = Settings(folder=str(tmp_path))
    changed = find([], settings, HARNESSES, changed=True)
    assert set(roles(changed)) == {".claude/agents/b.md", ".claude/agents/new.md"}
    git("checkout", "-qb", "topic")
    git("commit", "-qam", "y")
    assert set(roles(find([], settings, HARNESSES, changed=True))) == {".claude/agents/new.md"}
    assert set(roles(find([], settings, HARNESSES, since="main"))) == {".claude/agents/b.md", ".claude/agents/new.md"}
    named = [".claude/agents/a.md", ".claude/agents/b.md"]
    assert set(roles(find(named, settings, HARNESSES, since="main"))) == {".claude/agents/b.md"}
    with pytest.raises(UserError, match="unknown revision"):
        find([], settings, HARNESSES, since="nowhere")


@pytest.mark.parametrize(
    ("frontmatter", "expected"),
    [
        ("name: a\ndescription: d\ntools: Read, mcp__db__query, Bash(git diff:*)", "claude/agent"),
        ("name: a\ndescription: d\ncolor: blue", "claude/agent"),
        ("description: d\ncolor: '#00ff00'\nmode: primary", "open/agent"),
        ("description: d\npermission:\n  bash: deny", "open/agent"),
        ("description: d\ntools: [read, db/*]", "hub/agent"),
        ("description: d\nallowed-tools: Bash\nargument-hint: x", "claude/command"),
        ("name: a\ndescription: not: valid yaml\ntools: Read", "claude/agent"),
        ("name: a\ndescription: d", "claude/agent"),
        ("description: d", None),
        ("title: t\nlayout: post", None),
        ("tools: Read", None),
        ("- a\n- b", None),
        ("", None),
    ],
)
def test_recognise(frontmatter: str, expected: str | None) -> None:
    document = Document(Source("x/a.md", f"---\n{frontmatter}\n---\nbody\n".encode()))
    role = recognise(document, "x/a.md", HARNESSES)
    assert (role and "/".join(role)) == expected


def test_folders_above_the_project_tell_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "rules" / "commands" / "project"
    (root / ".git").mkdir(parents=True)
    (root / "x").mkdir()
    (root / "x" / "a.md").write_text(AGENT)
    monkeypatch.chdir(root)
    assert roles(scan("x/a.md")) == {"x/a.md": "claude/agent?"}


def test_recognise_by_the_ending() -> None:
    document = Document(Source("x", b"---\ndescription: d\n---\n"))
    assert recognise(document, "x/a.agent.md", HARNESSES) == ("hub", "agent")
    assert recognise(document, "x/a.prompt.md", HARNESSES) == ("hub", "prompt")
    assert recognise(document, "x/SKILL.md", HARNESSES) == ("claude", "skill")
    assert recognise(document, "x/SKILL.md", [HUB]) is None
    assert recognise(document, "x/SKILL.md", [OPEN]) == ("open", "skill")


@pytest.mark.parametrize(
    ("path", "role"),
    [
        (".claude/agents/a.md", ("claude-code", "agent")),
        ("x/.claude/skills/s/SKILL.md", ("claude-code", "skill")),
        (".claude/commands/x/c.md", ("claude-code", "command")),
        (".opencode/agent/a.md", ("opencode", "agent")),
        (".opencode/agents/x/README.md", ("opencode", "agent")),
        (".opencode/command/c.md", ("opencode", "command")),
        (".opencode/mode/m.md", ("opencode", "mode")),
        (".github/agents/a.agent.md", ("copilot", "agent")),
        (".github/agents/a.md", ("copilot", "agent")),
        (".github/chatmodes/a.chatmode.md", ("vscode", "chatmode")),
        (".github/prompts/a.prompt.md", ("vscode", "prompt")),
        (".github/workflows/w.md", None),
        (".github/instructions/i.instructions.md", None),
        (".claude/rules/r.md", None),
        ("agents/a.md", None),
        ("CLAUDE.md", None),
    ],
)
def test_the_places_of_the_real_tables(path: str, role: tuple[str, str] | None) -> None:
    harnesses = [get_harness(id) for id in ("claude-code", "opencode", "copilot", "vscode", "canonical")]
    assert role_of(path, Settings(folder=os.getcwd()), harnesses) == role


@pytest.mark.usefixtures("unmeasured")
def test_imports_are_cheap() -> None:
    code = "import sys, fsagent_lint.project.find; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert not {"subprocess", "tomllib", "pathlib", "yaml", "difflib", "json"} & set(done.stdout.split())
