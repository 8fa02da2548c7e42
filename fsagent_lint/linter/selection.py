"""Which rules are selected: by code, name, family, `default` or `all`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Sequence

from fsagent_lint.errors import UserError
from fsagent_lint.files.paths import absolute, to_posix
from fsagent_lint.model.finding import Severity
from fsagent_lint.model.loss import LossKind
from fsagent_lint.project.excludes import PerFileIgnores
from fsagent_lint.project.settings import Settings
from fsagent_lint.report import RuleInfo
from fsagent_lint.rules import Family, Rule, all_rules

_GROUPS = ("default", "all", *(name for family in Family for name in (family.value, family.slug)))


def known_codes() -> tuple[str, ...]:
    """Every value that `select` and `ignore` accept."""
    rules = all_rules()
    return (
        *_GROUPS,
        *(rule.code for rule in rules),
        *(rule.name for rule in rules),
        *LossKind.UNCHECKED,
    )


def choose_rules(select: Collection[str], ignore: Collection[str]) -> tuple[Rule, ...]:
    """The selected rules, sorted by code."""
    wanted = select or ("default",)
    return tuple(
        rule
        for rule in all_rules()
        if any(matches(rule, code) for code in wanted) and not any(matches(rule, code) for code in ignore)
    )


def matches(rule: Rule, code: str) -> bool:
    if code == "default":
        return not rule.opt_in
    return code in ("all", rule.code, rule.name, rule.family.value, rule.family.slug)


def severities(settings: Settings) -> dict[str, Severity]:
    """The severities that the config sets, by the name of the rule; a rule counts more than its family."""
    found: dict[str, Severity] = {}
    for code, severity in sorted(settings.severity.items(), key=lambda item: item[0] not in _GROUPS):
        if severity != "off":
            found |= {rule.name: severity for rule in all_rules() if matches(rule, code)}
    return found


def switched_off(settings: Settings) -> list[str]:
    """What the config ignores, with or without a reason."""
    return [*settings.ignore, *(code for code, severity in settings.severity.items() if severity == "off")]


def parse_codes(values: Sequence[str]) -> tuple[str, ...]:
    """Codes from the command line, which may be repeated or separated by commas; UserError for an unknown code."""
    codes = tuple(code for value in values for code in value.replace(",", " ").split())
    known = known_codes()
    for code in codes:
        if code not in known:
            raise UserError(f"There is no rule `{code}`. {rule_hint(code)}")
    return codes


def loss_filter(settings: Settings) -> Callable[[str, str], bool]:
    """Tells whether the config ignores a loss: by its name, or by the rule that reports it in a check."""
    rules = {rule.name: rule for rule in all_rules()}
    per_file = PerFileIgnores(settings)

    def is_ignored(path: str, loss: str) -> bool:
        codes = {*switched_off(settings), *per_file.codes(to_posix(absolute(path)))}
        return loss in codes or (loss in rules and any(matches(rules[loss], code) for code in codes))

    return is_ignored


def rule_hint(text: str) -> str:
    """Advice about an unknown rule; a code is never suggested, because none is nearer than another."""
    from fsagent_lint.suggest import hint

    return hint(text, [code for code in known_codes() if not code.startswith("FA")], "fsagent-lint rules")


def rule_infos() -> list[RuleInfo]:
    """Every rule as reports describe it."""
    from fsagent_lint.linter.rule_page import address, repository

    where = repository()
    return [
        RuleInfo(
            rule.code,
            rule.name,
            rule.summary,
            inspect.cleandoc(rule.__doc__ or ""),
            rule.consequence.severity,
            address(rule, where) if where else "",
        )
        for rule in all_rules()
    ]
