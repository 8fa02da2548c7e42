"""What the rules about all files together know about the agents of a folder, so that no file is read for each change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fsagent_lint.agent.profile import Profile


class Profiles:
    """Agents are compared only if their names have the same key; so only those are looked at again."""

    def __init__(self) -> None:
        self._by_path: dict[str, Sequence[Profile]] = {}
        self._paths: dict[str, dict[str, None]] = {}

    def __contains__(self, path: str) -> bool:
        return path in self._by_path

    def of(self, path: str) -> Sequence[Profile]:
        """The agents of a file."""
        return self._by_path.get(path, ())

    def put(self, path: str, profiles: Sequence[Profile]) -> frozenset[str]:
        """Replace what is known about a file; returns the keys of the agents that it had and has."""
        keys = self.remove(path)
        self._by_path[path] = profiles
        for each in profiles:
            self._paths.setdefault(each.key, {})[path] = None
        return keys.union(each.key for each in profiles)

    def remove(self, path: str) -> frozenset[str]:
        keys = frozenset(each.key for each in self._by_path.pop(path, ()))
        for key in keys:
            self._paths[key].pop(path, None)
        return keys

    def paths(self, keys: Iterable[str]) -> dict[str, None]:
        """The files with agents of these keys."""
        return {path: None for key in keys for path in self._paths.get(key, ())}

    def related(self, keys: frozenset[str]) -> tuple[Profile, ...]:
        """The agents with these keys."""
        return tuple(each for path in self.paths(keys) for each in self._by_path[path] if each.key in keys)
