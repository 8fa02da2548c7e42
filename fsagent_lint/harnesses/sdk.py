"""The tables of SDKs: which calls of a program define agents, and how their arguments are interpreted."""

from __future__ import annotations

import os
from datetime import date
from functools import cache, cached_property

from fsagent_lint._fast import NO_ENTRIES, Record
from fsagent_lint.harnesses.kind import Key, Kind, WrongKey
from fsagent_lint.model.finding import Consequence
from fsagent_lint.model.schema import load_record

FOLDER = os.path.join(os.path.dirname(__file__), "sdks")


class ShapeOutcome(Record):
    """What the SDK does with a value that is not a list."""

    outcome: str
    consequence: str

    @property
    def severity(self) -> Consequence:
        return Consequence(self.consequence)


class SdkKey(Key):
    """An argument that lists tools."""

    misfits: dict[str, ShapeOutcome] = NO_ENTRIES
    """Shape (csv, tuple, set) to what the SDK does with it."""


class SdkCall(Record):
    """A class whose instances define what an agent may do."""

    names: tuple[str, ...]
    """Its current and former names."""
    keys: dict[str, SdkKey]
    order: tuple[str, ...] = ()
    """The arguments that may be positional, in order."""
    servers: str = ""
    """The argument that defines MCP servers."""
    wrong_keys: dict[str, WrongKey] = NO_ENTRIES
    """Arguments that it does not have, and the one that was probably intended."""
    hooks: str = ""
    """The argument that holds hooks: event to matchers."""
    agents: str = ""
    """The argument that holds agents by name, which can use the same servers."""
    agent_misfits: dict[str, ShapeOutcome] = NO_ENTRIES
    """What happens with agents in a list, and with an agent (`agent`) that is a dict."""
    whole_servers: bool = False
    """A server's name without a tool means all its tools."""
    mode: str = ""
    """The argument that controls what happens to tools that are not approved."""
    free: dict[str, tuple[str, ...]] = NO_ENTRIES
    """Mode to the risks of the tools that may run without approval; other modes refuse them."""
    deciders: tuple[str, ...] = ()
    """Other arguments that control what happens to such tools."""

    @cached_property
    def kind(self) -> Kind:
        return Kind(keys=dict(self.keys), wrong_keys=dict(self.wrong_keys), unknown_fields="refused")


class Sdk(Record):
    title: str
    harness: str
    tool: str
    """The function that defines a custom tool; its first argument is the tool's name."""
    server: str
    """The function that creates an MCP server from custom tools."""
    server_order: tuple[str, ...]
    """Its positional arguments, in order."""
    matcher: str
    """The class that defines a hook's matcher, in its first argument."""
    version: str
    verified: date
    sources: tuple[str, ...]
    calls: dict[str, SdkCall]

    @cached_property
    def by_name(self) -> dict[str, SdkCall]:
        return {name: call for call in self.calls.values() for name in call.names}


@cache
def get_sdk(id: str = "claude-agent-sdk") -> Sdk:
    import tomllib

    with open(os.path.join(FOLDER, f"{id}.toml"), "rb") as file:
        return load_record(Sdk, tomllib.load(file), f"{id}.toml")
