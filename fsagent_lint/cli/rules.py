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
    import sys

    from fsagent_lint.cli.terminal import terminal_columns
    from fsagent_lint.report.escape import wrap

    width = max(len(rule.name) for rule in rules)
    columns = terminal_columns(sys.stdout)
    for rule in rules:
        marks = ("*" if rule.fixable else " ") + ("-" if rule.opt_in else " ")
        head = f"{rule.code} {marks} {rule.name:<{width}}  "
        lines = wrap(rule.summary, max(columns - len(head), 20)) if columns else [rule.summary]
        click.echo(f"\n{' ' * len(head)}".join([head + lines[0], *lines[1:]]))
    click.echo("\n* fixable   - off by default   `fsagent-lint explain RULE` explains a rule.")
    return 0
