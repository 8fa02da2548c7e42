"""FA501 agents-differ."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.agent.differences import Differences, differences, is_copy, is_near_copy
from fsagent_lint.files.paths import absolute, relative
from fsagent_lint.harnesses.tables import get_harness
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Group, Profile, Project, Rule
from fsagent_lint.rules._tool_fixes import listing

_COPILOT = ".github/agents/a.agent.md"
_LONG = "Read the change first.\nLook for mistakes.\nReport each with its line.\n"


class AgentsDiffer(Rule):
    """Two files for the same agent in different harnesses differ in effect.

    ## Why
    Copies that are maintained by hand diverge: one has a tool, a limit or a sentence that the other lacks.
    Files are compared if they have the same name, lie where their harnesses look in the same project, and one prompt is a
    copy of the other: at least half of the sentences of the shorter one are in both. Compared is what both harnesses can
    express: tools and their limits, MCP tools, the family of the model, and the prompt. Descriptions, and tools that a
    harness grants only together with others, are not, nor are sentences that name a harness. In a project whose config
    has enrichers, agents differ on purpose and are not compared.

    A file is also compared with files that are not part of the run, as in a hook that gets only the changed files.

    It is a warning if one of the agents can write, execute, reach the network or delegate, or use a tool without limit,
    and the other cannot, and if at least half of the sentences of the longer prompt are in both; any other difference is
    a note: a prompt that was rewritten for its harness may need other tools. A tool that a harness grants to the agents that users invoke, and
    not to those that other agents invoke, is not a difference from an agent that only others invoke.

    ## What to do
    Make the same change in the other file, or overwrite it with the `convert` command that the message names. To keep one
    file and generate the other, use [`sync`](../convert.md). If the difference is intended, suppress the finding with a comment:
    `# fsagent: ignore[agents-differ] reason`.
    """

    code = "FA501"
    name = "agents-differ"
    consequence = Consequence.IGNORED
    examples = (
        Good(
            "---\nname: a\ndescription: d\ntools: Read, Bash\nmodel: opus\n---\nDo it.\n",
            path=".claude/agents/a.md",
            neighbours=(
                (
                    _COPILOT,
                    "copilot",
                    "---\ndescription: Other words\ntools: [read, execute]\nmodel: Claude Opus 4.5\n---\nDo it.\n",
                ),
            ),
        ),
        Good(
            f"---\nname: a\ndescription: d\ntools: Read\n---\n{_LONG}",
            path=".claude/agents/a.md",
            neighbours=(
                (_COPILOT, "copilot", "---\ndescription: d\ntools: [read, execute]\n---\nDeploy to staging.\n"),
            ),
        ),
        Good(
            "---\nname: a\ndescription: d\ntools: Read, Edit, Write, Bash\n---\nDo it.\n",
            path=".claude/agents/a.md",
            neighbours=(
                (
                    ".opencode/agents/a.md",
                    "opencode",
                    "---\ndescription: d\nmode: subagent\npermission: {webfetch: deny, websearch: deny}\n---\nDo it.\n",
                ),
            ),
        ),
        Bad(
            "---\nname: ⟦a⟧\ndescription: d\ntools: Read\n---\nDo it.\n",
            path=".claude/agents/a.md",
            neighbours=((_COPILOT, "copilot", "---\ndescription: d\ntools: [read, execute]\n---\nDo it.\n"),),
        ),
        Bad(
            "---\nname: ⟦a⟧\ndescription: d\ntools: Read\nmodel: opus\n---\nDo it.\n",
            path=".claude/agents/a.md",
            files=((_COPILOT, "---\ndescription: d\ntools: [read]\nmodel: Claude Sonnet 4.5\n---\nDo it.\n"),),
        ),
        Bad(
            f"---\nname: ⟦a⟧\ndescription: d\ntools: Read\n---\n{_LONG}Never push.\n",
            path=".claude/agents/a.md",
            files=(
                (
                    ".opencode/agents/a.md",
                    f"---\ndescription: d\npermission:\n  '*': deny\n  read: allow\n---\n{_LONG}",
                ),
            ),
        ),
    )

    def check_project(self, project: Project) -> Iterator[tuple[Profile, Finding]]:
        groups: dict[tuple[str, str], tuple[list[Profile], list[Profile]]] = {}
        for profiles, place in ((project.checked, 0), (project.others, 1)):
            for profile in sorted(profiles, key=lambda profile: profile.path):
                if profile.home:
                    groups.setdefault((profile.home, profile.key), ([], []))[place].append(profile)
        for checked, others in groups.values():
            for at, one in enumerate(checked):
                # Of several checked files, the first is compared with each of the others.
                for other in (*(checked[1:] if at == 0 else ()), *others):
                    if one.harness != other.harness:
                        yield from self._compare(one, other)

    def _compare(self, one: Profile, other: Profile) -> Iterator[tuple[Profile, Finding]]:
        mine, theirs = one.abilities, other.abilities
        if mine is None or theirs is None or not is_copy(mine, theirs):
            return
        if found := differences(mine, theirs):
            is_near = is_near_copy(mine, theirs)
            consequence = Consequence.IGNORED if found.harmful and is_near else Consequence.STYLE
            what = _describe(one, other, found)
            message = f"This agent differs from {other.path}: {what}. {_advice(one, other, may_overwrite=is_near)}"
            # Copies that one program wrote differ in the same way.
            group = Group(f"{one.harness}, {other.harness}: {what}", across_files=True)
            related = (other.related("the other file"),)
            yield one, self.finding(one.span, message, consequence=consequence, group=group, related=related)


def _describe(one: Profile, other: Profile, found: Differences) -> str:
    here, there = (get_harness(each.harness).title for each in (one, other))
    parts = []
    if found.here:
        parts.append(f"only {here} grants {listing(found.here)}")
    if found.there:
        parts.append(f"only {there} grants {listing(found.there)}")
    parts += [f"{tool} is for {mine} in {here} and for {theirs} in {there}" for tool, mine, theirs in found.limits]
    if found.models[0]:
        parts.append(f"the model is `{found.models[0]}` in {here} and `{found.models[1]}` in {there}")
    if found.prompt:
        parts.append(
            f"{found.prompt} sentence{'s' if found.prompt > 1 else ''} of the prompt differ{'' if found.prompt > 1 else 's'}"
        )
    return "; ".join(parts)


def _advice(one: Profile, other: Profile, *, may_overwrite: bool) -> str:
    """What to do: the command that overwrites the other file, if it would write that very file."""
    harness = get_harness(other.harness)
    paths = [kind.path.format(name=one.key) for kind in harness.kinds.values() if kind.path]
    home = relative(one.home, absolute("."))
    if home is None or not may_overwrite or relative(absolute(other.path), one.home) not in paths:
        return f"Change {other.path}, too, or this file."
    out = f" --out {home}" if home else ""
    return (
        f"Change {other.path}, too, or overwrite it: `fsagent-lint convert --force --to {harness.id}{out} {one.path}`."
    )
