"""What an audit is compared with: the same audit of an older revision, or the report of an earlier one."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from fsagent_lint.audit.run import Before, audit
from fsagent_lint.errors import UserError
from fsagent_lint.files.border import UnreadableError
from fsagent_lint.files.globs import Glob
from fsagent_lint.files.paths import absolute, relative
from fsagent_lint.files.read import exists, is_file, read_file
from fsagent_lint.files.snapshot import at_revision
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.linter.run import CopyFinder, Request, start_run
from fsagent_lint.model.choices import NoConfig
from fsagent_lint.project.list_files import Listing
from fsagent_lint.project.places import named_files
from fsagent_lint.project.session import load_harnesses
from fsagent_lint.project.settings import Settings

MAX_REPORT = 512 * 1024 * 1024


def at(since: str, request: Request, find_copies: CopyFinder | None = None) -> Before:
    """The audit of the merge base with a revision, by the config as it is now."""
    settings = start_run(request.config, plugins=request.plugins)
    wanted = _wanted(load_harnesses(request.harness, request.from_), settings)
    here = absolute(".")
    paths = [relative(absolute(path), here) for path in request.paths]
    if None in paths:
        raise UserError("--since compares files below the current folder only; run it in the folder of the repository.")
    config = request.config
    if config is not None and not isinstance(config, NoConfig):
        place = absolute(os.fspath(config))
        config = relative(place, here) or place
    with at_revision(since, wanted, _own_files(settings)) as snapshot:
        existing = tuple(path or "." for path in paths if path == "" or exists(path or ""))
        if request.paths and not existing:
            return Before(since, (), ())
        done = audit(request.replace(paths=existing, config=config, listed=snapshot.files), find_copies=find_copies)
    notes = [f"{each.path}: {each.message}" for each in done.errors]
    notes += [f"{name}: its name cannot be written on this system" for name in snapshot.left_out]
    return Before(since, done.entries, done.all_findings, tuple(f"at {since}: {note}" for note in notes))


def _wanted(harnesses: Sequence[Harness], settings: Settings) -> Callable[[str], bool]:
    """Which files of a repository an audit reads: those that may define agents, and those that bear on them."""
    listing = Listing(False, None, named_files(harnesses, settings))
    files = {entry.file for harness in harnesses for entry in harness.discovers}
    globs = [Glob(file, anywhere=True) for file in sorted(files)]
    endings = tuple({file.rpartition("*")[2].rpartition("/")[2] for file in files})

    def is_wanted(name: str) -> bool:
        return listing.is_named(f"/{name}") or (name.endswith(endings) and any(glob.matches(name) for glob in globs))

    return is_wanted


def _own_files(settings: Settings) -> list[str]:
    """The config, and the files that it names."""
    named = [os.path.join(settings.folder, file) for file in (*settings.harness_tables, settings.baseline) if file]
    return [file for file in (settings.file, *named) if file and is_file(file)]


def read_report(path: str) -> Before:
    """The agents and findings in a report that `--output-format json` wrote."""
    from fsagent_lint.audit.formats.json import ReportError, decode

    try:
        entries, findings = decode(read_file(path, limit=MAX_REPORT))
    except UnreadableError as error:
        raise UserError(f"{path}: {error}") from None
    except ReportError as error:
        what = "not a report of `fsagent-lint audit --output-format json`"
        raise UserError(f"{path}: {what}: {error}") from None
    return Before(path, entries, findings)
