"""Names of models: which maker, family and version a name stands for, and how a harness writes it."""

from __future__ import annotations

from fsagent_lint._fast import NO_ENTRIES, NamedTuple, Record, pattern
from fsagent_lint.harnesses.wildcards import matches_stars

_MAKERS = {"claude": "anthropic", "gpt": "openai", "gemini": "google"}
_CLAUDE_FAMILIES = ("opus", "sonnet", "haiku", "fable")
_NOISE = pattern(r"\((?:copilot|preview)\)")
_SEPARATOR = pattern(r"[\s-]+|(?<=\d)\.(?=\d)")
_NUMBER = pattern(r"0|[1-9][0-9]?")
_DATE = pattern(r"20[0-9]{6}")
_LONGEST = 1000
"""Longer names are compared with no pattern: both may come from a project, and the time is that of both lengths."""


class ModelNames(Record):
    """How a harness names models."""

    inherit: str = ""
    """The word for the model of the session; empty: leaving the field out means the same."""
    separator: str = ""
    """What every name has between the provider and the model; a name without it is not found."""
    makers: tuple[str, ...] = ()
    """The makers of its models; those of others need a gateway. Empty: any."""
    takes: tuple[str, ...] = ()
    """Names that it takes as they are, whichever file they come from; `*` is any text."""
    takes_any: bool = False
    """It takes every other name as it is."""
    dashed: tuple[str, ...] = ()
    """Makers whose version is written with a dash between its numbers, not a dot."""
    dates: bool = False
    """A name may end in the date of a snapshot."""
    written: dict[str, dict[str, str]] = NO_ENTRIES
    """Maker and family to the name, with {version}."""
    bare: dict[str, dict[str, str]] = NO_ENTRIES
    """Maker and family to the name to write for a model without a version."""
    irregular: dict[str, str] = NO_ENTRIES
    """Names that do not follow the pattern: the name by the pattern, and the real one."""


class ModelName(NamedTuple):
    """A model, independent of how a harness writes it."""

    maker: str
    family: str
    version: tuple[str, ...] = ()
    date: str = ""
    """The date of the snapshot."""


def parse_model(text: str) -> ModelName | None:
    """The model that a name stands for, with or without the name of a provider; None for an unknown maker."""
    name = _NOISE.sub("", text.rpartition("/")[2].lower())
    parts = [part for part in _SEPARATOR.split(name.strip()) if part != "latest"]
    maker = _MAKERS.get(parts[0], "anthropic" if parts[0] in _CLAUDE_FAMILIES else "")
    dates = [part for part in parts if _DATE.fullmatch(part)]
    numbers = tuple(part for part in parts if _NUMBER.fullmatch(part))
    words = [part for part in parts if not (part in _MAKERS or _DATE.fullmatch(part) or _NUMBER.fullmatch(part))]
    if not maker or not _are_adjacent(parts, numbers):
        return None
    if maker == "anthropic" and numbers and int(numbers[0]) < 4:
        return None  # these models were named in another order, and are retired
    return ModelName(maker, "-".join(words) or parts[0], numbers, "".join(dates[:1]))


def _are_adjacent(parts: list[str], numbers: tuple[str, ...]) -> bool:
    first = parts.index(numbers[0]) if numbers else 0
    return tuple(parts[first : first + len(numbers)]) == numbers


def write_model(text: str, names: ModelNames) -> str | None:
    """The harness's name for a model; None if it has no equivalent."""
    if len(text) <= _LONGEST and any(matches_stars(each, text) for each in names.takes):
        return text
    model = parse_model(text)
    found = _written(model, names) if model is not None else None
    return text if found is None and names.takes_any else found


def _written(model: ModelName, names: ModelNames) -> str | None:
    if not model.version:
        return names.bare.get(model.maker, NO_ENTRIES).get(model.family)
    template = names.written.get(model.maker, NO_ENTRIES).get(model.family)
    if template is None:
        return None
    separator = "-" if model.maker in names.dashed else "."
    name = template.replace("{version}", separator.join(model.version))
    dated = f"{name}-{model.date}" if names.dates and model.date else name
    return names.irregular.get(dated, dated)


def model_family(text: str) -> tuple[str, ...]:
    """Maker and family of a model; empty if the name is not known. A name without a family has its number: GPT-5."""
    model = parse_model(text)
    if model is None:
        return ()
    return (model.maker, model.family, *(model.version[:1] if model.family in _MAKERS else ()))
