"""Sorts of files, as tables describe them: where they lie, what their keys mean, which fields they take."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from fsagent_lint._fast import NO_ENTRIES, Record


class Key(Record):
    """A frontmatter key that speaks of tools."""

    role: Literal["allow", "deny", "switch", "permission", "approve"]
    """approve: the named tools run without asking; nothing is restricted."""
    syntax: str
    """How the harness reads the value: a function of `syntax`."""
    forms: tuple[str, ...]
    """The tool formats that it accepts; the first is the one to write."""
    also: tuple[str, ...] = ()
    """Names that this key understands beside those of the table."""
    gates: dict[str, str] = NO_ENTRIES
    """Names that this key turns into another gate before looking at them."""
    scopes: Literal["honoured", "ignored", "dropped"] = "honoured"
    """What becomes of `Tool(scope)`: it counts, it is read as `Tool`, or the entry is lost."""
    prefixes: bool = False
    """A scope without a star stands for all that begins with it."""
    scoped: tuple[str, ...] = ()
    """Names whose scope counts all the same."""
    literal: tuple[str, ...] = ()
    """Endings of a scope that mean a pattern elsewhere, and here only what they say."""
    everything: bool = True
    """Does an entry that means every tool mean so here?"""
    flat: tuple[str, ...] = ()
    """Names whose value must be an action: patterns below them are refused."""
    blanks: bool = False
    """Names in a string may also be separated by blanks."""
    presets: dict[str, tuple[str, ...]] = NO_ENTRIES
    """Values that stand for several names: `true`, or a category."""
    nothing: str = ""
    """The name to write for no tools at all, where an empty list means something else."""
    nulls: Literal["refused", "ignored"] = "refused"
    """What an action leads to that is not there: `bash:` with nothing behind it, or the key itself."""
    unknown: Literal["dropped", "refused"] = "dropped"
    """What an entry leads to that names no tool: it is passed over, or keeps the file from loading."""
    instead: str = ""
    """The key to prefer, where this one is deprecated."""
    required: bool = False
    """Without it the file is refused."""
    twice: Literal["fine", "refused"] = "fine"
    """What an entry leads to that is there already."""
    option: str = ""
    """An entry may be `[name, {option: scope}]`, and the scope is a regular expression: this is the option's name."""


class WrongKey(Record):
    """A key that looks as if it spoke of tools, and that this harness does not read."""

    role: Literal["allow", "deny", "permission", "approve"]
    use: str = ""
    """The key that does what was meant, where there is one."""


class Field(Record):
    """Any other frontmatter key."""

    type: tuple[str, ...] = ("any",)
    """string, boolean, number, integer, list, map, null or any."""
    values: tuple[str, ...] = ()
    pattern: str = ""
    max_length: int = 0
    """How many characters the harness takes; 0: no limit known."""
    is_identity: bool = False
    """It has to be the name of the file or folder."""
    required: bool = False
    may_be_empty: bool = False
    """Required, but empty text will do."""
    wrong: Literal["refused", "ignored"] = "ignored"
    """What happens to a file whose value does not fit."""
    instead: str = ""
    """What to write instead of a deprecated field."""
    check: str = ""
    """What else must hold: a function of `checks`."""
    limits: str = ""
    """It takes something away in words of its own, which are not translated: a function of `checks` says what."""
    adds: tuple[str, ...] = ()
    """Native tools that come with a legal value, however few the file names."""
    undelegated: tuple[str, ...] = ()
    """Native tools that `true` takes from an agent that another one delegates to."""
    private: bool | None = None
    """The value with which only a person can ask for the agent or skill, and no other agent."""
    meaning: str = ""
    """The slot of the neutral agent that this field fills."""
    by_risk: dict[str, tuple[str, ...]] = NO_ENTRIES
    """Values with the risks that they are enough for: of those that cover an agent's tools, the first is written."""
    agents: Literal["", "each", "agent"] = ""
    """It names other agents: in each of its values, or under a key of that name in each."""
    skills: bool = False
    """Its values are names of skills."""
    matchers: tuple[str, ...] = ()
    """It holds hooks; those of these events wait for tools of a name."""
    note: str = ""

    @cached_property
    def takes_any_text(self) -> bool:
        """Is there no text that would not do?"""
        narrows = self.values or self.pattern or self.max_length or self.check or self.required
        return not narrows and not {"any", "string"}.isdisjoint(self.type)


