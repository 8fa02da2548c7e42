"""The agent files of many repositories, and each of them converted for another harness."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from fsagent_lint.agent.data.markdown import members
from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.converter.job import Job
from fsagent_lint.converter.run import convert_agent
from fsagent_lint.errors import UserError
from fsagent_lint.files.paths import to_posix
from fsagent_lint.files.read import read_file
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import all_harnesses, get_harness
from fsagent_lint.model.converted import Converted
from fsagent_lint.project.find import find
from fsagent_lint.project.settings import Settings
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.project.target import Target

AGENTS = ("agent", "chatmode", "mode")
"""Kinds of files that are agents; the others are skills, commands and prompts."""


@dataclass(frozen=True)
class AgentFile:
    """One agent of a repository; several may be in one file."""

    place: Target
    data: bytes
    subject: Subject
    shown: str
    """Its path in the folder of repositories."""

    @property
    def harness(self) -> str:
        return self.place.harness

    @property
    def is_agent(self) -> bool:
        return self.place.kind in AGENTS


def agent_files(folder: str) -> Iterator[AgentFile]:
    """Every agent file of the repositories in a folder, each repository read by itself."""
    for repository in sorted(entry.path for entry in os.scandir(folder) if entry.is_dir()):
        settings = Settings(folder=repository)
        subjects = Subjects(settings)
        for place in find([repository], settings, all_harnesses()).targets:
            if place.harness:
                data = read_file(place.path)
                shown = to_posix(os.path.relpath(place.path, folder))
                whole = subjects.read(place.path, data, get_harness(place.harness), place.kind)
                for subject in _agents(whole):
                    yield AgentFile(place, data, subject, shown)


def _agents(whole: Subject) -> list[Subject]:
    if whole.sort is not Sort.DATA:
        return [whole]
    try:
        return members(whole)
    except UserError:
        return []


def convert(file: AgentFile, target: str) -> Converted:
    return convert_agent(file.subject, Job(get_harness(target), "."))


def read_result(converted: Converted, target: Harness) -> Document:
    """The converted file as a harness reads it; of a format that we only write, its fields as frontmatter."""
    kind = target.kinds[converted.kind]
    if kind.file == "toml":
        fields = tomllib.loads(converted.data.decode())
        body = fields.pop(kind.body, "")
        return Document(Source(converted.path, f"---\n{json.dumps(fields)}\n---\n{body}".encode()))
    if kind.under:
        return members(Subjects().read(converted.path, converted.data, target, converted.kind))[0].document
    return Document(Source(converted.path, converted.data))
