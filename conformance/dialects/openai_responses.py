"""OpenAI's Responses API."""

from __future__ import annotations

import json
from typing import Any

from conformance.dialects import Request, as_events, as_json, new_id, text_of
from conformance.probe import Call


class OpenAIResponses:
    def understands(self, path: str) -> bool:
        return path.partition("?")[0].endswith("/responses")

    def read(self, path: str, body: dict[str, Any]) -> Request:  # noqa: ARG002
        content = body.get("input") or []
        items = [{"role": "user", "content": content}] if isinstance(content, str) else content
        messages = [(each.get("role"), text_of(each.get("content"))) for each in items]
        system = [body.get("instructions") or "", *(text for role, text in messages if role in ("system", "developer"))]
        opening = next((text for role, text in messages if role == "user"), "")
        tools = tuple(tool.get("name", tool["type"]) for tool in body.get("tools") or [])
        return Request("\n".join(system), opening, tools, text_of(items), body.get("model", ""))

    def write(self, path: str, body: dict[str, Any], answer: str | Call) -> tuple[str, bytes]:  # noqa: ARG002
        id = new_id("item")
        if isinstance(answer, Call):
            arguments = json.dumps(answer.input)
            item = {"type": "function_call", "id": id, "call_id": new_id("call"), "name": answer.tool}
            whole: dict[str, Any] = {**item, "status": "completed", "arguments": arguments}
            begun: dict[str, Any] = {**item, "status": "in_progress", "arguments": ""}
            middle: list[dict[str, Any]] = [
                {"type": "response.function_call_arguments.delta", "item_id": id, "delta": arguments},
                {"type": "response.function_call_arguments.done", "item_id": id, "arguments": arguments},
            ]
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


DIALECT = OpenAIResponses()
