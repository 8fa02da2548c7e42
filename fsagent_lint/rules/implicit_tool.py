"""FA310 implicit-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.agent.widening import bounds_of, is_excess
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait
from fsagent_lint.rules._tool_fixes import listing


class ImplicitTool(Rule):
    """A field other than a tool key grants additional tools.

    ## Why
    In Claude Code `memory: project` adds Read, Write and Edit to the agent's tools, whatever `tools` lists: a reviewer
    that should only read can write.

    ## What to do
    List the tools under `tools`, deny them under `disallowedTools`, or remove the field.
    """

    code = "FA310"
    name = "implicit-tool"
    consequence = Consequence.WIDENED
    about = frozenset((Trait.SPECIAL,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Read, Write, Edit\nmemory: project\n---\n"),
        Good("---\nname: a\ndescription: d\nmemory: project\n---\n"),
        Good("---\nname: a\ndescription: d\ntools: Read\ndisallowedTools: Write, Edit\nmemory: project\n---\n"),
        Bad("---\nname: a\ndescription: d\ntools: Read\n⟦memory⟧: project\n---\n"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        for entry in subject.document.entries:
            field = subject.kind.fields.get(entry.name or "")
            if field is None or not field.adds or not subject.effect.loads:
                continue
            granted = (native for native in field.adds if native in subject.effect.tools)
            added = [native for native in granted if is_excess(bounds_of(subject), subject.harness, native)]
            if added and subject.effect.data.get(entry.name or "") in field.values:
                message = f"In {subject.harness.title} `{entry.name}` also grants {listing(added)}, which `tools` does not list. List them, or remove `{entry.name}`."
                yield self.finding(entry.key.span, message)
