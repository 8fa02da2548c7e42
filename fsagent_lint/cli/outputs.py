"""Which reports a check writes, and where each goes."""

from __future__ import annotations

from fsagent_lint._fast import NamedTuple
from fsagent_lint.errors import UserError

FORMATS = ("text", "concise", "json", "sarif", "github", "gitlab", "junit", "rdjson")
MACHINE = ("json", "sarif", "gitlab", "junit", "rdjson")
"""With one of these, standard output must hold nothing else."""
WITH_RULES = ("sarif", "github", "gitlab", "junit", "rdjson")
"""These describe rules, or name their pages."""


class Output(NamedTuple):
    """One report: its format and its file; None means standard output."""

    format: str
    file: str | None


def parse_outputs(formats: tuple[str, ...], output_file: str | None) -> list[Output]:
    """The values of `--output-format` and `--output-file`; UserError for what does not fit together."""
    outputs = []
    for value in formats or ("text",):
        name, _, file = value.partition(":")
        if name not in FORMATS:
            from fsagent_lint.suggest import hint

            raise UserError(f"There is no output format `{name}`. {hint(name, FORMATS)}")
        outputs.append(Output(name, file or None))
    if output_file is not None:
        outputs[-1] = outputs[-1]._replace(file=output_file)
    if len([output for output in outputs if output.file is None]) > 1:
        raise UserError("Only one report can go to standard output; give the others a file, such as `sarif:out.sarif`.")
    return outputs
