"""VS Code, as code-server has it: its chat has a model of our own, and the requests show the tools of an agent."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from conformance.adapter import PROMPT, TASK, Command, Outcome, ServedAdapter
from conformance.dialects import Request
from conformance.editor.window import PORT, SERVER, Window, home_files
from conformance.errors import LabError
from conformance.probe import Call, Observation, Probe
from conformance.server import Server
from conformance.standin import StandIn

CONTROL = ".github/agents/control.agent.md"
HOME = "../home/"
"""The path of a file in the home of the user begins so."""
TRIES = 20
REFERENCES = {
    "apply_patch": "edit/editFiles",
    "copilot_getNotebookSummary": "read/getNotebookSummary",
    "create_and_run_task": "execute/createAndRunTask",
    "create_directory": "edit/createDirectory",
    "create_file": "edit/createFile",
    "create_new_jupyter_notebook": "edit/createJupyterNotebook",
    "create_new_workspace": "vscode/newWorkspace",
    "edit_notebook_file": "edit/editNotebook",
    "file_search": "search/fileSearch",
    "get_errors": "read/problems",
    "get_task_output": "read/getTaskOutput",
    "get_terminal_output": "execute/getTerminalOutput",
    "get_vscode_api": "vscode/vscodeAPI",
    "github_repo": "web/githubRepo",
    "github_text_search": "web/githubTextSearch",
    "grep_search": "search/textSearch",
    "insert_edit_into_file": "edit/editFiles",
    "install_extension": "vscode/installExtension",
    "kill_terminal": "execute/killTerminal",
    "list_dir": "search/listDirectory",
    "manage_todo_list": "todo",
    "memory": "vscode/memory",
    "multi_replace_string_in_file": "edit/editFiles",
    "read_file": "read/readFile",
    "read_notebook_cell_output": "read/readNotebookCellOutput",
    "replace_string_in_file": "edit/editFiles",
    "resolve_memory_file_uri": "vscode/resolveMemoryFileUri",
    "runSubagent": "agent/runSubagent",
    "run_in_terminal": "execute/runInTerminal",
    "run_notebook_cell": "execute/runNotebookCell",
    "run_task": "execute/runTask",
    "run_vscode_command": "vscode/runCommand",
    "runTests": "execute/runTests",
    "semantic_search": "search/codebase",
    "send_to_terminal": "execute/sendToTerminal",
    "terminal_last_command": "read/terminalLastCommand",
    "terminal_selection": "read/terminalSelection",
    "testFailure": "execute/testFailure",
    "view_image": "read/viewImage",
    "vscode_askQuestions": "vscode/askQuestions",
    "vscode_listCodeUsages": "search/usages",
    "vscode_renameSymbol": "edit/rename",
    "vscode_searchExtensions_internal": "vscode/extensions",
}
"""The names that a model is offered, and those for files."""


class VSCode(ServedAdapter):
    id = "vscode"
    package = "code-server"
    binary = "code-server/out/node/entry.js"
    parts = ("code-server/lib/vscode", "code-server/lib/vscode/extensions")
    model = "stand-in"
    server = Window
    # In a browser nothing is fetched; the tool for a new workspace is there until somebody has signed in.
    never_offered: ClassVar = frozenset(("web/fetch", "setup_tools_createNewWorkspace"))
    paths: ClassVar = {
        "agent": ".github/agents/probe.agent.md",
        "subagent": ".github/agents/probe.agent.md",
    }

    def harness_version(self, package: str) -> str:
        """code-server 4.139.1 has VS Code 1.139.1."""
        return "1." + package.partition(".")[2]

    def home(self, probe: Probe, project: str) -> dict[str, str]:  # noqa: ARG002
        return home_files()

    def command(self, program: list[str], probe: Probe, url: str) -> Command:  # noqa: ARG002
        return Command([*program, *SERVER], {"STAND_IN": f"{url}/v1/messages", "MODEL": self.model})

    def put(self, probe: Probe, project: str, server: Server, model: StandIn) -> str:
        assert isinstance(server, Window)
        place = Path(project)
        with _visiting(place.parent / "home", server.home):
            control = place / CONTROL
            control.parent.mkdir(parents=True, exist_ok=True)
            control.write_text("---\nname: control\ndescription: A control.\nmistake: 1\n---\n", encoding="utf-8")
            path = self.path(probe)
            file = str(server.home / path.removeprefix(HOME) if path.startswith(HOME) else place / path)
            server.do("open", folder=project, control=str(control))
            seen = server.do("look", file=file, control=str(control))
            is_listed = any(each["name"] == "probe" for each in seen["agents"])
            # A chat that takes one agent of the project knows all of them; at first it may know none.
            for _ in range(TRIES):
                server.do("ask", agent=str(control), prompt="Is it there?")
                if not any('"control" mode' in each.system for each in model.requests):
                    continue
                server.do("ask", agent="" if probe.role == "subagent" else file, prompt=PROMPT, chat="new")
                if not is_listed or any(self.is_active(probe, each) for each in model.requests):
                    found = json.dumps({"says": seen["says"], "listed": is_listed})
                    return found.replace(f"vscode-remote://127.0.0.1:{PORT}{project}/", "")
        raise LabError("the chat does not take the agents of the project")

    def is_active(self, probe: Probe, request: Request) -> bool:
        """Its body is in force as the instructions of a mode; a subagent is asked with the task."""
        if probe.role == "subagent":
            return TASK in request.opening
        return PROMPT in request.opening and '"probe" mode' in request.system

    def observe(self, probe: Probe, outcome: Outcome) -> Observation:
        seen = json.loads(outcome.output)
        subject = self.subject(probe, outcome)
        tools = None if subject is None else tuple(dict.fromkeys(REFERENCES.get(each, each) for each in subject.tools))
        return Observation(seen["listed"], None, tools, says=tuple(seen["says"]))

    def delegation(self) -> Call:
        return Call("runSubagent", {"agentName": "probe", "description": "probe", "prompt": TASK})


@contextmanager
def _visiting(own: Path, home: Path) -> Iterator[None]:
    """What a probe has in its home lies in the home of the server for as long as that."""
    files = [each.relative_to(own) for each in own.rglob("*") if each.is_file()]
    try:
        for each in files:
            (home / each).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(own / each, home / each)
        yield
    finally:
        for each in files:
            (home / each).unlink(missing_ok=True)


ADAPTER = VSCode()
