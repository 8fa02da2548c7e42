"""What a repository defines besides one agent: MCP servers, custom tools, other agents. Read as data, never run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from fsagent_lint.files.border import Border, MissingError, UnreadableError
from fsagent_lint.files.jsonc import MAX_SIZE, JsonError, parse_json
from fsagent_lint.files.paths import absolute, relative
from fsagent_lint.files.read import exists, list_folder, read_file
from fsagent_lint.harnesses.harness import Discovery, Harness


class ProjectFiles:
    """Lists each folder and reads each file at most once in a run, and only on demand."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        """Files that exist but could not be used, and why."""
        self._data: dict[str, bytes | None] = {}
        self._json: dict[str, Any] = {}
        self.border = Border()
        self._found: dict[tuple[str, str], list[tuple[Discovery, str]]] = {}

    @cached_property
    def _here(self) -> str:
        return absolute(".")

    def root(self, folder: str) -> str:
        """The root of a project: its repository; else the current folder; else the parent of its hidden folder."""
        if (root := self.border.root(folder)) is not None:
            return root
        if relative(folder, self._here) is not None:
            return self._here
        parts = folder.split("/")
        hidden = [at for at, part in enumerate(parts) if part.startswith(".")]
        return "/".join(parts[: hidden[-1]]) or "/" if hidden else folder

    def files(self, folder: str, harness: Harness, root: str) -> list[tuple[Discovery, str]]:
        """The files that a table lists and that exist in a folder."""
        key = folder, harness.id
        if key not in self._found:
            self._found[key] = list(self._look(folder, harness, root))
        return self._found[key]

    def _look(self, folder: str, harness: Harness, root: str) -> Iterator[tuple[Discovery, str]]:
        for entry in harness.discovers:
            place, _, name = f"{folder}/{entry.file}".rpartition("/")
            if "*" in name:
                start, _, end = name.partition("*")
                names = list_folder(place, self.border, root)
                yield from (
                    (entry, f"{place}/{each}") for each in names if each.startswith(start) and each.endswith(end)
                )
            elif exists(f"{place}/{name}"):
                yield entry, f"{place}/{name}"

    def read(self, path: str, root: str) -> bytes | None:
        """The bytes of a file of the project; None if it is missing, lies outside or cannot be read."""
        if path not in self._data:
            self._data[path] = self._read(path, root)
        return self._data[path]

    def _read(self, path: str, root: str) -> bytes | None:
        try:
            return read_file(path, self.border, root, limit=MAX_SIZE)
        except MissingError:
            return None
        except UnreadableError as error:
            self.notes.append(f"{path}: {error}; nothing is known from it")
            return None

    def json(self, path: str, root: str) -> Any:
        """The value of a JSON file; None if there is no file, a JsonError (returned, not raised) if it is broken."""
        if path not in self._json:
            data = self.read(path, root)
            try:
                self._json[path] = None if data is None else parse_json(data)
            except JsonError as error:
                self.notes.append(f"{path}: {error}; nothing is known from it")
                self._json[path] = error
        return self._json[path]
