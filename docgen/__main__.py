"""`python -m docgen [--check]`: write the generated files, or name those that are not current.

What commands print that list every harness is written, too, and checked by the tests.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from docgen import (
    changes,
    code,
    completions,
    fsagent,
    harness,
    hook,
    man,
    rules,
    samples,
    schemas,
    surprises,
    tools,
    transcript,
)
from docgen.markdown import NOTICE, fill
from docgen.recordings import Recordings
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.tables import get_harness, harness_ids
from fsagent_lint.linter.rule_page import page
from fsagent_lint.rules import all_rules
from fsagent_lint.testing import messages

ROOT = Path(__file__).parents[1]
TRUTH = ROOT / "tests/truth"
README_COLUMNS = 4
"""How many harnesses, in the usual order, fit into the table of the README."""
FOLDERS = ("docs/rules", "docs/harnesses", "completions", "man", schemas.FOLDER)
"""Folders that hold only generated files, so that a file that is no longer generated is stale."""


def generate(root: Path) -> dict[str, str]:
    """The text of every generated file, by its path relative to the root."""
    known = tuple(map(get_harness, harness_ids()))
    recordings = Recordings(TRUTH)
    with_places = tuple(each for each in known if any(kind.globs for kind in each.kinds.values()))
    files = {f"docs/rules/{rules.file_name(rule)}": NOTICE + page(rule, messages) for rule in all_rules()}
    files |= {f"docs/harnesses/{each.id}.md": harness.page(each, recordings) for each in known}
    files["docs/rules/README.md"] = rules.index()
    files["docs/harnesses/README.md"] = harness.index(known, recordings)
    files["docs/changes-in-harnesses.md"] = changes.page(known)
    files["docs/surprises.md"] = surprises.page(recordings)
    files["docs/tools.md"] = tools.page(with_places)
    files |= dict(schemas.schema_files(with_places))
    files[".pre-commit-hooks.yaml"] = hook.hooks_file(known)
    files["README.md"] = _readme((root / "README.md").read_text(encoding="utf-8"), with_places, recordings)
    home = (root / "docs/README.md").read_text(encoding="utf-8")
    files["docs/README.md"] = fill(home, "effects", samples.matrix(with_places[:README_COLUMNS]))
    files["CONTRIBUTING.md"] = fill((root / "CONTRIBUTING.md").read_text(encoding="utf-8"), "codes", rules.free_codes())
    files |= {path: transcript.replay((root / path).read_text(encoding="utf-8")) for path in guides(root)}
    files["man/fsagent-lint.1"] = man.page()
    files |= {f"completions/{name}": script for name, script in completions.scripts().items()}
    convert = (root / "docs/convert.md").read_text(encoding="utf-8")
    files["docs/convert.md"] = fill(convert, "mcp-files", harness.mcp_files(known))
    comparison = (root / fsagent.PAGE).read_text(encoding="utf-8")
    for region, content in fsagent.regions(recordings).items():
        comparison = fill(comparison, region, content)
    files[fsagent.PAGE] = comparison
    files[code.CHOICES] = code.choices((root / code.CHOICES).read_text(encoding="utf-8"))
    files[code.TOOL] = code.tool((root / code.TOOL).read_text(encoding="utf-8"))
    files["docs/audit.md"] = transcript.replay((root / "docs/audit.md").read_text(encoding="utf-8"))
    return files


def guides(root: Path) -> list[str]:
    """The pages whose terminal sessions are run again."""
    paths = [*(root / "docs").glob("*.md"), *(root / "docs/guides").glob("*.md")]
    return sorted(path.relative_to(root).as_posix() for path in paths if "```console" in path.read_text("utf-8"))


def _readme(text: str, harnesses: tuple[Harness, ...], recordings: Recordings) -> str:
    text = fill(text, "rules", rules.summary())
    text = fill(text, "effects", samples.matrix(harnesses[:README_COLUMNS]))
    text = fill(text, "harnesses", harness.summary(harnesses, recordings))
    return transcript.replay(text)


def stale(root: Path, files: dict[str, str]) -> list[str]:
    """Files that are outdated, missing, or no longer generated."""
    found = {path.relative_to(root).as_posix() for folder in FOLDERS for path in (root / folder).glob("*")}
    return sorted({*(found - set(files)), *(path for path, text in files.items() if _read(root / path) != text)})


def _read(path: Path) -> str | None:
    return path.read_bytes().decode("utf-8") if path.is_file() else None


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m docgen", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 and name the files that are stale")
    options = parser.parse_args(argv)
    files = generate(ROOT)
    paths = stale(ROOT, files)
    for path in paths:
        print(f"{path} is not current" if options.check else path)
        if not options.check:
            _write(ROOT / path, files.get(path))
    if options.check and paths:
        print("Run `python -m docgen`.")
    return 1 if options.check and paths else 0


def update_listings() -> int:
    """The expected output of commands that list every harness, which their own tests write."""
    command = [sys.executable, "-m", "pytest", "-q", "tests/cli/test_cli.py", "-k", "a_run_prints", "--update-listings"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    if done.returncode:
        print(done.stdout)
    return done.returncode


def _write(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))


if __name__ == "__main__":
    sys.exit(main() or ("--check" not in sys.argv and update_listings()))
