"""FA408 unknown-hook-matcher."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fsagent_lint._fast import pattern
from fsagent_lint.frontmatter.nodes import List, Map, Scalar
from fsagent_lint.harnesses.vocabulary import identify, suggest
from fsagent_lint.rules import (
    ALL_AGENTS,
    Bad,
    Consequence,
    Edit,
    Finding,
    Fix,
    Good,
    Rule,
    Safety,
    Sort,
    Span,
    Subject,
    Trait,
)

_NAMES = pattern(r"[A-Za-z0-9_-]+(?:\|[A-Za-z0-9_-]+)*")


class UnknownHookMatcher(Rule):
    """The matcher of a hook names a tool that does not exist.

    ## Why
    A matcher is the name of a tool, or several separated by `|`. A name that no tool has never matches, so the hook
    never runs, even if it is there to block the agent.

    ## When it is reported
    Only for names that are clearly wrong: with the wrong letter case, renamed, removed, another harness's, or with a
    typo of one letter. A matcher with other characters is a regular expression, and is not checked.

    ## Fix safety
    Unsafe: the hook starts to run.
    """

    code = "FA408"
    name = "unknown-hook-matcher"
    consequence = Consequence.IGNORED
    sorts = ALL_AGENTS
    about = frozenset((Trait.SPECIAL, Trait.HOOKS))
    examples = (
        Good("---\nname: a\ndescription: d\nhooks:\n  PreToolUse:\n    - matcher: Edit|Write|mcp__db__.*\n---\n"),
        Good("---\nname: a\ndescription: d\nhooks:\n  SessionStart:\n    - matcher: startup\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\nhooks:\n  PreToolUse:\n    - matcher: Edit|⟦bash⟧\n---\n",
            fixed="---\nname: a\ndescription: d\nhooks:\n  PreToolUse:\n    - matcher: Edit|Bash\n---\n",
        ),
        Bad(
            '---\nname: a\ndescription: d\nhooks:\n  PostToolUse:\n    - matcher: "⟦Wirte⟧"\n---\n',
            fixed='---\nname: a\ndescription: d\nhooks:\n  PostToolUse:\n    - matcher: "Write"\n---\n',
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for key, node in _matchers(subject):
            if _NAMES.fullmatch(node.value) and not node.marked:
                quoted = 1 if node.style in ("'", '"') else 0
                for part in re.finditer(r"[^|]+", node.value):
                    span = Span(node.start + quoted + part.start(), node.start + quoted + part.end())
                    yield from self._check_name(subject, part[0], span, key)

    def _check_name(self, subject: Subject, name: str, span: Span, key: str) -> Iterator[Finding]:
        better = _better(subject, name)
        if better is None:
            return
        what = f"{subject.harness.title} has no tool `{name}`; the hook never runs for it. Write `{better}`."
        edit = Edit(span, better)
        exact = subject.document.source.text[span.start : span.end] == name
        fix = Fix(f"Replace with `{better}`", (edit,), Safety.UNSAFE, frozenset((key,))) if exact else None
        yield self.finding(span, what, fix=fix)


def _matchers(subject: Subject) -> Iterator[tuple[str, Scalar]]:
    """The matchers of hooks that run on tools, each with the key that holds the hooks."""
    if subject.sort is Sort.CALL:
        from fsagent_lint.agent.python.subject import CallSubject

        assert isinstance(subject, CallSubject)
        yield from subject.matchers
    for key, field in subject.kind.fields.items():
        hooks = subject.document.get(key) if field.hooks else None
        for event in hooks.value.entries if hooks is not None and isinstance(hooks.value, Map) else ():
            if event.name in subject.harness.hooks.matched and isinstance(event.value, List):
                groups = (group for group in event.value.items if isinstance(group, Map))
                for entry in (entry for group in groups for entry in group.entries):
                    if entry.name == "matcher" and isinstance(entry.value, Scalar):
                        yield key, entry.value


def _better(subject: Subject, name: str) -> str | None:
    """The name that was clearly intended; None for names that may be right."""
    harness = subject.harness
    known = harness.lookup(name)
    if known is not None:
        old = known.status != "current" and bool(known.use)
        # An old name of a tool that still exists matches it, too.
        return known.use[0] if old and not known.gives else None
    meaning = identify(name, harness)
    if meaning.how == "case":
        return meaning.spelling
    if meaning.how == "foreign" and meaning.tools:
        return next(iter(harness.write.get(meaning.tools[0].name, ())), None)
    if meaning.how == "unknown":
        return suggest(name, harness, sure=True)
    return None
