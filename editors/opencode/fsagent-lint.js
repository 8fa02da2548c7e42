// A plugin for OpenCode: when an agent has written an agent file, it is told what fsagent-lint reports about it.
// Copy it to .opencode/plugin/ of a project, or to ~/.config/opencode/plugin/.
const WRITERS = ["write", "edit", "multiedit", "apply_patch", "patch"];
const TO_CORRECT = 2;

export const FsagentLint = async ({ $, directory }) => ({
  "tool.execute.after": async (input, output) => {
    if (!WRITERS.includes(input.tool)) return;
    const changed = output.metadata?.files?.map((file) => file.filePath ?? file.path ?? file) ?? [];
    const paths = [input.args?.filePath, ...changed].filter((path) => typeof path === "string");
    for (const file_path of new Set(paths)) {
      const event = new Response(JSON.stringify({ tool_input: { file_path } }));
      const done = await $`fsagent-lint hook < ${event}`.cwd(directory).quiet().nothrow();
      if (done.exitCode === TO_CORRECT) output.output += `\n\nfsagent-lint found problems in this file:\n${done.stderr}`;
    }
  },
});
