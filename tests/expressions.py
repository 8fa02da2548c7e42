"""Every regular expression of the package, found in its source code, and texts that are the worst case of each."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from itertools import product
from random import Random
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any, NamedTuple

import fsagent_lint

METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "split")
_ANYTHING = "finditer", "fullmatch"
"""How an expression is tried whose use cannot be seen."""


class Expression(NamedTuple):
    where: str
    """The module, and the name or the line."""
    compiled: re.Pattern[Any]
    methods: tuple[str, ...]
    """The methods that it is used with."""

    def run(self, method: str, text: Any) -> None:
        if method in ("finditer", "findall"):
            for _ in self.compiled.finditer(text):
                pass
        elif method in ("sub", "split"):
            self.compiled.subn(text[:0], text)
        else:
            getattr(self.compiled, method)(text)


class Dynamic(NamedTuple):
    """An expression that is put together when the program runs."""

    module: str
    source: str


def modules() -> Iterator[ModuleType]:
    for info in pkgutil.walk_packages(fsagent_lint.__path__, "fsagent_lint."):
        if not info.name.endswith("__main__"):
            yield importlib.import_module(info.name)


def collect() -> tuple[list[Expression], set[Dynamic]]:
    """The expressions that the source code shows, and those that it does not."""
    found, dynamic = [], set()
    trees = {module: ast.parse(_source(module)) for module in modules()}
    uses = {module: _uses([tree]) for module, tree in trees.items()}
    elsewhere = _uses(list(trees.values()))
    for module, tree in trees.items():
        names = {id(each.value): each.targets[0].id for each in ast.walk(tree) if _is_constant(each)}  # type: ignore[attr-defined]
        for call in ast.walk(tree):
            method = _method(call)
            if method is None:
                continue
            assert isinstance(call, ast.Call)
            try:
                text = _evaluate(call.args[0], module)
                flags = _flags(call, method, module)
            except NameError:
                dynamic.add(Dynamic(module.__name__, ast.unparse(call.args[0])))
                continue
            name = names.get(id(call), "")
            methods = (method,) if method in METHODS else uses[module].get(name) or elsewhere.get(name) or _ANYTHING
            found.append(
                Expression(f"{module.__name__}:{name or call.lineno}", re.compile(text, flags), tuple(methods))
            )
    return found, dynamic


def _source(module: ModuleType) -> str:
    assert module.__file__ is not None
    with open(module.__file__, encoding="utf-8") as file:
        return file.read()


def _is_constant(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call)


def _method(call: ast.AST) -> str | None:
    """`compile` or what `re` is asked to do; None for any other node."""
    if not isinstance(call, ast.Call):
        return None
    if isinstance(call.func, ast.Name):
        return "compile" if call.func.id == "pattern" and call.args else None
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id == "re":
        return call.func.attr if call.func.attr in (*METHODS, "compile") else None
    return None


def _evaluate(node: ast.expr, module: ModuleType) -> Any:
    return eval(compile(ast.Expression(node), module.__name__, "eval"), dict(vars(module)))


def _flags(call: ast.Call, method: str, module: ModuleType) -> int:
    at = {"compile": 1, "search": 2, "match": 2, "fullmatch": 2, "finditer": 2, "findall": 2}.get(method, 9)
    given = [each.value for each in call.keywords if each.arg == "flags"] or call.args[at : at + 1]
    return int(_evaluate(given[0], module)) if given else 0


def _uses(trees: Any) -> dict[str, set[str]]:
    """The methods that each name is used with, anywhere."""
    uses: dict[str, set[str]] = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                owner = node.value.value if isinstance(node.value, ast.Subscript) else node.value
                if isinstance(owner, ast.Name):
                    uses.setdefault(owner.id, set()).add(node.attr)
    for tree in trees:
        for name, members in _choices(tree):
            for member in members if name in uses else ():
                uses.setdefault(member, set()).update(uses[name])
    return uses


def _choices(tree: ast.AST) -> Iterator[tuple[str, list[str]]]:
    """The dictionaries of a module that one expression of several is taken from: `_STRINGS[quote].match(text)`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Dict):
            yield node.targets[0].id, [each.id for each in node.value.values if isinstance(each, ast.Name)]


def worst_texts(compiled: re.Pattern[Any]) -> Iterator[Repeated]:
    """Parts of what the expression matches, repeated, and never completed."""
    seen = set()
    for parts in _sequences(compiled.pattern, compiled.flags):
        for start, end in product(range(len(parts)), range(1, len(parts) + 1)):
            head, unit = "".join(parts[:start]), "".join(parts[start:end])
            if not unit or (start and end - start > 3):
                continue
            for tail in ("", "\0"):
                if (head, unit, tail) not in seen:
                    seen.add((head, unit, tail))
                    yield Repeated(head, unit, tail, isinstance(compiled.pattern, bytes))


class Repeated(NamedTuple):
    """A text of any size."""

    head: str
    unit: str
    tail: str
    in_bytes: bool

    def __call__(self, size: int) -> Any:
        text = self.head + self.unit * (size // len(self.unit)) + self.tail
        return text.encode("latin-1", "replace") if self.in_bytes else text


def _sequences(pattern: Any, flags: int) -> list[list[str]]:
    """What an expression matches, part by part; several of those that its alternatives allow."""
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    tree = parser.parse(text, flags & ~re.UNICODE & ~re.ASCII if isinstance(pattern, bytes) else flags)
    random = Random(0)
    found = {tuple(_parts(tree, random)) for _ in range(12)}
    return [list(each) for each in sorted(found)][:4]


def _parts(tree: Any, random: Random) -> Iterator[str]:
    for code, value in tree:
        if code in (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY):
            yield _character(code, value, random)
        elif code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            inner = list(_parts(value[2], random))
            yield from inner * min(max(value[0], 1), 4)
        elif code is op.SUBPATTERN:
            yield from _parts(value[3], random)
        elif code is op.ATOMIC_GROUP:
            yield from _parts(value, random)
        elif code is op.BRANCH:
            yield from _parts(random.choice(value[1]), random)
        elif code is op.ASSERT and value[0] > 0:
            yield from _parts(value[1], random)


_CLASSES = {op.CATEGORY_DIGIT: "0", op.CATEGORY_SPACE: " \t\n", op.CATEGORY_WORD: "a_0"}


def _character(code: Any, value: Any, random: Random) -> str:
    """Some character that the part of an expression matches."""
    if code is op.LITERAL:
        return chr(value)
    if code is op.ANY:
        return "."
    if code is op.NOT_LITERAL:
        return next(each for each in "a-" if ord(each) != value)
    members = [each for each in value if each[0] is not op.NEGATE]
    if len(members) == len(value):
        kind, what = random.choice(members)
        if kind is op.CATEGORY:
            return random.choice(_CLASSES.get(what, "-"))
        return chr(what if kind is op.LITERAL else what[0])
    common = "a 0-_.:/(['\"\t\n"
    test = re.compile("[^" + "".join(map(_member, members)) + "]")
    return random.choice([each for each in common if test.match(each)] or ["\u00e9"])


def _member(member: Any) -> str:
    kind, what = member
    if kind is op.LITERAL:
        return re.escape(chr(what))
    if kind is op.RANGE:
        return f"{re.escape(chr(what[0]))}-{re.escape(chr(what[1]))}"
    return {
        op.CATEGORY_DIGIT: r"\d", op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_SPACE: r"\s",
        op.CATEGORY_NOT_SPACE: r"\S", op.CATEGORY_WORD: r"\w", op.CATEGORY_NOT_WORD: r"\W",
    }[what]  # fmt: skip
