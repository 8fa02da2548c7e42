"""FA413 invalid-hook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsagent_lint.effect.hooks import HookProblem, hook_problems
from fsagent_lint.frontmatter.nodes import Entry, List, Map, Span
from fsagent_lint.harnesses.kind import Field
from fsagent_lint.rules import Bad, Consequence, Finding, Good, Rule, Subject, Trait
from fsagent_lint.suggest import nearest


class InvalidHook(Rule):
    """A hook has an unknown event, or is not written the way that the harness reads hooks.

    ## Why
    Claude Code ignores a hook that it cannot read, and only its debug log reports it. If the hook belongs to `PreToolUse` or
    `PermissionRequest`, which can forbid a call, Claude Code does not load the agent at all, and loads a skill or command
    without hooks and without the approvals of `allowed-tools`.

    ## What to do
    Below `hooks` write the event, below it a list of matchers, and in each matcher a list `hooks`:

    ```yaml
    hooks:
      PreToolUse:
        - matcher: Bash
          hooks:
            - type: command
              command: ./check.sh
    ```
    """

    code = "FA413"
    name = "invalid-hook"
    consequence = Consequence.IGNORED
    about = frozenset((Trait.SPECIAL, Trait.UNKNOWN))
    examples = (
        Good(
            "---\nname: a\ndescription: d\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n"
            "        - type: command\n          command: ./check.sh\n---\n"
        ),
        Good("---\nname: a\ndescription: d\nhooks:\n  Stop:\n---\n"),
        Bad(
            "---\nname: a\ndescription: d\nhooks:\n  PreToolUse:\n    - matcher: Bash\n"
            "      ⟦command⟧: ./check.sh\n---\n"
        ),
        Bad(
            "---\nname: a\ndescription: d\nhooks:\n  PostToolUse:\n    - matcher: Edit\n      hooks:\n"
            "        - ⟦command: ./format.sh⟧\n---\n"
        ),
        Bad(
            "---\nname: a\ndescription: d\nhooks:\n  ⟦preToolUse⟧:\n    - matcher: Bash\n      hooks:\n"
            "        - type: command\n          command: ./check.sh\n---\n"
        ),
        Bad(
            "---\nname: a\ndescription: d\n⟦PreToolUse⟧:\n  - matcher: Bash\n    hooks:\n"
            "      - type: command\n        command: ./check.sh\n---\n"
        ),
    )

    def check(self, subject: Subject) -> Iterator[Finding]:
        hooks = subject.harness.hooks
        for key, field in subject.kind.fields.items():
            entry = subject.document.get(key) if field.hooks else None
            if entry is not None:
                for problem in hook_problems(subject.effect.data.get(key), hooks):
                    yield self._found(subject, field, _span(entry, problem.path), problem)
            if field.hooks:
                for misplaced in subject.document.entries:
                    if misplaced.name in hooks.events and isinstance(misplaced.value, List):
                        guards = misplaced.name in hooks.guards
                        what = f"the hook event `{misplaced.name}` is outside `{key}`"
                        problem = HookProblem((), what, f"Move it below `{key}:`.", guards)
                        yield self._found(subject, field, misplaced.key.span, problem)

    def _found(self, subject: Subject, field: Field, span: Span, problem: HookProblem) -> Finding:
        title, what = subject.harness.title, f"{problem.what[0].upper()}{problem.what[1:]}"
        event = problem.path[-1] if problem.path else ""
        guess = nearest(str(event), subject.harness.hooks.events) if len(problem.path) == 1 else None
        advice = problem.advice or (f"Did you mean `{guess}`?" if guess else "Correct the name, or remove it.")
        refused = problem.guards and field.wrong == "refused"
        if refused:
            outcome = f"{title} does not load the {subject.kind_name}"
        elif problem.guards:
            approving = [
                key
                for key in subject.document.by_name
                if key in subject.kind.keys and subject.kind.keys[key].role == "approve"
            ]
            also = "".join(f" and ignores `{key}`" for key in approving)
            outcome = f"{title} runs none of the hooks{also}"
        else:
            outcome = f"{title} ignores it"
        consequence = Consequence.REFUSED if refused else Consequence.IGNORED
        return self.finding(span, f"{what}; {outcome}. {advice}", consequence=consequence)


def _span(entry: Entry, path: Sequence[str | int]) -> Span:
    """The place of a problem: the key that the path ends with, or the list item."""
    node, span = entry.value, entry.key.span
    for step in path:
        if isinstance(node, Map) and isinstance(step, str):
            found = next((each for each in reversed(node.entries) if each.name == step), None)
            if found is None:
                return span
            node, span = found.value, found.key.span
        elif isinstance(node, List) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
            span = node.span
        else:
            return span
    return span
