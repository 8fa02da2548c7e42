"""Readers of harness config files that affect agents; tables refer to them by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fsagent_lint._fast import pattern
from fsagent_lint.effect.surroundings import Surroundings
from fsagent_lint.files.jsonc import JsonError, mapping
from fsagent_lint.frontmatter.document import stem

# `Bash` and `Bash(*)` deny the tool; `Bash(rm *)` denies a use of it.
_WHOLE_TOOL = pattern(r"([^()]+?)(?:\(\s*+\*?+\s*+\))?")


def claude_settings(found: Surroundings, data: Any, name: str, path: str) -> Surroundings:  # noqa: ARG001
    """`permissions.deny` denies whole tools to every agent; a broken file is ignored."""
    denied = mapping(data, "permissions").get("deny")
    entries = [entry for entry in denied if isinstance(entry, str)] if isinstance(denied, list) else []
    whole = [match[1] for entry in entries if (match := _WHOLE_TOOL.fullmatch(entry))]
    return found._replace(denied=(*found.denied, *whole))


def opencode_config(found: Surroundings, data: Any, name: str, path: str) -> Surroundings:
    """Tools, permissions and model for all agents, and settings for single ones; a broken file stops the harness."""
    if isinstance(data, JsonError):
        return found._replace(refused=f"{path} {data}")
    shared = {key: value for key, value in mapping(data).items() if key in ("tools", "permission", "model")}
    providers = mapping(data, "provider")
    disabled = mapping(data).get("disabled_providers")
    if "model" not in shared and providers and "opencode" not in providers:
        shared["model"] = f"{next(iter(providers))}/"
    if "model" not in shared and isinstance(disabled, list) and "opencode" in disabled:
        found = found._replace(refused=f"{path} disables the only provider there is without a model")
    agents = {key: value for key, value in mapping(data, "agent").items() if isinstance(value, dict)}
    modes = {key: value for key, value in mapping(data, "mode").items() if isinstance(value, dict)}
    others = [value for each in (agents, modes) for key, value in each.items() if key != name]
    return found._replace(
        shared=(*found.shared, shared) if shared else found.shared,
        under=(*found.under, agents[name]) if name in agents else found.under,
        over=(*found.over, modes[name]) if name in modes else found.over,
        others=(*found.others, *others),
    )


def kilo_config(found: Surroundings, data: Any, name: str, path: str) -> Surroundings:
    """As `opencode_config`, but a broken file is ignored, and other agents cannot break this one."""
    broken = isinstance(data, JsonError) or not _is_sound(mapping(data).get("permission", {}))
    return found if broken else opencode_config(found, data, name, path)._replace(others=())


def codex_config(found: Surroundings, data: Any, name: str, path: str) -> Surroundings:  # noqa: ARG001
    """What a role's file need not say, if the config names the file; a broken config may name every file."""
    if isinstance(data, JsonError):
        unsaid = dict.fromkeys(("name", "description", "developer_instructions"), name)
        return found._replace(under=(*found.under, unsaid))
    for key, role in mapping(data, "agents").items():
        file = mapping(role).get("config_file")
        if isinstance(file, str) and name in (key, stem(file).removesuffix(".toml")):
            said = {each: role[each] for each in ("description", "nickname_candidates") if each in role}
            # Such a file may consist of settings only; then the instructions are those of the session.
            own = {"name": key, "developer_instructions": "as in the session", **said}
            return found._replace(under=(*found.under, own))
    return found


def _is_sound(permission: Any) -> bool:
    if isinstance(permission, dict):
        return all(_is_sound(each) for each in permission.values())
    return permission in (None, "allow", "ask", "deny")


CONFIG_READERS: dict[str, Callable[[Surroundings, Any, str, str], Surroundings]] = {
    "claude-settings": claude_settings,
    "opencode-config": opencode_config,
    "kilo-config": kilo_config,
    "codex-config": codex_config,
}
