"""What a file has that some rules are about; the verdicts on its tool entries are traits as well."""

from __future__ import annotations


class Trait:
    TOOLS = "has tool keys"
    MISPLACED = "has keys that only look like tool keys"
    SCOPE = "has an entry with a scope"
    FENCE = "has no frontmatter, or odd fences"
    GOAL = "is to be written for another harness or in another format"
    PYTHON = "is a Python module"
    ROSTER = "holds several agents"
    UNCLEAR = "may be anyone's"
