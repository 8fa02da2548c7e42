"""Text to nodes with spans, and surgical edits; knows no harness."""
