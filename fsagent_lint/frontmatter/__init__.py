"""Parsing text to nodes with spans, and surgical edits, without any knowledge of harnesses."""
