"""Errors that the user can act on, and errors that only we can."""


class UserError(Exception):
    """What is wrong and what to do about it; printed verbatim, and the run exits with code 2."""


class DataError(UserError):
    """Invalid data: where it is, what is wrong, and what would be valid."""


class BugError(Exception):
    """An exception caused by a bug of ours. `where`: the rule, or whatever else was running."""

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.where = where
