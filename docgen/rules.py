"""The lists of rules: the page of all rules, and the table of the README."""

from __future__ import annotations

from itertools import groupby

from docgen.markdown import NOTICE, code, table
from fsagent_lint.rules import Family, Rule, all_rules

FAMILIES = {
    Family.FILE: "File: can the harness read it?",
    Family.TOOLS: "Tools: does every name stand for the intended tool?",
    Family.SHAPE: "Shape: does the harness read the key and its value?",
    Family.POLICY: "Policy: are the effective tools the intended ones?",
    Family.FIELDS: "Fields: everything else in the frontmatter, and the prompt",
    Family.PROJECT: "Project: do the files agree with each other?",
    Family.CONVERSION: "Conversion: what does the target harness lose or add?",
    Family.LEAST_PRIVILEGE: "Least privilege: can the agent do more than it needs? (off by default: `--select least-privilege`)",
    Family.SUPPRESSION: "Suppression comments",
}


def families() -> list[tuple[str, list[Rule]]]:
    """The title and the rules of each family, by code."""
    return [(FAMILIES[family], list(rules)) for family, rules in groupby(all_rules(), key=lambda rule: rule.family)]


def file_name(rule: Rule) -> str:
    return f"{rule.code}-{rule.name}.md"


def index() -> str:
    """The page of all rules."""
    head = ["code", "name", "severity", "consequence", "fix", "default", "reports"]
    text = "# Rules\n\n" + (
        "Severity follows the consequence: `refused` (the harness does not load the file, or does not start), `widened` "
        "(the agent is granted more than intended) and `narrowed` (it is granted less) are errors, `ignored` and `fragile` (it works, "
        "but not in stricter harnesses) are warnings, `uncertain` (settings outside the project decide) and `style` are notes. The consequence below is the usual one of the rule; a finding may have another.\n"
    )
    for title, rules in families():
        rows = [
            (
                f"[{rule.code}]({file_name(rule)})",
                rule.name,
                rule.consequence.severity,
                rule.consequence.value,
                "some" if rule.fixable else "",
                "off" if rule.opt_in else "on",
                rule.summary,
            )
            for rule in rules
        ]
        text += f"\n## {title}\n\n{table(head, rows)}"
    return NOTICE + text


def summary() -> str:
    """A row for each family, for the README."""
    rows = [(title, ", ".join(code(rule.name) for rule in rules)) for title, rules in families()]
    return table(["family", "rules"], rows)


def free_codes() -> str:
    """The next number of each family, for whoever adds a rule."""
    last = {rule.family: int(rule.code.removeprefix("FA")) for rule in all_rules()}
    rows = [(title.partition(":")[0], f"`FA{last[family] + 1:03}`") for family, title in FAMILIES.items()]
    return table(["family", "next free code"], rows)
