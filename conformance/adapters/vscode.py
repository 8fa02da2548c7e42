"""VS Code, as code-server has it: its chat has a model of our own, and the requests show the tools of an agent."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from conformance.adapter import PROMPT, TASK, Adapter, Outcome
from conformance.dialects import Request
from conformance.editor.window import PORT, opened
from conformance.errors import LabError
from conformance.probe import Call, Observation, Probe
from conformance.standin import StandIn

CONTROL = ".github/agents/control.agent.md"
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


class VSCode(Adapter):
    id = "vscode"
    package = "code-server"
    binary = "code-server/out/node/entry.js"
    parts = ("code-server/lib/vscode", "code-server/lib/vscode/extensions")
    model = "stand-in"
    batch = 30
    jobs = 2
    # In a browser nothing is fetched; the tool for a new workspace is there until somebody has signed in.
    never_offered: ClassVar = frozenset(("web/fetch", "setup_tools_createNewWorkspace"))
    paths: ClassVar = {
        "agent": ".github/agents/probe.agent.md",
        "subagent": ".github/agents/probe.agent.md",
    }

    def harness_version(self, package: str) -> str:
        """code-server 4.139.1 has VS Code 1.139.1."""
        return "1." + package.partition(".")[2]

    @contextmanager
    def running(self, program: list[str], home: Path, model: StandIn) -> Iterator[Callable[[Probe, Path], str]]:
        described = {
            "id": self.model,
            "name": self.model,
            "url": f"{model.url}/v1/messages",
            "toolCalling": True,
            "vision": False,
            "maxInputTokens": 100_000,
            "maxOutputTokens": 10_000,
        }
        models = [
            {"vendor": "customendpoint", "name": "lab", "apiKey": "none", "apiType": "messages", "models": [described]}
        ]
        with opened(program, home, {"chatLanguageModels.json": json.dumps(models)}) as window:

            def ask(probe: Probe, project: Path) -> str:
                control, file = project / CONTROL, project / self.path(probe)
                control.parent.mkdir(parents=True, exist_ok=True)
                control.write_text("---\nname: control\ndescription: A control.\nmistake: 1\n---\n", encoding="utf-8")
                window.do("open", folder=str(project), control=str(control))
                seen = window.do("look", file=os.path.normpath(file), control=str(control))
                is_listed = any(each["name"] == "probe" for each in seen["agents"])
                agent = "" if probe.role == "subagent" else os.path.normpath(file)
                # A chat that takes one agent of the project knows all of them; at first it may know none.
                for _ in range(TRIES):
                    window.do("ask", agent=str(control), prompt="Is it there?")
                    if not any('"control" mode' in each.system for each in model.requests):
                        continue
                    window.do("ask", agent=agent, prompt=PROMPT, chat="new")
                    if not is_listed or any(self.is_active(probe, each) for each in model.requests):
                        place = f"vscode-remote://127.0.0.1:{PORT}{project}/"
                        return json.dumps({**seen, "listed": is_listed}).replace(place, "")
                raise LabError("the chat does not take the agents of the project")

            yield ask

    def is_active(self, probe: Probe, request: Request) -> bool:
        """Its body is in force as the instructions of a mode; a subagent is asked with the task."""
        if probe.role == "subagent":
            return TASK in request.opening
        return PROMPT in request.opening and '"probe" mode' in request.system

    def observe(self, probe: Probe, outcome: Outcome) -> Observation:
        seen = json.loads(outcome.stdout)
        subject = self.subject(probe, outcome)
        tools = None if subject is None else tuple(dict.fromkeys(REFERENCES.get(each, each) for each in subject.tools))
        return Observation(seen["listed"], None, tools, says=tuple(seen["says"]))

    def delegation(self) -> Call:
        return Call("runSubagent", {"agentName": "probe", "description": "probe", "prompt": TASK})


ADAPTER = VSCode()
