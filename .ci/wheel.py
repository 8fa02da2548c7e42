"""Check that the wheel holds every file that it must, and nothing else."""

from __future__ import annotations

import sys
from zipfile import ZipFile

names = set(ZipFile(sys.argv[1]).namelist())
package = {name for name in names if name.startswith("fsagent_lint/")}
rest = {name for name in names - package if ".dist-info/" not in name}
expected = [
    "py.typed",
    "harnesses/tables/opencode.toml",
    "harnesses/sdks/claude-agent-sdk.toml",
    "model/tools/Shell.txt",
]
tables = [name for name in package if name.startswith("fsagent_lint/harnesses/tables/")]
compiled = [name.replace("/tables/", "/compiled/").replace("-", "_").replace(".toml", ".py") for name in tables]
missing = {*(f"fsagent_lint/{name}" for name in expected), *compiled} - package
unwanted = rest | {name for name in package if "/tests/" in name or "/docgen/" in name}
print(f"{len(package)} files of the package")
if missing or unwanted:
    sys.exit(f"missing: {sorted(missing)}; unwanted: {sorted(unwanted)}")
