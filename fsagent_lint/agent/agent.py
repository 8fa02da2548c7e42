"""One agent file as a value: its identity, what its author intended, and what a harness does with it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from fsagent_lint.agent.explain import effect_in
from fsagent_lint.agent.subject import Subject
from fsagent_lint.effect.effect import Effect
from fsagent_lint.errors import UserError
from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.values import Value, core, evaluate_entries
from fsagent_lint.harnesses.tables import get_harness, harness_ids, plain_id
from fsagent_lint.model.policy import Policy

if TYPE_CHECKING:
    from frontmatter import Post


class Agent:
    """What `fsagent_lint.load` returns: an agent, skill, command, prompt, chat mode or mode.

    Nothing here changes the file. A broken file raises no error: whatever can be read of it is available.
    """

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.document: Document = subject.document
        """The frontmatter as it stands in the file, with the position of every value."""
        self.harness: str = subject.harness.id
        """The harness that the file is written for."""
        self.kind: str = subject.kind_name

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name!r} of {self.harness}>"

    @property
    def path(self) -> str:
        """As passed to `load`; `agent.md` for text without a path."""
        return self.document.source.path

    @cached_property
    def name(self) -> str:
        """The name that the harness uses: from the field `name`, the file or its folder."""
        return self.subject.name

    @property
    def description(self) -> str | None:
        return None if self.frontmatter.get("description") is None else self.document.text_of("description")

    @cached_property
    def frontmatter(self) -> dict[str, Value]:
        """Every field as a plain value, by the rules of YAML 1.2: `yes` and `2024-01-01` are text."""
        return evaluate_entries(self.document.entries, resolve_scalar)

    @cached_property
    def fields(self) -> dict[str, Value]:
        """The frontmatter without the fields that `name`, `description` and `policy` already cover."""
        kind = self.subject.kind
        roles = {key: facts.role for keys in (kind.wrong_keys, kind.keys) for key, facts in keys.items()}
        covered = {key for key, role in roles.items() if role != "approve"}
        for key, value in (("name", self.name), ("description", self.description)):
            if value is not None and self.document.text_of(key) == value:
                covered.add(key)
        return {key: value for key, value in self.frontmatter.items() if key not in covered}

    @cached_property
    def prompt(self) -> str:
        """The body as harnesses use it: without leading and trailing blank lines."""
        source = self.document.source
        body = source.data if source.problem == "missing" else source.data[source.body :]
        return body.decode("utf-8", "replace").removeprefix("\ufeff").strip()

    @property
    def policy(self) -> Policy:
        """The intended tools, in canonical names."""
        return self.subject.intent.policy

    @property
    def guess(self) -> str:
        """Why `policy` is only the most likely reading; empty if the file is clear."""
        return self.subject.intent.guess

    def effect(self, harness: str | None = None) -> Effect:
        """What its own harness does with the file, or what another harness would do if the file lay in its folder."""
        if harness is None or (harness == self.harness and self.subject.kind.under):
            return self.subject.effect
        if plain_id(harness) not in harness_ids():
            from fsagent_lint.suggest import hint

            raise UserError(f"There is no harness `{harness}`. {hint(harness, harness_ids())}")
        other = get_harness(harness)
        if not other.reads(self.kind):
            raise UserError(f"{other.title} has no {self.kind}s.")
        return effect_in(self.subject, other)

    def to_post(self) -> Post:
        """The agent as a python-frontmatter `Post`: the frontmatter as metadata, the prompt as content."""
        from frontmatter import Post

        post = Post(self.prompt)
        # Not as keyword arguments: a file may have a field `content` or `handler`.
        post.metadata.update(self.frontmatter)
        return post


def resolve_scalar(text: str) -> Value:
    """A plain scalar by YAML 1.2, with the exact number; infinity and NaN stay text, as JSON lacks them."""
    value = core(text)
    if isinstance(value, float):
        return value if value - value == 0 else text
    if not isinstance(value, int) or isinstance(value, bool):
        return value
    try:
        return int(text, {"0x": 16, "0o": 8}.get(text[:2], 10))
    except ValueError:  # more digits than Python converts
        return text
