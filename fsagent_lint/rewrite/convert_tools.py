"""One file's tools for another harness, or in another form: the edits, and the losses."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.readers import Reader
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.tool_values import ToolValue
from fsagent_lint.agent.verdicts import Verdict, switched
from fsagent_lint.agent.widening import EVERY_TOOL, Bounds, approvals, bounds_of, exceeds, wider
from fsagent_lint.effect.presets import FORM
from fsagent_lint.frontmatter.edits import Edit
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.harnesses.tables import builtin_harness
from fsagent_lint.harnesses.vocabulary import native_names
from fsagent_lint.model.finding import Fix, Safety
from fsagent_lint.model.policy import Action, Policy
from fsagent_lint.model.tool import ACCEPT_NONE, COMPANIONS, TOOLS, Risk, Tool, accepts
from fsagent_lint.rewrite.entries import Loss, Wanted
from fsagent_lint.rewrite.render import Rendered, render, widenings
from fsagent_lint.rewrite.rewrite import drop_value, obstacle, rewrite
from fsagent_lint.rewrite.take_apart import take_apart

_USABLE = (Verdict.KNOWN, Verdict.RENAMED, Verdict.MCP, Verdict.EVERYTHING, Verdict.UNKNOWABLE)


class Conversion(NamedTuple):
    edits: tuple[Edit, ...]
    losses: tuple[Loss, ...]
    touches: frozenset[str]
    error: str = ""
    """Why the file cannot be converted at all."""


NO_CONVERSION = Conversion((), (), frozenset())


def convert_tools(
    subject: Subject,
    target: Harness,
    form: str = "auto",
    *,
    policy: Policy | None = None,
    accept: frozenset[str] = ACCEPT_NONE,
    kind_name: str = "",
    readers: Sequence[Reader] = (),
    in_place: bool = True,
) -> Conversion:
    """Write the intent of a file for the target; `accept`: tools and risks that may exceed the intent.

    `policy`: the tools to write, if not those that the file names; `kind_name`: the kind of the file in the target;
    `readers`: the harnesses that will read the result; `in_place`: the file may be written for the target already.
    """
    kind_name = kind_name or subject.kind_name
    kind = target.kinds.get(kind_name)
    if kind is None:
        return NO_CONVERSION._replace(error=f"{target.title} has no {kind_name}s")
    approved = _approving(subject)
    if (simple := _without_approvals(subject, target, kind, kind_name, accept)) is not None:
        return simple
    if not approved and kind.roles.isdisjoint(("allow", "switch", "permission")):
        return NO_CONVERSION  # no key of the target could restrict anything
    # Approving in advance is not allowing: it can only be converted to the same.
    meant = approvals(subject) if approved else policy_to_write(subject, target, policy)
    wanted = _wanted(subject, target, meant)
    in_target = subject.like(target, kind_name)
    if (
        policy is None
        and (in_place or target is subject.harness)
        and _is_written_for(subject, in_target, wanted.policy, form)
    ):
        return NO_CONVERSION._replace(losses=_unnamed(in_target, wanted))
    result = _rewritten(subject, in_target, wanted, form, accept, readers)
    if policy is None and not approved and meant != subject.intent.policy and subject.effect.open:
        result = result._replace(losses=(*result.losses, Loss("unnamed", Tool.native(EVERY_TOOL))))
    return result


def _approving(subject: Subject) -> list[ToolValue]:
    return [value for value in subject.values if subject.kind.keys[value.key].role == "approve"]


def _without_approvals(
    subject: Subject, target: Harness, kind: Kind, kind_name: str, accept: frozenset[str]
) -> Conversion | None:
    """What becomes of approvals and denials where the target has no such key; None if it has."""
    policy, approved = subject.intent.policy, _approving(subject)
    denied = [str(tool) for tool in policy.named() if policy.action(tool) is Action.DENY]
    if kind.keys and _RESTRICTING.isdisjoint(kind.roles) and denied and "*" not in accept:
        error = f"{target.title} cannot deny tools in a {kind_name}, but this one denies {', '.join(denied)}"
        return NO_CONVERSION._replace(error=error)
    unread = [value for value in subject.misplaced if subject.kind.wrong_keys[value.key].role == "approve"]
    if unread and not approved and target is not subject.harness and "*" not in accept:
        # Its own harness approves nothing by this key, and what runs without asking must not begin here.
        named = (tool for value in unread for item in value.items for tool in subject.meaning(item.name).tools)
        losses = [Loss("unapproved", tool, unread[0].key) for tool in dict.fromkeys(named)]
        return _without(subject, unread)._replace(losses=tuple(losses))
    if approved and "approve" not in kind.roles:
        losses = [Loss("approval", tool) for tool in approvals(subject).named()]
        return _without(subject, subject.values)._replace(losses=tuple(losses))
    return None


_RESTRICTING = frozenset(("allow", "deny", "switch", "permission"))


def policy_to_write(subject: Subject, target: Harness, policy: Policy | None = None) -> Policy:
    """The intent, and of two readings the narrower one: a map that also names what is on is a list for others.

    A map of its own harness, where it is rules over every tool, is one only if the tools that are on could do as a
    list: without one that reads, no agent gets far.
    """
    policy = policy or subject.intent.policy
    if target is subject.harness or policy.default is not Action.ALLOW or not _lists_what_is_on(subject):
        return policy
    return Policy(Action.DENY, policy.rules)


def _lists_what_is_on(subject: Subject) -> bool:
    values = [value for value in (*subject.values, *subject.misplaced) if value.shape == "map"]
    items = [item for value in values for item in value.items]
    on = [item.name for item in items if item.action is Action.ALLOW]
    if not on or "*" in {item.name for item in items}:
        return False
    is_rules = subject.harness.semantics == "last-match"
    return not is_rules or any(Tool.Read in subject.meaning(name).tools for name in on)


def _wanted(subject: Subject, target: Harness, policy: Policy) -> Wanted:
    bounds, tools, effect = bounds_of(subject, policy), subject.harness.tools, subject.effect
    is_own = target is subject.harness
    natives: Sequence[str] = (*effect.tools, *effect.ask)
    if is_own and not effect.loads:
        # Denials in a form that it refuses are meant for what it grants otherwise; to grant that needs review.
        natives = [name for name in target.default_tools if tools[name].presence == "default"]
        bounds = Bounds(policy, frozenset(target.granted(natives)))
    perhaps = (tool for native in effect.conditional for tool in tools[native].main if tool in _common_tools())
    left = frozenset((*(tool for native in natives for tool in tools[native].main), *perhaps)) or bounds.had
    names = _names_in(subject) if not is_own else ()
    along = {tool for name in names for tool in subject.meaning(name).tools}
    along -= {tool for name in names for tool in subject.main_tools(name)}
    return Wanted(bounds, frozenset(along), left & bounds.had, subject.known_servers)


@cache
def _common_tools() -> frozenset[Tool]:
    """What an agent is expected to have even where it depends on something, such as a network."""
    common = (TOOLS[name] for name in builtin_harness("canonical").default_tools)
    return frozenset(tool for tool in common if tool.risk is not Risk.INTERACT)


def _names_in(subject: Subject) -> list[str]:
    """The names of tools in a file; `*` names none."""
    items = (item for value in (*subject.values, *subject.misplaced) for item in value.items)
    return [item.name for item in items if item.name != EVERY_TOOL]


def _without(subject: Subject, values: Sequence[ToolValue]) -> Conversion:
    edits = tuple(drop_value(subject.document.source.text, value) for value in values)
    return Conversion(edits, (), frozenset(value.key for value in values))


def _is_read(subject: Subject, in_target: Subject) -> bool:
    """Does the target read every tool key that the file has?"""
    values = (*subject.values, *subject.misplaced)
    # If a required key is missing, having no key does not mean every tool.
    return all(value.key in in_target.kind.keys for value in values) and bool(values or not subject.kind.required_key)


def _is_written_for(subject: Subject, in_target: Subject, wanted: Policy, form: str) -> bool:
    """Is there nothing to do, because the file as it stands expresses the intent in the target?"""
    is_foreign = subject.harness is not in_target.harness
    if not _is_read(subject, in_target) or not _is_native(in_target, form, subject if is_foreign else None):
        return False
    if is_foreign and wider(in_target.effect, in_target.harness, bounds_of(subject, wanted)):
        return False
    # Its own harness refuses the form of the tools and the target does not: the file is written for the target already.
    is_refused = subject.effect.key in in_target.kind.keys and not subject.effect.loads
    return is_refused or not _lacks(in_target, wanted, _foreign(subject))


def _rewritten(
    subject: Subject,
    in_target: Subject,
    wanted: Wanted,
    form: str,
    accept: frozenset[str],
    readers: Sequence[Reader],
) -> Conversion:
    """The file with its tools in the target's form, verified by reading it back."""
    target, kind = in_target.harness, in_target.kind
    values = sorted((*subject.values, *subject.misplaced), key=lambda value: value.entry.start)
    are_maps = bool(values) and all(value.shape == "map" for value in values)
    is_own = target is subject.harness
    rendered = render(
        wanted,
        target,
        kind,
        "map" if form == "auto" and are_maps and is_own else form,
        accept=accept,
        spelled=_spelled(subject) if is_own else {},
        is_own=is_own,
        lists_only=not all(_obeys_denials(reader, kind) for reader in readers),
    )
    written_as = _form(subject, rendered, kind, form, is_own=is_own)
    if rendered.key is not None and form != "auto" and written_as not in kind.keys[rendered.key].forms:
        takes = " or ".join(kind.keys[rendered.key].forms)
        return NO_CONVERSION._replace(
            error=f"{target.title} cannot load `{rendered.key}` as {form}; it accepts {takes}"
        )
    problem = obstacle(subject, values)
    edits = rewrite(subject, values, rendered, written_as, in_target, native=not is_own) if not problem else None
    if edits is None:
        why = problem or "the result would be read differently"
        return NO_CONVERSION._replace(error=f"The tools cannot be written for {target.title}: {why}")
    after = subject.like(target, in_target.kind_name, subject.document.edited(edits))
    lost = {*(loss.tool for loss in rendered.losses), *wanted.along, *_companions(wanted)}
    if problem := _misread(after, wanted.bounds, lost, accept):
        return NO_CONVERSION._replace(error=f"The tools cannot be written for {target.title} {problem}")
    losses = [*_real_losses(subject, rendered, target), *widenings(wanted.bounds, rendered, target)]
    touches = frozenset(value.key for value in values) | ({rendered.key} if rendered.key else set())
    return Conversion(edits, tuple(losses), touches)


