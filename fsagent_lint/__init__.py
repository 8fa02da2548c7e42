"""The linter, formatter and converter for AI-agent markdown files."""

__version__ = "0.1.0"
