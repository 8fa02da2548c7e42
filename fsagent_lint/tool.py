"""The API for enrichers: the canonical tools."""

from fsagent_lint.model.tool import Risk, ScopedTool, Tool, ToolLike

__all__ = ["Risk", "ScopedTool", "Tool", "ToolLike"]
