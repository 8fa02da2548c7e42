"""`fsagent-lint server`: the language server for editors."""

from __future__ import annotations

import click

from fsagent_lint.errors import UserError


@click.command("server", short_help="Run the language server for editors.")
@click.option("--stdio", is_flag=True, help="Talk over standard input and output (the default).")
@click.option("--tcp", "port", type=click.IntRange(0, 65535), metavar="PORT", help="Listen on a port of this machine.")
def command(stdio: bool, port: int | None) -> int:
    """Show findings, fixes, completion and explanations in an editor, over the Language Server Protocol.

    It needs `pip install 'fsagent-lint[server]'`. docs/editors.md has the set-up for common editors.
    """
    if stdio and port is not None:
        raise UserError("--stdio and --tcp exclude each other.")
    try:
        from fsagent_lint.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol", "cattrs", "attrs"):
            raise
        raise UserError("The language server is not installed: pip install 'fsagent-lint[server]'.") from None
    if port is None:
        serve.serve_stdio()
    else:
        serve.serve_tcp(port)
    return 0
