"""Writes an open agent for another harness: a new file, after what is lost has been shown."""

from __future__ import annotations

from fsagent_lint._fast import NamedTuple
from fsagent_lint.converter.job import Job
from fsagent_lint.converter.run import convert_agent
from fsagent_lint.files.border import Border, UnwritableError
from fsagent_lint.files.read import exists
from fsagent_lint.harnesses.tables import get_harness, harness_ids
from fsagent_lint.linter.selection import loss_filter
from fsagent_lint.project.session import accepted
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.report.escape import MESSAGE, escape
from fsagent_lint.server.workspace import View


class NewFile(NamedTuple):
    """A file to write; `question`: what the user should agree to first; `error`: why there is nothing to write."""

    path: str = ""
    text: str = ""
    question: str = ""
    error: str = ""


def converted(view: View, id: str) -> NewFile:
    workspace, subject = view.workspace, view.subject
    if id not in harness_ids():
        return NewFile(error=f"There is no harness `{escape(id)}`.")
    settings, target = workspace.run.settings, get_harness(id)
    job = Job(target, ".", accept=accepted(settings, unsafe=False), subjects=Subjects(settings))
    result = convert_agent(subject, job)
    if result.error:
        return NewFile(error=f"Not written for {target.title}: {escape(result.error, MESSAGE)}")
    path = workspace.absolute(result.path)
    try:
        Border().writable(path, workspace.folder)
    except UnwritableError as error:
        return NewFile(error=f"{escape(result.path)}: {error}")
    if exists(path):
        command = f"`fsagent-lint convert --force --to {id}` overwrites it."
        return NewFile(error=f"{escape(result.path)} exists already. {command}")
    is_ignored = loss_filter(settings)
    losses = [loss.message for loss in result.losses if not is_ignored(view.target.path, loss.code)]
    question = " ".join([f"{escape(result.path)} would lose something.", *dict.fromkeys(losses)]) if losses else ""
    return NewFile(path, result.data.decode("utf-8", "replace"), escape(question, MESSAGE))
