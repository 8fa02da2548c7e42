"""The linter, formatter and converter for AI-agent markdown files."""

TYPE_CHECKING = False  # `typing` must not be imported here; see `__main__`
if TYPE_CHECKING:
    from fsagent_lint.api import (
        NO_CONFIG,
        Action,
        Agent,
        Converted,
        ConvertRun,
        Enricher,
        FileResult,
        FixRun,
        HarnessId,
        Kind,
        OutputType,
        Policy,
        PolicyRule,
        Registry,
        Result,
        Risk,
        ScopedTool,
        SyncResult,
        Tool,
        ToolFormat,
        ToolLike,
        UserError,
        check_iter,
        compose,
        convert,
        convert_all,
        fix,
        harness_id,
        lint,
        lint_text,
        load,
        sync,
    )

__version__ = "0.1.0"
__all__ = [
    "NO_CONFIG",
    "Action",
    "Agent",
    "ConvertRun",
    "Converted",
    "Enricher",
    "FileResult",
    "FixRun",
    "HarnessId",
    "Kind",
    "OutputType",
    "Policy",
    "PolicyRule",
    "Registry",
    "Result",
    "Risk",
    "ScopedTool",
    "SyncResult",
    "Tool",
    "ToolFormat",
    "ToolLike",
    "UserError",
    "__version__",
    "check_iter",
    "compose",
    "convert",
    "convert_all",
    "fix",
    "harness_id",
    "lint",
    "lint_text",
    "load",
    "sync",
]


def __getattr__(name: str) -> object:
    """The public names, imported on first use, so that `import fsagent_lint` is fast."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fsagent_lint import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return __all__
