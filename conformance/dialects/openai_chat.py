"""OpenAI's Chat Completions API, which many other providers offer too."""

from __future__ import annotations

import json
from typing import Any

from conformance.dialects import Request, as_events, as_json, new_id, text_of
from conformance.probe import Call


class OpenAIChat:
    def understands(self, path: str) -> bool:
        return path.partition("?")[0].endswith("/chat/completions")

    def read(self, path: str, body: dict[str, Any]) -> Request:  # noqa: ARG002
        messages = body.get("messages") or []
        system = "\n".join(text_of(each["content"]) for each in messages if each["role"] in ("system", "developer"))
        opening = next((text_of(each["content"]) for each in messages if each["role"] == "user"), "")
        tools = tuple(tool["function"]["name"] for tool in body.get("tools") or [])
        return Request(system, opening, tools, text_of(messages), body.get("model", ""))

    def write(self, path: str, body: dict[str, Any], answer: str | Call) -> tuple[str, bytes]:  # noqa: ARG002
        message: dict[str, Any] = {"role": "assistant", "content": None}
        if isinstance(answer, Call):
            reason = "tool_calls"
            function = {"name": answer.tool, "arguments": json.dumps(answer.input)}
            message["tool_calls"] = [{"index": 0, "id": new_id("call"), "type": "function", "function": function}]
        else:
            reason = "stop"
            message["content"] = answer
        head = {"id": new_id("chatcmpl"), "created": 1, "model": body.get("model", "x")}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": reason}
            return as_json({**head, "object": "chat.completion", "choices": [choice], "usage": usage})
        chunk = {**head, "object": "chat.completion.chunk"}
        events = [
            {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
            {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": usage},
        ]
        return as_events(events, named=False, done=True)


DIALECT = OpenAIChat()
