"""What a rule reports about an example, for tests and for the rule's page.

The example is written into its own project, and checked and fixed like a user's file.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

from fsagent_lint.agent.python.detect import ROLE
from fsagent_lint.agent.subject import Goal
from fsagent_lint.frontmatter.nodes import Span
from fsagent_lint.harnesses.tables import all_harnesses, get_harness
from fsagent_lint.linter.checker import Checker, check_files
from fsagent_lint.linter.fix_run import fix_files
from fsagent_lint.model.finding import Safety
from fsagent_lint.model.result import Located, Result
from fsagent_lint.project.counterparts import Counterparts
from fsagent_lint.project.settings import Settings
from fsagent_lint.project.subjects import Subjects
from fsagent_lint.project.target import Target
from fsagent_lint.rules import Bad, Family, Good, Rule, all_rules

__all__ = ["check_example", "fix_example", "messages", "unmark"]

_MARK = re.compile("⟦([^⟦⟧]*)⟧")


def check_example(rule: Rule, example: Good | Bad, text: str | None = None) -> Result:
    """The findings of this rule; `text` replaces the text of the example."""
    with _project(example, text) as targets:
        return _only(rule, check_files(targets, _checker(rule, example)))


def fix_example(rule: Rule, example: Good | Bad, text: str | None = None) -> tuple[str, Result]:
    """The file after `--fix --unsafe-fixes` with this rule, and the remaining findings; `text` as above."""
    with _project(example, text) as targets:
        result = fix_files(targets, _checker(rule, example), Safety.UNSAFE, write=True).result
        return Path(targets[0].path).read_bytes().decode("utf-8", "surrogateescape"), _only(rule, result)


def messages(rule: Rule, example: Bad) -> list[str]:
    """The messages about an example, each once."""
    found = check_example(rule, example).findings
    return list(dict.fromkeys(located.finding.message for located in found))


def unmark(text: str) -> tuple[str, list[Span]]:
    """The text without its marks, and the spans that they enclosed."""
    spans: list[Span] = []
    while match := _MARK.search(text):
        text = text[: match.start()] + match[1] + text[match.end() :]
        spans.append(Span(match.start(), match.start() + len(match[1])))
    return text, spans


@contextmanager
def _project(example: Good | Bad, text: str | None) -> Iterator[list[Target]]:
    """Make a folder with all files of the example, and make it the current folder."""
    python = example.kind == "python"
    path = example.path or ("example/agents.py" if python else f"example/{example.kind}.md")
    own = unmark(example.text)[0] if text is None else text
    role = ROLE if python else (example.harness, example.kind)
    targets = [Target(path, *role, False), *(Target(path, id, "agent", False) for path, id, _ in example.neighbours)]
    files = {path: own, **{path: unmark(text)[0] for path, _, text in example.neighbours}, **dict(example.files)}
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        Path(".git").mkdir()
        for name, content in files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(content.encode("utf-8", "surrogateescape"))
        yield targets


def _checker(rule: Rule, example: Good | Bad) -> Checker:
    goal = Goal(get_harness(example.target) if example.target else None, {"*": example.form})
    # Whether a comment is unused is only known after the other rules have run.
    alone = rule.family is not Family.SUPPRESSION
    rules = [rule] if alone else [each for each in all_rules() if not each.opt_in]
    subjects = Subjects(goal=goal)
    return Checker(rules, subjects=subjects, counterparts=Counterparts(Settings(), all_harnesses(), subjects))


def _only(rule: Rule, result: Result) -> Result:
    def is_of_rule(located: Located) -> bool:
        return located.finding.code == rule.code

    result.findings = list(filter(is_of_rule, result.findings))
    return result
