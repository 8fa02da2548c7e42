"""Check that the wheel holds every file that it must, and nothing else."""

from __future__ import annotations

import sys
from zipfile import ZipFile

names = set(ZipFile(sys.argv[1]).namelist())
package = {name for name in names if name.startswith("fsagent_lint/")}
shared = {name.partition(".data/data/")[2] for name in names if ".data/data/" in name}
rest = {name for name in names - package if ".dist-info/" not in name and ".data/data/" not in name}
expected = [
    "py.typed",
    "harnesses/tables/opencode.toml",
    "harnesses/sdks/claude-agent-sdk.toml",
    "model/tools/Shell.txt",
    "audit/formats/page/page.html",
    "audit/formats/page/page.css",
    "audit/formats/page/page.js",
]
in_environment = {
    "share/man/man1/fsagent-lint.1",
    "share/bash-completion/completions/fsagent-lint",
    "share/zsh/site-functions/_fsagent-lint",
    "share/fish/vendor_completions.d/fsagent-lint.fish",
}
tables = [name for name in package if name.startswith("fsagent_lint/harnesses/tables/")]
compiled = [name.replace("/tables/", "/compiled/").replace("-", "_").replace(".toml", ".py") for name in tables]
missing = {*(f"fsagent_lint/{name}" for name in expected), *compiled} - package
missing |= in_environment - shared
unwanted = rest | (shared - in_environment) | {name for name in package if "/tests/" in name or "/docgen/" in name}
print(f"{len(package)} files of the package")
if missing or unwanted:
    sys.exit(f"missing: {sorted(missing)}; unwanted: {sorted(unwanted)}")
