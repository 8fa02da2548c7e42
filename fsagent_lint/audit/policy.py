"""The policy of the config: which capabilities, alone or together, no agent may have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.audit.facts import CALLED, CAPABILITIES, Entry, Reading, State, Violation
from fsagent_lint.errors import DataError
from fsagent_lint.files.globs import Glob
from fsagent_lint.project.settings import Settings
from fsagent_lint.suggest import hint

UNRESTRICTED = "unrestricted"
QUALIFIERS = (State.GIVEN.value, State.SCOPED.value, State.ASKS.value, CALLED)
MOST_NAMED = 3
"""How many tools a message names."""
TERMS = (*CAPABILITIES, UNRESTRICTED)


class Term(NamedTuple):
    """`execute`, `execute:given` or `unrestricted`."""

    name: str
    how: str = ""

    def describe(self, reading: Reading) -> str:
        """How an agent meets the term, in words; empty if it does not."""
        if self.name == UNRESTRICTED:
            return "is unrestricted" if reading.unrestricted else ""
        if self.how == CALLED:
            way = reading.reaches.get(self.name)
            return f"can call `{way[-1]}`, which can {verb(self.name)}" if way else ""
        grant = reading.grant(self.name)
        if not grant.state.is_granted or self.how not in ("", grant.state.value):
            return ""
        return f"can {verb(self.name)} ({_some(grant.tools)}{_limit(grant.state, grant.scopes)})"


_VERBS = {
    "read": "read files",
    "write": "write files",
    "mcp": "use MCP servers",
    "execute": "run commands",
    "network": "reach the network",
    "delegate": "call agents",
    "interact": "ask the user",
}


def verb(capability: str) -> str:
    return _VERBS[capability]


def _some(tools: Sequence[str]) -> str:
    """Names of tools, the first few of many."""
    shown = ", ".join(f"`{tool}`" for tool in tools[:MOST_NAMED])
    return f"{shown} and {len(tools) - MOST_NAMED} more" if len(tools) > MOST_NAMED else shown


def _limit(state: State, scopes: Sequence[str]) -> str:
    words = {State.ASKS: " after asking", State.MAY: " under a condition"}
    return f" only for {', '.join(scopes)}" if state is State.SCOPED else words.get(state, "")


class Rule(NamedTuple):
    """An entry of `forbid`: all of its terms together."""

    text: str
    terms: tuple[Term, ...]

    def describe(self, reading: Reading) -> str:
        """How an agent breaks the rule; empty if it does not."""
        found = [term.describe(reading) for term in self.terms]
        return " and ".join(found) if all(found) else ""

    def is_excused(self, allowed: Collection[str]) -> bool:
        """Is the whole entry allowed, or each of its terms?"""
        return self.text in allowed or all(part in allowed for part in self.text.split("+"))


class Policy(NamedTuple):
    rules: tuple[Rule, ...]
    allow: tuple[tuple[Glob, frozenset[str]], ...]


def read_policy(settings: Settings) -> Policy:
    """The policy of the settings; DataError for a term that does not exist."""
    where = f"{settings.file or 'settings'}: audit"
    return Policy(
        tuple(_rule(text, f"{where}.forbid") for text in settings.audit.forbid),
        tuple(
            (Glob(glob), frozenset(_rule(text, f"{where}.allow.{glob}").text for text in texts))
            for glob, texts in settings.audit.allow.items()
        ),
    )


def _rule(text: str, where: str) -> Rule:
    parts = [part.strip() for part in text.split("+")]
    return Rule("+".join(parts), tuple(_term(part, where) for part in parts))


def _term(text: str, where: str) -> Term:
    name, colon, how = text.partition(":")
    if name not in TERMS:
        raise DataError(f"{where}: unknown capability {name!r}. {hint(name, TERMS)}")
    known = QUALIFIERS if name != UNRESTRICTED else ()
    if colon and how not in known:
        raise DataError(
            f"{where}: {text!r}: expected one of {', '.join((name, *(f'{name}:{each}' for each in known)))}"
        )
    return Term(name, how)


def violations(policy: Policy, entries: Sequence[Entry], folder: str = "") -> Iterator[Violation]:
    """What each agent does that the policy forbids, in each harness. `folder`: what the globs of paths are relative to."""
    for entry in entries if policy.rules else ():
        allowed = _allowed(policy, entry, folder)
        for reading in entry.readings:
            for rule in policy.rules:
                if not rule.is_excused(allowed) and (how := rule.describe(reading)):
                    message = f"The policy forbids `{rule.text}`: in {reading.title}, `{entry.name}` {how}."
                    yield Violation(entry.path, entry.name, entry.line, reading.harness, rule.text, message)


def _allowed(policy: Policy, entry: Entry, folder: str) -> frozenset[str]:
    path = f"{folder}/{entry.path}".lstrip("/") if folder else entry.path
    found = (allowed for glob, allowed in policy.allow if glob.matches(entry.name) or glob.matches(path))
    return frozenset[str]().union(*found)
