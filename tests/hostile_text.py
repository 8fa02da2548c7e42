"""Text that would steer a terminal or a CI runner if it were printed as it is."""

from __future__ import annotations

from hypothesis import strategies as st

PAYLOADS = [
    "##[", "##", "#", "[", "]", "##vso[", "##TeamCity[", "::", ":", "::error::", "##[add-mask]e", "%0A", "%", ",", " ",
    "\t", "\n", "\r", "\u3000", "\x1b[2J", "\x7f", "\x85", "\u2028", "\u202e", "\U000e0041", "\udcff", "\\", "\\x",
    "e\u0301", "日本", "\n::stop-commands::t", "{0}", "[a](b)",
]  # fmt: skip
hostile = st.lists(st.sampled_from(PAYLOADS) | st.characters(exclude_categories=()), max_size=40).map("".join)
"""Any text at all, lone surrogates included, with what runners and terminals obey made likely."""


def is_obeyed(line: str) -> bool:
    """Would a CI runner take some of the line for a command? Stricter than any of them."""
    return line.lstrip().startswith("::") or any(mark in line.lower() for mark in ("##[", "##vso[", "##teamcity["))
