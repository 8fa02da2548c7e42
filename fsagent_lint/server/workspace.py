"""A folder that is open in the editor: its config, its files, and what is known about its agents."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import chdir, contextmanager

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.python.detect import ROLE as PYTHON
from fsagent_lint.agent.python.detect import SUFFIX, may_define_agents
from fsagent_lint.agent.subject import Subject
from fsagent_lint.converter.copy_states import CopyStates
from fsagent_lint.errors import UserError
from fsagent_lint.files.border import UnreadableError
from fsagent_lint.files.paths import relative
from fsagent_lint.harnesses.kind import MARKDOWN
from fsagent_lint.harnesses.tables import Tables, active_tables, in_force
from fsagent_lint.linter.baseline import without_known
from fsagent_lint.linter.checker import Checker, locate
from fsagent_lint.linter.run import Request, Run, find_files, prepare, read_baseline
from fsagent_lint.model.choices import NO_CONFIG, ToolFormat
from fsagent_lint.model.finding import Finding
from fsagent_lint.model.result import Problem, Result
from fsagent_lint.project.excludes import Excluded
from fsagent_lint.project.guard import guard
from fsagent_lint.project.target import Target, read_target
from fsagent_lint.report.fingerprint import Fingerprint
from fsagent_lint.server.buffers import Buffer
from fsagent_lint.server.profiles import Profiles


class View(NamedTuple):
    """An open agent file, as the rules see it."""

    workspace: Workspace
    buffer: Buffer
    target: Target
    subject: Subject


class Workspace:
    """Everything is worked out as if the command line ran in the folder, with open texts in the place of files."""

    run: Run
    _tables: Tables
    _excluded: Excluded

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.open: dict[str, Buffer] = {}
        self.problem = ""
        """Why the config is not used."""
        self.changed: frozenset[str] | None = frozenset()
        """Files that have changed on the disk since the last refresh; None: any may have."""
        self.errors: list[Problem] = []
        """What went wrong, until someone logs it."""
        self.profiles = Profiles()
        self.targets: dict[str, Target] = {}
        self.twins: dict[str, Target] = {}
        self.unread: dict[str, Target] = {}
        """Files of the project whose profiles are not known yet."""
        self._views: dict[str, View] = {}
        self._variants: dict[ToolFormat | None, Checker] = {}
        self.refresh()

    @property
    def checker(self) -> Checker:
        return self.run.checker

    @contextmanager
    def entered(self) -> Iterator[None]:
        """With this folder as the current one, and its tables in force. Nothing else may run meanwhile."""
        with chdir(self.folder), in_force(self._tables):
            yield

    def refresh(self, changed: Collection[str] | None = None) -> None:
        """Read the config and list the files again; what is known about files that did not change is kept.

        `changed`: absolute paths; None: any file may have changed.
        """
        with chdir(self.folder):
            self._prepare()
            scan = find_files(self.run)
            self.errors += scan.errors
            self.targets = {self.absolute(target.path): target for target in scan.targets}
            self.twins = {self.absolute(target.path): target for target in scan.twins}
        if changed is None or any(map(self._bears_on_others, changed)):
            self.profiles, changed = Profiles(), ()
        for path in changed:
            self.profiles.remove(path)
        self.unread = {path: target for path, target in self.targets.items() if path not in self.profiles}
        self._views.clear()
        self._variants.clear()

    def tool_format(self, form: ToolFormat | None = None) -> Checker | None:
        """What writes tools in a form, by default the one that the config asks for; None if the config does not allow it."""
        if form not in self._variants:
            config = NO_CONFIG if self.problem else None
            with guard("", []), in_force(self._tables):
                run = prepare(Request(config=config, select=("tool-format",), tool_format=form))
                self._variants[form] = run.checker
        return self._variants.get(form)

    def _bears_on_others(self, path: str) -> bool:
        """Is it a config file, or one that defines servers, tools or permissions for any agent?"""
        return path not in self.targets and path not in self.profiles and not path.endswith(MARKDOWN)

    def _prepare(self) -> None:
        self.problem = ""
        try:
            self.run = prepare(Request(), CopyStates)
        except UserError as error:
            self.problem = str(error)
            self.run = prepare(Request(config=NO_CONFIG), CopyStates)
        self._tables, self._excluded = active_tables(), Excluded(self.run.settings)
        self._baseline: Counter[Fingerprint] = Counter()
        with guard(self.run.settings.baseline, self.errors):
            self._baseline = read_baseline(self.run)

    def absolute(self, path: str) -> str:
        """The absolute form of a path as targets have it."""
        return path if path.startswith("/") or os.path.isabs(path) else f"{self.folder.rstrip('/')}/{path}"

    def learn(self) -> None:
        """Read the next file whose agents are not known yet."""
        path, target = next(iter(self.unread.items()))
        del self.unread[path]
        if path in self.open:
            self.findings(path)
            return
        with guard(target.path, self.errors, "the reader"):
            try:
                subject = self.checker.subject(target, read_target(target))
            except UnreadableError:  # it has been deleted
                return
            self.profiles.put(path, self.checker.profiles_of(subject, target))

    def put(self, path: str, buffer: Buffer) -> None:
        self.open[path] = buffer
        self._views.pop(path, None)

    def close(self, path: str) -> None:
        """From now on, what is on the disk counts again."""
        self.open.pop(path, None)
        self._views.pop(path, None)
        self.profiles.remove(path)
        if path in self.targets:
            self.unread[path] = self.targets[path]

    def view(self, path: str) -> View | None:
        """An open file; None if it is not an agent file."""
        found, buffer = self._views.get(path), self.open.get(path)
        if found is None and buffer is not None and (target := self._target(path, buffer)) is not None:
            found = self._views[path] = View(self, buffer, target, self.checker.subject(target, buffer.data))
        return found

    def _target(self, path: str, buffer: Buffer) -> Target | None:
        known = self.targets.get(path) or self.twins.get(path)
        if known is not None or self._excluded.covers(path):
            return known
        # A new file, or one that git ignores: opening it is naming it.
        counterparts = self.checker.counterparts
        role = counterparts.places.find(path) if counterparts is not None else None
        if path.endswith(SUFFIX):
            role = PYTHON if may_define_agents(buffer.data) else None
        return Target(relative(path, self.folder) or path, *role, False) if role is not None else None

    def findings(self, path: str) -> tuple[list[Finding], set[str]]:
        """The findings about an open file, and the other open files whose findings may have changed."""
        result, others = Result(), set[str]()
        view = self.view(path)
        if view is not None:
            with guard(view.target.path, result.errors, "the reader"):
                if path in self.twins:
                    self.checker.check_twin(view.target, result, view.buffer.data)
                else:
                    others = self._check(view, path, result)
        self.errors += result.errors
        return [located.finding for located in result.findings], others

    def _check(self, view: View, path: str, result: Result) -> set[str]:
        findings, _ = self.checker.check(view.subject)
        source = view.subject.document.source
        result.findings = [locate(finding, view.target, source) for finding in findings]
        keys = self.profiles.put(path, self.checker.profiles_of(view.subject, view.target))
        self.unread.pop(path, None)
        together = Result()
        self.checker.check_profiles(self.profiles.related(keys), together)
        result.findings += [each for each in together.findings if each.path == view.target.path]
        result.errors += together.errors
        if self._baseline:
            result.findings = without_known(result, self._baseline, [view.target.path])[0].findings
        return {other for other in self.profiles.paths(keys) if other in self.open and other != path}
