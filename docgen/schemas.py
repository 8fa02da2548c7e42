"""The JSON Schemas as files, and what the catalogue of SchemaStore wants to know about them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.linter.rule_page import repository
from fsagent_lint.schemas.config import config_schema
from fsagent_lint.schemas.frontmatter import frontmatter_schema

FOLDER = "schemas"
_CONFIG = f"{FOLDER}/fsagent-lint.json"


def schema_files(harnesses: Sequence[Harness]) -> Iterator[tuple[str, str]]:
    """Every file with its text."""
    yield _CONFIG, _json(config_schema())
    for harness in harnesses:
        for kind, facts in harness.kinds.items():
            if facts.file == "markdown":
                yield f"{FOLDER}/{harness.id}-{kind}.json", _json(frontmatter_schema(harness, kind))
    yield f"{FOLDER}/catalog.json", _json({"schemas": [_catalog_entry()]})


def _catalog_entry() -> dict[str, object]:
    """Only the config: a catalogue matches whole files, and frontmatter is a part of one."""
    where = repository()
    return {
        "name": "fsagent-lint",
        "description": "The config of fsagent-lint, a linter for the files of AI agents",
        "fileMatch": ["fsagent-lint.toml"],
        "url": f"{where}/raw/main/{_CONFIG}" if where else _CONFIG,
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"
