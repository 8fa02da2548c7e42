"""A small MCP server over stdio: `mcp_server.py TOOL…` offers these tools.

A call creates the file `ran`; the file `listed` holds the times at which the tools were listed. The server is copied
into the project of a probe, and the harness starts it: it imports nothing of the lab, and little else, to start fast.
"""

from __future__ import annotations

import json
import os
import sys
import time

Message = dict[str, object]


def result(method: str, params: Message, tools: list[str]) -> Message | None:
    """The answer to a request; None for a method that this server lacks."""
    match method:
        case "initialize":
            version = params.get("protocolVersion", "2025-06-18")
            info = {"name": "probe", "version": "1.0.0"}
            return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
        case "ping":
            return {}
        case "tools/list":
            with open("listed", "a", encoding="ascii") as file:
                file.write(f"{os.getpid()} {time.time()}\n")
            schema = {"type": "object", "properties": {}}
            return {"tools": [{"name": name, "description": "A probe.", "inputSchema": schema} for name in tools]}
        case "tools/call":
            open("ran", "w").close()
            return {"content": [{"type": "text", "text": "done"}]}
    return None


def serve(tools: list[str]) -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue  # a notification has no answer
        answer: Message = {"jsonrpc": "2.0", "id": message["id"]}
        found = result(message["method"], message.get("params") or {}, tools)
        if found is None:
            answer["error"] = {"code": -32601, "message": "no such method"}
        else:
            answer["result"] = found
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1:])
