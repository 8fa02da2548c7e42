"""FA403 unknown-field."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from fsagent_lint.files.globs import Glob
from fsagent_lint.frontmatter.nodes import Entry, List, Node, Scalar
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.tables import all_harnesses, get_harness
from fsagent_lint.harnesses.vocabulary import harness_with_field, nearest_field
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Group, Rule, Sort, Subject, Trait
from fsagent_lint.rules._tool_fixes import harness_title
from fsagent_lint.rules.stray_agent_file import is_readme


class UnknownField(Rule):
    """A field is unknown to the harness: it is misspelt, or another harness's.

    ## Why
    Harnesses ignore unknown fields; OpenCode sends them to the model's provider with every request, and most providers
    ignore them: fields of your own are a note there. The Agent Skills specification allows only its own fields, and its
    validator refuses others, which harnesses ignore: they are a note.

    ## When it is reported
    Not for options that providers document, such as `reasoningEffort`; not for fields of skills that another harness
    reads in the same folder, such as `disable-model-invocation`; not for fields that any harness reads in a `SKILL.md`
    that lies in no harness's folder; and not for fields of your own that resemble no known field, where the harness ignores
    them.
    """

    code = "FA403"
    name = "unknown-field"
    consequence = Consequence.IGNORED
    about = frozenset((Trait.UNKNOWN,))
    examples = (
        Good("---\nname: a\ndescription: d\nteam: platform\n---\n"),
        Bad("---\nname: a\ndescription: d\n⟦disalowedTools⟧: Bash\n---\n"),
        Bad("---\ndescription: d\n⟦agents⟧: planner\n---\n", kind="skill"),
        Good("---\ndescription: d\nagents: [all]\nde_description: e\n---\n", kind="skill"),
        Bad("---\nname: a\ndescription: d\n⟦temperature⟧: 0.1\n---\n"),
        Good("---\nname: a\ndescription: d\nmode: subagent\n---\n"),
        Bad("---\nname: a\ndescription: d\n⟦mode⟧: primary\n---\n"),
        Good("---\ndescription: d\nreasoningEffort: high\ntextVerbosity: low\n---\n", harness="opencode"),
        Bad("---\ndescription: d\n⟦team⟧: platform\n---\n", harness="opencode"),
        Good(
            "---\nname: a\ndescription: d\ndisable-model-invocation: true\nargument-hint: '[file]'\n---\n",
            harness="agent-skills",
            kind="skill",
            path=".agents/skills/a/SKILL.md",
        ),
        Bad(
            "---\nname: a\ndescription: d\n⟦author⟧: me\n---\n",
            harness="agent-skills",
            kind="skill",
            path=".agents/skills/a/SKILL.md",
        ),
        Good(
            "---\nname: a\ndescription: d\nmodeSlugs: [code]\n---\n",
            harness="agent-skills",
            kind="skill",
            path="skills/a/SKILL.md",
        ),
        Bad(
            "---\nname: a\ndescription: d\n⟦author⟧: me\n---\n",
            harness="agent-skills",
            kind="skill",
            path="skills/a/SKILL.md",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        if not _has_fields(subject):
            return
        kind, title = subject.kind, subject.harness.title
        outcome = kind.unknown_fields
        for entry in subject.document.entries:
            name = entry.name
            if name is None or name in kind.known_fields or _is_read(name, subject):
                continue
            owner = harness_with_field(name, subject.kind_name, subject.harness)
            guess = _guess(name, entry.value, subject) if owner is None else None
            if guess is not None:
                refused = f"; {subject.refusal}" if outcome == "refused" else ""
                what = f"{title} has no field `{name}`{refused}. Did you mean `{guess}`?"
            elif outcome == "refused":
                what = f"{title} has no field `{name}`; {subject.refusal}. Remove it."
            elif outcome == "forbidden":
                what = f"{title} has no field `{name}`; its validator refuses the file. {_advice(subject)}"
            elif outcome == "forwarded":
                what = (
                    f"{title} has no field `{name}`; it sends it to the model's provider with every request. Remove it."
                )
            elif owner is not None:
                what = f"`{name}` is a field of {harness_title(owner)}; {title} ignores it."
            else:
                continue
            if owner is not None and _is_implied(entry, owner, subject):
                continue
            consequence = _consequence(
                subject, has_guess=guess is not None, is_cosmetic=_is_cosmetic(name, owner, subject)
            )
            group = Group(what, across_files=True)
            yield self.finding(entry.key.span, what, consequence=consequence, group=group)


def _guess(name: str, value: Node, subject: Subject) -> str | None:
    """The field that a misspelt one stands for, unless it looks like one of the author's own."""
    in_other_kind = any(name in other.fields for other in subject.harness.kinds.values())
    guess = nearest_field(name, subject.kind) if not in_other_kind else None
    if guess is None or guess in subject.document.by_name or not _fits(value, guess, subject.kind):
        return None
    return guess


