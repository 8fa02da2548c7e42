"""What goes wrong with one file is an error of that file, and the run goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fsagent_lint.errors import BugError, UserError
from fsagent_lint.files.read import FileError
from fsagent_lint.model.result import Problem, internal_error


@contextmanager
def guard(path: str, errors: list[Problem], where: str = "fsagent-lint") -> Iterator[None]:
    """Add what is raised to the errors; `where`: what is at work, in case that it has a bug."""
    try:
        yield
    except (FileError, UserError, OSError) as error:
        errors.append(Problem(path, str(error)))
    except BugError as error:
        errors.append(internal_error(path, error.where, error.__cause__ or error))
    except Exception as error:
        errors.append(internal_error(path, where, error))
