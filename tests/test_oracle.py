"""A second opinion: python-frontmatter with PyYAML, and ruamel.yaml, read well-formed files as we do."""

from __future__ import annotations

from typing import Any

import frontmatter
import pytest
import yaml
from frontmatter.default_handlers import YAMLHandler
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from fsagent_lint.frontmatter.document import Document
from fsagent_lint.frontmatter.nodes import List, Map, Node
from fsagent_lint.frontmatter.source import Source
from fsagent_lint.frontmatter.values import core, evaluate_entries, type_name

KEYS = st.from_regex(r"[a-z][a-z_-]{0,11}", fullmatch=True)
TEXTS = st.text(
    st.characters(
        min_codepoint=0x20, max_codepoint=0x2FFF, exclude_categories=("Cs", "Cn", "Co", "Cc", "Cf", "Zl", "Zp")
    ),
    max_size=60,
)
TOOLS = st.sampled_from(
    ["Read", "Bash(git add:*)", "mcp__db__*", "true", "no", "null", "~", "1.5", "2024-01-01", "a, b", "x: y"]
)
VALUES = st.recursive(
    TEXTS | TOOLS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=10
)


class Texts(YAMLHandler):
    """PyYAML with every scalar left as its text."""

    def load(self, fm: str, **_: object) -> Any:
        return yaml.load(fm, Loader=yaml.BaseLoader)


def texts(node: Node) -> Any:
    if isinstance(node, List):
        return [texts(item) for item in node.items]
    if isinstance(node, Map):
        return {entry.name: texts(entry.value) for entry in node.entries}
    return node.value


@st.composite
def agent_file(draw: st.DrawFn) -> str:
    head = yaml.safe_dump(
        draw(st.dictionaries(KEYS, VALUES, min_size=1, max_size=5)),
        default_flow_style=draw(st.sampled_from([None, True, False])),
        default_style=draw(st.sampled_from([None, None, "'", '"'])),
        width=draw(st.sampled_from([20, 80, 1000])),
        allow_unicode=draw(st.booleans()),
    )
    return f"---\n{head}---\n{draw(TEXTS)}"


@given(agent_file())
@settings(max_examples=60)
def test_python_frontmatter_finds_the_same_keys_texts_and_body(text: str) -> None:
    document = Document(Source("a.md", text.encode()))
    post = frontmatter.loads(text, handler=Texts())
    assert document.error is None
    assert {entry.name: texts(entry.value) for entry in document.entries} == post.metadata
    assert document.source.data[document.source.body :].decode().strip() == post.content.strip()


PLAIN = """
    yes No on true True TRUE tRUE ~ null Null nULL 0 -1 +12 0o17 0x1F 017 1e3 1. .5 -.5 . + 1.5e-3 .inf -.INF .nan 1:30 1.2.3
"""


@pytest.mark.parametrize("written", ["", *PLAIN.split()])
def test_ruamel_resolves_plain_scalars_to_the_same_types(written: str) -> None:
    text = f"a: {written}\n"
    document = Document(Source("a.md", f"---\n{text}---\n".encode()))
    theirs = YAML(typ="safe", pure=True).load(text)["a"]
    ours = evaluate_entries(document.entries, core)["a"]
    assert type_name(ours) == type_name(theirs)
    if isinstance(theirs, str):
        assert ours == theirs


@given(agent_file())
@settings(max_examples=60)
def test_ruamel_composes_the_same_nodes_at_the_same_places(text: str) -> None:
    source = Source("a.md", text.encode())
    theirs = YAML(typ="safe", pure=True).compose(source.yaml_text)
    ours = [(entry.key.start, entry.value.start) for entry in Document(source).entries]
    shift = source.yaml.start
    assert ours == [(key.start_mark.index + shift, value.start_mark.index + shift) for key, value in theirs.value]
