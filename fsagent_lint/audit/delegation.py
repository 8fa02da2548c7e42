"""Who may call whom: what an agent reaches through others, and agents that call one another in a circle."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from fsagent_lint._fast import NamedTuple
from fsagent_lint.agent.subject import Subject
from fsagent_lint.agent.widening import unlimited
from fsagent_lint.audit.capabilities import inherits
from fsagent_lint.audit.facts import ANY, Cycle, Entry, Reading
from fsagent_lint.effect.effect import Effect
from fsagent_lint.harnesses.gates import matches_wildcard
from fsagent_lint.model.policy import scope_pattern
from fsagent_lint.model.tool import HARMFUL, Risk, Tool
from fsagent_lint.rules._references import named_agents

_AGENT = Tool("Agent")
_REACHED = tuple(risk.value for risk in HARMFUL if risk is not Risk.DELEGATE)
"""The capabilities that an agent may reach through another one."""
_ONE, _LIST = "exact", "each"
_NO_WAY: tuple[str, ...] = ()


def callees(effect: Effect, read: Subject) -> Iterator[str]:
    """The agents that an agent, skill or command may call, as names and patterns; `ANY` for all."""
    fields = [each for each in named_agents(read) if each.field is not None]
    runs_as = [each.name for each in fields if each.field is not None and each.field.agents == _ONE]
    if runs_as or inherits(read):
        yield from runs_as
        return
    natives = [name for name in effect.natives if _AGENT in read.harness.tools[name].granted]
    if not natives:
        return
    listed = [each.name for each in fields if each.field is not None and each.field.agents == _LIST]
    policy = read.intent.policy
    limits = () if unlimited(policy, read.harness, read.kind, natives) else policy.scopes(_AGENT)
    named = [scope_pattern(part.strip()) for scope in limits for part in scope.split(",")]
    yield from dict.fromkeys(named or listed) or (ANY,)


class _Node(NamedTuple):
    """An agent in one harness."""

    entry: Entry
    reading: Reading

    @property
    def name(self) -> str:
        return self.reading.known_as or self.entry.name

    @property
    def is_callable(self) -> bool:
        return self.reading.subagent is not None and self.reading.subagent.loads

    def has(self, capability: str) -> bool:
        """Does it have a capability when another agent calls it?"""
        grant, subagent = self.reading.grant(capability), self.reading.subagent
        if subagent is None or not grant.state.is_granted:
            return False
        return not set(grant.tools) <= set(subagent.without)

    @property
    def calls_on(self) -> tuple[str, ...]:
        """The agents that it may call when another agent has called it."""
        return self.reading.calls if self.has(Risk.DELEGATE.value) else ()


class _Graph:
    """The agents of a harness that see one another."""

    def __init__(self, nodes: Sequence[_Node]) -> None:
        self.nodes = sorted((node for node in nodes if node.is_callable), key=lambda node: (node.name, node.entry.path))
        self.by_name: dict[str, list[_Node]] = {}
        for node in self.nodes:
            self.by_name.setdefault(node.name, []).append(node)
        self._first = {each: [node for node in self.nodes if node.has(each)][:2] for each in _REACHED}

    def reached(self, caller: _Node) -> dict[str, tuple[str, ...]]:
        """The capabilities that an agent lacks and others have that it may call: the way to the nearest one."""
        lacks = [each for each in _REACHED if not caller.reading.has(each)]
        found: dict[str, tuple[str, ...]] = {}
        for capability, way in self._ways(caller, lacks):
            found.setdefault(capability, way)
        return {each: found[each] for each in lacks if each in found}

    def _ways(self, caller: _Node, lacks: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Capabilities of agents that it may call, directly and through others, the nearest agents first."""
        queue = deque([(_NO_WAY, caller.reading.calls)] if lacks else ())
        seen = {caller.name}
        while queue:
            way, calls = queue.popleft()
            if ANY in calls:  # every other agent is a step away
                others = ((each, self._other(each, caller)) for each in lacks)
                yield from ((each, (*way, other.name)) for each, other in others if other is not None)
                continue
            for node in self._named(calls):
                if node.name not in seen:
                    seen.add(node.name)
                    yield from ((each, (*way, node.name)) for each in lacks if node.has(each))
                    queue.append(((*way, node.name), node.calls_on))

    def _other(self, capability: str, caller: _Node) -> _Node | None:
        return next((node for node in self._first[capability] if node.entry is not caller.entry), None)

    def _named(self, calls: Sequence[str]) -> Iterator[_Node]:
        """The agents that names and patterns stand for."""
        for name in calls:
            if name in self.by_name or "*" not in name:
                yield from self.by_name.get(name, ())
            else:
                yield from (node for node in self.nodes if matches_wildcard(name, node.name))

    def cycles(self) -> Iterator[tuple[str, ...]]:
        """Agents that name one another in a circle, each circle of connected agents once."""
        edges = {
            name: {node.name for each in nodes if ANY not in each.calls_on for node in self._named(each.calls_on)}
            for name, nodes in self.by_name.items()
        }
        for names in _components(edges):
            if len(names) > 1 or names[0] in edges[names[0]]:
                yield tuple(sorted(names))


def with_delegation(entries: Sequence[Entry]) -> tuple[list[Entry], list[Cycle]]:
    """The same entries with what each reaches through others, and the circles among them."""
    graphs = _graphs(entries)
    done = []
    for entry in entries:
        readings = [
            reading._replace(reaches=graphs[reading.harness, entry.home].reached(_Node(entry, reading)))
            if reading.calls
            else reading
            for reading in entry.readings
        ]
        done.append(entry._replace(readings=tuple(readings)))
    cycles = {Cycle(harness, names) for (harness, _), graph in graphs.items() for names in graph.cycles()}
    return done, sorted(cycles)


def _graphs(entries: Sequence[Entry]) -> dict[tuple[str, str], _Graph]:
    """For each harness and folder of a project: the agents there, and in the folders around it."""
    nodes: dict[tuple[str, str], list[_Node]] = {}
    for entry in entries:
        for reading in entry.readings:
            nodes.setdefault((reading.harness, entry.home), []).append(_Node(entry, reading))
    return {
        (harness, home): _Graph([node for around in _around(home) for node in nodes.get((harness, around), ())])
        for harness, home in nodes
    }


def _around(home: str) -> list[str]:
    """The folder, and those that it lies in."""
    parts = home.split("/") if home else []
    return list(dict.fromkeys("/".join(parts[:count]) for count in range(len(parts) + 1)))


def _components(edges: Mapping[str, set[str]]) -> Iterator[list[str]]:
    """The strongly connected components of a graph (Tarjan's algorithm, without recursion)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    for root in edges:
        if root in order:
            continue
        work = [(root, iter(sorted(edges[root])))]
        order[root] = low[root] = len(order)
        path.append(root)
        on_path.add(root)
        while work:
            name, rest = work[-1]
            following = next(rest, None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == order[name]:
                    at = path.index(name)
                    yield path[at:]
                    on_path.difference_update(path[at:])
                    del path[at:]
            elif following not in order:
                order[following] = low[following] = len(order)
                path.append(following)
                on_path.add(following)
                work.append((following, iter(sorted(edges[following]))))
            elif following in on_path:
                low[name] = min(low[name], order[following])
