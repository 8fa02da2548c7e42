"""What is asked of every table at once. Do not edit: `python -m fsagent_lint.compile_tables` writes it."""

from fsagent_lint.harness import NativeTool, Name, Key, WrongKey, Field, Place, Kind, McpNaming, Discovery, Outline, Harness

SOURCES = {
    'claude-code': 2954882462,
    'opencode': 918639400,
    'copilot': 370427639,
    'vscode': 2096778453,
    'canonical': 2257882816,
}
OUTLINES = {
    'claude-code': Outline(
        id='claude-code',
        title='Claude Code',
        mcp=McpNaming(
            tool='mcp__{server}__{tool}',
            server='mcp__{server}__*',
            other='_',
            builtin=('ide', 'workspace', 'claude-in-chrome', 'computer-use', 'Claude Preview', 'Claude Browser'),
            outside=('plugin_*', 'claude_ai_*'),
        ),
        kinds={
            'agent': Place(
                globs=('.claude/agents/**/*.md', '{plugin}/agents/**/*.md'),
                identity='name',
                shared_with=(),
                read_by=('copilot', 'vscode'),
            ),
            'skill': Place(
                globs=('.claude/skills/**/SKILL.md', '{plugin}/skills/**/SKILL.md'),
                identity='folder',
                shared_with=(),
                read_by=(),
            ),
            'command': Place(
                globs=('.claude/commands/**/*.md', '{plugin}/commands/**/*.md'),
                identity='file',
                shared_with=(),
                read_by=(),
            ),
        },
        discovers=(
            Discovery(file='.mcp.json', what='servers', key='mcpServers'),
            Discovery(file='.claude-plugin/plugin.json', what='plugin-servers', key='mcpServers'),
            Discovery(file='.claude/settings.json', what='claude-settings'),
            Discovery(file='.claude/settings.local.json', what='claude-settings'),
        ),
    ),
    'opencode': Outline(
        id='opencode',
        title='OpenCode',
        mcp=McpNaming(tool='{server}_{tool}', server='{server}_*', other='_'),
        kinds={
            'agent': Place(
                globs=('.opencode/agent/**/*.md', '.opencode/agents/**/*.md'),
                identity='name',
                shared_with=(),
                read_by=(),
            ),
            'mode': Place(globs=('.opencode/mode/*.md', '.opencode/modes/*.md'), identity='name', shared_with=(), read_by=()),
            'command': Place(
                globs=('.opencode/command/**/*.md', '.opencode/commands/**/*.md'),
                identity='file',
                shared_with=(),
                read_by=(),
            ),
            'skill': Place(
                globs=('.opencode/skill/**/SKILL.md', '.opencode/skills/**/SKILL.md'),
                identity='folder',
                shared_with=(),
                read_by=(),
            ),
        },
        discovers=(
            Discovery(file='opencode.json', what='servers', key='mcp'),
            Discovery(file='opencode.jsonc', what='servers', key='mcp'),
            Discovery(file='.opencode/opencode.json', what='servers', key='mcp'),
            Discovery(file='.opencode/opencode.jsonc', what='servers', key='mcp'),
            Discovery(file='.opencode/tool/*.ts', what='custom-tools'),
            Discovery(file='.opencode/tool/*.js', what='custom-tools'),
            Discovery(file='.opencode/tools/*.ts', what='custom-tools'),
            Discovery(file='.opencode/tools/*.js', what='custom-tools'),
            Discovery(file='opencode.json', what='opencode-config'),
            Discovery(file='opencode.jsonc', what='opencode-config'),
            Discovery(file='.opencode/opencode.json', what='opencode-config'),
            Discovery(file='.opencode/opencode.jsonc', what='opencode-config'),
        ),
    ),
    'copilot': Outline(
        id='copilot',
        title='Copilot',
        mcp=McpNaming(
            tool='{server}/{tool}',
            server='{server}/*',
            builtin=('github', 'github-mcp-server', 'playwright'),
            outside=('*.*',),
        ),
        kinds={
            'agent': Place(
                globs=('.github/agents/**/*.agent.md', '.github/agents/**/*.md'),
                identity='file',
                shared_with=('vscode',),
                read_by=(),
            ),
            'skill': Place(globs=('.github/skills/**/SKILL.md',), identity='folder', shared_with=(), read_by=()),
        },
        discovers=(
            Discovery(file='.mcp.json', what='servers', key='mcpServers', bare=True),
            Discovery(file='.github/mcp.json', what='servers', key='mcpServers', bare=True),
        ),
    ),
    'vscode': Outline(
        id='vscode',
        title='VS Code',
        mcp=McpNaming(
            tool='{server}/{tool}',
            server='{server}/*',
            lower=True,
            builtin=('github', 'github-mcp-server', 'playwright', 'copilot-container-tools', 'pylance mcp server'),
            outside=('*.*',),
        ),
        kinds={
            'agent': Place(globs=(), identity='file', shared_with=(), read_by=()),
            'chatmode': Place(globs=('.github/chatmodes/*.chatmode.md',), identity='file', shared_with=(), read_by=()),
            'prompt': Place(globs=('.github/prompts/*.prompt.md',), identity='file', shared_with=(), read_by=()),
        },
        discovers=(Discovery(file='.vscode/mcp.json', what='servers', key='servers'),),
    ),
    'canonical': Outline(
        id='canonical',
        title='canonical',
        mcp=McpNaming(tool='mcp:{server}/{tool}', server='mcp:{server}/*'),
        kinds={
            'agent': Place(globs=(), identity='file', shared_with=(), read_by=()),
            'skill': Place(globs=(), identity='folder', shared_with=(), read_by=()),
            'command': Place(globs=(), identity='file', shared_with=(), read_by=()),
        },
        discovers=(
            Discovery(file='.mcp.json', what='servers', key='mcpServers', bare=True),
            Discovery(file='.github/mcp.json', what='servers', key='mcpServers', bare=True),
            Discovery(file='.vscode/mcp.json', what='servers', key='servers'),
            Discovery(file='.cursor/mcp.json', what='servers', key='mcpServers'),
            Discovery(file='opencode.json', what='servers', key='mcp'),
            Discovery(file='opencode.jsonc', what='servers', key='mcp'),
            Discovery(file='.opencode/opencode.json', what='servers', key='mcp'),
            Discovery(file='.opencode/opencode.jsonc', what='servers', key='mcp'),
            Discovery(file='.gemini/settings.json', what='servers', key='mcpServers'),
            Discovery(file='.claude-plugin/plugin.json', what='plugin-servers', key='mcpServers'),
        ),
    ),
}
