"""codex.toml as Python. Do not edit: `python -m fsagent_lint.compile_tables` writes it."""

import datetime

from fsagent_lint.harness import NativeTool, Name, McpNaming, Discovery, Outline, Harness
from fsagent_lint.kind import Key, WrongKey, Field, Place, Kind

SOURCE = 2716175639
HARNESS = Harness(
    id='codex',
    title='Codex',
    mcp=McpNaming(tool='mcp__{server}__{tool}', server='mcp__{server}__*', other='_'),
    kinds={
        'agent': Kind(
            identity='name',
            path='.codex/agents/{name}.toml',
            file='toml',
            body='developer_instructions',
            implies={'mode': 'subagent'},
            fields={
                'name': Field(type=('string',), required=True, wrong='refused', meaning='name'),
                'description': Field(type=('string',), required=True, wrong='refused', meaning='description'),
                'model': Field(type=('string',), wrong='refused', meaning='model'),
                'model_reasoning_effort': Field(
                    type=('string',),
                    values=('none', 'minimal', 'low', 'medium', 'high', 'xhigh'),
                    wrong='refused',
                    meaning='effort',
                ),
                'nickname_candidates': Field(type=('list',), wrong='refused'),
                'sandbox_mode': Field(
                    type=('string',),
                    values=('read-only', 'workspace-write', 'danger-full-access'),
                    wrong='refused',
                    by_risk={
                        'read-only': ('read', 'network', 'delegate', 'interact'),
                        'workspace-write': ('read', 'write', 'execute', 'network', 'delegate', 'interact'),
                    },
                ),
            },
            unknown_fields='refused',
        ),
        'skill': Kind(
            globs=('.codex/skills/**/SKILL.md',),
            identity='folder',
            path='.agents/skills/{name}/SKILL.md',
            wrong_keys={
                'allowed-tools': WrongKey(role='approve'),
                'allowedTools': WrongKey(role='approve'),
                'tools': WrongKey(role='approve'),
                'disallowed-tools': WrongKey(role='deny'),
                'disallowedTools': WrongKey(role='deny'),
            },
            fields={
                'name': Field(type=('string',), max_length=64, wrong='refused', meaning='name'),
                'description': Field(type=('string',), required=True, wrong='refused', meaning='description'),
                'license': Field(type=('string',)),
                'compatibility': Field(type=('string',)),
                'metadata': Field(type=('map',)),
            },
        ),
    },
    reader='core',
    semantics='allow-list',
    tools={
        'exec_command': NativeTool(grants=('Shell', 'Read', 'List', 'Glob', 'Grep')),
        'write_stdin': NativeTool(grants=('ShellOutput',)),
        'apply_patch': NativeTool(grants=('Write', 'Edit', 'NotebookEdit')),
        'view_image': NativeTool(grants=('Read',)),
        'update_plan': NativeTool(grants=('TodoWrite', 'TodoRead')),
        'request_user_input': NativeTool(grants=('Question',), presence='conditional', condition='a person is there to answer'),
        'web_search': NativeTool(grants=('WebSearch',), presence='conditional', condition='searching the web is switched on'),
        'spawn_agent': NativeTool(grants=('Agent',)),
        'send_message': NativeTool(grants=('Message',)),
        'wait_agent': NativeTool(grants=('Agent',)),
        'close_agent': NativeTool(grants=('Agent',)),
        'list_mcp_resources': NativeTool(grants=('McpResources',)),
        'read_mcp_resource': NativeTool(grants=('McpResources',)),
        'tool_search': NativeTool(grants=('ToolSearch',), presence='conditional', condition='the model can search for tools'),
    },
    write={
        'Shell': ('exec_command',),
        'ShellOutput': ('write_stdin',),
        'Read': ('exec_command',),
        'List': ('exec_command',),
        'Glob': ('exec_command',),
        'Grep': ('exec_command',),
        'Write': ('apply_patch',),
        'Edit': ('apply_patch',),
        'NotebookEdit': ('apply_patch',),
        'TodoWrite': ('update_plan',),
        'TodoRead': ('update_plan',),
        'Question': ('request_user_input',),
        'WebSearch': ('web_search',),
        'Agent': ('spawn_agent',),
        'Message': ('send_message',),
        'McpResources': ('read_mcp_resource',),
        'ToolSearch': ('tool_search',),
    },
    version='0.149',
    verified=datetime.date(2026, 11, 16),
    sources=(
        'https://github.com/openai/codex (codex-rs/core/src/config/agent_roles.rs, agent/role.rs, skills/src/parser.rs), 2026-08-22',
        'https://github.com/openai/codex/issues/45482',
    ),
    surprises=(
        'A role cannot name tools. It has those of the session that starts it, and it reads files with the shell.',
        '`sandbox_mode` in a role is read and has no effect: the sandbox is that of the session.',
        '`allowed-tools` of a skill is not read.',
    ),
    unverified='All of it comes from the sources and from its users: nothing was recorded. The names of tools are those of the sources; which of them a model is given depends on the model.',
)
