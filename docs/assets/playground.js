// The playground: one file, what the command line says about it, and a link that holds it. Nothing is sent anywhere.
const EXAMPLES = {
  "A reviewer with a shell": [
    ".claude/agents/reviewer.md",
    `---
name: reviewer
description: Reviews the changes on the current branch.
tools: read, Bash(git diff:*)
---
You review changes. You never change files.
`,
  ],
  "A scout that keeps its editor": [
    ".opencode/agents/scout.md",
    `---
description: Answers questions about the code.
mode: subagent
tools: {glob: true, grep: true}
---
You answer questions. You never change files.
`,
  ],
  "Old names in Copilot": [
    ".github/agents/planner.agent.md",
    `---
name: planner
description: Plans changes.
tools: ['codebase', 'search', 'usages', 'fetch', 'runCommands']
model: Claude Sonnet 4.5
---
You plan changes.
`,
  ],
};

const $ = (id) => document.getElementById(`playground-${id}`);
const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

// ---- the worker

const worker = new Worker(new URL("./playground-worker.js", import.meta.url), { type: "module" });
const waiting = new Map();
let calls = 0;
worker.onmessage = ({ data: { id, result, error } }) => {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  error === undefined ? resolve(result) : reject(new Error(error));
};
worker.onerror = (event) => show(`The program cannot be loaded: ${event.message}`);
const ask = (call, ...args) =>
  new Promise((resolve, reject) => {
    waiting.set(++calls, { resolve, reject });
    worker.postMessage({ id: calls, call, args });
  });
// For tests, which compare these answers with the command line.
globalThis.playground = { ask };

// ---- links that hold the text

