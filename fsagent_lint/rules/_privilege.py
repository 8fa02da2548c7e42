"""What the rules about least privilege share: what an agent can do without asking."""

from __future__ import annotations

from fsagent_lint.agent.verdicts import ClassifiedItem
from fsagent_lint.effect.effect import Effect
from fsagent_lint.effect.outcome import Refusal
from fsagent_lint.effect.semantics import SEMANTICS
from fsagent_lint.harnesses.harness import Harness
from fsagent_lint.harnesses.kind import Kind
from fsagent_lint.model.tool import Risk, Tool
from fsagent_lint.rules import Action, Span, Subject

SHELL = Tool.Shell
FILES = frozenset((Tool.Write, Tool.Edit, Tool.NotebookEdit))
_AGENTS = ("agent", "chatmode", "mode")
_UNLIMITED = ("", "*", "**", ":*", "*:*")


def is_agent(subject: Subject) -> bool:
    return subject.kind_name in _AGENTS and subject.effect.loads


def is_unrestricted(subject: Subject) -> bool:
    """Does the agent have every tool that the harness grants to agents that name none?"""
    if not subject.values:
        return True
    return not limits_commands(subject) and has_every_tool(subject.effect, subject.harness, subject.kind)


def has_every_tool(effect: Effect, harness: Harness, kind: Kind, owner: str = "") -> bool:
    """Does an effect grant, without asking, all that the harness grants to an agent without tool keys?"""
    data = {key: value for key, value in effect.data.items() if key not in kind.keys}
    default = SEMANTICS[harness.semantics](data, harness, kind, owner)
    if isinstance(default, Refusal):
        return False
    return {*effect.tools, *effect.conditional}.issuperset(default.tools)


def is_restricted_agent(subject: Subject) -> bool:
    """Agents that have every tool are reported by `every-tool` alone."""
    return is_agent(subject) and not is_unrestricted(subject)


def natives(subject: Subject, tool: Tool, *, asked: bool = False) -> list[str]:
    """The native tools of the running agent that people name for a canonical tool."""
    effect = subject.effect
    names = (*effect.tools, *effect.ask) if asked else effect.tools
    return [name for name in names if tool in subject.harness.tools[name].main]


def of_risk(subject: Subject, risk: Risk) -> list[str]:
    """The native tools that the agent may use without asking, and that do this."""
    tools = subject.harness.tools
    return [name for name in subject.effect.tools if any(each.risk is risk for each in tools[name].main)]


def whole_shell(subject: Subject) -> list[str]:
    """The native shells in which the agent may run any command without asking."""
    found = natives(subject, SHELL)
    return [] if found and limits_commands(subject) else found


def limits_commands(subject: Subject) -> bool:
    """Does the harness let only some commands run?"""
    patterns = subject.intent.policy.patterns(SHELL)
    if not patterns or patterns[0][1] is Action.ALLOW:
        return False
    scoped = [entry for entry in subject.items if entry.item.scope is not None and SHELL in entry.meaning.tools]
    return any(subject.kind.keys[entry.value.key].scopes == "honoured" for entry in scoped)


def is_unlimited(entry: ClassifiedItem) -> bool:
    """Is it the whole tool, as with `Bash` and `Bash(*)`?"""
    return entry.item.scope is None or entry.item.scope in _UNLIMITED


def shell_entry(subject: Subject) -> Span:
    """Where the file names the shell, or else its first tool key."""
    named = [entry for entry in subject.items if SHELL in entry.meaning.tools and entry.action is not Action.DENY]
    if named:
        return named[-1].item.span
    return subject.values[0].entry.key.span if subject.values else subject.document.opening_fence


def limit_advice(subject: Subject) -> str:
    """How commands are limited in this harness."""
    keys = subject.kind.keys.values()
    if any(key.role == "permission" and key.scopes == "honoured" and not key.instead for key in keys):
        return "Allow only the commands that it needs, and deny the others."
    return "Leave it out, or limit its commands in the settings."
