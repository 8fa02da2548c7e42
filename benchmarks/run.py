"""`python benchmarks/run.py`: what fsagent-lint costs, as ratios to other programs measured in the same run."""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import samples
from measure import Command, Cost, compare, environment, install, instructions, run

MAIN = "from fsagent_lint.__main__ import main; main()"
PASS, CLICK = "python -c pass", 'python -c "import click"'


class Row(NamedTuple):
    what: str
    result: str
    target: str = ""


class Bench:
    def __init__(
        self, folder: Path, python: str, repeat: int, corpus: Path | None = None, collection: Path | None = None
    ) -> None:
        self.folder, self.executable, self.repeat = folder, python, repeat
        self.corpus, self.collection = corpus, collection
        self.env = environment()

    def lint(self, cwd: Path, *args: str) -> Command:
        return Command([self.executable, "-c", MAIN, "--isolated", *args], cwd)

    def python(self, code: str) -> Command:
        return Command([self.executable, "-c", code], self.folder)

    def compare(self, commands: dict[str, Command], repeat: int = 0) -> dict[str, Cost]:
        return compare(commands, self.env, repeat or self.repeat)

    def files(self, number: int) -> Path:
        """A folder with this many agent files, created once."""
        folder = self.folder / f"files-{number}"
        if not folder.exists():
            samples.write(folder, number)
        return folder

    def start_commands(self) -> dict[str, Command]:
        one, twenty = self.files(1), self.files(20)
        names = [str(path.relative_to(twenty)) for path in sorted(twenty.rglob("*.md"))]
        return {
            PASS: self.python("pass"),
            CLICK: self.python("import click"),
            "one file": self.lint(one, *[str(path.relative_to(one)) for path in one.rglob("*.md")]),
            "20 files (the hook)": self.lint(twenty, *names),
        }


def start(bench: Bench) -> list[Row]:
    """Cold start: the cost of every run of a hook or an editor."""
    costs = bench.compare(bench.start_commands(), bench.repeat * 3)
    rows = []
    for name in ("one file", "20 files (the hook)"):
        cost = costs[name].seconds
        ratios = f"{cost / costs[CLICK].seconds:.2f} × import click, {cost / costs[PASS].seconds:.1f} × python -c pass"
        rows.append(Row(f"{name}, CPU time", f"{cost * 1000:.0f} ms = {ratios}"))
    return rows


def start_instructions(bench: Bench) -> list[Row]:
    """The same in executed instructions, which other processes do not disturb."""
    counts = {name: instructions(command, bench.env) for name, command in bench.start_commands().items()}
    click = counts.pop(CLICK)
    counts.pop(PASS)
    targets = {"one file": "≤ 2 × click", "20 files (the hook)": "≤ 2.5 × click"}
    return [
        Row(f"{name}, instructions", f"{count / 1e6:.0f} M = {count / click:.2f} × import click", targets[name])
        for name, count in counts.items()
        if count and click
    ] or [Row("instructions", "skipped: neither perf nor valgrind counts them here")]


