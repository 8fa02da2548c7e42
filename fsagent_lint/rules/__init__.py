"""One rule per module; a file here is a rule."""

from __future__ import annotations

from functools import cache

from fsagent_lint.rules._rule import Rule


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule of the `rules` folder, by code: a file there is a rule."""
    import os
    from importlib import import_module

    found = []
    for file in sorted(os.listdir(__path__[0])):
        name, _, ending = file.partition(".")
        if ending != "py" or name == "__init__":
            continue
        loaded = import_module(f"{__name__}.{name}")
        found += [
            value()
            for value in vars(loaded).values()
            if isinstance(value, type) and issubclass(value, Rule) and value.__module__ == loaded.__name__
        ]
    return tuple(sorted(found, key=lambda rule: rule.code))