const through = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
const encode = async (value) => {
  const packed = await through(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate-raw"));
  return btoa(String.fromCharCode(...packed)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};
const decode = async (text) => {
  const packed = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw"))));
};

// ---- what is shown

const show = (text) => ($("status").textContent = text);

// Text with backticks, as the program writes it: code between them.
const prose = (text) => text.split("`").map((part, at) => (at % 2 ? element("code", { textContent: part }) : part));

function findings(checked, text) {
  const lines = text.split(/\r\n|\r|\n/);
  const report = JSON.parse(checked.output || '{"findings": [], "errors": []}');
  const problems = report.errors.map((error) => element("p", { className: "playground-error" }, ...prose(error.message)));
  if (checked.errors) problems.push(element("p", { className: "playground-error" }, ...prose(checked.errors)));
  const rows = report.findings.map((found) => {
    const line = lines[found.line - 1] ?? "";
    const width = found.end_line === found.line ? Math.max(1, found.end_column - found.column) : line.length + 1 - found.column;
    const carets = " ".repeat(Math.max(0, found.column - 1)) + "^".repeat(Math.max(1, width));
    const place = element("button", { type: "button", className: "playground-place", textContent: `line ${found.line}` });
    place.onclick = () => select(lines, found);
    return element(
      "li",
      { className: `playground-finding ${found.severity}` },
      element("div", {}, element("strong", { textContent: found.severity }), ` ${found.code} `,
        element("a", { href: `../rules/${found.code}-${found.name}/`, textContent: found.name }), " · ", place),
      element("p", {}, ...prose(found.message)),
      element("pre", {}, element("code", { textContent: `${line}\n${carets}` })),
      ...(found.fix ? [element("p", { className: "playground-fix" }, `${found.fix.safety === "safe" ? "Fix" : "Unsafe fix"}: `, ...prose(found.fix.title))] : []),
    );
  });
  const none = problems.length || rows.length ? [] : [element("p", { textContent: "No problems." })];
  return [...problems, ...none, element("ol", { className: "playground-findings" }, ...rows)];
}

function select(lines, found) {
  const before = lines.slice(0, found.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const start = before + found.column - 1;
  $("text").focus();
  $("text").setSelectionRange(start, found.end_line === found.line ? before + found.end_column - 1 : start + 1);
}

function effects(explained) {
  if (!explained.output) return [element("p", {}, ...prose(explained.errors))];
  const [file] = JSON.parse(explained.output).files;
  if (!file) return [element("p", { textContent: "There is no agent in this text." })];
  const list = (names) => names.flatMap((name, at) => [at ? ", " : "", element("code", { textContent: name })]);
  const intent = Object.entries(file.intent.tools).map(([tool, action]) => (action === "allow" ? tool : `${tool} (${action})`));
  const rows = Object.entries({ ...file.effects, ...file.readers }).map(([id, effect]) =>
    element("tr", {},
      element("th", { scope: "row" }, id, id in file.readers ? element("span", { className: "playground-reader", textContent: " reads this file" }) : ""),
      element("td", {}, ...(effect.loads ? list(effect.tools.length ? effect.tools : []) : [])
        .concat(effect.loads ? (effect.tools.length ? [] : ["no tools"]) : [element("em", { textContent: "does not load" }), ": ", ...prose(effect.error)])),
      element("td", {}, ...list([...effect.ask, ...effect.conditional])),
    ));
  const order = [...rows].sort((a, b) => b.querySelectorAll(".playground-reader").length - a.querySelectorAll(".playground-reader").length);
  return [
    element("p", {}, "Intended: ", file.intent.default === "allow" ? "every tool" : "only ", ...list(intent), file.intent.default === "allow" && intent.length ? " differ" : "", "."),
    element("div", { className: "playground-scroll" }, element("table", {},
      element("thead", {}, element("tr", {}, ...["harness", "grants", "asks for, or grants under a condition"].map((title) => element("th", { scope: "col", textContent: title })))),
      element("tbody", {}, ...order))),
  ];
}

const fixed = ({ fixed: text }, before) => [
  element("p", { textContent: text === before ? "No safe fix changes this text." : "The text after the safe fixes:" }),
  element("pre", {}, element("code", {}, ...text.split(/(?<=\n)/).map((line, at) =>
    before.split(/(?<=\n)/)[at] === line || before.includes(line) ? line : element("mark", { textContent: line })))),
];

async function conversion() {
  const target = $("target").value;
  const result = await ask("convert", $("path").value, $("text").value, target);
  $("converted").replaceChildren(
    ...Object.entries(result.files).flatMap(([path, text]) => [
      element("h4", {}, element("code", { textContent: path })),
      element("pre", {}, element("code", { textContent: text })),
    ]),
    element("pre", { className: "playground-report" }, element("code", { textContent: result.report })),
  );
}

// ---- what the user does

let newest = 0;
async function update() {
  const turn = ++newest;
  const [path, text] = [$("path").value, $("text").value];
  show(started ? "Checking…" : "Loading Python (13 MB, once)…");
  try {
    const answer = await ask("answer", path, text);
    if (turn !== newest) return;
    started = true;
    $("findings").replaceChildren(...findings(answer.checked, text));
    $("effects").replaceChildren(...effects(answer.explained));
    $("fixed").replaceChildren(...fixed(answer, text));
    await conversion();
    const count = $("findings").querySelectorAll("li").length;
    show(count === 1 ? "1 finding" : `${count} findings`);
    history.replaceState(null, "", `#${await encode({ path, text })}`);
  } catch (error) {
    if (turn === newest) show(error.message.trim().split("\n").at(-1));
  }
}
let started = false;
let timer;
const later = () => {
  clearTimeout(timer);
  timer = setTimeout(update, 250);
};

function tabs() {
  const all = [...document.querySelectorAll("[role=tab]")].filter((tab) => tab.closest("#try"));
  const open = (chosen) => {
    for (const tab of all) {
      const on = tab === chosen;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !on;
    }
  };
  all.forEach((tab, at) => {
    tab.onclick = () => open(tab);
    tab.onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = all[(at + step + all.length) % all.length];
      open(next);
      next.focus();
    };
  });
  open(all[0]);
}

async function main() {
  tabs();
  $("text").oninput = $("path").oninput = later;
  $("example").append(...Object.keys(EXAMPLES).map((name) => element("option", { textContent: name })));
  $("example").onchange = () => {
    [$("path").value, $("text").value] = EXAMPLES[$("example").value] ?? [$("path").value, $("text").value];
    update();
  };
  $("place").onchange = () => {
    $("path").value = $("place").value;
    update();
  };
  $("target").onchange = conversion;
  $("link").onclick = async () => {
    await navigator.clipboard.writeText(location.href);
    show("The link is copied. It holds the whole text.");
  };
  const [path, text] = EXAMPLES["A reviewer with a shell"];
  const given = location.hash.length > 1 ? await decode(location.hash.slice(1)).catch(() => null) : null;
  [$("path").value, $("text").value] = given ? [String(given.path), String(given.text)] : [path, text];
  const ready = update();
  for (const { harness, kind, path: place } of await ask("places"))
    $("place").append(element("option", { value: place, textContent: `${harness}: ${kind}` }));
  for (const { id, title } of await ask("targets")) $("target").append(element("option", { value: id, textContent: title }));
  $("target").value = "opencode";
  await ready;
  await conversion();
}

main();
