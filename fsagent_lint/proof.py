"""The proof before every write: nothing else changed, and the agent does not get more than was meant."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from fsagent_lint.document import Document
from fsagent_lint.effect import Effect, effect
from fsagent_lint.harness import Harness
from fsagent_lint.policy import Action, Policy
from fsagent_lint.source import Source
from fsagent_lint.subject import Subject
from fsagent_lint.tool import Tool


def wider(effect: Effect, harness: Harness, meant: Policy) -> tuple[str, ...]:
    """Native tools that the agent is given though nothing that they stand for was meant."""
    if not effect.loads:
        return ()
    if effect.open and meant.default is Action.DENY:
        return ("*",)
    gained = []
    for native in (*effect.tools, *effect.ask):
        facts = harness.tools[native]
        tools = [Tool(name) for name in facts.grants]
        if tools and facts.presence != "always" and all(meant.forbids(tool) for tool in tools):
            gained.append(native)
    return tuple(gained)


def judge_conversion(subject: Subject, data: bytes, target: Harness, meant: Policy) -> str:
    """Why a converted file must not be written: other words in the body, a file that does not load, more tools."""
    source = subject.document.source
    document = Document(Source(source.path, data))
    if document.source.data[document.source.body :] != source.data[source.body :]:
        return "the body would change"
    for kind in (subject.kind_name, *(name for name in target.kinds if name != subject.kind_name)):
        if kind in target.kinds:
            result = effect(document, target, target.kinds[kind])
            break
    if not result.loads:
        return f"{target.title} would not load the result: {result.error}"
    gained = wider(result, target, meant)
    return f"the agent would get {', '.join(gained)}, which nobody meant it to have" if gained else ""


def unchanged(before: Source, after: bytes, touches: Collection[str]) -> str:
    """What changed that should not have, read by a second, independent, comment-aware reader; empty if nothing."""
    new = Source(before.path, after)
    if new.problem is not None:
        return f"the frontmatter is {new.problem} now"
    if before.data[before.body :] != new.data[new.body :]:
        return "the body changed"
    if before.problem is None and before.text[: before.yaml.start] != new.text[: new.yaml.start]:
        return "the opening line changed"
    document = Document(new)
    if document.error is not None:
        return f"the frontmatter is not valid YAML: {document.error.problem}"
    return _compare(_load(before.yaml_text), _load(new.yaml_text), touches)


def _compare(before: Any, after: Any, touches: Collection[str]) -> str:
    if after is None:
        return "a second reader cannot read the result"
    if before is None:
        return ""  # it was broken before: that it can be read now is all there is to prove
    kept_before = [key for key in before if str(key) not in touches]
    kept_after = [key for key in after if str(key) not in touches]
    if kept_before != kept_after:
        return f"keys changed: {sorted(set(map(str, kept_before)) ^ set(map(str, kept_after)))}"
    for key in kept_before:
        if before[key] != after[key]:
            return f"the value of `{key}` changed"
    return ""


def _load(text: str) -> Any:
    """ruamel.yaml's view of a frontmatter; None where it cannot be had."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        loaded = YAML().load(text)
    except (
        YAMLError,
        ValueError,
        TypeError,
        AttributeError,
        KeyError,
        OverflowError,
        RecursionError,
        NotImplementedError,
    ):
        return None
    return loaded if isinstance(loaded, dict) else {} if loaded is None else None


def comments(text: str) -> list[str]:
    """Every comment of a frontmatter, in order, as ruamel.yaml's scanner finds them."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    found: list[str] = []
    yaml = YAML()
    try:
        for token in yaml.scan(text):
            for group in getattr(token, "_comment", None) or ():
                for comment in group if isinstance(group, list) else [group]:
                    if comment is not None:
                        found += [line.strip() for line in comment.value.split("\n") if line.strip()]
    except (YAMLError, ValueError, TypeError, AttributeError):
        return []
    return found