def _has_fields(subject: Subject) -> bool:
    """In broken YAML, what looks like a key may be text; and a README is reported by another rule."""
    is_read = subject.document.error is None and not is_readme(subject.document.stem)
    return is_read and (subject.sort is not Sort.DATA or bool(subject.kind.fields))


def _fits(value: Node, guess: str, kind: Kind) -> bool:
    """Could the value belong to the other field? `agents: [a, b]` is not a misspelt `agent: a`."""
    field = kind.fields.get(guess)
    if field is None or isinstance(value, Scalar) or "any" in field.type:
        return True
    return ("list" if isinstance(value, List) else "map") in field.type


def _is_implied(entry: Entry, owner: str, subject: Subject) -> bool:
    """Does the field say what is so for every file of the kind? `mode: subagent` says nothing new to a harness of subagents."""
    field = get_harness(owner).kinds[subject.kind_name].fields.get(entry.name or "")
    implied = subject.kind.implies.get(field.meaning) if field is not None else None
    return implied is not None and isinstance(entry.value, Scalar) and entry.value.value == implied


def _consequence(subject: Subject, *, has_guess: bool, is_cosmetic: bool) -> Consequence:
    outcome = subject.kind.unknown_fields
    if outcome == "refused":
        return Consequence.REFUSED
    # What the Agent Skills specification forbids, every harness ignores; only its validator does not. Most providers
    # ignore what they do not know, too.
    is_harmless = outcome == "forbidden" or is_cosmetic
    return Consequence.STYLE if is_harmless and not has_guess else Consequence.IGNORED


def _is_cosmetic(name: str, owner: str | None, subject: Subject) -> bool:
    """Is it a field of the author's own, one that merely changes how the other harness shows the agent, or one that the
    file says in the harness's way too?"""
    if owner is None:
        return subject.kind.unknown_fields == "forwarded"
    kind = get_harness(owner).kinds.get(subject.kind_name)
    meaning = kind.fields[name].meaning if kind is not None and name in kind.fields else ""
    if meaning not in _LISTING:
        return meaning in _SHOWN
    own = (subject.kind.fields.get(each) for each in subject.document.by_name)
    return any(field is not None and field.meaning in (*_LISTING, *_SHOWN) for field in own)


_SHOWN = ("color", "argument-hint", "hidden", "user-invocable")
_LISTING = ("mode", "disable-model-invocation")
"""Who may invoke the agent."""


def _is_in_place(subject: Subject) -> bool:
    """Does the file lie where its harness looks?"""
    path = subject.document.source.path.replace("\\", "/")
    return any(_glob(glob).matches(path) for glob in subject.kind.globs)


@cache
def _glob(pattern: str) -> Glob:
    return Glob(pattern, anywhere=True)


def _is_read(name: str, subject: Subject) -> bool:
    """Does another harness that the file is written for read the field?"""
    is_anyones = subject.kind.unknown_fields == "forbidden" and not _is_in_place(subject)
    harnesses = all_harnesses() if is_anyones else subject.shared_harnesses
    kinds = (harness.kinds.get(subject.kind_name) for harness in harnesses)
    return any(name in kind.fields for kind in kinds if kind is not None)


def _advice(subject: Subject) -> str:
    return "Move it under `metadata`." if "metadata" in subject.kind.fields else "Remove it."
