"""The model APIs that harnesses use: how to read a request and write an answer in each."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import Any, Protocol

from conformance.probe import Call


@dataclass(frozen=True)
class Request:
    """A request of a harness to its model."""

    system: str
    opening: str
    """The first message of the user in this conversation."""
    tools: tuple[str, ...]
    conversation: str
    """The text of the whole conversation so far, including the results of tools."""
    model: str = ""
    """The model that is asked."""


class Dialect(Protocol):
    """One API. `answer` is a text or a tool call."""

    def understands(self, path: str) -> bool: ...

    def read(self, path: str, body: dict[str, Any]) -> Request: ...

    def write(self, path: str, body: dict[str, Any], answer: str | Call) -> tuple[str, bytes]:
        """The content type and the bytes of an answer to this request, streamed if the request asks for that."""


_TEXT = ("text", "content", "output", "error", "functionResponse", "response")


def text_of(content: object) -> str:
    """All the text in a message's content, which is a string or a list of blocks."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text_of(block) for block in content)
    if isinstance(content, dict):
        return text_of(next((content[key] for key in _TEXT if content.get(key)), ""))
    return ""


def new_id(prefix: str) -> str:
    """A new id: calls are distinguished by their ids."""
    return f"{prefix}_{secrets.token_hex(8)}"


def as_json(data: object) -> tuple[str, bytes]:
    return "application/json", json.dumps(data).encode()


def as_events(events: list[dict[str, Any]], *, named: bool, done: bool = False) -> tuple[str, bytes]:
    """Server-sent events; `named` repeats each event's type on a separate line."""
    lines = []
    for event in events:
        head = f"event: {event['type']}\n" if named else ""
        lines.append(f"{head}data: {json.dumps(event)}\n\n")
    return "text/event-stream", "".join(lines + ["data: [DONE]\n\n"] * done).encode()
