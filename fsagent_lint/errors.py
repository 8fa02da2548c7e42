"""What the user can act on, and what only we can."""


class UserError(Exception):
    """What is wrong and what to do about it; printed as it stands, and the run ends with exit code 2."""


class DataError(UserError):
    """Wrong data: where, what, and what would be right."""


class BugError(Exception):
    """An exception that only a mistake of ours explains. `where`: the rule, or what else was at work."""

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.where = where
