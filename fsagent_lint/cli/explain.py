"""`fsagent-lint explain`: the effective tools of an agent in each harness, or the page of a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fsagent_lint.cli.options import HARNESSES, RULES_AND_FILES
from fsagent_lint.errors import UserError

if TYPE_CHECKING:
    from fsagent_lint.agent.explain import Distance
    from fsagent_lint.model.policy import Policy


@click.command("explain", short_help="Show what each harness grants an agent, or explain a rule.")
@click.argument("subjects", nargs=-1, required=True, metavar="FILE... | RULE", shell_complete=RULES_AND_FILES)
@click.option(
    "--harness",
    "harnesses",
    multiple=True,
    metavar="HARNESS",
    shell_complete=HARNESSES,
    help="Show only this harness, or a version of it: claude-code@2.1.197; repeatable, or several with commas.",
)
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--plugins", is_flag=True, help="Recognise the tools of installed packages, which runs their code.")
def command(subjects: tuple[str, ...], harnesses: tuple[str, ...], output_format: str, plugins: bool) -> int:
    """Show the tools that each harness grants the agent in FILE, as if the file were in that harness's own folder.

    With a RULE, by code or name: print what it reports, why, and what to do.
    """
    if len(subjects) == 1 and (page := _rule_page(subjects[0])) is not None:
        click.echo(page)
        return 0
    explained, errors = _explain(subjects, harnesses, plugins=plugins)
    if output_format == "json":
        import json

        files = [file for file, _, _ in explained]
        from fsagent_lint.report.escape import escape_json

        click.echo(escape_json(json.dumps({"version": 1, "files": files}, indent=2, ensure_ascii=True)))
    else:
        import sys

        from fsagent_lint.cli.terminal import terminal_columns
        from fsagent_lint.report.explanation import render_explanation

        columns = terminal_columns(sys.stdout)
        click.echo("\n".join(render_explanation(*each, columns) for each in explained), nl=False)
    from fsagent_lint.report.escape import MESSAGE, escape

    for path, message in errors:
        click.echo(f"error: {escape(path)}: {escape(message, MESSAGE)}", err=True)
    return 2 if errors else 0


def _rule_page(text: str) -> str | None:
    import os

    from fsagent_lint.files.read import exists

    if exists(text):
        return None
    from fsagent_lint.linter.rule_page import page
    from fsagent_lint.rules import all_rules

    rule = next((rule for rule in all_rules() if text in (rule.code, rule.name)), None)
    if rule is None and "." not in text and os.path.basename(text) == text:
        from fsagent_lint.linter.selection import rule_hint

        raise UserError(f"There is no file or rule `{text}`. {rule_hint(text)}")
    return page(rule) if rule is not None else None


def _explain(
    paths: tuple[str, ...], ids: tuple[str, ...], *, plugins: bool
) -> tuple[list[tuple[dict[str, Any], Policy, dict[str, Distance]]], list[tuple[str, str]]]:
    from fsagent_lint.agent.explain import distances, explain
    from fsagent_lint.agent.python.detect import ROLE as PYTHON
    from fsagent_lint.agent.python.detect import SUFFIX
    from fsagent_lint.agent.recognise import recognise
    from fsagent_lint.files.border import UnreadableError
    from fsagent_lint.files.read import read_file
    from fsagent_lint.frontmatter.document import Document
    from fsagent_lint.frontmatter.source import Source
    from fsagent_lint.harnesses.tables import plain_id
    from fsagent_lint.linter.run import start_run
    from fsagent_lint.project.find import role_of
    from fsagent_lint.project.session import find_version, load_harnesses
    from fsagent_lint.project.subjects import Subjects
    from fsagent_lint.project.target import Target

    settings = start_run(plugins=plugins)
    references = [each for id in ids for each in id.split(",")]
    known = load_harnesses(*map(plain_id, references))
    wanted = [find_version(each) for each in dict.fromkeys(references)] or [
        harness for harness in known if harness.id != "canonical"
    ]
    subjects = Subjects(settings)
    explained, errors = [], []
    for path in paths:
        try:
            data = read_file(path)
        except UnreadableError as error:
            errors.append((path, str(error)))
            continue
        role = PYTHON if path.endswith(SUFFIX) else role_of(path, settings, known)
        if role is None:
            document = Document(Source(path, data))
            role = recognise(document, path, wanted) or (wanted[0].id, wanted[0].main_kind)
        whole = subjects.of_target(Target(path, *role, assumed=False), data)
        for subject in whole.agents:
            explained.append((explain(subject, wanted), subject.intent.policy, distances(subject, wanted)))
        if not whole.agents:
            errors.append((path, "no agents found in it"))
    return explained, errors
