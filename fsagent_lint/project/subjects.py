"""A project as a whole: what its config names and its files define, from which every subject is made."""

from __future__ import annotations

from fsagent_lint.agent.subject import NO_GOAL, Goal, Subject
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.project.discover import Discoverer
from fsagent_lint.project.settings import Settings

_NO_SETTINGS = Settings()


class Subjects:
    """One for a whole run, so that no folder is looked at twice."""

    def __init__(self, settings: Settings = _NO_SETTINGS) -> None:
        self.servers, self.custom = frozenset(settings.mcp_servers), frozenset(settings.custom_tools)
        self.discoverer = Discoverer()

    def read(self, path: str, data: bytes, harness: Harness, kind: str, goal: Goal = NO_GOAL) -> Subject:
        """A file of any kind; one that holds several agents has them as its parts."""
        if harness.kinds[kind].under:
            from fsagent_lint.agent.lists.subject import read_list

            beside = self.discoverer.beside(path)
            return read_list(path, data, harness, kind, self.servers, self.custom, goal, beside)
        return self.subject(Document(Source(path, data)), harness, kind, goal)

    def subject(self, document: Document, harness: Harness, kind: str, goal: Goal = NO_GOAL) -> Subject:
        beside = self.discoverer.beside(document.source.path)
        return Subject(document, harness, kind, self.servers, self.custom, goal, beside)