class Kind(Record):
    """A sort of file: where it lies, who reads it and what its keys mean."""

    globs: tuple[str, ...] = ()
    identity: Literal["name", "file", "folder"] = "file"
    """What the harness knows the agent by."""
    shared_with: tuple[str, ...] = ()
    """Harnesses that these files are written for as well: their names are no mistakes here."""
    read_by: tuple[str, ...] = ()
    """Harnesses that load these files too, though they are not written for them."""
    path: str = ""
    """Where a new file of this kind goes, with {name}."""
    file: Literal["markdown", "toml", "yaml"] = "markdown"
    """What such a file is. toml: it is written, and never read. yaml: it holds a list of agents."""
    under: str = ""
    """The key of that list."""
    body: str = ""
    """The field that the prompt becomes where it is no body."""
    body_also: tuple[str, ...] = ()
    """Fields whose text follows that of the prompt."""
    reader: str = ""
    """How it reads such files, where not as its others: a function of `reader`."""
    implies: dict[str, str] = NO_ENTRIES
    """What a file of this kind is without saying so: slot of the neutral agent to value."""
    keys: dict[str, Key] = NO_ENTRIES
    wrong_keys: dict[str, WrongKey] = NO_ENTRIES
    fields: dict[str, Field] = NO_ENTRIES
    unknown_fields: Literal["ignored", "forwarded", "forbidden", "refused"] = "ignored"
    """A field that is none of these. forwarded: it is sent to the model's provider. forbidden: it is against the
    standard, and ignored. refused: it keeps the file from loading."""
    frontmatter: Literal["required", "optional"] = "required"
    max_body: int = 0
    """How many characters of prompt the harness takes; 0: no limit known."""
    max_body_note: str = ""
    """Whose limit that is, where the harness is more than one program."""
    min_body: int = 0
    """How many characters of prompt the harness asks for."""
    placeholder: str = ""
    """A pattern of what it replaces in the prompt, with the name as its group; an agent with an unknown one fails."""
    placeholders: tuple[str, ...] = ()
    """The names that it knows."""

    @cached_property
    def roles(self) -> frozenset[str]:
        """What its keys are for."""
        return frozenset(key.role for key in self.keys.values())

    @property
    def has_switches(self) -> bool:
        """Can tools be switched one by one?"""
        return not self.roles.isdisjoint(("switch", "permission"))

    @cached_property
    def required(self) -> dict[str, Field]:
        """The fields that have to be there."""
        return {name: field for name, field in self.fields.items() if field.required}

    @cached_property
    def known_fields(self) -> frozenset[str]:
        """Every key that the table says something about, and YAML itself."""
        return frozenset((*self.fields, *self.keys, *self.wrong_keys, "<<"))

    @cached_property
    def special_fields(self) -> frozenset[str]:
        """Those that are deprecated, hold hooks, bring tools or name agents or skills."""
        return frozenset(
            name
            for name, field in self.fields.items()
            if field.instead or field.matchers or field.adds or field.agents or field.skills
        )

    @cached_property
    def agent_fields(self) -> dict[str, Field]:
        """Those that name other agents."""
        return {name: field for name, field in self.fields.items() if field.agents}

    @cached_property
    def skill_fields(self) -> dict[str, Field]:
        """Those that name skills."""
        return {name: field for name, field in self.fields.items() if field.skills}

    def slot(self, meaning: str) -> str:
        """The field that fills a slot of the neutral agent; empty where none does."""
        return next((name for name, field in self.fields.items() if field.meaning == meaning and not field.instead), "")

    @cached_property
    def required_key(self) -> str:
        """The key for tools that such a file must have, if there is one."""
        return next((name for name, key in self.keys.items() if key.required), "")

    @cached_property
    def decisive(self) -> dict[str, Field]:
        """The fields that decide whether a file is loaded at all."""
        return {
            name: field
            for name, field in self.fields.items()
            if field.wrong == "refused" or field.meaning == "disabled"
        }


Role = tuple[str, str]
"""Harness and kind."""


MARKDOWN = ".md"


ToolFormat = Literal["auto", "list", "csv", "words", "map", "permission"]


KindName = Literal["agent", "skill", "command", "prompt", "chatmode", "mode"]


# The colours that Claude Code names, as terminals and web pages show them.
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
