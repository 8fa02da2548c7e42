// Asks VS Code about one file after another: job.json in HOME says which, and seen.json gets the answer.
const fs = require("fs");
const path = require("path");
const vscode = require("vscode");

const JOB = path.join(process.env.HOME, "job.json");
const SEEN = path.join(process.env.HOME, "seen.json");
const QUIET = 5; // so many times in a row without a change are the end of a change
const never = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
const run = (command, ...options) => vscode.commands.executeCommand(command, ...options);

async function until(what, ready, tries = 300) {
  for (let tried = 0; tried < tries; tried++) {
    const found = await ready();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`no ${what}`);
}

// The built-in chat extension is off until somebody signs in, or asks for the models of other makers.
async function begin() {
  await run("workbench.action.chat.manage");
  await until("model", async () => (await vscode.lm.selectChatModels({ vendor: "customendpoint" })).length);
  await until("tools", async () => vscode.lm.tools.some((tool) => tool.fullReferenceName === "read/readFile"));
  await run("workbench.action.closeAllEditors");
}

async function diagnostics(uri) {
  let last = "";
  let same = 0;
  await until("diagnostics", () => {
    const now = JSON.stringify(vscode.languages.getDiagnostics(uri));
    same = now === last ? same + 1 : 0;
    last = now;
    return same >= QUIET;
  });
  const found = [...vscode.languages.getDiagnostics(uri)];
  found.sort((one, other) => one.range.start.compareTo(other.range.start));
  return found.map((each) => each.message);
}

async function look(job) {
  const listed = { agents: "getCustomAgents", skills: "getSkills", prompts: "getSlashCommands" };
  await until(job.control, async () => (await vscode.chat.getCustomAgents(never)).some((a) => a.name === job.control));
  const uri = vscode.Uri.file(job.file);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  const says = await diagnostics(uri);
  const seen = {};
  for (const [kind, list] of Object.entries(listed)) {
    seen[kind] = (await vscode.chat[list](never)).map((each) => ({ name: each.name, path: each.uri.path }));
  }
  await run("workbench.action.chat.newChat");
  await run("workbench.action.chat.open", { mode: "agent", query: "", isPartialQuery: true });
  await run("workbench.action.chat.open", { mode: job.agent, query: job.prompt, blockOnResponse: true });
  await run("workbench.action.closeAllEditors");
  return { says, ...seen };
}

function answer(number, seen) {
  fs.writeFileSync(`${SEEN}.new`, JSON.stringify({ number, ...seen }));
  fs.renameSync(`${SEEN}.new`, SEEN);
}

exports.activate = async () => {
  let number = 0;
  try {
    await begin();
    const tools = vscode.lm.tools.map((tool) => ({ name: tool.name, reference: tool.fullReferenceName }));
    answer(0, { tools });
  } catch (error) {
    answer(0, { error: String(error) });
    return;
  }
  for (;;) {
    await new Promise((done) => setTimeout(done, 100));
    const job = fs.existsSync(JOB) ? JSON.parse(fs.readFileSync(JOB, "utf8")) : { number };
    if (job.number === number) continue;
    number = job.number;
    try {
      answer(number, await look(job));
    } catch (error) {
      answer(number, { error: String(error) });
    }
  }
};
