// Starts the language server, and offers what the command line has and the protocol has not.
import { execFile } from "node:child_process";
import * as vscode from "vscode";
import {
  LanguageClient,
  State,
  type LanguageClientOptions,
  type ServerOptions,
} from "vscode-languageclient/node";
import { findProgram, type Program, type Tried } from "./program";

const ID = "fsagent-lint";
const INSTALL = "pip install 'fsagent-lint[server]'";
const FILES = "**/{*.md,*.py,.roomodes,.kilocodemodes,opencode.json,opencode.jsonc,kilo.json,kilo.jsonc,.kiro/agents/**/*.json,.codex/**/*.toml}";

let client: LanguageClient | undefined;
let program: Program | undefined;
let output: vscode.LogOutputChannel;
let status: vscode.LanguageStatusItem;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  output = vscode.window.createOutputChannel("fsagent-lint", { log: true });
  status = vscode.languages.createLanguageStatusItem(ID, { scheme: "file", pattern: FILES });
  status.name = "fsagent-lint";
  status.command = { command: "fsagent-lint.showOutput", title: "Show output" };
  const commands: [string, () => unknown][] = [
    ["restart", () => start(context)],
    ["showOutput", () => output.show()],
    ["explain", explain],
    ["audit", audit],
  ];
  context.subscriptions.push(
    output,
    status,
    ...commands.map(([name, run]) => vscode.commands.registerCommand(`${ID}.${name}`, run)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${ID}.command`)) void start(context);
    }),
  );
  await start(context);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

let starting: Promise<void> = Promise.resolve();

/** Start the server, or start it again; one after the other. */
function start(context: vscode.ExtensionContext): Promise<void> {
  starting = starting.then(() => startNow(context)).catch((error: unknown) => fail(String(error)));
  return starting;
}

async function startNow(context: vscode.ExtensionContext): Promise<void> {
  show("starting", true);
  const before = client;
  client = program = undefined;
  await before?.dispose();
  const configured = vscode.workspace.getConfiguration(ID).get<string[]>("command", []);
  const { program: found, tried } = await findProgram(configured, folders(), context.extensionPath);
  for (const each of tried) output.warn(`${each.program.origin}: ${each.problem}`);
  if (found === undefined) return missing(tried);
  program = found;
  output.info(`Running ${[found.command, ...found.args].join(" ")} (${found.origin}).`);
  const server: ServerOptions = {
    command: found.command,
    args: [...found.args, "server", "--stdio"],
    options: { env: found.env },
  };
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: "file", pattern: FILES }],
    outputChannel: output,
    synchronize: { configurationSection: ID },
  };
  client = new LanguageClient(ID, "fsagent-lint", server, options);
  client.onDidChangeState(({ newState }) => {
    if (newState === State.Stopped && program !== undefined) fail("The language server stopped.");
  });
  await client.start();
  show(`${client.initializeResult?.serverInfo?.version ?? ""} (${found.origin})`);
}

function missing(tried: Tried[]): void {
  const reasons = tried.map((each) => `${each.program.origin}: ${each.problem}`).join(" · ");
  fail(`No language server was found. Install it: ${INSTALL}. ${reasons}`);
  void vscode.window
    .showErrorMessage(`fsagent-lint: no language server was found. Install it with ${INSTALL}, or set fsagent-lint.command.`, "Show output", "Open settings")
    .then((choice) => {
      if (choice === "Show output") output.show();
      if (choice === "Open settings") void vscode.commands.executeCommand("workbench.action.openSettings", `${ID}.command`);
    });
}

function show(text: string, busy = false): void {
  status.text = `fsagent-lint ${text}`.trim();
  status.busy = busy;
  status.severity = vscode.LanguageStatusSeverity.Information;
}

function fail(problem: string): void {
  output.error(problem);
  status.text = "fsagent-lint: not running";
  status.detail = problem;
  status.busy = false;
  status.severity = vscode.LanguageStatusSeverity.Error;
}

function folders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath);
}

/** What `explain` prints about the file that is open, as it is on disk. */
async function explain(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || document.uri.scheme !== "file") {
    void vscode.window.showInformationMessage("fsagent-lint: open an agent file first.");
    return;
  }
  if (document.isDirty) await document.save();
  const text = await run(["explain", document.uri.fsPath], document.uri.fsPath);
  if (text !== undefined) await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: text }), { preview: true });
}

/** The page of `audit`, which has its own security policy and loads nothing. */
async function audit(): Promise<void> {
  const [folder] = folders();
  if (folder === undefined) {
    void vscode.window.showInformationMessage("fsagent-lint: open a folder first.");
    return;
  }
  const page = await run(["audit", "--output-format", "html"], folder, [0, 1]);
  if (page === undefined) return;
  const panel = vscode.window.createWebviewPanel(`${ID}.audit`, "Agents", vscode.ViewColumn.Active, { enableScripts: true, localResourceRoots: [] });
  panel.webview.html = page;
}

/** The output of a command; undefined, with a message, if it fails. */
function run(args: string[], near: string, good = [0]): Promise<string | undefined> {
  const current = program;
  if (current === undefined) {
    void vscode.window.showErrorMessage("fsagent-lint is not running. See its output.");
    return Promise.resolve(undefined);
  }
  const cwd = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(near))?.uri.fsPath;
  return new Promise((resolve) => {
    const options = { cwd, env: current.env, maxBuffer: 2 ** 28, windowsHide: true };
    execFile(current.command, [...current.args, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === "number" && good.includes(code)) return resolve(stdout);
      output.error(`${args.join(" ")}: ${stderr || String(error)}`);
      void vscode.window.showErrorMessage(`fsagent-lint: ${stderr.trim() || String(error)}`);
      resolve(undefined);
    });
  });
}
