"""factory.toml as Python. Do not edit: `python -m fsagent_lint.compile_tables` writes it."""

import datetime

from fsagent_lint.harness import NativeTool, Name, McpNaming, Discovery, Outline, Harness
from fsagent_lint.kind import Key, WrongKey, Field, Place, Kind

SOURCE = 980282754
HARNESS = Harness(
    id='factory',
    title='Factory',
    mcp=McpNaming(tool='mcp__{server}__{tool}', server='mcp__{server}__*'),
    kinds={
        'agent': Kind(
            globs=('.factory/droids/*.md',),
            identity='name',
            path='.factory/droids/{name}.md',
            implies={'mode': 'subagent'},
            keys={
                'tools': Key(
                    role='allow',
                    syntax='text-list',
                    forms=('list', 'preset'),
                    scopes='dropped',
                    presets={
                        'read-only': ('Read', 'LS', 'Grep', 'Glob'),
                        'edit': ('Create', 'Edit', 'ApplyPatch'),
                        'execute': ('Execute',),
                        'web': ('WebSearch', 'FetchUrl'),
                        'mcp': ('mcp__*__*',),
                    },
                    unknown='refused',
                ),
            },
            wrong_keys={
                'allowed-tools': WrongKey(role='allow', use='tools'),
                'allowedTools': WrongKey(role='allow', use='tools'),
                'allowed_tools': WrongKey(role='allow', use='tools'),
                'disallowedTools': WrongKey(role='deny'),
                'disallowed-tools': WrongKey(role='deny'),
                'disallowed_tools': WrongKey(role='deny'),
                'permission': WrongKey(role='permission'),
                'permissions': WrongKey(role='permission'),
            },
            fields={
                'name': Field(type=('string',), pattern='[a-z0-9_-]+', required=True, wrong='refused', meaning='name'),
                'description': Field(type=('string',), meaning='description'),
                'model': Field(type=('string',), meaning='model'),
                'reasoningEffort': Field(type=('string',), meaning='effort', note='ignored where the model is inherited'),
                'mcpServers': Field(type=('list',), meaning='mcp-servers'),
            },
        ),
        'command': Kind(
            globs=('.factory/commands/*.md',),
            identity='file',
            path='.factory/commands/{name}.md',
            wrong_keys={
                'tools': WrongKey(role='approve'),
                'allowedTools': WrongKey(role='approve'),
                'disallowed-tools': WrongKey(role='deny'),
                'disallowedTools': WrongKey(role='deny'),
            },
            fields={
                'description': Field(type=('string',), meaning='description'),
                'argument-hint': Field(type=('string', 'list'), meaning='argument-hint'),
                'allowed-tools': Field(type=('any',), note='reserved; it does nothing yet'),
            },
            frontmatter='optional',
        ),
        'skill': Kind(
            globs=('.factory/skills/**/SKILL.md',),
            identity='folder',
            path='.factory/skills/{name}/SKILL.md',
            wrong_keys={
                'tools': WrongKey(role='approve'),
                'allowed-tools': WrongKey(role='approve'),
                'allowedTools': WrongKey(role='approve'),
                'disallowed-tools': WrongKey(role='deny'),
                'disallowedTools': WrongKey(role='deny'),
            },
            fields={
                'name': Field(type=('string',), meaning='name'),
                'description': Field(type=('string',), meaning='description'),
                'user-invocable': Field(type=('boolean',), meaning='user-invocable'),
                'disable-model-invocation': Field(type=('boolean',), meaning='disable-model-invocation'),
                'license': Field(type=('string',)),
                'compatibility': Field(type=('string',)),
                'metadata': Field(type=('map',)),
                'version': Field(type=('any',)),
            },
        ),
    },
    discovers=(Discovery(file='.factory/mcp.json', what='servers', key='mcpServers'),),
    reader='core',
    semantics='allow-list',
    tools={
        'Read': NativeTool(grants=('Read',)),
        'LS': NativeTool(grants=('List',)),
        'Grep': NativeTool(grants=('Grep',)),
        'Glob': NativeTool(grants=('Glob',)),
        'Create': NativeTool(grants=('Write',)),
        'Edit': NativeTool(grants=('Edit',), brings=('ApplyPatch',)),
        'ApplyPatch': NativeTool(grants=('Edit',)),
        'Execute': NativeTool(grants=('Shell',)),
        'WebSearch': NativeTool(grants=('WebSearch',)),
        'FetchUrl': NativeTool(grants=('WebFetch',)),
        'TodoWrite': NativeTool(grants=('TodoWrite', 'TodoRead'), presence='always'),
    },
    write={
        'Shell': ('Execute',),
        'Read': ('Read',),
        'List': ('LS',),
        'Glob': ('Glob',),
        'Grep': ('Grep',),
        'Write': ('Create',),
        'Edit': ('Edit',),
        'WebFetch': ('FetchUrl',),
        'WebSearch': ('WebSearch',),
        'TodoWrite': ('TodoWrite',),
        'TodoRead': ('TodoWrite',),
    },
    version='documentation of 2026-07-24',
    verified=datetime.date(2026, 11, 16),
    sources=(
        'https://docs.factory.ai/cli/configuration/custom-droids',
        'https://docs.factory.ai/cli/configuration/skills',
        'https://docs.factory.ai/cli/configuration/custom-slash-commands',
        'https://github.com/Factory-AI/factory (docs)',
    ),
    names={
        'Task': Name(status='removed', means=('Agent',), note='a droid cannot start another one'),
        'AskUser': Name(status='removed', means=('Question',), note='a droid runs without a person'),
    },
    agents=('worker', 'explorer'),
    surprises=(
        'One name that is no tool keeps the droid from loading; names are case-sensitive, and `Bash`, `Write` and `WebFetch` are none.',
        '`tools` is a list, or a single category: `read-only`, `edit`, `execute`, `web` or `mcp`. A category in a list, or a text with commas, is neither.',
        '`TodoWrite` is always there; `Task` and `AskUser` never are.',
        'Only files directly in `.factory/droids` are read.',
    ),
    unverified='Every effect: the command line needs an account. What `tools: []` does, whether a list keeps out the tools of MCP servers that it does not name (here it does; `mcpServers: []` does for sure), and whether `mcp__server__tool` is how such a tool is named in `tools`, as it is in hooks.',
)
