"""The records of a harness table for a kind of file: its paths, its tool keys and its other fields."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from fsagent_lint._fast import NO_ENTRIES, Record
from fsagent_lint.harnesses.notation import NO_NOTATION, Notation
from fsagent_lint.model.choices import KindName


class Key(Record):
    """A tool key of the frontmatter."""

    role: Literal["allow", "deny", "switch", "permission", "approve"]
    """approve: the named tools run without confirmation; nothing is restricted."""
    syntax: str
    """How the harness reads the value: a name in `syntax`."""
    forms: tuple[str, ...]
    """The tool formats that it accepts; the first one is what people write."""
    layout: Literal["block", "flow"] = "block"
    """How people write a list: an entry per line, or in brackets. Maps are always written as a block."""
    quotes: Literal["", "single", "double"] = ""
    """The quotes around names in brackets; in a block, names are quoted only where YAML requires it."""
    order: tuple[str, ...] = ()
    """Names in their usual order; empty: people write them in any order."""
    also: tuple[str, ...] = ()
    """Names that this key understands in addition to those of the table."""
    gates: dict[str, str] = NO_ENTRIES
    """Names that this key maps to another gate first."""
    scopes: Literal["honoured", "ignored", "dropped"] = "honoured"
    """What happens to `Tool(scope)`: the scope applies, the entry is read as `Tool`, or the entry is dropped."""
    prefixes: bool = False
    """A scope without a star matches everything that starts with it."""
    scoped: tuple[str, ...] = ()
    """Names whose scope is honoured nevertheless."""
    literal: tuple[str, ...] = ()
    """Endings of a scope that are a pattern in other harnesses, but literal text here."""
    everything: bool = True
    """Does an entry that means every tool have that meaning in this key?"""
    flat: tuple[str, ...] = ()
    """Names whose value must be an action: a map of patterns is refused."""
    blanks: bool = False
    """Names in a string may also be separated by white space."""
    loaded: Literal["approves", "ignored"] = "approves"
    """Of a key that approves, in a skill that the model loads and no person asks for. ignored: it approves nothing."""
    presets: dict[str, tuple[str, ...]] = NO_ENTRIES
    """Values that stand for several names: `true` or a category."""
    unverified: tuple[str, ...] = ()
    """Names that presets leave out, although nobody has seen whether the harness still grants them."""
    nothing: str = ""
    """The name to write for no tools at all, if an empty list means something else."""
    nulls: Literal["refused", "ignored"] = "refused"
    """What happens to a null action: `bash:` without a value, or the key itself without one."""
    unknown: Literal["dropped", "refused"] = "dropped"
    """What happens to an entry that names no tool: it is dropped, or the file does not load."""
    instead: str = ""
    """The key to use instead, if this one is deprecated."""
    required: bool = False
    """Without it, the file is refused."""
    twice: Literal["fine", "refused"] = "fine"
    """What happens to a duplicate entry."""
    option: str = ""
    """An entry may be `[name, {option: scope}]`, and the scope is a regular expression: this is the option's name."""


class WrongKey(Record):
    """A key that looks like a tool key, but that this harness does not read."""

    role: Literal["allow", "deny", "permission", "approve"]
    use: str = ""
    """The key that does what was intended, if there is one."""


