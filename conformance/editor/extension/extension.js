// Does in VS Code what job.json in HOME says, one job after another; seen.json gets the answer.
const fs = require("fs");
const path = require("path");
const vscode = require("vscode");

const JOB = path.join(process.env.HOME, "job.json");
const SEEN = path.join(process.env.HOME, "seen.json");
const TRIES = 1000;
const QUIET = 4; // so many times in a row without a change are the end of a change
const WINDOW = { scheme: "vscode-remote", authority: "127.0.0.1:8080" }; // where files are for the window
const MODELS = path.join(process.env.HOME, ".local/share/code-server/User/chatLanguageModels.json");
const MODEL = {
  id: process.env.MODEL,
  name: process.env.MODEL,
  url: process.env.STAND_IN,
  toolCalling: true,
  vision: false,
  maxInputTokens: 100000,
  maxOutputTokens: 10000,
};
const PROVIDER = { vendor: "customendpoint", name: "lab", apiKey: "none", apiType: "messages", models: [MODEL] };
const never = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
const run = (command, ...options) => vscode.commands.executeCommand(command, ...options);
const uri = (file) => vscode.workspace.workspaceFolders[0].uri.with({ path: file });

async function until(what, ready) {
  for (let tried = 0; tried < TRIES; tried++) {
    const found = await ready();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`no ${what}`);
}

async function agents() {
  return (await vscode.chat.getCustomAgents(never)).map((each) => ({ name: each.name, path: each.uri.path }));
}

// The built-in chat extension is off until somebody signs in, or asks for the models of other makers. Then the window is
// loaded again, for the order in which tools come depends on whether the extension was there from the start.
async function begin() {
  if (!vscode.extensions.getExtension("GitHub.copilot-chat")) {
    fs.mkdirSync(path.dirname(MODELS), { recursive: true });
    fs.writeFileSync(MODELS, JSON.stringify([PROVIDER]));
    await run("workbench.action.chat.manage");
    await until("chat extension", () => vscode.extensions.getExtension("GitHub.copilot-chat"));
    await run("workbench.action.closeAllEditors");
    run("workbench.action.reloadWindow");
    await new Promise(() => {});
  }
  await until("model", async () => (await vscode.lm.selectChatModels({ vendor: "customendpoint" })).length);
  const names = () => vscode.lm.tools.map((tool) => tool.fullReferenceName);
  await until("tools", () => ["read/readFile", "vscodeNotebooks/editNotebook"].every((name) => names().includes(name)));
}

const jobs = {
  // A project of its own for each probe: nothing that was known of another one can count.
  async open({ folder, control }) {
    vscode.workspace.updateWorkspaceFolders(1, vscode.workspace.workspaceFolders.length - 1, { uri: uri(folder) });
    await until(control, async () => (await agents()).some((each) => each.path === control));
  },

  // An agent that is not known leaves the chat with the agent that it has.
  async ask({ agent, prompt, chat }) {
    const mode = agent ? vscode.Uri.from({ ...WINDOW, path: agent }).toString() : "agent";
    if (chat === "new") await run("workbench.action.chat.newChat");
    await run("workbench.action.chat.open", { mode, query: prompt, blockOnResponse: true });
  },

  // The control has a mistake: once that is found, the file that was opened before it was looked at as well.
  async look({ file, control }) {
    const found = (path) => [...vscode.languages.getDiagnostics(uri(path))];
    await vscode.window.showTextDocument(uri(file), vscode.ViewColumn.One);
    await vscode.window.showTextDocument(uri(control), vscode.ViewColumn.Two);
    await until("mistake in the control", () => found(control).length);
    let last = "";
    let same = 0;
    await until("diagnostics", () => {
      const now = JSON.stringify(found(file));
      same = now === last ? same + 1 : 0;
      last = now;
      return same >= QUIET;
    });
    const says = found(file).sort((one, other) => one.range.start.compareTo(other.range.start));
    await run("workbench.action.closeAllEditors");
    return { says: says.map((each) => each.message), agents: await agents() };
  },
};

async function answer(number, work) {
  let seen;
  try {
    seen = await work();
  } catch (error) {
    seen = { error: String(error) };
  }
  fs.writeFileSync(`${SEEN}.new`, JSON.stringify({ number, ...seen }));
  fs.renameSync(`${SEEN}.new`, SEEN);
}

exports.activate = async () => {
  let number = 0;
  await answer(number, begin);
  for (;;) {
    await new Promise((done) => setTimeout(done, 50));
    const job = fs.existsSync(JOB) ? JSON.parse(fs.readFileSync(JOB, "utf8")) : { number };
    if (job.number === number) continue;
    number = job.number;
    await answer(number, () => jobs[job.do](job));
  }
};
