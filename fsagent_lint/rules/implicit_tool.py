"""FA310 implicit-tool."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.agent.widening import bounds_of, is_excess
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait
from fsagent_lint.rules._tool_fixes import listing


class ImplicitTool(Rule):
    """A field that does not speak of tools gives the agent more of them.

    ## Why
    `memory: project` adds Read, Write and Edit to a Claude Code agent, whatever its `tools` say: a reviewer that was
    to read only can write.

    ## What to do
    Name the tools, so that everyone can see them, deny them under `disallowedTools`, or do without the field.
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
                message = f"`{entry.name}` gives the agent {listing(added)} as well, which `tools` does not name. Name them, or leave `{entry.name}` out."
                yield self.finding(entry.key.span, message)
