"""`fsagent-lint rules`: every rule, one per line."""

from __future__ import annotations

import click


@click.command("rules", short_help="List the rules.")
@click.option("--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(output_format: str) -> int:
    """List every rule: code, name, severity, whether it can be fixed, and what it reports."""
    from fsagent_lint.rules import all_rules

    rules = all_rules()
    if output_format == "json":
        import json

        rows = [
            {
                "code": rule.code,
                "name": rule.name,
                "severity": rule.consequence.severity,
                "consequence": rule.consequence.value,
                "fixable": rule.fixable,
                "default": not rule.opt_in,
                "summary": rule.summary,
            }
            for rule in rules
        ]
        click.echo(json.dumps({"version": 1, "rules": rows}, indent=2))
        return 0
    width = max(len(rule.name) for rule in rules)
    for rule in rules:
        marks = ("*" if rule.fixable else " ") + ("-" if rule.opt_in else " ")
        click.echo(f"{rule.code} {marks} {rule.name:<{width}}  {rule.summary}")
    click.echo("\n* can be fixed   - off unless selected   `fsagent-lint explain RULE` prints a rule's page")
    return 0
