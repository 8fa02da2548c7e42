"""One file's tools for another harness, or in another form: the edits, and what cannot be said there."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.intent import intent
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.tool_values import ToolValue
from fsagent_lint.agent.verdicts import Verdict, switched
from fsagent_lint.agent.widening import exceeds, wider
from fsagent_lint.effect.presets import FORM
from fsagent_lint.frontmatter.edits import Edit, apply_edits, delete_entry
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.vocabulary import native_names
from fsagent_lint.model.finding import Fix, Safety
from fsagent_lint.model.policy import Action, Policy
from fsagent_lint.model.tool import NOTHING_MORE, Custom, Tool, accepts
from fsagent_lint.rewrite.render import Loss, Rendered, render, widenings
from fsagent_lint.rewrite.rewrite import obstacle, rewrite
from fsagent_lint.rewrite.take_apart import take_apart

_FINE = (Verdict.KNOWN, Verdict.RENAMED, Verdict.MCP, Verdict.EVERYTHING, Verdict.UNKNOWABLE)


class Conversion(NamedTuple):
    edits: tuple[Edit, ...]
    losses: tuple[Loss, ...]
    touches: frozenset[str]
    error: str = ""
    """Why the file cannot be written so at all."""


NO_CONVERSION = Conversion((), (), frozenset())


def convert_tools(
    subject: Subject,
    target: Harness,
    form: str = "auto",
    *,
    policy: Policy | None = None,
    accept: frozenset[str] = NOTHING_MORE,
    kind_name: str = "",
) -> Conversion:
    """Write the intent of a file for the target; `accept`: tools and risks that may be more than was meant.

    `policy`: the tools to write, where not those that the file names; `kind_name`: what the file is there.
    """
    kind_name = kind_name or subject.kind_name
    kind = target.kinds.get(kind_name)
    if kind is None:
        return NO_CONVERSION._replace(error=f"{target.title} has no {kind_name}s")
    wanted = policy or subject.intent.policy
    approved = [value for value in subject.values if subject.kind.keys[value.key].role == "approve"]
    if approved:
        # Approving in advance is not allowing: it can only become what it is.
        if "approve" not in kind.roles:
            return _without(subject, approved)
        wanted = intent((("allow", value) for value in approved), lambda name: subject.meaning(name).tools).policy
    elif kind.roles.isdisjoint(("allow", "switch", "permission")):
        return NO_CONVERSION  # nothing there could restrict anything
    there = subject.like(target, kind_name)
    if policy is None and _is_written_for(subject, there, wanted, form):
        return NO_CONVERSION._replace(losses=_unnamed(there, wanted))
    return _rewritten(subject, there, wanted, form, accept)


def _without(subject: Subject, values: Sequence[ToolValue]) -> Conversion:
    edits = tuple(delete_entry(subject.document.source.text, value.entry) for value in values)
    return Conversion(edits, (), frozenset(value.key for value in values))


def _is_read(subject: Subject, there: Subject) -> bool:
    """Does the target read every tool key that the file has?"""
    values = (*subject.values, *subject.misplaced)
    # Where a key that must be there is not, having none does not mean every tool.
    return all(value.key in there.kind.keys for value in values) and bool(values or not subject.kind.required_key)


def _is_written_for(subject: Subject, there: Subject, wanted: Policy, form: str) -> bool:
    """Is there nothing to do: the file says in the target what was meant, as it stands?"""
    if not _is_read(subject, there) or not _is_native(there, form):
        return False
    # Its own harness refuses how the tools are written, and the target does not: it is written for that one already.
    is_refused = subject.effect.key in there.kind.keys and not subject.effect.loads
    return is_refused or not _lacks(there, wanted, _foreign(subject))


def _rewritten(subject: Subject, there: Subject, wanted: Policy, form: str, accept: frozenset[str]) -> Conversion:
    """The file with its tools as the target reads them; proven to be read so."""
    target, kind = there.harness, there.kind
    values = sorted((*subject.values, *subject.misplaced), key=lambda value: value.entry.start)
    are_maps = bool(values) and all(value.shape == "map" for value in values)
    rendered = render(
        wanted,
        target,
        kind,
        "map" if form == "auto" and are_maps and _is_read(subject, there) else form,
        accept=accept,
        spelled=_spelled(subject, target),
        keep_scopes=target is subject.harness,
    )
    written_as = _form(subject, rendered, kind, form)
    if rendered.key is not None and form != "auto" and written_as not in kind.keys[rendered.key].forms:
        takes = " or ".join(kind.keys[rendered.key].forms)
        return NO_CONVERSION._replace(error=f"{target.title} cannot load `{rendered.key}` as {form}; it takes {takes}")
    problem = obstacle(subject, values)
    edits = rewrite(subject, values, rendered, written_as, there) if not problem else None
    if edits is None:
        why = problem or "the result would not be read as it is meant"
        return NO_CONVERSION._replace(error=f"The tools cannot be written for {target.title}: {why}")
    source = subject.document.source
    result = subject.document.reread(source.to_bytes(apply_edits(source.text, edits)))
    after = subject.like(target, there.kind_name, result)
    if problem := _misread(after, wanted, {loss.tool for loss in rendered.losses}, accept):
        return NO_CONVERSION._replace(error=f"The tools cannot be written for {target.title} {problem}")
    losses = (*_real_losses(subject, rendered, target), *widenings(wanted, rendered, target))
    touches = frozenset(value.key for value in values) | ({rendered.key} if rendered.key else set())
    return Conversion(edits, losses, touches)


def _misread(there: Subject, wanted: Policy, lost: Collection[Tool], accept: frozenset[str]) -> str:
    """What the next reader would take the result for that was not meant, in words; empty for nothing."""
    if there.document.error is not None:
        return ""  # that can be told when the rest is mended
    if _lacks(there, wanted, lost):
        return "without losing one"
    read, meant = there.intent.policy, wanted.named()
    for tool in read.named():
        # `WEB_fetch` is a tool of a server `WEB`, and what others call the web.
        if tool not in meant and read.action(tool) is not Action.DENY:
            if exceeds(wanted, tool) and not accepts(accept, tool):
                return f"without one that could be taken for {tool}"
    return ""


def _real_losses(subject: Subject, rendered: Rendered, target: Harness) -> list[Loss]:
    """A name that stands for several tools is not lost while the target has something for one of them."""
    partly: set[Tool] = set()
    wholly: set[Tool] = set()
    for names in {names for value in (*subject.values, *subject.misplaced) for names in _said(value)}:
        tools = [tool for name in names for tool in subject.meaning(name).tools]
        (partly if native_names(tools, target) else wholly).update(tools)
    kept = partly - wholly
    own = (loss.tool for loss in rendered.losses if loss.tool.server is not None)  # no built-in tool stands in for it
    kept = kept.difference(own)
    return [loss for loss in rendered.losses if loss.kind != "tool" or loss.detail or loss.tool not in kept]


def _said(value: ToolValue) -> list[tuple[str, ...]]:
    """What was written in one word: a set of tools, or each name by itself."""
    names = tuple(item.name for item in value.items)
    return [names] if value.shape == FORM else [(name,) for name in names]


def _is_native(there: Subject, form: str) -> bool:
    """Does the file, as it stands, do in the target what its words mean there?"""
    if there.kind.required_key and there.document.get(there.kind.required_key) is None:
        return False
    if there.misplaced or any(value.shape not in there.kind.keys[value.key].forms for value in there.values):
        return False
    if form != "auto" and any(value.shape != form for value in there.values):
        return False
    for entry in there.items:
        scoped = entry.item.scope and there.kind.keys[entry.value.key].scopes != "honoured"
        if entry.verdict not in _FINE or (scoped and entry.item.name not in there.kind.keys[entry.value.key].scoped):
            return False
    loads = there.effect.loads or there.effect.key not in (*there.kind.keys, "")
    return loads and not wider(there.effect, there.harness, there.intent.policy)


def _unnamed(there: Subject, wanted: Policy) -> tuple[Loss, ...]:
    """Tools that were meant and that the target has no name for, though the file is its own as it stands."""
    if wanted.default is Action.ALLOW:
        return ()
    meant = (tool for tool in wanted.named() if wanted.action(tool) is not Action.DENY and tool.risk is not None)
    return tuple(Loss("tool", tool) for tool in meant if not native_names((tool,), there.harness))


def _foreign(subject: Subject) -> set[Tool]:
    """Tools that only another harness' words name: in a file that was written for the target already, all of them."""
    own: set[Tool] = set()
    others: set[Tool] = set()
    for name in {item.name for value in (*subject.values, *subject.misplaced) for item in value.items}:
        meaning = subject.meaning(name)
        (own if meaning.how == "own" else others).update(meaning.tools)
    return others - own


