"""The linter, formatter and converter for AI-agent markdown files."""

TYPE_CHECKING = False  # `typing` must not be imported here; see `__main__`
if TYPE_CHECKING:
    from fsagent_lint.api import (
        NO_CONFIG,
        Agent,
        Converted,
        FileResult,
        FixRun,
        Result,
        UserError,
        check_iter,
        convert,
        fix,
        lint,
        lint_text,
        load,
    )

__version__ = "0.1.0"
__all__ = [
    "NO_CONFIG",
    "Agent",
    "Converted",
    "FileResult",
    "FixRun",
    "Result",
    "UserError",
    "__version__",
    "check_iter",
    "convert",
    "fix",
    "lint",
    "lint_text",
    "load",
]


def __getattr__(name: str) -> object:
    """The public names, imported on first use, so that `import fsagent_lint` is fast."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fsagent_lint import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return __all__
