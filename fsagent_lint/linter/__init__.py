"""Run the rules, suppress findings, apply fixes."""