def _obeys_denials(reader: Reader, kind: Kind) -> bool:
    """Does a reader of the result understand the key that the target denies tools with?"""
    keys = [name for name, key in kind.keys.items() if key.role == "deny"]
    return all(name in reader.kind.keys and reader.kind.keys[name].role == "deny" for name in keys)


def _companions(wanted: Wanted) -> set[Tool]:
    """Tools that need no name beside their leaders."""
    return {tool for tool in wanted.bounds.named if tool.risk is not None and tool.name in COMPANIONS}


def _misread(in_target: Subject, bounds: Bounds, lost: Collection[Tool], accept: frozenset[str]) -> str:
    """How the target's reading of the result would differ from the intent, in words; empty if it does not."""
    if in_target.document.error is not None:
        return ""  # that can be checked once the rest is repaired
    if _lacks(in_target, bounds.policy, lost):
        return "without losing one"
    read, intended = in_target.intent.policy, bounds.named
    for tool in read.named():
        # `WEB_fetch` is a tool of a server `WEB`, and also the web tool of other harnesses.
        if tool not in intended and read.action(tool) is not Action.DENY:
            if exceeds(bounds, tool) and not accepts(accept, tool):
                return f"without one that could be read as {tool}"
    return ""


def _real_losses(subject: Subject, rendered: Rendered, target: Harness) -> list[Loss]:
    """The losses, except where a name stands for several tools and the target has an equivalent of one of them."""
    partly: set[Tool] = set()
    wholly: set[Tool] = set()
    for names in {names for value in (*subject.values, *subject.misplaced) for names in _name_groups(value)}:
        tools = [tool for name in names for tool in subject.meaning(name).tools]
        (partly if native_names(tools, target) else wholly).update(tools)
    kept = partly - wholly
    own = (loss.tool for loss in rendered.losses if loss.tool.server is not None)  # no built-in tool replaces it
    kept = kept.difference(own)
    return [loss for loss in rendered.losses if loss.kind != "tool" or loss.detail or loss.tool not in kept]


