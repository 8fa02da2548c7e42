"""The markdown files of a folder and files with certain names, from git or from a walk; all, or only changed ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fsagent_lint.agent.python.detect import SUFFIX, find_modules
from fsagent_lint.files.border import Border
from fsagent_lint.files.globs import Glob
from fsagent_lint.files.paths import absolute, relative
from fsagent_lint.harnesses.kind import MARKDOWN

# `SKILL.MD` says what it is, too; harnesses read no other file that ends so.
_MARKDOWN_IN_ANY_CASE = (MARKDOWN, ".MD", ".Md", ".mD")


class Listing:
    """`named`: names of files that are listed besides markdown, or globs of their paths in any folder.

    `listed`: all files below the current folder, if that is known; then neither git nor a walk is needed.
    """

    def __init__(
        self, changed: bool, since: str | None, named: Iterable[str] = (), listed: Sequence[str] | None = None
    ) -> None:
        self.listed = listed
        self.endings = (*_MARKDOWN_IN_ANY_CASE, *named, SUFFIX)
        globs = [Glob(each, anywhere=True) for each in self.endings if "/" in each]
        self.plain = tuple(each for each in self.endings if "/" not in each)
        self.globs = [(glob, f".{glob.pattern.rpartition('.')[2]}") for glob in globs]
        parts = [glob.pattern.split("/") for glob, _ in self.globs]
        self.tails = [
            (Glob("/".join(each[:at]), anywhere=True), "/".join([".", *each[at:]]))
            for each in parts
            for at in range(1, len(each))
        ]
        """The rest of each glob, for a folder that its beginning matches."""
        self.only_changed = changed or since is not None
        self.since = since
        self.changed: dict[str, set[str]] = {}
        self.python_files: dict[str, list[str]] = {}
        self.is_from_git = self.only_changed
        """Do the files of the folder that was listed last come from git?"""

    def files(self, folder: str, root: str | None, warnings: list[str]) -> Iterator[str]:
        """Paths relative to the folder; some files may no longer exist. `root` is its repository, if any.

        Python files are found on the way and kept for `modules`.
        """
        found = self.python_files.setdefault(folder, [])
        for name in self._changed(folder) if self.only_changed else self._list(folder, root, warnings):
            if name.endswith(SUFFIX):
                found.append(name)
            else:
                yield name

    def _list(self, folder: str, root: str | None, warnings: list[str]) -> Iterable[str]:
        self.is_from_git = self.listed is not None
        if self.listed is not None:
            inside = relative(folder, absolute("."))
            prefix = f"{inside}/" if inside else ""
            below = [name.removeprefix(prefix) for name in self.listed if name.startswith(prefix)]
            return [name for name in below if self.is_named(f"{folder}/{name}")] if inside is not None else []
        if root is not None:
            from fsagent_lint.files import git

            names = git.list_files(folder, self._for_git(folder), deleted=True, warnings=warnings)
            self.is_from_git = bool(names)
            if names:
                return names
            if names is not None:
                if not git.is_ignored(folder):
                    return ()
                root = None  # the user named a folder that git ignores: only its own ignore rules apply
        from fsagent_lint.files.walk import walk

        endings = (*self.plain, *(ending for _, ending in self.globs))
        walked = walk(folder, root, warnings, endings)
        return (name for name in walked if self.is_named(f"{folder}/{name}"))

    def is_named(self, path: str) -> bool:
        return path.endswith(self.plain) or any(path.endswith(end) and glob.matches(path) for glob, end in self.globs)

    def _for_git(self, folder: str) -> list[str]:
        return [*self.endings, *(tail for start, tail in self.tails if start.matches(folder))]

    def modules(self, folder: str, border: Border) -> Iterator[str]:
        """Python files that may define agents, relative to a folder whose files have been listed."""
        return find_modules(folder, self.python_files.pop(folder), border)

    def odd_files(self, folder: str, inner: Iterable[str]) -> list[str]:
        """Pipes, sockets and folders named `x.md` in some inner folders: git does not list them."""
        from fsagent_lint.files.walk import odd_files

        odd: list[str] = []
        for name in () if self.only_changed else inner:
            prefix = f"{name}/" if name else ""
            odd += [prefix + each for each in odd_files(f"{folder}/{name}", MARKDOWN)]
        return odd

    def includes(self, path: str) -> bool:
        """Is a file that the user named among the files to list?"""
        folder, _, name = path.rpartition("/")
        return not self.only_changed or name in self._changed(folder)

    def _changed(self, folder: str) -> set[str]:
        if folder not in self.changed:
            from fsagent_lint.files import git

            changed = git.changed_files(folder, self.since, self._for_git(folder))
            self.changed[folder] = {name for name in changed if self.is_named(f"{folder}/{name}")}
        return self.changed[folder]
