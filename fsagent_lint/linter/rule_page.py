"""The page of a rule, generated from its docstring and examples."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator

from fsagent_lint import __version__
from fsagent_lint.report.escape import escape
from fsagent_lint.rules import Bad, Consequence, Good, Rule

_MEANING = {
    Consequence.REFUSED: "the harness does not load the file",
    Consequence.WIDENED: "the agent is granted more than intended",
    Consequence.NARROWED: "the agent is granted less than intended",
    Consequence.IGNORED: "it has no effect, or not the intended one",
    Consequence.FRAGILE: "it works in this harness, but not in stricter ones",
    Consequence.UNCERTAIN: "it may be right: settings outside the project decide",
    Consequence.STYLE: "it works, but could be better",
}


def page(rule: Rule, messages: Callable[[Rule, Bad], list[str]] = lambda _rule, _example: []) -> str:
    """Markdown: what, why, what to do, and the examples, with the messages that `messages` returns for each."""
    fixable = "has fixes" if rule.fixable else "no fix"
    selected = "off by default" if rule.opt_in else "on by default"
    meaning = f"{rule.consequence.severity}: {_MEANING[rule.consequence]}"
    head = f"# {rule.code} {rule.name}\n\n_{meaning} · {fixable} · {selected}_\n\n"
    return head + inspect.cleandoc(rule.__doc__ or "") + "\n\n## Examples\n" + "".join(_examples(rule, messages))


def repository() -> str:
    """The address of our repository, as the installed package names it under `project.urls`; empty if it does not."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        urls = metadata("fsagent-lint").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    named = {label: url for label, _, url in (entry.partition(", ") for entry in urls)}
    return str(named.get("Repository", "")).rstrip("/")


def address(rule: Rule, repository: str) -> str:
    """Where the page of a rule is, in the version of this program."""
    return f"{repository}/blob/v{__version__}/docs/rules/{rule.code}-{rule.name}.md"


def _examples(rule: Rule, messages: Callable[[Rule, Bad], list[str]]) -> Iterator[str]:
    for example in rule.examples:
        text = example.text if len(example.text) < 2000 else example.text[:60] + "…"
        place = _place(example)
        if isinstance(example, Good):
            yield f"\nNot reported ({place}):\n\n{_block(text, example.kind)}"
        elif isinstance(example, Bad):
            yield f"\nReported ({place}), between ⟦ and ⟧:\n\n{_block(text, example.kind)}"
            yield from (f"\n> {escape(message)}\n" for message in messages(rule, example))
            if example.fixed is not None:
                yield f"\nFixed:\n\n{_block(example.fixed, example.kind)}"


def _place(example: Good | Bad) -> str:
    words = [f"{example.harness} {example.kind}".strip()]
    words += [f"`{example.path}`"] if example.path else []
    words += [f"--target {example.target}"] if example.target else []
    words += [f"--tool-format {example.form}"] if example.form != "auto" else []
    words += [f"next to `{path}`" for path, _, _ in example.neighbours]
    return ", ".join(words)


def _block(text: str, kind: str) -> str:
    shown = re.sub("[\ud800-\udfff]", "\ufffd", text).rstrip("\n")
    return f"```{'python' if kind == 'python' else 'markdown'}\n{shown}\n```\n"
