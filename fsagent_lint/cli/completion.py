"""The values that a shell completes; loaded only when a shell asks for them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress

from click.shell_completion import CompletionItem

from fsagent_lint.cli.outputs import FORMATS
from fsagent_lint.errors import UserError


def harnesses(incomplete: str) -> list[CompletionItem]:
    """The harnesses with a table, those of the config included if it can be read."""
    from fsagent_lint.harnesses.tables import harness_ids
    from fsagent_lint.project.session import start_session

    with suppress(UserError, OSError):
        start_session()
    return _matching((id for id in harness_ids() if re.fullmatch(r"[\w-]+", id)), incomplete)


def rules(incomplete: str) -> list[CompletionItem]:
    """The last of several rules, which commas separate. Codes only if one is begun: names are clearer."""
    from fsagent_lint.linter.selection import known_codes
    from fsagent_lint.rules import all_rules

    before, comma, last = incomplete.rpartition(",")
    summaries = {text: rule.summary for rule in all_rules() for text in (rule.code, rule.name)}
    is_code = last.startswith("F")
    codes = [code for code in known_codes() if code.startswith(last) and code.startswith("FA") is is_code]
    return [CompletionItem(before + comma + code, help=summaries.get(code)) for code in codes]


def rules_and_files(incomplete: str) -> list[CompletionItem]:
    found = rules(incomplete) if incomplete and "," not in incomplete else []
    return found or files(incomplete)


def tools(incomplete: str) -> list[CompletionItem]:
    """The tools of the registry, those of the project included if its config can be read."""
    from fsagent_lint.project.neighbours import Discoverer
    from fsagent_lint.project.session import start_session
    from fsagent_lint.project.settings import Settings
    from fsagent_lint.project.tool_registry import Registry

    settings = Settings()
    with suppress(UserError, OSError):
        settings = start_session()
    found = {
        (entry.tool.server or entry.tool.name): entry.description
        for entry in Registry(settings, Discoverer().neighbours("./x")).all()
    }
    known = {name: text for name, text in found.items() if name.startswith(incomplete) and name.isprintable()}
    return [CompletionItem(name, help=text or None) for name, text in known.items()]


def formats(incomplete: str) -> list[CompletionItem]:
    return _matching(FORMATS, incomplete)


def audit_formats(incomplete: str) -> list[CompletionItem]:
    from fsagent_lint.audit.formats import FORMATS

    return _matching(FORMATS, incomplete)


def files(incomplete: str) -> list[CompletionItem]:
    """The shell itself completes paths."""
    return [CompletionItem(incomplete, type="file")]


def _matching(values: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(value) for value in values if value.startswith(incomplete)]
