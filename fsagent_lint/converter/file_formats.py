"""Write markdown with frontmatter in the file format that a harness uses for agents."""

from __future__ import annotations

import re

from fsagent_lint.errors import UserError
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.dump import to_toml
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.frontmatter.values import Value, core, evaluate_entries
from fsagent_lint.harnesses.kind import Kind


def transcribe(data: bytes, kind: Kind) -> bytes:
    """The same fields, with the body as one of them; UserError if the result would mean something else."""
    if kind.file == "markdown":
        return data
    source = Source("", data)
    try:
        # The line break after the closing fence is not part of the prompt.
        body = re.sub(r"\A(?:\r\n|\n|\r)", "", data[source.body :].decode("utf-8"))
    except UnicodeDecodeError:
        raise UserError("the body is not UTF-8") from None
    if not body.strip():
        raise UserError("the prompt is missing")
    fields = evaluate_entries(Document(source).entries, core)
    if kind.under:
        from fsagent_lint.agent.data.markdown import to_list

        return to_list(fields, body, kind).encode("utf-8")
    return _to_toml(fields, body, kind)


def _to_toml(fields: dict[str, Value], body: str, kind: Kind) -> bytes:
    import tomllib

    values = {**{key: value for key, value in fields.items() if value is not None}, kind.body: body}
    text = to_toml(values)
    try:
        if tomllib.loads(text) == values:
            return text.encode("utf-8")
    except (tomllib.TOMLDecodeError, UnicodeEncodeError):
        pass
    raise UserError("a field has a value that TOML cannot express")
