"""Makes a subject of a file, with the context from the config and the other files of the project."""

from __future__ import annotations

from collections.abc import Sequence

from fsagent_lint.agent.copies import Copies
from fsagent_lint.agent.subject import NO_GOAL, Context, Goal, Subject, UnclearSubject
from fsagent_lint.files.recent import Recent
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.project.neighbours import Discoverer, ProjectNeighbours
from fsagent_lint.project.settings import Settings
from fsagent_lint.project.target import Target
from fsagent_lint.project.tool_registry import Registry

_NO_SETTINGS = Settings()


class Subjects:
    """One instance per run, so that no folder is read twice."""

    def __init__(self, settings: Settings = _NO_SETTINGS, goal: Goal = NO_GOAL, copies: Copies | None = None) -> None:
        self.copies = copies
        self.discoverer = Discoverer()
        self._contexts: Recent[ProjectNeighbours, Context] = Recent(100)
        self._settings = settings
        self._context = Context(Registry(settings).configured_servers, goal=goal, copies=copies)

    def add_found(self, targets: Sequence[Target]) -> None:
        """The files of the run."""
        self.discoverer.add_found(targets)
        if self.copies is not None:
            self.copies.add_found([target.path for target in targets])

    def of_target(self, target: Target, data: bytes) -> Subject:
        """A file that was found."""
        if target.kind == "python":
            from fsagent_lint.agent.python.subject import read_module

            return read_module(target.path, data, self.context(target.path))
        if not target.harness:
            return UnclearSubject(Document(Source(target.path, data)))
        context = self.context(target.path)
        if target.assumed:
            context = context._replace(assumed=True, unsure=target.unsure)
        return self.read(target.path, data, get_harness(target.harness), target.kind, context)

    def read(self, path: str, data: bytes, harness: Harness, kind: str, context: Context | None = None) -> Subject:
        """A file of a harness; one that holds several agents has them as its parts."""
        context = context or self.context(path)
        if harness.kinds[kind].of_file(path).file != "markdown":
            from fsagent_lint.agent.data.subject import read_data

            return read_data(path, data, harness, kind, context)
        return Subject(Document(Source(path, data)), harness, kind, context)

    def of_document(self, document: Document, harness: Harness, kind: str) -> Subject:
        return Subject(document, harness, kind, self.context(document.source.path))

    def context(self, path: str) -> Context:
        """The same for all files of a folder."""
        neighbours = self.discoverer.neighbours(path)
        found = self._contexts.get(neighbours)
        if found is None:
            registry = Registry(self._settings, neighbours)
            found = self._contexts[neighbours] = self._context._replace(neighbours=neighbours, registry=registry)
        return found