def many(bench: Bench) -> list[Row]:
    """1,000 and 10,000 files: speed, growth and memory."""
    small, large = bench.files(1_000), bench.files(10_000)
    grep = Command(["grep", "-rc", "tools:", "."], large)
    commands = {"1k": bench.lint(small, "-q"), "10k": bench.lint(large, "-q"), "grep": grep}
    costs = bench.compare(commands, max(bench.repeat // 2, 2))
    one, ten = costs["1k"], costs["10k"]
    rows = [
        Row("files per CPU second, of 10,000", f"{10_000 / ten.seconds:,.0f}", "≥ 6,000"),
        Row("10,000 files against 1,000", f"{ten.seconds / one.seconds:.1f} ×", "≤ 10.5 ×"),
        Row("memory at 1,000 and 10,000 files", f"{one.memory / 1e6:.0f} and {ten.memory / 1e6:.0f} MB", "≤ 60 MB"),
    ]
    if "grep" in costs:
        rows.append(Row("10,000 files", f"{ten.seconds / costs['grep'].seconds:.0f} × grep -rc tools:"))
    return rows


def memory(bench: Bench) -> list[Row]:
    """10,000 and 100,000 files in one run, without findings and with some: what grows, and how fast."""
    commands = {
        "check, nothing to report": ("clean", ["-q"]),
        "--fix, nothing to report": ("clean", ["-q", "--fix"]),
        "text": ("mixed", []),
        "json": ("mixed", ["--output-format", "json"]),
        "sarif": ("mixed", ["--output-format", "sarif"]),
        "--fix": ("mixed", ["-q", "--fix"]),
    }
    folders = {(sort, number): bench.folder / f"{sort}-{number}" for sort in ("clean", "mixed") for number in _MANY}
    for (sort, number), folder in folders.items():
        (samples.write_clean if sort == "clean" else samples.write)(folder, number)
    rows = []
    for name, (sort, args) in commands.items():
        costs = [run(bench.lint(folders[sort, number], *args), bench.env).memory / 2**20 for number in _MANY]
        rows.append(Row(f"memory at 10,000 and 100,000 files, {name}", f"{costs[0]:.0f} and {costs[1]:.0f} MiB"))
    return rows


_MANY = (10_000, 100_000)


def stages(bench: Bench) -> list[Row]:
    """The time of each stage, on the corpus if there is one."""
    folder = bench.corpus or bench.files(1_000)
    script = str(Path(__file__).with_name("stages.py"))
    done = subprocess.run(
        [bench.executable, script, str(folder)], cwd=folder, env=bench.env, capture_output=True, check=True
    )
    seconds: dict[str, float] = json.loads(done.stdout)
    files = seconds.pop("files")
    rows = [Row(f"stage {name}", f"{each / files * 1e6:.0f} µs for a file") for name, each in seconds.items()]
    whole = seconds["scan"] + seconds["run"] + seconds["report"]
    cached = seconds["scan"] + seconds["read"] + seconds["report"]
    return [*rows, Row("a perfect cache", f"would leave {cached / whole:.0%} of the time beyond the start")]


def processes(bench: Bench) -> list[Row]:
    """How many files make a second process worthwhile? Wall time, so the machine must be idle."""
    rows = []
    for number in (100, 1_000, 10_000):
        folder = bench.files(number)
        parts = sorted(str(path.relative_to(folder)) for path in folder.iterdir())
        halves = [parts[::2], parts[1::2]]
        one = min(_wall([bench.lint(folder, "-q", *parts)], bench) for _ in range(3))
        two = min(_wall([bench.lint(folder, "-q", *half) for half in halves if half], bench) for _ in range(3))
        rows.append(Row(f"two processes, {number:,} files", f"{two / one:.2f} × the wall time of one"))
    return rows


def _wall(commands: Sequence[Command], bench: Bench) -> float:
    start = perf_counter()
    null = subprocess.DEVNULL
    children = [subprocess.Popen(each.args, cwd=each.cwd, env=bench.env, stdout=null, stderr=null) for each in commands]
    for child in children:
        child.wait()
    return perf_counter() - start


def corpus(bench: Bench) -> list[Row]:
    """A folder of real files, with each of its projects checked separately."""
    folder = bench.corpus
    if folder is None:
        return []
    commands = {
        "by their places": bench.lint(folder, "-q", "."),
        "by their content, too": bench.lint(bench.folder, "-q", str(folder)),
    }
    counts = {name: _count_files(command, bench) for name, command in commands.items()}
    costs = bench.compare({**commands, "one": bench.start_commands()["one file"]})
    start = costs.pop("one").seconds
    return [
        Row(
            f"{counts[name]:,} real files, found {name}",
            f"{counts[name] / (cost.seconds - start):,.0f} per CPU second beyond the start",
            "≥ 6,000",
        )
        for name, cost in costs.items()
    ]


def collection(bench: Bench) -> list[Row]:
    """A folder of real agents outside every harness's place, and agnix on the same files if it is installed."""
    if bench.collection is None:
        return []
    root, name = bench.collection.parent, bench.collection.name
    lint = bench.lint(root, name)
    commands = {"lint": lint, "one": bench.start_commands()["one file"], "agnix": Command(["agnix", name], root)}
    if shutil.which("agnix") is None:
        del commands["agnix"]
    what = f"{_count_files(lint, bench):,} agents of a collection"
    costs = {name: cost.seconds * 1000 for name, cost in bench.compare(commands).items()}
    counts = {name: (instructions(command, bench.env) or 0) / 1e6 for name, command in commands.items()}
    return [_compared(f"{what}, CPU time", costs, "ms"), _compared(f"{what}, instructions", counts, "M")]


def _compared(what: str, costs: dict[str, float], unit: str) -> Row:
    lint, agnix = costs["lint"], costs.get("agnix", 0)
    peer = f"; agnix {agnix:,.0f} {unit}, {lint / agnix:.1f} ×" if agnix else ""
    return Row(what, f"{lint:,.0f} {unit}, {costs['one']:,.0f} of them for the start{peer}", "≤ 3 × agnix")


def _count_files(command: Command, bench: Bench) -> int:
    """How many files the command checks."""
    args = [*command.args, "--output-format", "json"]
    output = subprocess.run(args, cwd=command.cwd, env=bench.env, capture_output=True, check=False).stdout
    return int(json.loads(output)["summary"]["files"])


def repository(bench: Bench) -> list[Row]:
    """A git repository of 50,000 files, 100 of them agents."""
    if shutil.which("git") is None:
        return [Row("50,000-file repository", "skipped: there is no git")]
    root = bench.folder / "repository"
    _make_repository(root, 50_000, 100)
    listing = Command(["git", "ls-files", "-co", "--exclude-standard"], root)
    hundred = bench.files(100)
    commands = {"git": listing, "lint": bench.lint(root, "-q"), "hundred": bench.lint(hundred, "-q")}
    costs = bench.compare(commands)
    lint, git = costs["lint"].seconds, costs["git"].seconds
    beyond = f"{(lint - costs['hundred'].seconds) / git:.2f} × beyond what the 100 files alone cost"
    return [Row("50,000-file repository, 100 agents", f"{lint / git:.1f} × git ls-files; {beyond}")]


def _make_repository(root: Path, files: int, agents: int) -> None:
    paths = samples.write(root, agents)
    blank = b"value = 1\n"
    kinds = ("ts", "py", "go", "json", "css")
    names = [f"src/part{at % 500:03}/module{at:05}.{kinds[at % 5]}" for at in range(files - len(paths))]
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(blank)

    def git(*args: str, data: bytes = b"") -> bytes:
        return subprocess.run(["git", *args], cwd=root, input=data, capture_output=True, check=True).stdout

    git("init", "-q")
    blob = git("hash-object", "-w", "--stdin", data=blank).decode().strip()
    git("update-index", "--index-info", data="".join(f"100644 {blob}\t{name}\n" for name in names).encode())
    git("add", *sorted({str(path.relative_to(root).parts[0]) for path in paths}))


def fixing(bench: Bench) -> list[Row]:
    """`--fix` on 1,000 unfixed files, compared with a check of them."""
    source = bench.files(1_000)
    costs = []
    for number in range(max(bench.repeat // 2, 2)):
        copy = shutil.copytree(source, bench.folder / f"fix-{number}")
        costs.append(run(bench.lint(copy, "--fix", "-q"), bench.env).seconds)
    check = bench.compare({"check": bench.lint(source, "-q")}, 2)["check"].seconds
    return [Row("--fix on 1,000 files", f"{min(costs) / check:.1f} × a check of them")]


def peers(bench: Bench) -> list[Row]:
    """Alternatives that are installed, on the same number of files: each checks what it can."""
    number = 1_000
    markdown, python, yaml = bench.files(number), bench.folder / "python", bench.folder / "yaml"
    python.mkdir()
    yaml.mkdir()
    module = "\n".join(f"value_{line} = {line}" for line in range(100))
    for at, path in enumerate(sorted(markdown.rglob("*.md"))):
        (python / f"module{at:04}.py").write_text(module)
        (yaml / f"frontmatter{at:04}.yaml").write_text(path.read_text("utf-8").split("---\n")[1], "utf-8")
    folders = {"ruff": python, "yamllint": yaml}
    commands = {name: Command(args, folders.get(name, markdown)) for name, args in PEERS.items()}
    installed = {name: command for name, command in commands.items() if shutil.which(command.args[0])}
    costs = bench.compare({"lint": bench.lint(markdown, "-q"), **installed}, 2)
    lint = costs.pop("lint").seconds
    rows = [
        Row(f"{name}, {number:,} files", f"{cost.seconds / lint:.2f} × fsagent-lint") for name, cost in costs.items()
    ]
    return rows + [Row(name, "skipped: not installed") for name in PEERS if name not in installed]


PEERS = {
    "agnix": ["agnix", "."],
    "prettier": ["prettier", "--check", "**/*.md"],
    "markdownlint": ["markdownlint", "--dot", "."],
    "mdformat": ["mdformat", "--check", "."],
    "yamllint": ["yamllint", "-d", "relaxed", "."],
    "ruff": ["ruff", "check", "--isolated", "--no-cache", "."],
}

PARTS: dict[str, Callable[[Bench], list[Row]]] = {
    "start": start,
    "instructions": start_instructions,
    "many": many,
    "memory": memory,
    "stages": stages,
    "corpus": corpus,
    "collection": collection,
    "repository": repository,
    "fixing": fixing,
    "processes": processes,
    "peers": peers,
}


def main(args: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5, help="how often to run each; the fastest counts")
    parser.add_argument("--only", choices=PARTS, action="append", help="these parts alone")
    parser.add_argument("--python", help="an interpreter that has fsagent-lint installed; default: a new one gets it")
    parser.add_argument("--corpus", type=Path, help="a folder of real agent files to check as well")
    parser.add_argument("--collection", type=Path, help="a folder of agents outside every harness's place, likewise")
    options = parser.parse_args(args)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="fsagent-lint-bench-") as folder:
        base = Path(folder).resolve()
        python = options.python or install(base / "environment")
        folders = (each and each.resolve() for each in (options.corpus, options.collection))
        bench = Bench(base, python, options.repeat, *folders)
        for name in options.only or PARTS:
            try:
                rows += PARTS[name](bench)
            except (OSError, subprocess.SubprocessError, KeyError, ValueError) as error:
                rows.append(Row(name, f"skipped: {type(error).__name__}: {error}"))
    print("| what | measured | target |\n| --- | --- | --- |")
    for row in rows:
        print(f"| {row.what} | {row.result} | {row.target} |")


if __name__ == "__main__":
    main()
