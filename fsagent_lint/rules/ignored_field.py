"""FA414 ignored-field."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.harnesses.tables import all_harnesses
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Group, Rule, Subject, Trait
from fsagent_lint.rules._references import has_effect


class IgnoredField(Rule):
    """A field that the harness knows has no effect in this file.

    ## Why
    Claude Code ignores `permissionMode`, `hooks` and `mcpServers` in the agents of a plugin, and only its
    debug log reports it: a hook that is there to forbid something never runs. `agent` in a skill or command chooses who runs
    it only together with `context: fork`; without it, the agent of the conversation runs the skill with its own tools.

    ## What to do
    Agents that need those fields belong into `.claude/agents` of a project. Servers and hooks of a plugin can be defined
    for the whole plugin, in `.mcp.json` and `hooks/hooks.json`. For `agent`, add `context: fork`.

    ## When it is reported
    In a plugin that has a manifest or that a marketplace lists. Not about `agent` in a file that also has fields of another
    harness, which may read it.
    """

    code = "FA414"
    name = "ignored-field"
    consequence = Consequence.IGNORED
    tag = "unnecessary"
    about = frozenset((Trait.SPECIAL, Trait.IN_PLUGIN))
    examples = (
        Good("---\nname: a\ndescription: d\npermissionMode: plan\n---\n"),
        Good(
            "---\nname: a\ndescription: d\npermissionMode: plan\n---\n",
            files=((".claude-plugin/plugin.json", '{"name": "tools"}'),),
        ),
        Good("---\ndescription: d\ncontext: fork\nagent: Explore\n---\n", kind="skill"),
        Bad(
            "---\nname: a\ndescription: d\n⟦permissionMode⟧: plan\nmaxTurns: 3\n---\n",
            path="agents/a.md",
            files=((".claude-plugin/plugin.json", '{"name": "tools"}'),),
        ),
        Bad(
            "---\nname: a\ndescription: d\n⟦mcpServers⟧: [db]\n---\n",
            path="plugins/tools/agents/a.md",
            files=(
                (".claude-plugin/marketplace.json", '{"plugins": [{"name": "tools", "source": "./plugins/tools"}]}'),
            ),
        ),
        Good("---\ndescription: d\nagent: build\nsubtask: true\n---\n", kind="command"),
        Bad("---\ndescription: d\n⟦agent⟧: Explore\n---\n", kind="skill"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        title, kind, names = subject.harness.title, subject.kind, subject.document.by_name
        unknown = (name for name in names if name not in kind.known_fields)
        others = [each.kinds[subject.kind_name] for each in all_harnesses() if subject.kind_name in each.kinds]
        foreign = any(name in other.fields for name in unknown for other in others)
        for entry in subject.document.entries:
            name = entry.name or ""
            if not subject.effect.data.get(name):
                continue
            if subject.plugin is not None and name in kind.ignored_in_plugins:
                what = f"{title} ignores `{name}` in {subject.a_kind} of a plugin."
                message = f"{what} Remove it, or define the {subject.kind_name} outside the plugin."
                yield self.finding(entry.key.span, message, group=Group(message, across_files=True))
            elif (field := kind.fields.get(name)) is not None and not has_effect(subject, field) and not foreign:
                needed = " and ".join(f"`{key}: {value}`" for key, value in field.needs.items())
                what = f"`{name}` has no effect without {needed}; {title} ignores it."
                yield self.finding(entry.key.span, f"{what} Add {needed}, or remove `{name}`.")
