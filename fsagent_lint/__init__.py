"""The linter, formatter and converter for AI-agent markdown files."""

TYPE_CHECKING = False  # `typing` must not be imported here; see `__main__`

__version__ = "0.1.0"

if TYPE_CHECKING:
    from fsagent_lint.api import *  # noqa: F403
else:

    def __getattr__(name):
        """The public names, those of `api`, imported on first use, so that `import fsagent_lint` is fast."""
        from importlib import import_module

        api = import_module("fsagent_lint.api")
        if name == "__all__":
            return ["__version__", *api.__all__]
        if name not in api.__all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(api, name)

    def __dir__():
        return __getattr__("__all__")
