"""The schema of `fsagent-lint.toml`, which is also that of `[tool.fsagent-lint]` in pyproject.toml."""

from __future__ import annotations

from typing import get_args

from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import builtin_ids
from fsagent_lint.linter.selection import known_codes
from fsagent_lint.model.choices import ToolFormat
from fsagent_lint.project.settings import Options
from fsagent_lint.schemas.records import DIALECT, Definitions, Schema


def config_schema() -> Schema:
    records, tables = Definitions(), Definitions(partial=True)
    options = records.schema(Options)
    properties = options["properties"]
    rule = {"$ref": "#/$defs/rule"}
    harness = {"anyOf": [{"enum": list(builtin_ids())}, {"type": "string"}]}
    form = {"enum": list(get_args(ToolFormat))}
    _replace(properties, "select", {"type": "array", "items": rule})
    _replace(properties, "severity", {"propertyNames": rule})
    reasons = {"type": "object", "propertyNames": rule, "additionalProperties": {"type": "string"}}
    properties["ignore"] = {
        "description": "Rules to skip; or a table of rule to the reason why.",
        "anyOf": [{"type": "array", "items": rule}, reasons],
    }
    _replace(properties, "per-file-ignores", {"additionalProperties": {"type": "array", "items": rule}})
    _replace(properties, "target", harness)
    by_harness = {"type": "object", "additionalProperties": form}
    properties["tool-format"] = {
        "description": "How tools must be written; or a table of harness to form.",
        "anyOf": [form, by_harness],
    }
    one_table = tables.schema(Harness)
    one_table["properties"] = {
        "extends": {"description": "The harness that it is like, except for its name and its places.", **harness},
        **one_table["properties"],
    }
    properties["harness"] = {
        "description": "Tables of harnesses that are added or corrected.",
        "type": "object",
        "additionalProperties": one_table,
    }
    sync = records.found["Sync"]["properties"]
    _replace(sync, "source", {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})
    _replace(sync, "targets", {"type": "array", "items": harness})
    _replace(records.found["PathEntry"]["properties"], "harness", harness)
    del tables.found["Was"]["properties"]["change"]
    tables.found["Was"]["additionalProperties"] = True
    return {
        "$schema": DIALECT,
        "title": "fsagent-lint",
        "description": "The config of fsagent-lint, a linter for the files of AI agents.",
        **options,
        "$defs": {"rule": {"enum": list(known_codes())}, **records.found, **tables.found},
    }


def _replace(properties: dict[str, Schema], name: str, schema: Schema) -> None:
    """A narrower type for a key, with its description."""
    old = properties[name]
    kept = {
        key: value for key, value in old.items() if key == "description" or (key == "type" and "anyOf" not in schema)
    }
    properties[name] = {**kept, **({} if "anyOf" in schema else old), **schema}
