"""Errors that the user can act on."""

from __future__ import annotations


class LabError(Exception):
    """Printed as one sentence; the exit code is 2."""
