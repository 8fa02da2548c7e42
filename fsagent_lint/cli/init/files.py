"""Write a proposed config to a file: a new one, or the end of pyproject.toml."""

from __future__ import annotations

import json
import os
import tomllib
from typing import Any

from fsagent_lint import __version__
from fsagent_lint._fast import NamedTuple
from fsagent_lint.cli.init.propose import Proposal
from fsagent_lint.errors import DataError, UserError
from fsagent_lint.files.border import UnreadableError, UnwritableError
from fsagent_lint.files.read import exists, is_file, read_file
from fsagent_lint.files.toml import parse_toml
from fsagent_lint.files.write import create, read_snapshot, replace
from fsagent_lint.model.schema import load_record
from fsagent_lint.project.config import FILE, SECTION, find_config
from fsagent_lint.project.config_check import check_options, normalise_options
from fsagent_lint.project.settings import Options

PYPROJECT = "pyproject.toml"
HOOKS = ".pre-commit-config.yaml"


class Draft(NamedTuple):
    path: str
    text: str
    """A whole file, or the text to append to one."""
    appended: bool


def check_no_config() -> None:
    """UserError if there is a config already."""
    existing = find_config(".")
    if existing is not None:
        raise UserError(f"{os.path.relpath(existing)} already configures fsagent-lint; not changed.")


def draft(proposal: Proposal) -> Draft:
    """The file to write, and its text."""
    if is_file(PYPROJECT):
        section = render(proposal, f"tool.{SECTION}")
        if _can_append(section):
            return Draft(PYPROJECT, section, True)
    text = render(proposal)
    _validate(tomllib.loads(text))
    return Draft(FILE, text, False)


def render(proposal: Proposal, section: str = "") -> str:
    """The config as TOML, at the top level or in a section."""
    inner = f"{section}." if section else ""
    lines = [f"[{section}]"] if section else []
    lines += ["# All keys are optional. `fsagent-lint rules` lists the rules:", '# select = ["default", "every-tool"]']
    if proposal.servers:
        lines.append(f"mcp-servers = {_toml(proposal.servers)}")
    for entry in proposal.collections:
        lines += ["", f"[[{inner}paths]]", *(f"{key} = {_toml(value)}" for key, value in entry._asdict().items())]
    if proposal.source:
        lines += ["", "# `fsagent-lint sync` generates the targets' agents from the source.", f"[{inner}sync]"]
        lines += [f"source = {_toml(proposal.source)}", f"targets = {_toml(proposal.targets)}"]
    return "".join(f"{line}\n" for line in lines)


def hook(proposal: Proposal) -> str:
    """The section for pre-commit; empty if its config already names fsagent-lint, or cannot be read."""
    if is_file(HOOKS):
        try:
            if b"fsagent-lint" in read_file(HOOKS):
                return ""
        except UnreadableError:
            return ""
    ids = ["fsagent-lint", *(["fsagent-lint-sync"] if proposal.source else [])]
    lines = [
        "repos:",
        "  - repo: https://github.com/OWNER/fsagent-lint  # the address of its repository",
        f"    rev: v{__version__}",
        "    hooks:",
        *(f"      - id: {id}" for id in ids),
    ]
    return "".join(f"{line}\n" for line in lines)


def write(plan: Draft) -> None:
    """Write the draft; UserError if that is not possible."""
    try:
        if plan.appended:
            snapshot = read_snapshot(plan.path)
            replace(snapshot, _append(snapshot.data, plan.text))
        elif exists(plan.path):
            raise UserError(f"{plan.path} already exists; not changed.")
        else:
            create(plan.path, plan.text.encode("utf-8"), ".")
    except (UnreadableError, UnwritableError) as error:
        raise UserError(f"{plan.path}: {error}") from None


def _append(data: bytes, text: str) -> bytes:
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    gap = b"" if not data.strip() else newline if data.endswith(b"\n") else newline * 2
    return data + gap + text.encode("utf-8").replace(b"\n", newline)


def _can_append(section: str) -> bool:
    """Can the section be appended to pyproject.toml without changing the rest?"""
    try:
        data = read_file(PYPROJECT)
        before, after = (parse_toml(each, PYPROJECT) for each in (data, _append(data, section)))
    except (UnreadableError, DataError):
        return False
    _validate(after["tool"].pop(SECTION))
    return {"tool": {}, **before} == after


def _validate(data: Any) -> None:
    """A proposal must itself be a valid config."""
    check_options(load_record(Options, normalise_options(data, "the proposal"), "the proposal"), "the proposal", ".")


def _toml(value: str | tuple[str, ...]) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(each) for each in value)}]"
    return json.dumps(value, ensure_ascii=False)