class Field(Record):
    """Any other frontmatter key."""

    type: tuple[str, ...] = ("any",)
    """string, boolean, number, integer, list, map, null or any."""
    values: tuple[str, ...] = ()
    format: str = ""
    """The name of a format that text must have, if it is not one of `values`."""
    max_length: int = 0
    """How many characters the harness accepts; 0: no known limit."""
    is_identity: bool = False
    """It must equal the name of the file or folder."""
    required: bool = False
    may_be_empty: bool = False
    """Required, but empty text is accepted."""
    wrong: Literal["refused", "ignored"] = "ignored"
    """What an invalid value leads to: the file is refused, or the field is ignored."""
    instead: str = ""
    """The field to use instead, if this one is deprecated."""
    check: str = ""
    """An additional check: a name in `field_checks.CHECKS`."""
    limits: str = ""
    """It restricts the agent in a form that is not converted: a name in `field_checks.LIMITS`, which describes it."""
    adds: tuple[str, ...] = ()
    """Native tools that a valid value grants, even if the file does not list them."""
    undelegated: tuple[str, ...] = ()
    """Native tools that `true` denies to an agent that another agent delegates to."""
    private: bool | None = None
    """The value with which only the user, and no other agent, can invoke the agent or skill."""
    private_values: tuple[str, ...] = ()
    """The same for a field with text."""
    meaning: str = ""
    """The slot of the neutral agent that this field fills."""
    default: str = ""
    """The value that means the same as no field, in this harness alone."""
    usual: str = ""
    """What people write here although it is not required, with {name} or {description}; new files get it."""
    servers: Literal["", "claude", "copilot", "gemini", "kiro", "qwen"] = ""
    """It defines MCP servers, in this shape."""
    by_risk: dict[str, tuple[str, ...]] = NO_ENTRIES
    """Values with the risks that they cover: the first one that covers all of an agent's tools is written."""
    agents: Literal["", "each", "agent", "exact"] = ""
    """It names other agents: each value is a name, has one under the key `agent`, or is one in exact letter case."""
    without_agent: str = ""
    """What the harness does if there is no agent of that name; {kind} stands for the kind of the file."""
    needs: dict[str, str] = NO_ENTRIES
    """Fields without whose value this one has no effect."""
    skills: bool = False
    """Its values are skill names."""
    preloads: bool = False
    """It loads those skills when the agent starts, except those that only a person can invoke."""
    intended: dict[str, tuple[str, ...]] = NO_ENTRIES
    """Values that say which of the harnesses that share the place the file is for."""
    hooks: bool = False
    """It holds hooks in the shape that the harness's `hooks` describe."""
    runs: bool = False
    """It holds commands that the harness runs by itself, such as hooks."""
    trusts: tuple[str, ...] = ()
    """Values, or texts in a value, with which tools run without asking, or prompts are sent elsewhere; `*`: any value."""
    note: str = ""

    @cached_property
    def takes_any_text(self) -> bool:
        """Is every text valid?"""
        narrows = self.values or self.format or self.max_length or self.check or self.required
        return not narrows and not {"any", "string"}.isdisjoint(self.type)


FileFormat = Literal["markdown", "json", "jsonc", "toml", "yaml"]


class DataForm(Record):
    """What differs where an agent of a kind is defined in a data file, or in a part of one, and not in markdown."""

    globs: tuple[str, ...] = ()
    """The files that are one such agent each."""
    body: str = ""
    """The field that holds the prompt."""
    identity: Literal["", "name", "file"] = ""
    reader: str = ""
    keys: dict[str, Key] = NO_ENTRIES
    """Keys, wrong keys and fields that are added to those of the kind, or take their place."""
    wrong_keys: dict[str, WrongKey] = NO_ENTRIES
    fields: dict[str, Field] = NO_ENTRIES
    without: tuple[str, ...] = ()
    """Keys, wrong keys and fields of the kind that it does not have."""
    unknown_fields: Literal["", "ignored", "forwarded", "forbidden", "refused"] = ""


