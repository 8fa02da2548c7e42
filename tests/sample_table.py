"""A small harness table of one's own, complete but for its id."""

from __future__ import annotations

TABLE = """\
title = "Mine"
reader = "core"
semantics = "allow-list"
[mcp]
tool = "{server}.{tool}"
server = "{server}.*"
[kinds.agent]
globs = [".mine/agents/*.md"]
path = ".mine/agents/{name}.md"
[kinds.agent.keys.tools]
role = "allow"
syntax = "copilot-list"
forms = ["list"]
[kinds.agent.fields]
name = { type = ["string"], meaning = "name" }
description = { type = ["string"], required = true, meaning = "description" }
[tools]
peek = { grants = ["Read"] }
hammer = { grants = ["Shell"] }
[write]
Read = ["peek"]
Shell = ["hammer"]
"""
