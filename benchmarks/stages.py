"""`python benchmarks/stages.py FOLDER`: the CPU time of each stage of a run.

Each stage is timed over all files at once, and the minimum of several rounds counts. Prints JSON: stage to seconds.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from time import process_time

from fsagent_lint.agent.subject import Subject
from fsagent_lint.files.read import read_file
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.harnesses.tables import all_harnesses, get_harness
from fsagent_lint.linter.checker import Checker, check_files
from fsagent_lint.linter.fixer import fix_file
from fsagent_lint.linter.selection import choose_rules
from fsagent_lint.model.finding import Safety
from fsagent_lint.model.result import Result
from fsagent_lint.project.find import find
from fsagent_lint.project.settings import Settings
from fsagent_lint.project.target import Target
from fsagent_lint.report import render

ROUNDS = 3


class Stages:
    """Each stage uses the result of the one before it, and does nothing else."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.rules = choose_rules((), ())

    def scan(self) -> None:
        self.targets = find([self.folder], Settings(folder=self.folder), all_harnesses()).targets

    def read(self) -> None:
        self.data = [read_file(target.path) for target in self.targets]

    def parse(self) -> None:
        pairs = zip(self.targets, self.data, strict=True)
        self.documents = [Document(Source(target.path, data)) for target, data in pairs]

    def effect(self) -> None:
        checker = Checker(self.rules)
        pairs = zip(self.targets, self.documents, strict=True)
        subjects = [(target, document) for target, document in pairs if target.harness and target.kind != "python"]
        self.subjects = [_subject(checker, *each) for each in subjects]
        for subject in self.subjects:
            _ = subject.effect

    def check(self) -> None:
        checker = Checker(self.rules)
        for subject in self.subjects:
            checker.check(subject)

    def fix(self) -> None:
        checker = Checker(self.rules)
        for target, data in zip(self.targets, self.data, strict=True):
            fix_file(target, data, checker, Safety.SAFE)

    def run(self) -> None:
        """A whole run, except for the scan and the report."""
        self.result: Result = check_files(self.targets, Checker(self.rules))

    def report(self) -> None:
        render("text", self.result)


def _subject(checker: Checker, target: Target, document: Document) -> Subject:
    return checker.subjects.of_document(document, get_harness(target.harness), target.kind)


def measure(folder: str) -> dict[str, float]:
    stages = Stages(folder)
    order: list[Callable[[], None]] = [
        stages.scan, stages.read, stages.parse, stages.effect, stages.check, stages.run, stages.report, stages.fix,
    ]  # fmt: skip
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for stage in order:
            start = process_time()
            stage()
            best[stage.__name__] = min(best.get(stage.__name__, 1e9), process_time() - start)
    return {**best, "files": float(len(stages.targets))}


if __name__ == "__main__":
    gc.set_threshold(100_000)  # as in the program itself
    print(json.dumps(measure(sys.argv[1])))
