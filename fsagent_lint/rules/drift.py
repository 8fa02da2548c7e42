"""FA501 drift."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsagent_lint.model.tool import BUILTIN
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Profile, Rule


class Drift(Rule):
    """Two files are the same agent for two harnesses, and have come to differ.

    ## Why
    Copies that are kept by hand drift apart: one gets a tool, a sentence, a fix that the other does not. What counts is
    what each harness really gives the agent, not how the files are written.

    ## What to do
    Bring them together again, or keep one and generate the other: `fsagent-lint sync`.
    """

    code = "FA501"
    name = "drift"
    consequence = Consequence.IGNORED
    examples = (
        Good(
            "---\nname: a\ndescription: d\ntools: Read, Bash\n---\nDo it.\n",
            path=".claude/agents/a.md",
            neighbours=(
                (".github/agents/a.agent.md", "copilot", "---\ndescription: d\ntools: [read, execute]\n---\nDo it.\n"),
            ),
        ),
        Bad(
            "---\nname: ⟦a⟧\ndescription: d\ntools: Read\n---\nDo it.\n",
            path=".claude/agents/a.md",
            neighbours=(
                (".github/agents/a.agent.md", "copilot", "---\ndescription: d\ntools: [read, execute]\n---\nDo it.\n"),
            ),
        ),
    )

    def check_project(self, profiles: Sequence[Profile]) -> Iterator[tuple[Profile, Finding]]:
        groups: dict[str, list[Profile]] = {}
        for profile in profiles:
            groups.setdefault(profile.name.lower(), []).append(profile)
        for group in groups.values():
            first = min(group, key=lambda profile: profile.path)
            for other in sorted(group, key=lambda profile: profile.path):
                if other.harness != first.harness and (differences := list(_differences(first, other))):
                    message = f"`{first.name}` is not the same in {other.path}: {'; '.join(differences)}."
                    yield first, self.finding(first.span, message)


def _differences(one: Profile, other: Profile) -> Iterator[str]:
    if extra := _extra_tools(other, one):
        yield f"there it also has {', '.join(extra)}"
    if missing := _extra_tools(one, other):
        yield f"there it lacks {', '.join(missing)}"
    if one.description != other.description:
        yield "the description differs"
    if one.prompt != other.prompt:
        yield "the prompt differs"


def _extra_tools(wider: Profile, narrower: Profile) -> list[str]:
    """Tools of a risk for which the other agent has no tool, although its harness could grant one."""
    risks = {BUILTIN[tool] for tool in narrower.granted}
    return sorted(tool for tool in wider.chosen & narrower.possible if BUILTIN[tool] not in risks)
