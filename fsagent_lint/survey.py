"""A project as a whole: what its config names and its files define, from which every subject is made."""

from __future__ import annotations

from fsagent_lint.discover import Discoverer
from fsagent_lint.document import Document
from fsagent_lint.harness import Harness
from fsagent_lint.settings import Settings
from fsagent_lint.subject import NO_GOAL, Goal, Subject

_NO_SETTINGS = Settings()


class Survey:
    """One for a whole run, so that no folder is looked at twice."""

    def __init__(self, settings: Settings = _NO_SETTINGS) -> None:
        self.servers, self.custom = frozenset(settings.mcp_servers), frozenset(settings.custom_tools)
        self.discoverer = Discoverer()

    def subject(self, document: Document, harness: Harness, kind: str, goal: Goal = NO_GOAL) -> Subject:
        beside = self.discoverer.beside(document.source.path)
        return Subject(document, harness, kind, self.servers, self.custom, goal, beside)