def _name_groups(value: ToolValue) -> list[tuple[str, ...]]:
    """The names that each word in the file stands for: all names of a preset, or one name by itself."""
    names = tuple(item.name for item in value.items)
    return [names] if value.shape == FORM else [(name,) for name in names]


def _is_native(in_target: Subject, form: str, foreign: Subject | None) -> bool:
    """Does the file as it stands have, in the target, the effect that its names mean there?

    `foreign`: the file as its own harness reads it, if that is not the target.
    """
    if in_target.kind.required_key and in_target.document.get(in_target.kind.required_key) is None:
        return False
    if in_target.misplaced or any(
        value.shape not in in_target.kind.keys[value.key].forms for value in in_target.values
    ):
        return False
    if form != "auto" and any(value.shape != form for value in in_target.values):
        return False
    for entry in in_target.items:
        if entry.item.name == EVERY_TOOL and foreign:
            return False  # leaving out the key says the same to more readers
        if foreign and not _is_written_there(entry.item.name, in_target.harness, foreign.harness):
            return False
        scoped = entry.item.scope and in_target.kind.keys[entry.value.key].scopes != "honoured"
        if entry.verdict not in _USABLE or (
            scoped and entry.item.name not in in_target.kind.keys[entry.value.key].scoped
        ):
            return False
    return _are_tools_read(in_target) and not wider(in_target.effect, in_target.harness, bounds_of(in_target))


