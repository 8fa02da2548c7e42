"""The planned conversion of a file that the user wants for another harness, or in another tool format."""

from __future__ import annotations

from functools import lru_cache

from fsagent_lint.agent.enrich import enriched, wanted
from fsagent_lint.agent.readers import readers_of
from fsagent_lint.agent.subject import Sort, Subject
from fsagent_lint.agent.widening import EVERY_TOOL, approvals, bounds_of, wider
from fsagent_lint.effect.field_checks import LIMITS
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.vocabulary import native_names
from fsagent_lint.model.tool import ACCEPT_ALL, Tool
from fsagent_lint.rewrite.convert_tools import NO_CONVERSION, Conversion, convert_tools
from fsagent_lint.rewrite.entries import Loss
from fsagent_lint.rewrite.proof_place import place_problem
from fsagent_lint.rewrite.reformat import NATIVE, reformat


@lru_cache(maxsize=2)  # several rules use it for the same file, one after another
def planned_conversion(subject: Subject) -> Conversion | None:
    """How the file would be written to reach the goal, if there is one."""
    goal, form = subject.goal, subject.form
    if subject.sort is Sort.DATA or (form == "auto" and _is_met(subject)):
        return None
    target = goal.target or subject.harness
    if target is subject.harness:
        return _convert(subject, target) if form == "auto" else reformat(subject, form)
    if subject.sort is Sort.MEMBER:
        # The other agents of the file would stay unchanged.
        way = f"`fsagent-lint convert --to {target.id}` writes a file for each {subject.kind_name}"
        if not subject.kind.under:
            way = "only markdown is rewritten for another harness"
        return NO_CONVERSION._replace(error=f"{target.title} does not read this file; {way}")
    for name in subject.kind.fields if "*" not in goal.accept else ():
        if lost := inexpressible_limit(subject, name):
            return NO_CONVERSION._replace(
                error=f"`{name}` denies some of {lost}, which {target.title} cannot express; nothing is written"
            )
    return _convert(subject, target)


def _convert(subject: Subject, target: Harness) -> Conversion:
    goal, form = subject.goal, "auto" if subject.form == NATIVE else subject.form
    plain = convert_tools(subject, target, form, accept=goal.accept)
    is_enriched = wanted(subject) is not subject.intent.policy
    if not is_enriched or (not plain.edits and not plain.error and _is_enriched(subject)):
        conversion = plain
    else:
        conversion = convert_tools(subject, target, form, policy=wanted(subject), accept=goal.accept)
    problem = _problem(subject, target, conversion) if conversion.edits else ""
    if problem and "*" in goal.accept:
        return conversion._replace(losses=(*conversion.losses, Loss("place", Tool.native(EVERY_TOOL), problem)))
    if not problem:
        return conversion
    way = f"`fsagent-lint convert --to {target.id} {subject.document.source.path}`"
    error = f"The tools cannot be written for {target.title} here: {problem}"
    return NO_CONVERSION._replace(error=f"{error}. {way} writes a file where {target.title} looks for it")


def _problem(subject: Subject, target: Harness, conversion: Conversion) -> str:
    """Why the file cannot be written so: it keeps what an enricher removes, or a reader of the place misunderstands it."""
    after = subject.document.edited(conversion.edits)
    if wanted(subject) is not subject.intent.policy:
        bounds = bounds_of(subject, wanted(subject))
        if kept := wider(subject.like(target, document=after).effect, target, bounds):
            return f"the agent would have {', '.join(kept)}, which an enricher removes"
    return _place_problem(subject, after) if target is not subject.harness else ""


def _place_problem(subject: Subject, after: Document) -> str:
    path, bounds = subject.document.source.path, bounds_of(subject, wanted(subject))
    readers, own = readers_of(path), subject.like(subject.harness, document=after)
    named = subject.goal.accept - ACCEPT_ALL
    problem = place_problem(after, readers, bounds, named, before=subject.document)
    if not problem and readers and approvals(own) != approvals(subject):
        return f"{subject.harness.title} also reads the file, and would no longer approve the same tools"
    return problem


def _is_enriched(subject: Subject) -> bool:
    """Does the file, as the target reads it, say all that the enrichers want and the target can express?"""
    goal = subject.goal
    if goal.target is None or not goal.enrichers or subject.kind_name not in goal.target.kinds:
        return True
    in_target = subject.like(goal.target)
    said, meant = in_target.intent.policy, enriched(in_target, goal.target, goal.enrichers)
    return said.default is meant.default and all(
        said.action(tool) is meant.action(tool) and said.patterns(tool) == meant.patterns(tool)
        for tool in meant.named()
        if native_names((tool,), goal.target)
    )


def _is_met(subject: Subject) -> bool:
    """Is the goal met already? With the file's own harness as the target, names are fixed wherever that is possible."""
    target, values = subject.goal.target, (*subject.values, *subject.misplaced)
    if target is None:
        return True
    return (
        target is subject.harness
        and _is_enriched(subject)
        and all(item.exact for value in values for item in value.items)
    )


def inexpressible_limit(subject: Subject, name: str) -> str:
    """What a field denies and no other harness can express; empty for nothing."""
    field = subject.kind.fields.get(name)
    return LIMITS[field.limits]((subject.effect.data or {}).get(name)) if field is not None and field.limits else ""
