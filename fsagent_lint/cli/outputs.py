"""Which reports a check writes, and where each goes."""

from __future__ import annotations

from collections.abc import Sequence

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


def parse_outputs(formats: tuple[str, ...], output_file: str | None, known: Sequence[str] = FORMATS) -> list[Output]:
    """The values of `--output-format` and `--output-file`; UserError for what does not fit together."""
    outputs = []
    for value in formats or ("text",):
        name, _, file = value.partition(":")
        if name not in known:
            from fsagent_lint.suggest import hint

            raise UserError(f"There is no output format `{name}`. {hint(name, known)}")
        outputs.append(Output(name, file or None))
    if output_file is not None:
        outputs[-1] = outputs[-1]._replace(file=output_file)
    if len([output for output in outputs if output.file is None]) > 1:
        raise UserError(
            "Only one report can go to standard output; give the others a file, such as `json:report.json`."
        )
    return outputs


def write_file(path: str, text: str, *, append: bool = False) -> None:
    """Write a whole report to a file that the user named."""
    from fsagent_lint.files.border import UnwritableError
    from fsagent_lint.files.write import append_report, write_report

    try:
        (append_report if append else write_report)(path, text.encode("utf-8"))
    except UnwritableError as error:
        raise UserError(f"{path}: {error}") from None