class Kind(Record):
    """A kind of file: where it is, which harnesses read it and what its keys mean."""

    globs: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """File names, in any letter case, that show the kind in every folder. If the content of such a file fits other
    harnesses equally well, it is assumed to be this one's."""
    nested: bool = False
    """A file in a subfolder is known by its path, not by its name alone."""
    identity: Literal["name", "file", "folder"] = "file"
    """What the harness identifies the agent by."""
    shared_with: tuple[str, ...] = ()
    """Harnesses that these files are also intended for: their names are not reported here."""
    read_by: tuple[str, ...] = ()
    """Harnesses that also load these files, although the files are not intended for them."""
    only_top: bool = False
    """It looks into the folders of other harnesses, and not into those below them."""
    path: str = ""
    """Where a new file of this kind goes, with {name}."""
    moved_to: str = ""
    """Where such a file has to lie now, with {name}, if the harness does not load files of this kind any more."""
    file: FileFormat = "markdown"
    """The file format. json: as the standard has it; jsonc: with comments and trailing commas."""
    under: str = ""
    """The key of a data file that is a list of agents."""
    holds: dict[str, KindName] = NO_ENTRIES
    """The keys of a data file that are maps from names to agents, commands and the like, and the kind of each."""
    refusal: str = ""
    """What the harness does with a file of this kind that is not valid, if more than refusing it: `it does not start`."""
    alone: bool = False
    """An agent in it that is not valid keeps only itself from loading, and not the others."""
    data: dict[str, DataForm] = NO_ENTRIES
    """The same kind in data files, by their format."""
    body: str = ""
    """The field that holds the prompt, if the prompt is not the body."""
    body_also: tuple[str, ...] = ()
    """Fields whose text is appended to the prompt."""
    reader: str = ""
    """How it reads files of this kind, if not like its others: a name in `readers`."""
    implies: dict[str, str] = NO_ENTRIES
    """What every file of this kind implies: slot of the neutral agent to value."""
    keys: dict[str, Key] = NO_ENTRIES
    wrong_keys: dict[str, WrongKey] = NO_ENTRIES
    fields: dict[str, Field] = NO_ENTRIES
    unknown_fields: Literal["ignored", "forwarded", "forbidden", "refused"] = "ignored"
    """What happens to any other field. forwarded: sent to the model's provider. forbidden: ignored, but the standard
    does not allow it. refused: the file does not load."""
    provider_options: tuple[str, ...] = ()
    """Fields that it does not know, but model providers do: they are written in order to be forwarded."""
    ignored_in_plugins: tuple[str, ...] = ()
    """Fields that have no effect in a file of a plugin; no field is required there, and none keeps it from loading."""
    frontmatter: Literal["required", "optional"] = "required"
    max_body: int = 0
    """How many characters of prompt the harness accepts; 0: no known limit."""
    max_body_note: str = ""
    """Which program has that limit, if the harness is more than one program."""
    min_body: int = 0
    """How many characters of prompt the harness requires."""
    delegated_without_tools: Literal["", "refused"] = ""
    """What happens when another agent delegates to one whose entries all grant nothing; empty: it starts without tools."""
    placeholder: str = ""
    """The name of the form of placeholders in the prompt; an unknown placeholder makes the agent fail."""
    placeholders: tuple[str, ...] = ()
    """The known placeholder names."""
    notation: Notation = NO_NOTATION
    """The placeholders that are replaced before the model reads the prompt."""

    @cached_property
    def all_globs(self) -> tuple[str, ...]:
        """Where it looks for files of this kind, whatever their format."""
        return (*self.globs, *(glob for form in self.data.values() for glob in form.globs))

    @property
    def is_convertible(self) -> bool:
        """Are its files converted? Data files with maps of agents, or with one agent each, are only checked."""
        return self.file == "markdown" or bool(self.under)

    def of_file(self, path: str) -> Kind:
        """The kind as it is in a file of this name."""
        return self._forms.get(path.rpartition(".")[2], self)

    def in_format(self, file: str) -> Kind:
        """The kind as it is in data of a format; what its form does not say is as in markdown."""
        return self._forms.get(file, self)

    @cached_property
    def _forms(self) -> dict[str, Kind]:
        return {file: self._form(file, form) for file, form in self.data.items()}

    def _form(self, file: str, form: DataForm) -> Kind:
        named = {*form.without, *form.keys, *form.wrong_keys, *form.fields}
        merged = {
            part: {
                **{name: each for name, each in getattr(self, part).items() if name not in named},
                **getattr(form, part),
            }
            for part in ("keys", "wrong_keys", "fields")
        }
        given = {name: getattr(form, name) for name in ("identity", "unknown_fields") if getattr(form, name)}
        prompt = {"frontmatter": "required", "data": NO_ENTRIES, "names": (), "min_body": 0}
        return self.replace(
            file=file, globs=form.globs, path="", body=form.body, reader=form.reader, **merged, **given, **prompt
        )

    @cached_property
    def in_plugins(self) -> Kind:
        """The same kind in a plugin."""
        if not self.ignored_in_plugins:
            return self
        lenient = {
            name: field.replace(wrong="ignored", check="", required=False) if field.wrong == "refused" else field
            for name, field in self.fields.items()
        }
        lenient.update((name, Field(note="ignored in plugins")) for name in self.ignored_in_plugins)
        return self.replace(fields=lenient)

    @cached_property
    def roles(self) -> frozenset[str]:
        """The roles of its tool keys."""
        return frozenset(key.role for key in self.keys.values())

    @cached_property
    def restricts(self) -> bool:
        """Can a file of this kind say which tools the agent has, and not only what is approved?"""
        return any(role != "approve" for role in self.roles)

    @cached_property
    def required(self) -> dict[str, Field]:
        """The required fields."""
        return {name: field for name, field in self.fields.items() if field.required}

    @cached_property
    def known_fields(self) -> frozenset[str]:
        """Every key in the table, and YAML's merge key."""
        return frozenset((*self.fields, *self.keys, *self.wrong_keys, *self.provider_options, "<<"))

    @cached_property
    def special_fields(self) -> frozenset[str]:
        """Fields that are deprecated, hold hooks, grant tools, name agents or skills, or need another field."""
        return frozenset(
            name
            for name, field in self.fields.items()
            if field.instead or field.hooks or field.adds or field.agents or field.skills or field.needs
        )

    @cached_property
    def agent_fields(self) -> dict[str, Field]:
        """Fields that name other agents."""
        return {name: field for name, field in self.fields.items() if field.agents}

    @cached_property
    def skill_fields(self) -> dict[str, Field]:
        """Fields that name skills."""
        return {name: field for name, field in self.fields.items() if field.skills}

    @cached_property
    def identity_fields(self) -> tuple[str, ...]:
        """Those that must be the name of the file or folder."""
        return tuple(name for name, field in self.fields.items() if field.is_identity)

    @cached_property
    def checks_prompt(self) -> bool:
        """Can a prompt be too long or too short, or have a placeholder that is not known?"""
        return bool(self.max_body or self.min_body or self.placeholder)

    def slot(self, meaning: str) -> str:
        """The field that fills a slot of the neutral agent; empty if none does."""
        return next((name for name, field in self.fields.items() if field.meaning == meaning and not field.instead), "")

    @cached_property
    def required_key(self) -> str:
        """The required tool key, if there is one."""
        return next((name for name, key in self.keys.items() if key.required), "")

    @cached_property
    def refusal_fields(self) -> dict[str, Field]:
        """The fields that can keep a file from loading."""
        return {
            name: field
            for name, field in self.fields.items()
            if field.wrong == "refused" or field.meaning == "disabled"
        }


Role = tuple[str, str]
"""Harness and kind."""


MARKDOWN = ".md"
DATA = (".json", ".jsonc", ".toml", ".yaml", ".yml")
"""The endings of data files."""


# The colour names of Claude Code, with their hexadecimal values.
COLORS = {
    "red": "#ef4444",
    "blue": "#3b82f6",
    "green": "#22c55e",
    "yellow": "#eab308",
    "purple": "#a855f7",
    "orange": "#f97316",
    "pink": "#ec4899",
    "cyan": "#06b6d4",
}
