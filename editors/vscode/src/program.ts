// Which fsagent-lint to run: that of the workspace, that of the user, or the copy in the extension.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import * as path from "node:path";

export interface Program {
  command: string;
  args: string[];
  /** For the user: where it comes from. */
  origin: string;
  env: NodeJS.ProcessEnv;
}

export interface Tried {
  program: Program;
  problem: string;
}

const WINDOWS = process.platform === "win32";
const NAME = WINDOWS ? "fsagent-lint.exe" : "fsagent-lint";
const TIMEOUT = 20_000;

/** The first program that can run the language server, and what is wrong with those before it. */
export async function findProgram(
  configured: string[],
  folders: string[],
  extension: string,
): Promise<{ program?: Program; tried: Tried[] }> {
  const tried: Tried[] = [];
  for (const program of candidates(configured, folders, extension)) {
    const problem = await tryToRun(program);
    if (problem === undefined) return { program, tried };
    tried.push({ program, problem });
  }
  return { tried };
}

function* candidates(configured: string[], folders: string[], extension: string): Generator<Program> {
  const [command, ...args] = configured;
  if (command !== undefined) {
    // Whoever names a program wants that one, or an error.
    yield { command, args, origin: "the setting fsagent-lint.command", env: process.env };
    return;
  }
  for (const folder of folders)
    for (const name of [".venv", "venv"]) {
      const found = path.join(folder, name, WINDOWS ? "Scripts" : "bin", NAME);
      if (existsSync(found)) yield { command: found, args: [], origin: `${name} of the workspace`, env: process.env };
    }
  const found = onPath();
  if (found !== undefined) yield { command: found, args: [], origin: "the PATH", env: process.env };
  const bundled = path.join(extension, "bundled");
  if (existsSync(bundled))
    for (const python of WINDOWS ? ["py", "python"] : ["python3", "python"])
      yield {
        command: python,
        // -P: modules of the folder that it runs in are never imported.
        args: ["-P", "-m", "fsagent_lint"],
        origin: "the copy in the extension",
        env: { ...process.env, PYTHONPATH: bundled },
      };
}

/** Only absolute folders: a relative one would be looked for in the workspace. */
function onPath(): string | undefined {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, NAME)).find((file) => existsSync(file));
}

/** What is wrong with a program; undefined if it runs the language server. */
function tryToRun(program: Program): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env: program.env, timeout: TIMEOUT, windowsHide: true };
    const child = execFile(program.command, [...program.args, "server", "--stdio"], options, (error, _, stderr) => {
      // Without a client, a server that works ends by itself.
      resolve(error === null ? undefined : stderr.trim() || error.message);
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end();
  });
}
