"""Convert a whole file for another harness: its path and name, its tools, and every other field by meaning."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from fsagent_lint.agent.readers import Reader, readers_of
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.widening import bounds_of, excess
from fsagent_lint.converter.fields import Slot, read_slot, write_slot
from fsagent_lint.converter.placeholders import ConvertedPrompt, convert_prompt, report_placeholders
from fsagent_lint.effect.fields import field_problem
from fsagent_lint.files.names import name_problem
from fsagent_lint.frontmatter.dump import field_text
from fsagent_lint.frontmatter.edits import Edit, apply_edits, delete_entry, quote
from fsagent_lint.frontmatter.nodes import Entry, Scalar, Span
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.frontmatter.values import Value
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Field, Kind
from fsagent_lint.model.converted import Converted
from fsagent_lint.model.finding import Consequence
from fsagent_lint.model.loss import LossKind, ReportedLoss
from fsagent_lint.model.policy import Action, Policy, PolicyRule
from fsagent_lint.model.tool import ACCEPT_NONE, Tool, accepts
from fsagent_lint.rewrite.convert_tools import convert_tools
from fsagent_lint.rewrite.goal import inexpressible_limit
from fsagent_lint.rewrite.losses import report_losses
from fsagent_lint.rewrite.render import fields_by_risk, lost_tools
from fsagent_lint.rewrite.rewrite import remove_tool_keys

_SAME_KIND = {
    "agent": ("agent", "mode"),
    "command": ("command", "prompt"),
    "prompt": ("prompt", "command"),
    "chatmode": ("chatmode", "agent", "mode"),
    "mode": ("mode", "agent"),
}
_RESTRICTING = ("allow", "switch", "permission")
_NEVER_STARTED = ("hooks", "permission-mode")
"""Meanings of fields that take effect by being written: one that the source harness ignores stays without effect."""


def convert_file(
    subject: Subject,
    target: Harness,
    *,
    form: str = "auto",
    policy: Policy | None = None,
    accept: frozenset[str] = ACCEPT_NONE,
    has_place: bool = True,
) -> Converted:
    """The file, converted for the target. `policy`: the tools to write, if not those that the file names.

    `has_place`: the result will lie where the target looks for it, and where other harnesses may look, too.
    """
    kind_name = kind_for(subject, target)
    if not kind_name:
        known = [each for each in _kinds(subject) if each in target.kinds]
        missing = f"place for {known[0]}s: its table has no `path`" if known else f"{subject.kind_name}s"
        return Converted("", b"", (), f"{target.title} has no {missing}")
    repaired = _repair_yaml(subject)
    if repaired.document.error is not None:
        return Converted("", b"", (), f"the frontmatter is not valid YAML: {repaired.document.error.problem}")
    kind = target.kinds[kind_name]
    readers = readers_of(kind.path) if has_place else ()
    name = identity(repaired, (kind, *(reader.kind for reader in readers)))
    if not name:
        needed = f"{target.title} needs a name in Latin letters that is not a device name"
        return Converted("", b"", (), f"neither its name nor its file name is usable: {needed}; rename it")
    result = _Conversion(repaired, target, kind, kind_name, readers, name).run(form, policy, accept)
    path = kind.path.format(name=name)
    return (
        result if result.error else result._replace(path=path, name=name, kind=kind_name, fields=repaired.effect.data)
    )


def kind_for(subject: Subject, target: Harness) -> str:
    """The kind of file that the target has a place for; empty if it has none."""
    return next((each for each in _kinds(subject) if each in target.kinds and target.kinds[each].path), "")


def _kinds(subject: Subject) -> tuple[str, ...]:
    if subject.kind.under:  # a member of a list, a sort of file that no other harness has
        return _SAME_KIND["agent"]
    return _SAME_KIND.get(subject.kind_name, (subject.kind_name,))


def converted_prompt(subject: Subject, target: Harness, kind_name: str) -> ConvertedPrompt:
    """The prompt of a file, with its placeholders in the notation of the target."""
    prompt, notation = subject.document.source.prompt, target.kinds[kind_name].notation
    if target is subject.harness and kind_name == subject.kind_name:
        return ConvertedPrompt(prompt)
    return convert_prompt(prompt, subject.kind.notation, notation)


def identity(subject: Subject, kinds: Sequence[Kind] = ()) -> str:
    """The identity of the file, in characters that a file name may have; empty if none will do.

    `kinds`: those that the result is read as. An agent whose name they do not allow is known by its file name, and a
    text without a path by its `name`.
    """
    name = subject.document.text_of("name") or ""
    own = (name, subject.file_identity) if subject.kind.identity == "name" else (subject.file_identity, name)
    slugs = filter(None, map(_slug, own))
    return next((slug for slug in slugs if _is_possible(slug, kinds)), "" if any(own) else "agent")


def _slug(text: str) -> str:
    """Without accents; letters of other scripts stay, in the one form that all disks agree on."""
    plain = "".join(each for each in unicodedata.normalize("NFKD", text.strip()) if not unicodedata.combining(each))
    if any(each.isalnum() and not each.isascii() for each in plain):
        plain = unicodedata.normalize("NFKC", text)
    kept = (each if each in "._-" or unicodedata.category(each)[0] in "LNM" else "-" for each in plain.lower())
    return re.sub(r"-{2,}", "-", "".join(kept)).strip("-.")


def _is_possible(slug: str, kinds: Sequence[Kind]) -> bool:
    """Can a file have this name on every system, and the field for it these letters?"""
    paths = [kind.path.format(name=slug) for kind in kinds if kind.path] or [slug]
    if any(name_problem(part) for path in paths for part in path.split("/")):
        return False
    fields = {kind: [name for name in ("name", kind.slot("slug")) if name in kind.fields] for kind in kinds}
    return slug.isascii() or not any(
        field_problem({name: slug}, name, kind.fields[name]) for kind, names in fields.items() for name in names
    )


def _repair_yaml(subject: Subject) -> Subject:
    """Repair YAML that does not parse, if quoting a value is enough."""
    if subject.document.error is None:
        return subject
    from fsagent_lint.rewrite.repair_yaml import repair

    fix = repair(subject)
    if fix is None:
        return subject
    source = subject.document.source
    data = source.to_bytes(apply_edits(source.text, fix.edits))
    return subject.like(subject.harness, document=subject.document.reread(data))


class _Conversion:
    """The conversion of one file: collects edits and losses."""

    def __init__(
        self, subject: Subject, target: Harness, kind: Kind, kind_name: str, readers: Sequence[Reader], name: str
    ) -> None:
        self.subject, self.target, self.kind, self.kind_name = subject, target, kind, kind_name
        self.readers, self.name = readers, name
        self.edits: list[Edit] = []
        self.losses: list[ReportedLoss] = []
        self.fields: dict[str, Value] = {}
        """The fields of the result, as far as they are known."""
        self.top: list[str] = []
        self.bottom: list[str] = []
        self.accept = ACCEPT_NONE
        self.denies_edits = False
        """Was there a plan mode, which the target does not have?"""

    def run(self, form: str, policy: Policy | None, accept: frozenset[str]) -> Converted:
        source = self.subject.document.source
        prompt = converted_prompt(self.subject, self.target, self.kind_name)
        self.losses += report_placeholders(prompt, self.subject.harness, self.target, self.kind_name)
        if prompt.started and not accepts(accept, Tool.Shell):
            error = f"{self.target.title} would run {prompt.started[0]}, which is plain text in {self.subject.harness.title}"
            return Converted("", b"", (), error)
        if source.problem == "missing":
            error = "" if self.kind.frontmatter == "optional" else "the file has no frontmatter"
            return Converted("", prompt.data, tuple(self.losses), error)
        self.accept = accept
        self._convert_fields()
        self._add_fields(self.name)
        problem = self._convert_tools(form, policy, accept)
        if problem:
            return Converted("", b"", tuple(self.losses), problem)
        for field, facts in self.kind.fields.items():
            if facts.required and facts.wrong == "refused" and field not in self.fields:
                return Converted(
                    "", b"", tuple(self.losses), f"{self.target.title} requires `{field}`, which the file does not have"
                )
        text = apply_edits(source.text, [*self.edits, *self._insertions(source)])
        return Converted("", text.encode("utf-8") + prompt.data, tuple(self.losses))

    def _convert_fields(self) -> None:
        keys = {*self.subject.kind.keys, *self.subject.kind.wrong_keys}
        data = self.subject.effect.data or {}
        for entry in self.subject.document.entries:
            if entry.name is None or entry.name in keys:
                continue
            if entry.name.startswith("x-") and self.target is not self.subject.harness:
                self.edits.append(delete_entry(self.subject.document.source.text, entry))
                continue
            self._convert_field(entry, entry.name, data.get(entry.name, _text(entry)))

    def _convert_field(self, entry: Entry, name: str, value: Value) -> None:
        known, wanted = self.subject.kind.fields.get(name), self.kind.fields.get(name)
        fits = known is None or not field_problem({name: value}, name, known)
        if self.target is self.subject.harness and name != "name" and fits:
            self.fields[name] = value  # the harness's own words stay: a translation might not know all of them
            return
        facts = known or wanted
        if name == "name" and facts is not None and not facts.meaning:
            self._drop(entry)  # the harness ignores it
            return
        # A field that only the target knows is intended for the target, whatever its value.
        field = known or (wanted if name != "name" else None)
        slot = read_slot(name, value, field, self.subject.harness) if field and field.meaning else None
        is_valid = wanted is not None and not field_problem({name: value}, name, wanted)
        if known and known.meaning and slot is None:
            self._drop(entry)
        elif known is None and wanted is not None and wanted.meaning in _NEVER_STARTED:
            self._lose(entry, name, f"`{name}`")
        elif slot is not None and slot.meaning == "name":
            self._keep_name(entry, name)
        elif slot is not None and (known or not is_valid):
            self._translate(entry, name, slot)
        elif is_valid or (known is None and wanted is None and self.kind.unknown_fields == "ignored"):
            self.fields[name] = value
        else:
            self._lose(entry, name, f"`{name}`")

    def _translate(self, entry: Entry, name: str, slot: Slot) -> None:
        written = write_slot(slot, self.subject.harness, self.target, self.kind)
        if written.fields and written.fields.keys() <= self.fields.keys():
            self._drop(entry)  # another field of the file said the same
            return
        self.fields.update(written.fields)
        if not written.fields:
            self._lose(entry, name, written.lost if not self._is_redundant(slot) else "", slot)
            return
        if written.lost:
            self._report_loss(f"{self.target.title} {written.reason} {written.lost}; dropped.")
        old = (self.subject.effect.data or {}).get(name, written.fields.get(name))
        if written.fields != {name: old}:
            newline = self.subject.document.source.newline
            lines = [field_text(key, value, newline) for key, value in written.fields.items()]
            self.edits.append(Edit(entry.span, newline.join([*self._inner_comments(entry), *lines])))

    def _inner_comments(self, entry: Entry) -> list[str]:
        """The comments inside a value of several lines, which is written anew."""
        text = self.subject.document.source.text[entry.start : entry.end]
        if isinstance(entry.value, Scalar) or "#" not in text:
            return []
        from fsagent_lint.frontmatter.second_reader import comments_of

        return comments_of(text)

    def _is_redundant(self, slot: Slot) -> bool:
        """Is it a title that only repeats the name or the description, which are kept?"""
        document = self.subject.document
        same = {_letters(document.stem), _letters(document.text_of("description") or "")}
        return slot.meaning == "title" and _letters(str(slot.value)) in same

    def _name_fields(self) -> list[Field]:
        """The field `name` as the target and the others who read its place want it: one may be stricter than another."""
        kinds = [self.kind, *(reader.kind for reader in self.readers)]
        return [kind.fields["name"] for kind in kinds if "name" in kind.fields]

    def _keep_name(self, entry: Entry, name: str) -> None:
        """Drop the name if the file name is the identity: a second name could only contradict it."""
        facts = self.kind.fields.get("name")
        if facts is None or not facts.meaning:
            self._drop(entry)  # the harness ignores it
        elif self.kind.identity == "name" and not facts.required and not facts.usual:
            self._drop(entry)
        else:
            must_match = self.kind.identity == "name" or any(field.is_identity for field in self._name_fields())
            wanted = self.name if must_match else None
            if wanted is not None and wanted != self.subject.document.text_of(name):
                self.edits.append(Edit(entry.value.span, quote(wanted)))
            self.fields[name] = True

    def _drop(self, entry: Entry) -> None:
        self.edits.append(delete_entry(self.subject.document.source.text, entry))

    def _lose(self, entry: Entry, name: str, lost: str, slot: Slot | None = None) -> None:
        """Drop a field, and report what is lost with it, if something is."""
        self._drop(entry)
        if not lost:
            return
        if limit := inexpressible_limit(self.subject, name):
            accepted = "*" in self.accept
            clause = "accepted" if accepted else "nothing is written"
            message = f"`{name}` denies some of {limit}, which {self.target.title} cannot express; {clause}."
            self.losses.append(
                ReportedLoss(LossKind.WIDENED, message, Consequence.STYLE if accepted else Consequence.WIDENED)
            )
            return
        is_plan = slot is not None and (slot.meaning, slot.value) == ("permission-mode", "plan")
        self.denies_edits |= is_plan
        outcome = "edits are denied instead" if is_plan else "dropped"
        if name in self.kind.fields or (slot is not None and self.kind.slot(slot.meaning)):
            self._report_loss(f"{self.target.title} has no equivalent of {lost}; {outcome}.")
        else:
            self._report_loss(f"{self.target.title} has no field for {lost} in {self.kind_name}s; {outcome}.")

    def _report_loss(self, message: str) -> None:
        self.losses.append(ReportedLoss(LossKind.FIELD, message, Consequence.IGNORED))

    def _add_fields(self, name: str) -> None:
        """Add the fields that the target needs, those that the source implies, and those that people usually write."""
        slug = self.kind.slot("slug")
        name_fields = [facts for facts in self._name_fields() if facts.required or facts.usual]
        is_named = "name" in self.kind.fields and bool(name_fields)
        for needed in (*([slug] if slug else []), *(["name"] if is_named else [])):
            if needed not in self.fields:
                self.top.append(field_text(needed, name, ""))
                self.fields[needed] = name
        for meaning, value in self.subject.kind.implies.items():
            self._add_field(self.kind.slot(meaning), value)
        description = self.fields.get("description")
        for field, facts in self.kind.fields.items():
            usual = facts.usual.replace("{name}", name)
            if "{description}" in usual:
                usual = description if isinstance(description, str) else ""
            self._add_field(field, usual)

    def _add_field(self, field: str, value: str) -> None:
        if field and value and field not in self.fields:
            self.bottom.append(field_text(field, value, self.subject.document.source.newline))
            self.fields[field] = value

    def _convert_tools(self, form: str, policy: Policy | None, accept: frozenset[str]) -> str:
        wanted = policy
        if self.denies_edits:
            base = policy or self.subject.intent.policy
            edits = (PolicyRule(tool, Action.DENY) for tool in (Tool.Write, Tool.Edit, Tool.NotebookEdit))
            wanted = Policy(base.default, (*base.rules, *edits))
        own = self.subject.harness
        subject = self.subject.like(own, self.kind_name if self.kind_name in own.kinds else "")
        result = convert_tools(
            subject,
            self.target,
            form,
            policy=wanted,
            accept=accept,
            kind_name=self.kind_name,
            readers=self.readers,
            in_place=False,
        )
        if result.error:
            return result.error
        self.losses += report_losses(result.losses, self.target, accept)
        refused = [
            loss.message
            for loss in self.losses
            if loss.code == LossKind.WIDENED and loss.consequence is Consequence.WIDENED
        ]
        if refused:
            return " ".join(refused)
        self.edits += result.edits
        approves = any(key.role == "approve" for key in self.kind.keys.values()) and not self._restricts()
        if result.edits or approves or not self.kind.roles.isdisjoint(_RESTRICTING):
            return ""
        return self._drop_tool_keys(wanted or subject.intent.policy, accept)

    def _restricts(self) -> bool:
        """Has the file a tool key that does more than approve?"""
        keys, wrong_keys = self.subject.kind.keys, self.subject.kind.wrong_keys
        limits = {name for name, key in keys.items() if key.role != "approve"}
        limits |= {name for name, key in wrong_keys.items() if key.role != "approve"}
        return any(entry.name in limits for entry in self.subject.document.entries)

    def _drop_tool_keys(self, intent: Policy, accept: frozenset[str]) -> str:
        """The target has no tool key: drop the source's keys, if the extra tools are accepted."""
        extra = excess(bounds_of(self.subject, intent), self.target, self.target.default_tools)
        names = ", ".join(map(str, extra))
        what = f"an {self.kind_name}" if self.kind_name == "agent" else f"a {self.kind_name}"
        if any(not accepts(accept, tool) for tool in extra):
            return f"{self.target.title} cannot restrict {what}; this one would be granted {names}, which is more than intended"
        if extra:
            message = f"{self.target.title} cannot restrict {what}; it is also granted {names}; accepted."
            self.losses.append(ReportedLoss(LossKind.WIDENED, message, Consequence.STYLE))
        self.losses += report_losses(lost_tools(intent, self.target), self.target, accept)
        self.edits += remove_tool_keys(self.subject)
        self.bottom += [field_text(field, value, "") for field, value in fields_by_risk(intent, self.kind).items()]
        return ""

    def _insertions(self, source: Source) -> list[Edit]:
        newline = source.newline
        at_top = "".join(f"{line}{newline}" for line in self.top)
        at_bottom = "".join(f"{line}{newline}" for line in self.bottom)
        start, end = source.yaml
        if start == end:
            return [Edit(Span(start, start), at_top + at_bottom)] if at_top or at_bottom else []
        return [Edit(Span(at, at), text) for at, text in ((start, at_top), (end, at_bottom)) if text]


def _text(entry: Entry) -> Value:
    return entry.value.value if isinstance(entry.value, Scalar) else None


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()
