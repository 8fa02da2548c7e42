"""The planned conversion of a file that the user wants for another harness, or in another tool format."""

from __future__ import annotations

from functools import lru_cache

from fsagent_lint.agent.readers import readers_of
from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.agent.widening import bounds_of
from fsagent_lint.effect.field_checks import LIMITS
from fsagent_lint.frontmatter.edits import apply_edits
from fsagent_lint.rewrite.convert_tools import NO_CONVERSION, Conversion, convert_tools
from fsagent_lint.rewrite.proof_place import place_problem
from fsagent_lint.rewrite.reformat import NATIVE, reformat


@lru_cache(maxsize=2)  # several rules use it for the same file, one after another
def planned_conversion(subject: Subject) -> Conversion | None:
    """How the file would be written to reach the goal, if there is one."""
    goal = subject.goal
    if subject.sort is Sort.LIST or (subject.form == "auto" and _is_met(subject)):
        return None
    target, form = goal.target or subject.harness, subject.form
    if target is subject.harness:
        return convert_tools(subject, target, accept=goal.accept) if form == "auto" else reformat(subject, form)
    if subject.sort is Sort.MEMBER:
        # The other agents of the list would stay unchanged.
        way = f"`fsagent-lint convert --to {target.id}` writes a file for each {subject.kind_name}"
        return NO_CONVERSION._replace(error=f"{target.title} does not read this file; {way}")
    for name in subject.kind.fields if "*" not in goal.accept else ():
        if lost := inexpressible_limit(subject, name):
            return NO_CONVERSION._replace(
                error=f"`{name}` denies some of {lost}, which {target.title} cannot be told; nothing is written"
            )
    conversion = convert_tools(subject, target, "auto" if form == NATIVE else form, accept=goal.accept)
    problem = _place_problem(subject, conversion) if conversion.edits else ""
    return NO_CONVERSION._replace(error=problem) if problem else conversion


def _place_problem(subject: Subject, conversion: Conversion) -> str:
    """Why the file cannot stay where it is: a harness that reads the place would misunderstand it."""
    source, goal = subject.document.source, subject.goal
    after = subject.document.reread(source.to_bytes(apply_edits(source.text, conversion.edits)))
    readers = readers_of(source.path)
    problem = place_problem(after, readers, bounds_of(subject), goal.accept, before=subject.document)
    way = f"`fsagent-lint convert --to {goal.target.id} {source.path}`" if goal.target else ""
    return (
        f"{problem}; {way} writes a file where {goal.target.title} looks for it" if problem and goal.target else problem
    )


def _is_met(subject: Subject) -> bool:
    """Is the goal met already? With the file's own harness as the target, names are fixed wherever that is possible."""
    target, values = subject.goal.target, (*subject.values, *subject.misplaced)
    if target is None:
        return True
    return target is subject.harness and all(item.exact for value in values for item in value.items)


def inexpressible_limit(subject: Subject, name: str) -> str:
    """What a field denies and no other harness can express; empty for nothing."""
    field = subject.kind.fields.get(name)
    return LIMITS[field.limits]((subject.effect.data or {}).get(name)) if field is not None and field.limits else ""
