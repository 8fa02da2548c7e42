"""The one exception for what the user can act on."""


class UserError(Exception):
    """What is wrong and what to do about it; printed as it stands, and the run ends with exit code 2."""


class DataError(UserError):
    """Wrong data: where, what, and what would be right."""
