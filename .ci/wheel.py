"""Check that the wheel holds every file that it must, and nothing else."""

from __future__ import annotations

import sys
from zipfile import ZipFile

names = set(ZipFile(sys.argv[1]).namelist())
package = {name for name in names if name.startswith("fsagent_lint/")}
rest = {name for name in names - package if ".dist-info/" not in name}
missing = {"fsagent_lint/py.typed", "fsagent_lint/harnesses/opencode.toml", "fsagent_lint/tools/Shell.txt"} - package
unwanted = rest | {name for name in package if name.startswith(("fsagent_lint/docgen", "fsagent_lint/tests"))}
print(f"{len(package)} files of the package")
if missing or unwanted:
    sys.exit(f"missing: {sorted(missing)}; unwanted: {sorted(unwanted)}")
