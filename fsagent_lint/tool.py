"""The API for enrichers: the canonical tools."""

from fsagent_lint.model.tool import Custom, Mcp, Risk, Tool

__all__ = ["Custom", "Mcp", "Risk", "Tool"]
