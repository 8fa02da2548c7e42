"""Google's generateContent API."""

from __future__ import annotations

import json
from itertools import takewhile
from typing import Any

from conformance.dialects import Request, as_json, text_of
from conformance.probe import Call


class Gemini:
    def understands(self, path: str) -> bool:
        return path.partition("?")[0].endswith((":generateContent", ":streamGenerateContent"))

    def read(self, path: str, body: dict[str, Any]) -> Request:
        contents = body.get("contents") or []
        first = takewhile(lambda each: each.get("role") != "model", contents)
        opening = "\n".join(text_of(each.get("parts")) for each in first)
        tools = [each["name"] for tool in body.get("tools") or [] for each in tool.get("functionDeclarations") or []]
        system = text_of((body.get("systemInstruction") or {}).get("parts"))
        conversation = text_of([each.get("parts") for each in contents])
        model = path.rpartition("/")[2].partition(":")[0]
        return Request(system, opening, tuple(tools), conversation, model)

    def write(self, path: str, body: dict[str, Any], answer: str | Call) -> tuple[str, bytes]:  # noqa: ARG002
        part: dict[str, Any] = {"text": answer}
        if isinstance(answer, Call):
            part = {"functionCall": {"name": answer.tool, "args": answer.input}}
        candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        response = {"candidates": [candidate], "usageMetadata": usage}
        if "streamGenerateContent" not in path:
            return as_json(response)
        return "text/event-stream", f"data: {json.dumps(response)}\n\n".encode()


DIALECT = Gemini()
