"""An error in one file is reported for that file, and the run continues."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fsagent_lint.errors import BugError, UserError
from fsagent_lint.files.border import FileError
from fsagent_lint.model.result import Problem, internal_error


@contextmanager
def guard(path: str, errors: list[Problem], where: str = "fsagent-lint") -> Iterator[None]:
    """Turn exceptions into errors of the file; `where`: the component that runs, in case it has a bug."""
    try:
        yield
    except (FileError, UserError, OSError) as error:
        errors.append(Problem(path, str(error)))
    except BugError as error:
        errors.append(internal_error(path, error.where, error.__cause__ or error))
    except Exception as error:
        errors.append(internal_error(path, where, error))
