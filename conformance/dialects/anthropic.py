"""Anthropic's Messages API."""

from __future__ import annotations

import json
from typing import Any

from conformance.dialects import Request, as_events, as_json, new_id, opening_of, text_of
from conformance.probe import Call


class Anthropic:
    def understands(self, path: str) -> bool:
        return path.partition("?")[0].endswith("/messages")

    def read(self, path: str, body: dict[str, Any]) -> Request:  # noqa: ARG002
        messages = body.get("messages") or []
        opening = opening_of((each["role"], each["content"]) for each in messages)
        tools = tuple(tool["name"] for tool in body.get("tools") or [])
        return Request(text_of(body.get("system")), opening, tools, text_of(messages), body.get("model", ""))

    def write(self, path: str, body: dict[str, Any], answer: str | Call) -> tuple[str, bytes]:  # noqa: ARG002
        message = {"id": new_id("msg"), "type": "message", "role": "assistant", "model": body.get("model", "x")}
        usage = {"input_tokens": 1, "output_tokens": 1}
        if isinstance(answer, Call):
            reason = "tool_use"
            block = {"type": "tool_use", "id": new_id("toolu"), "name": answer.tool, "input": answer.input}
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(answer.input)}
        else:
            reason = "end_turn"
            block = {"type": "text", "text": answer}
            start = {**block, "text": ""}
            delta = {"type": "text_delta", "text": answer}
        if not body.get("stream"):
            return as_json({**message, "content": [block], "stop_reason": reason, "usage": usage})
        opened = {**message, "content": [], "stop_reason": None, "usage": usage}
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": opened},
            {"type": "content_block_start", "index": 0, "content_block": start},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage},
            {"type": "message_stop"},
        ]
        return as_events(events, named=True)


DIALECT = Anthropic()
