"""FA107 wrong-mcp-form."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.harnesses.vocabulary import native_names
from fsagent_lint.model.tool import Tool
from fsagent_lint.rules import (
    ALL_AGENTS,
    Action,
    Bad,
    ClassifiedItem,
    Consequence,
    Finding,
    Good,
    Rule,
    Subject,
    Verdict,
)
from fsagent_lint.rules._tool_fixes import listing, removal, replacement


class WrongMcpForm(Rule):
    """An MCP tool is written in another harness's notation, or as a pattern that the harness does not support.

    ## Why
    Claude Code writes `mcp__server__tool`, OpenCode `server_tool`, Copilot and VS Code `server/tool`. Any other form is
    an unknown name. A star stands for all tools of a server; Claude Code does not support `mcp__db__get_*`, nor Copilot
    `db/get_*`, whereas OpenCode supports patterns of any form.

    ## Fix safety
    Safe: server and tool stay the same. Unsafe where a word such as Roo Code's `mcp` grants every MCP tool.
    """

    code = "FA107"
    name = "wrong-mcp-form"
    consequence = Consequence.NARROWED
    sorts = ALL_AGENTS
    about = frozenset((Verdict.FOREIGN_MCP, Verdict.MCP))
    examples = (
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, ⟦Azure MCP/list⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read, mcp__Azure_MCP__list\n---\n",
        ),
        Good("---\nname: a\ndescription: d\ntools: mcp__db__query\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, ⟦db/query⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read, mcp__db__query\n---\n",
        ),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, ⟦mcp**db**query⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read, mcp__db__query\n---\n",
        ),
        Bad("---\nname: a\ndescription: d\ntools: Read, ⟦mcp__db__get_*⟧, mcp__web__*\n---\n"),
        Bad("---\nname: a\ndescription: d\ndisallowedTools: ⟦mcp__*__query⟧, mcp__web, mcp__*\n---\n"),
        Good("---\ndescription: d\nallowed-tools: mcp__db__get_*\n---\n", kind="command"),
        Bad("---\ndescription: d\nallowed-tools: ⟦mcp__*__query⟧\n---\n", kind="command"),
        Bad("---\ndescription: d\ntools: [read, '⟦db/get_*⟧', 'web/*']\n---\n", harness="copilot"),
        Good("---\ndescription: d\npermission: {'*': deny, 'db_get_*': allow}\n---\n", harness="opencode"),
        Good(
            "---\nname: ab\ndescription: d\ndisallowedTools: [mcp__db__get_*]\n---\nAnswer questions.\n", harness="qwen"
        ),
        Bad(
            "---\ndescription: d\ntools: ['read', '⟦mcp__db__query⟧']\n---\n",
            harness="copilot",
            fixed="---\ndescription: d\ntools: ['read', 'db/query']\n---\n",
        ),
        Good("---\nname: ab\ndescription: d\ndisallowedTools: [mcp__db__*]\n---\nAnswer questions.\n", harness="qwen"),
        Bad("---\nname: ab\ndescription: d\ntools: [glob, ⟦mcp__db__*⟧]\n---\nAnswer questions.\n", harness="qwen"),
        Bad("---\ndescription: d\npermission: {read: allow, ⟦mcp⟧: deny}\n---\n", harness="kilo"),
        Bad("---\nname: a\ndescription: d\ntools: Read, ⟦mcp⟧\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\ndisallowedTools: ⟦mcp⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ndisallowedTools: mcp__*\n---\n",
        ),
        Bad("---\nname: a\ndescription: d\ntools: [⟦mcp__my_db__*⟧]\n---\nAnswer.\n", harness="gemini"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        chosen = _chosen(subject)
        for entry in subject.items:
            if entry.verdict == Verdict.FOREIGN_MCP:
                names = _names(subject, entry)
                owner = get_harness(entry.meaning.harness)
                what = f"`{entry.item.name}` is the MCP notation of {owner.title}, not of {subject.harness.title}"
                if owner.neutral:
                    what = f"`{entry.item.name}` is not the MCP notation of {subject.harness.title}"
                elif owner.id == subject.harness.id:
                    what = (
                        f"`{entry.item.name}` is not an MCP tool (a markdown formatter may have replaced `__` by `**`)"
                    )
                if entry.meaning.tools == (Tool.mcp("*"),) and not owner.neutral:
                    what = f"`{entry.item.name}` means all MCP tools in {owner.title}, not in {subject.harness.title}"
                advice = f"Write {listing(names)}." if names else _advice_without_names(subject, entry)
                fix = replacement(subject, entry, names, safe=not _is_bare_word(entry)) if names else None
                if names and chosen[_identity(entry)] is not entry:
                    fix = removal(subject, entry, safe=True)  # under one name, it would be there twice
                yield self.dropped(subject, entry, what, advice, fix)
            elif _is_unsupported_server(subject, entry):
                can = "can only deny" if subject.harness.mcp.whole == "denied" else "cannot grant by name"
                what = f"`{entry.item.name}` is a whole MCP server, which {subject.harness.title} {can}"
                yield self.dropped(subject, entry, what, "List its tools.")
            elif _is_unsupported_pattern(subject, entry):
                what = f"`{entry.item.name}` is a pattern that {subject.harness.title} does not support"
                yield self.dropped(subject, entry, what, _pattern_advice(subject, entry))


def _names(subject: Subject, entry: ClassifiedItem) -> tuple[str, ...]:
    naming, names = subject.harness.mcp, native_names(entry.meaning.tools, subject.harness)
    return () if names == (naming.every,) and naming.every_denies and entry.action is not Action.DENY else names


def _is_bare_word(entry: ClassifiedItem) -> bool:
    """Does a word such as `mcp` grant every MCP tool? Who writes it may have meant less."""
    return entry.meaning.tools == (Tool.mcp("*"),) and "*" not in entry.item.name and entry.action is not Action.DENY


def _advice_without_names(subject: Subject, entry: ClassifiedItem) -> str:
    if entry.meaning.tools == (Tool.mcp("*"),) and (names := native_names((Tool.mcp("server"),), subject.harness)):
        return f"Name each server instead, as in {listing(names)}."
    return f"Remove it: {subject.harness.title} has no equivalent."


def _identity(entry: ClassifiedItem) -> tuple[object, ...]:
    return entry.value.key, entry.meaning.tools, entry.item.action, entry.item.scope


def _chosen(subject: Subject) -> dict[tuple[object, ...], ClassifiedItem]:
    """Of the entries for one tool, the one that stays: the first that is written as it should be, or the first."""
    ordered = sorted(subject.items, key=lambda entry: entry.verdict == Verdict.FOREIGN_MCP)
    return {_identity(entry): entry for entry in reversed(ordered)}


def _is_unsupported_server(subject: Subject, entry: ClassifiedItem) -> bool:
    return (
        entry.verdict == Verdict.MCP
        and subject.harness.mcp.whole != "anywhere"
        and entry.action is not Action.DENY
        and entry.role != "approve"
        and entry.meaning.tools[0].name == "*"
    )


def _is_unsupported_pattern(subject: Subject, entry: ClassifiedItem) -> bool:
    naming = subject.harness.mcp
    if entry.verdict != Verdict.MCP or naming.patterns == "anywhere" or entry.item.name == naming.every:
        return False
    tool = entry.meaning.tools[0]
    # In approvals, a pattern matches the tools of a server, but never servers.
    is_partial = "*" in tool.name and tool.name != "*" and entry.role != "approve"
    is_unsupported = is_partial or "*" in (tool.server or "")
    return is_unsupported and (naming.patterns == "nowhere" or entry.action is not Action.DENY)


def _pattern_advice(subject: Subject, entry: ClassifiedItem) -> str:
    server = entry.meaning.tools[0].server or "*"
    if "*" in server or subject.harness.mcp.whole != "anywhere":
        return "List the tools."
    return f"List the tools, or write {listing(native_names((Tool.mcp(server),), subject.harness))} for all of them."
