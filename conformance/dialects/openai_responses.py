"""OpenAI's Responses API."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from conformance.dialects import Request, as_events, as_json, new_id, opening_of, text_of
from conformance.probe import Call


class OpenAIResponses:
    def understands(self, path: str) -> bool:
        return path.partition("?")[0].endswith("/responses")

    def read(self, path: str, body: dict[str, Any]) -> Request:  # noqa: ARG002
        content = body.get("input") or []
        items = [{"role": "user", "content": content}] if isinstance(content, str) else content
        messages = [(each.get("role"), text_of(each.get("content"))) for each in items]
        system = [body.get("instructions") or "", *(text for role, text in messages if role in ("system", "developer"))]
        opening = opening_of((_role(each), each.get("content")) for each in items)
        tools = tuple(tool.name for tool in _tools(body))
        return Request("\n".join(system), opening, tools, text_of(items), body.get("model", ""))

    def write(self, path: str, body: dict[str, Any], answer: str | Call) -> tuple[str, bytes]:  # noqa: ARG002
        id = new_id("item")
        if isinstance(answer, Call):
            whole, begun, middle = _call(id, answer, next(each for each in _tools(body) if each.name == answer.tool))
        else:
            part: dict[str, Any] = {"type": "output_text", "text": answer, "annotations": []}
            item = {"type": "message", "id": id, "role": "assistant"}
            whole = {**item, "status": "completed", "content": [part]}
            begun = {**item, "status": "in_progress", "content": []}
            place: dict[str, Any] = {"item_id": id, "content_index": 0}
            middle = [
                {"type": "response.content_part.added", **place, "part": {**part, "text": ""}},
                {"type": "response.output_text.delta", **place, "delta": answer},
                {"type": "response.output_text.done", **place, "text": answer},
                {"type": "response.content_part.done", **place, "part": part},
            ]
        head = {"id": new_id("resp"), "object": "response", "created_at": 1, "model": body.get("model", "x")}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        response = {**head, "status": "completed", "output": [whole], "usage": usage}
        if not body.get("stream"):
            return as_json(response)
        events: list[dict[str, Any]] = [
            {"type": "response.created", "response": {**head, "status": "in_progress", "output": []}},
            {"type": "response.output_item.added", "item": begun},
            *middle,
            {"type": "response.output_item.done", "item": whole},
            {"type": "response.completed", "response": response},
        ]
        numbered = [{**event, "sequence_number": at, "output_index": 0} for at, event in enumerate(events)]
        return as_events(numbered, named=True)


def _role(item: dict[str, Any]) -> str:
    """Whose an item is: a call is the model's, and what another agent says stands in the place of a user's words."""
    kind = item.get("type", "")
    return "assistant" if kind.endswith("_call") else "user" if kind == "agent_message" else item.get("role", "")


class _Tool(NamedTuple):
    name: str
    space: str = ""
    """The namespace that it is listed in."""
    script: str = ""
    """The tool that runs scripts, if only those can call it."""


def _tools(body: dict[str, Any]) -> Iterator[_Tool]:
    """Tools are listed, or come as an item of the input; each alone, in a namespace, or in the text of a script tool."""
    items = body.get("input") or []
    added = [each for item in items if isinstance(item, dict) for each in item.get("tools") or []]
    for each in (*(body.get("tools") or []), *added):
        space = each["name"] if each["type"] == "namespace" else ""
        for tool in each["tools"] if space else [each]:
            name = tool.get("name", tool["type"])
            yield _Tool(name, space)
            if tool["type"] == "custom":
                yield from (_Tool(nested, space, name) for nested in _NESTED.findall(tool["description"]))


_NESTED = re.compile(r"^### `([^`]+)`$", re.MULTILINE)


def _call(id: str, call: Call, tool: _Tool) -> tuple[dict[str, Any], dict[str, Any], list[dict[str, Any]]]:
    """The call when it is complete and when it begins, and what comes between."""
    kind, key, name, given = "function_call", "arguments", call.tool, json.dumps(call.input)
    if tool.script:
        kind, key, name, given = "custom_tool_call", "input", tool.script, f"text(await tools.{name}({given}))"
    item = {"type": kind, "id": id, "call_id": new_id("call"), "name": name}
    item |= {"namespace": tool.space} if tool.space else {}
    middle = [
        {"type": f"response.{kind}_{key}.delta", "item_id": id, "delta": given},
        {"type": f"response.{kind}_{key}.done", "item_id": id, key: given},
    ]
    return {**item, "status": "completed", key: given}, {**item, "status": "in_progress", key: ""}, middle


DIALECT = OpenAIResponses()