def _is_written_there(name: str, target: Harness, source: Harness) -> bool:
    """Do people write this name for the target? An alias that it merely understands is not one."""
    if target.lookup(name) is None:
        # Of a server, a custom tool, or everything: unless the source has a tool of this name.
        return source.lookup(name) is None
    return name in target.tools or any(name in names for names in target.write.values())


def _are_tools_read(subject: Subject) -> bool:
    """Does the file load, or fail to for a reason that has nothing to do with its tools, such as an empty prompt?"""
    effect = subject.effect
    return effect.loads or (effect.key not in subject.kind.keys if effect.key else bool(effect.data))


def _unnamed(in_target: Subject, wanted: Wanted) -> tuple[Loss, ...]:
    """Intended tools that the target has no name for, although the file is written for it already."""
    policy = wanted.policy
    if policy.default is Action.ALLOW:
        return ()
    allowed = (tool for tool in policy.named() if policy.action(tool) is not Action.DENY)
    intended = (tool for tool in allowed if tool.risk is not None and tool not in wanted.along)
    return tuple(Loss("tool", tool) for tool in intended if not native_names((tool,), in_target.harness))


def _foreign(subject: Subject) -> set[Tool]:
    """Tools that only another harness's names stand for: all of them, if the file is written for the target already."""
    own: set[Tool] = set()
    others: set[Tool] = set()
    for name in {item.name for value in (*subject.values, *subject.misplaced) for item in value.items}:
        meaning = subject.meaning(name)
        (own if meaning.how == "own" else others).update(meaning.tools)
    return others - own


def _lacks(in_target: Subject, wanted: Policy, lost: Collection[Tool] = ()) -> bool:
    """Does the file, as the target reads it, lack an intended tool that the target has a name for?"""
    if wanted.default is Action.ALLOW or in_target.effect.open or in_target.kind_name in ("skill", "command"):
        return False
    names = {entry.item.name for entry in in_target.items if entry.action is not Action.DENY}
    natives = {native for name in names for native in in_target.harness.natives(name)}
    granted = in_target.harness.granted(natives)
    intended = (tool for tool in wanted.named() if wanted.action(tool) is not Action.DENY and tool.risk is not None)
    missing = (tool for tool in intended if tool not in granted and tool not in lost)
    # What is written for a tool may be no more than a substitute, such as finding files for listing folders.
    return any(
        usual and names.isdisjoint(usual) for tool in missing if (usual := native_names((tool,), in_target.harness))
    )


def _spelled(subject: Subject) -> dict[Tool, str]:
    """The author's names, which stay in a file that is written for its own harness."""
    harness, names = subject.harness, dict[Tool, str]()
    for name in _names_in(subject):
        if (unknown := Tool.custom(name)) in subject.meaning(name).tools:
            names.setdefault(unknown, name)  # the harness does not lack it, it is only unknown to us
        known = harness.lookup(name)
        # If entries are gates, a tool's own name may not match one.
        inert = harness.semantics == "last-match" and not switched(harness, name)
        if known is not None and known.status == "current" and name != "*" and not inert:
            canonical = harness.canonical(name) or ()
            for tool in subject.meaning(name).tools:
                if tool.name in canonical:
                    names.setdefault(tool, name)
    return names


def _form(subject: Subject, rendered: Rendered, kind: Kind, form: str, *, is_own: bool) -> str:
    """`auto`: for its own harness the form that the file has, if the key accepts it; else the key's usual form."""
    if rendered.key is None:
        return form
    forms = kind.keys[rendered.key].forms
    if form != "auto":
        return "permission" if form == "map" and rendered.role == "permission" else form
    shapes = [value.shape for value in (*subject.values, *subject.misplaced)]
    if (
        is_own and shapes and shapes[0] in forms and shapes[0] != FORM
    ):  # a preset of one harness need not exist in another
        return shapes[0]
    text = subject.document.source.text
    commented = any(take_apart(value, text).has_comments for value in (*subject.values, *subject.misplaced))
    return "list" if forms[0] == "csv" and commented and "list" in forms else forms[0]


def native_form_fix(subject: Subject) -> Fix | None:
    """A fix that writes the intent with the harness's own key and form."""
    result = convert_tools(subject, subject.harness)
    if result.error or not result.edits or any(loss.kind == "widened" for loss in result.losses):
        return None
    sure = not subject.intent.guess and not any(loss.kind == "scope" for loss in result.losses)
    title = f"Write the tools as {subject.harness.title} reads them"
    return Fix(title, result.edits, Safety.SAFE if sure else Safety.UNSAFE, result.touches)
