"""FA412 unknown-model."""

from __future__ import annotations

from collections.abc import Iterator

from fsagent_lint.frontmatter.nodes import Scalar
from fsagent_lint.harnesses.model_names import parse_model, write_model
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject


class UnknownModel(Rule):
    """The harness cannot run the model in the form in which it is written.

    ## Why
    OpenCode expects `provider/model`. It reads `sonnet` as a provider of that name, loads the agent without any
    warning, and fails with "Model not found" when the agent runs. Claude Code runs models of other makers only through
    a gateway.

    ## What to do
    Write the model as the harness names it, or remove the field to use the model of the session.

    ## When it is reported
    As an error if the form is wrong. As a note if the model is another maker's, since a gateway may provide it.
    """

    code = "FA412"
    name = "unknown-model"
    consequence = Consequence.REFUSED
    examples = (
        Good("---\nname: a\ndescription: d\nmodel: sonnet\n---\n"),
        Good("---\ndescription: d\nmodel: anthropic/claude-sonnet-4-5\n---\n", harness="opencode"),
        Bad("---\ndescription: d\nmodel: ⟦sonnet⟧\n---\n", harness="opencode"),
        Bad("---\ndescription: d\nmodel: ⟦default⟧\n---\n", harness="opencode"),
        Bad("---\nname: a\ndescription: d\nmodel: ⟦gpt-4⟧\n---\n"),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        entry = subject.document.get(subject.kind.slot("model"))
        if entry is None or not isinstance(entry.value, Scalar):
            return
        names, title, text = subject.harness.models, subject.harness.title, entry.value.value
        if not text or text not in (subject.effect.data or {}).values():
            return  # it is empty, or not read as text: invalid-field reports that
        if names.separator and names.separator not in text:
            better = write_model(text, names)
            advice = f"Write a full name such as `{better}`" if better else "Write the provider too"
            what = f"{title} expects `provider{names.separator}model`, and finds no model `{text}` when the agent runs."
            yield self.finding(entry.value.span, f"{what} {advice}, or remove `{entry.name}`.")
        model = parse_model(text)
        if names.makers and model is not None and model.maker not in names.makers:
            what = f"{title} only runs `{text}` through a gateway."
            yield self.finding(
                entry.value.span,
                f"{what} Name one of its own models, or remove `{entry.name}`.",
                consequence=Consequence.UNCERTAIN,
            )