def _lacks(there: Subject, wanted: Policy, lost: Collection[Tool] = ()) -> bool:
    """Does the file leave out, in the target's reading, a tool that was meant and that the target could name?"""
    if wanted.default is Action.ALLOW or there.effect.open or there.kind_name in ("skill", "command"):
        return False
    names = [entry.item.name for entry in there.items if entry.action is not Action.DENY]
    natives = {native for name in names for native in there.harness.natives(name)}
    granted = {Tool(each) for native in natives for each in there.harness.tools[native].grants}
    meant = (tool for tool in wanted.named() if wanted.action(tool) is not Action.DENY and tool.risk is not None)
    return any(tool not in granted and tool not in lost and native_names((tool,), there.harness) for tool in meant)


def _spelled(subject: Subject, target: Harness) -> dict[Tool, str]:
    """Names that the author wrote and the target knows too: they can stay."""
    names: dict[Tool, str] = {}
    for item in (item for value in (*subject.values, *subject.misplaced) for item in value.items):
        if target is subject.harness and (unknown := Custom(item.name)) in subject.meaning(item.name).tools:
            names.setdefault(unknown, item.name)  # not lacking there, only unknown to us
        known = target.lookup(item.name)
        # Where entries are gates, a tool's own name may open none.
        inert = target.semantics == "last-match" and not switched(target, item.name)
        if known is not None and known.status == "current" and item.name != "*" and not inert:
            there = target.canonical(item.name) or ()
            for tool in subject.meaning(item.name).tools:
                if tool.name in there:
                    names.setdefault(tool, item.name)
    return names


def _form(subject: Subject, rendered: Rendered, kind: Kind, form: str) -> str:
    """`auto`: what the file uses already where the key takes it; else the key's own form."""
    if rendered.key is None:
        return form
    forms = kind.keys[rendered.key].forms
    if form != "auto":
        return "permission" if form == "map" and rendered.role == "permission" else form
    shapes = [value.shape for value in (*subject.values, *subject.misplaced)]
    if shapes and shapes[0] in forms and shapes[0] != FORM:  # what is a set here need not be one there
        return shapes[0]
    text = subject.document.source.text
    commented = any(take_apart(value, text).has_comments for value in (*subject.values, *subject.misplaced))
    return "list" if forms[0] == "csv" and commented and "list" in forms else forms[0]


def own_form(subject: Subject) -> Fix | None:
    """A fix that writes what was meant in the harness' own key and form."""
    result = convert_tools(subject, subject.harness)
    if result.error or not result.edits or any(loss.kind == "widened" for loss in result.losses):
        return None
    sure = not subject.intent.guess and not any(loss.kind == "scope" for loss in result.losses)
    title = f"Write the tools as {subject.harness.title} reads them"
    return Fix(title, result.edits, Safety.SAFE if sure else Safety.UNSAFE, result.touches)
