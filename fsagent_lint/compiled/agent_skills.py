"""agent-skills.toml as Python. Do not edit: `python -m fsagent_lint.compile_tables` writes it."""

import datetime

from fsagent_lint.harness import NativeTool, Name, McpNaming, Discovery, Outline, Harness
from fsagent_lint.kind import Key, WrongKey, Field, Place, Kind

SOURCE = 2721885236
HARNESS = Harness(
    id='agent-skills',
    title='Agent Skills',
    mcp=McpNaming(tool='mcp__{server}__{tool}', server='mcp__{server}__*'),
    kinds={
        'skill': Kind(
            globs=('.agents/skills/**/SKILL.md', '.agents/skills/**/skill.md'),
            identity='folder',
            shared_with=('claude-code', 'opencode', 'copilot', 'vscode'),
            path='.agents/skills/{name}/SKILL.md',
            keys={'allowed-tools': Key(role='approve', syntax='word-list', forms=('words',), blanks=True)},
            wrong_keys={
                'tools': WrongKey(role='approve', use='allowed-tools'),
                'allowedTools': WrongKey(role='approve', use='allowed-tools'),
                'allowed_tools': WrongKey(role='approve', use='allowed-tools'),
                'disallowed-tools': WrongKey(role='deny'),
                'disallowedTools': WrongKey(role='deny'),
            },
            fields={
                'name': Field(
                    type=('string',),
                    max_length=64,
                    is_identity=True,
                    required=True,
                    wrong='refused',
                    check='skill-name',
                    meaning='name',
                ),
                'description': Field(type=('string',), max_length=1024, required=True, wrong='refused', meaning='description'),
                'license': Field(type=('string',)),
                'compatibility': Field(type=('string',), max_length=500, wrong='refused'),
                'metadata': Field(type=('map',)),
            },
            unknown_fields='forbidden',
        ),
    },
    discovers=(Discovery(file='.mcp.json', what='servers', key='mcpServers', bare=True),),
    reader='core',
    semantics='allow-list',
    tools={
        'Bash': NativeTool(grants=('Shell',)),
        'Read': NativeTool(grants=('Read',)),
        'Glob': NativeTool(grants=('Glob',)),
        'Grep': NativeTool(grants=('Grep',)),
        'Write': NativeTool(grants=('Write',)),
        'Edit': NativeTool(grants=('Edit',)),
        'NotebookEdit': NativeTool(grants=('NotebookEdit',)),
        'WebFetch': NativeTool(grants=('WebFetch',)),
        'WebSearch': NativeTool(grants=('WebSearch',)),
        'Skill': NativeTool(grants=('Skill',)),
        'Agent': NativeTool(grants=('Agent',)),
        'TodoWrite': NativeTool(grants=('TodoWrite', 'TodoRead')),
        'AskUserQuestion': NativeTool(grants=('Question',)),
    },
    write={
        'Shell': ('Bash',),
        'Read': ('Read',),
        'Glob': ('Glob',),
        'Grep': ('Grep',),
        'Write': ('Write',),
        'Edit': ('Edit',),
        'NotebookEdit': ('NotebookEdit',),
        'WebFetch': ('WebFetch',),
        'WebSearch': ('WebSearch',),
        'Skill': ('Skill',),
        'Agent': ('Agent',),
        'TodoWrite': ('TodoWrite',),
        'TodoRead': ('TodoWrite',),
        'Question': ('AskUserQuestion',),
    },
    version='specification of 2026-08-09',
    verified=datetime.date(2026, 11, 16),
    sources=(
        'https://agentskills.io/specification',
        'https://github.com/agentskills/agentskills (docs/specification.mdx, skills-ref/src/skills_ref)',
    ),
    fence='anywhere',
    everything=('*',),
    open_names=True,
    surprises=(
        '`allowed-tools` approves in advance; it restricts nothing. The standard calls it experimental.',
        'It is one text with blanks between the names: neither a list nor commas are in the standard.',
        'The set of fields is closed: anything else belongs under `metadata`.',
        '`name` has to be the name of the folder.',
    ),
    unverified="Who honours `allowed-tools`, and with which names: the standard leaves that to each client. The names here are those of its examples, which are Claude Code's.",
)
