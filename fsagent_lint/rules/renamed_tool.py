"""FA104 renamed-tool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.rules import (
    ALL_AGENTS,
    Bad,
    ClassifiedItem,
    Consequence,
    Finding,
    Good,
    Group,
    Rule,
    Subject,
    Verdict,
)
from fsagent_lint.rules._readings import intended_readers
from fsagent_lint.rules._tool_fixes import listing, replacement


class RenamedTool(Rule):
    """A tool entry uses an old name of a tool, which the harness still accepts.

    ## Why
    Harnesses remove old names eventually, and then drop the tool without any warning. VS Code marks them in the editor.

    ## Fix safety
    Safe where one new name grants what the old one does. Unsafe where it takes several: the list becomes longer, and the
    old name still works. Unsafe, too, where the new name is already listed, or is that of two old names: an entry that
    works would be gone. Unsafe where not every harness that reads the folder knows the new name, so that a wider one is
    written: VS Code's `fetch` is now `web/fetch`, which Copilot ignores, and `web` is known to both.
    """

    code = "FA104"
    name = "renamed-tool"
    consequence = Consequence.STYLE
    tag = "deprecated"
    sorts = ALL_AGENTS
    about = frozenset((Verdict.RENAMED,))
    examples = (
        Good("---\nname: a\ndescription: d\ntools: Agent\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\ntools: Read, ⟦Task⟧\n---\n",
            fixed="---\nname: a\ndescription: d\ntools: Read, Agent\n---\n",
        ),
        Bad(
            "---\ndescription: d\ntools: ['⟦codebase⟧', 'search']\n---\n",
            harness="copilot",
            fixed="---\ndescription: d\ntools: ['search/codebase', 'search']\n---\n",
        ),
        Bad(
            "---\ndescription: d\ntools: ['read', '⟦fetch⟧']\n---\n",
            harness="copilot",
            fixed="---\ndescription: d\ntools: ['read', 'web']\n---\n",
        ),
        Bad(
            "---\ndescription: d\ntarget: vscode\ntools: ['read', '⟦fetch⟧']\n---\n",
            harness="copilot",
            fixed="---\ndescription: d\ntarget: vscode\ntools: ['read', 'web/fetch']\n---\n",
        ),
        Bad(
            "---\nname: a\ndescription: d\ntools: [read, ⟦grep⟧]\n---\n",
            harness="kiro",
            fixed="---\nname: a\ndescription: d\ntools: [read]\n---\n",
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        harnesses = () if intended_readers(subject) else subject.shared_harnesses
        # A new name that occurs twice would be removed once.
        counts = Counter((entry.value.key, name) for entry in subject.items for name in _new_names(entry))
        for entry in subject.items:
            if entry.verdict == Verdict.RENAMED and entry.name is not None:
                use = _names_for_all(subject, entry, harnesses)
                old = f"`{entry.item.name}`"
                safe = len(use) == 1 and use == entry.name.use and counts[entry.value.key, use[0]] == 1
                listed = all(counts[entry.value.key, name] > 1 for name in use)
                todo = f"It stands for {listing(use)}, which is also listed" if listed else f"Write {listing(use)}"
                yield self.finding(
                    entry.item.span,
                    f"{old} is an old name that still works. {todo}.",
                    fix=replacement(subject, entry, use, safe=safe, keep_all=True),
                    group=Group("Old names that still work", f"{old} (now {listing(use)})"),
                )


def _names_for_all(subject: Subject, entry: ClassifiedItem, others: Sequence[Harness]) -> tuple[str, ...]:
    """The new names, or different ones if not all the other harnesses that the file is written for know the new ones."""
    use = _new_names(entry)
    harnesses = (subject.harness, *others)
    if not others or _are_known(use, harnesses):
        return use
    tools = subject.main_tools(entry.item.name)
    common = tuple(dict.fromkeys(name for tool in tools for name in subject.harness.write.get(tool.name, ())))
    return common if common and _are_known(common, harnesses) else use


def _are_known(names: Iterable[str], harnesses: Iterable[Harness]) -> bool:
    return all(harness.natives(name) for harness in harnesses for name in names)


def _new_names(entry: ClassifiedItem) -> tuple[str, ...]:
    return entry.name.use if entry.verdict == Verdict.RENAMED and entry.name is not None else (entry.item.name,)
