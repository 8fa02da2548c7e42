"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

_WRITING = (
    click.option("--unsafe-fixes", is_flag=True, help="Write even what gives an agent more than was meant."),
    click.option("--enricher", "enrichers", multiple=True, metavar="NAME", help="An installed enricher to run."),
    click.option(
        "--plugins",
        is_flag=True,
        envvar="FSAGENT_LINT_PLUGINS",
        help="Let the installed enrichers that the config names run.",
    ),
    click.option("--config", metavar="FILE", type=click.Path(), help="Use this config file."),
)


def writing_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What commands take that write agents for another harness."""
    for option in reversed(_WRITING):
        function = option(function)
    return function
