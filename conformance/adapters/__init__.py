"""The harnesses that can be recorded: one module each."""

from __future__ import annotations

import importlib
import pkgutil

from conformance.adapter import Adapter
from conformance.errors import LabError


def names() -> list[str]:
    return [module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)]


def get_adapter(id: str) -> Adapter:
    if id not in names():
        raise LabError(f"no adapter for {id!r}; there are: {', '.join(names())}")
    adapter: Adapter = importlib.import_module(f"{__name__}.{id.replace('-', '_')}").ADAPTER
    return adapter
