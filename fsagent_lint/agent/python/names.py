"""What names in a Python module stand for: names of an SDK, values of the module, instances of SDK classes."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst
from libcst.metadata import Assignment, QualifiedNameSource, Scope

from fsagent_lint.agent.python.detect import MODULES


class Bindings:
    """Filled while the module is visited; `values` maps the targets of plain assignments to their values."""

    def __init__(self, scopes: Mapping[cst.CSTNode, Scope | None]) -> None:
        self.scopes = scopes
        self.values: dict[cst.CSTNode, cst.BaseExpression] = {}
        self.annotations: dict[cst.CSTNode, cst.BaseExpression] = {}
        self.decorators: dict[cst.CSTNode, tuple[cst.BaseExpression, ...]] = {}
        self.has_star = False
        """The SDK is imported with `*`."""

    def imported(self, node: cst.BaseExpression, modules: tuple[str, ...] = MODULES) -> str:
        """The name in the SDK that a node refers to; empty if it refers to something else."""
        scope = self.scopes.get(node)
        if scope is None or not isinstance(node, (cst.Name, cst.Attribute)):
            return ""
        names = scope.get_qualified_names_for(node)
        for each in names:
            package, _, name = each.name.rpartition(".")
            if each.source is QualifiedNameSource.IMPORT and package.partition(".")[0] in modules:
                return name
        return node.value if self.has_star and not names and isinstance(node, cst.Name) else ""

    def assignment(self, name: cst.BaseExpression) -> Assignment | None:
        """The only assignment to a name; None if there are several or none."""
        scope = self.scopes.get(name)
        if scope is None or not isinstance(name, cst.Name):
            return None
        found = list(scope[name.value])
        return found[0] if len(found) == 1 and isinstance(found[0], Assignment) else None

    def value(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """The value that a name stands for, or the node itself if that is unknown."""
        for _ in range(8):  # a = b; b = a
            assignment = self.assignment(node)
            found = self.values.get(assignment.node) if assignment is not None else None
            if found is None:
                return node
            node = found
        return node

    def class_of(self, name: cst.BaseExpression) -> str:
        """The class of the SDK that a variable or an argument is an instance of."""
        value = self.value(name)
        if isinstance(value, cst.Call):
            return self.imported(value.func)
        assignment = self.assignment(name)
        annotation = self.annotations.get(assignment.node) if assignment is not None else None
        return self.imported(annotation) if annotation is not None else ""
