"use strict";
// Text from files becomes text nodes and attributes only; nothing here makes markup of a string.

const facts = JSON.parse(document.getElementById("facts").textContent);
const CAPABILITIES = facts.capabilities;
const STATES = ["given", "scoped", "asks", "may", "inherited", "denied", "refused"];
const HARMFUL = new Set(facts.harmful);
const CHUNK = 40;
const MOST_WAYS = 30;
const MOST_STEPS = 4;
const ANY = "*";
// How many letters of a heading are left where there is little room.
const SHORT = { execute: 4, network: 3, delegate: 5, interact: 5 };

const byId = (id) => document.getElementById(id);
const isGranted = (state) => STATES.indexOf(state) < STATES.indexOf("inherited");
const plural = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
const title = (capability) => (capability === "mcp" ? "MCP" : capability[0].toUpperCase() + capability.slice(1));

function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

// A name may be written from right to left: it must not turn the text around it.
const named = (tag, text, properties = {}) => make(tag, { ...properties, dir: "auto" }, text);

// --- what is shown of each agent, for the chosen harness ---

const agents = facts.agents.map((agent, index) => {
  const readings = agent.readings.map((number) => facts.readings[number]);
  const head = facts.texts[agent.head];
  const tools = readings.flatMap((each) => (each.grants || []).flatMap((grant) => facts.texts[grant[1]]));
  const words = [agent.name, agent.path, agent.description, ...new Set(tools)].join("\n").toLowerCase();
  return { ...agent, index, readings, head, words };
});
const readBy = (agent, harness) => (harness ? agent.readings.filter((each) => each.harness === harness) : agent.readings);

function states(readings, at) {
  const found = readings.map((each) => (each.loads ? each.grants[at][0] : "refused"));
  const order = found.filter((state) => state !== "refused").map((state) => STATES.indexOf(state));
  const widest = order.length ? STATES[Math.min(...order)] : found.length ? "refused" : "denied";
  return { widest, differs: new Set(found).size > 1 };
}

const differs = (readings) => CAPABILITIES.some((_, at) => states(readings, at).differs);
const some = (name) => (agent, readings) => readings.some((each) => each.loads && each[name].length > 0);
const ONLY = {
  forbidden: (agent) => agent.forbidden.length > 0,
  gained: (agent) => agent.changes.some(([, , shifts]) => shifts.some((shift) => shift[3])),
  unrestricted: (agent, readings) => readings.some((each) => each.unrestricted),
  refused: (agent, readings) => readings.some((each) => !each.loads),
  wider: some("wider"),
  narrower: some("narrower"),
  reaches: some("reaches"),
  differs: (agent, readings) => differs(readings),
  finding: (agent) => agent.findings.length > 0,
};

// --- filters ---

const filters = document.querySelector(".filters");
const pressed = (name) => [...document.querySelectorAll(`[data-${name}][aria-pressed="true"]`)].map((each) => each.dataset[name]);
const chosen = (id) => byId(id).value;

function fill(id, values) {
  for (const [value, label] of values) byId(id).append(named("option", label, { value }));
}

function folders() {
  const found = new Map();
  for (const agent of agents) {
    const parts = agent.path.split("/").slice(0, -1);
    for (let depth = 1; depth <= Math.min(parts.length, 3); depth++) {
      const folder = parts.slice(0, depth).join("/") + "/";
      found.set(folder, (found.get(folder) || 0) + 1);
    }
  }
  // A folder in which everything lies, or the same as in the one below it, is not worth choosing.
  const all = [...found].filter(([folder, number]) => ![...found].some(([other, same]) => same === number && other !== folder && other.startsWith(folder)));
  return all.sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, 300);
}

function count(values) {
  const found = new Map();
  for (const value of values) found.set(value, (found.get(value) || 0) + 1);
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([value, number]) => [value, `${value} (${number})`]);
}

function matches(agent, wanted) {
  const readings = readBy(agent, wanted.harness);
  if (wanted.harness && !readings.length) return false;
  if (wanted.kind && agent.kind !== wanted.kind) return false;
  if (wanted.folder && !agent.path.startsWith(wanted.folder)) return false;
  if (wanted.rule && !agent.findings.some((finding) => finding[2] === wanted.rule)) return false;
  if (!wanted.words.every((word) => agent.words.includes(word))) return false;
  if (!wanted.can.every((at) => isGranted(states(readings, at).widest))) return false;
  return wanted.only.every((name) => ONLY[name](agent, readings));
}

function wantedNow() {
  return {
    harness: chosen("harness"),
    kind: chosen("kind"),
    folder: chosen("folder"),
    rule: chosen("rule"),
    words: byId("search").value.toLowerCase().split(/\s+/).filter(Boolean),
    can: pressed("can").map((name) => CAPABILITIES.indexOf(name)),
    only: pressed("only"),
  };
}

// --- the matrix: rows exist only near the part that is in view ---

const grid = byId("grid");
let order = { key: "path", down: true };
let rows = [];
let wanted = null;
let current = 0;
let selected = -1;
const watcher = new IntersectionObserver(
  (seen) => seen.forEach((each) => (each.isIntersecting ? fillChunk(each.target) : emptyChunk(each.target))),
  { rootMargin: "1200px 0px" },
);

const COLUMNS = [
  ["path", "Agent", "who"],
  ["kind", "Kind", "kind"],
  ...CAPABILITIES.map((each) => [each, title(each), "can"]),
  ["readers", "Read by", "readers"],
  ["found", "Findings", "found"],
];

function keyOf(agent, key) {
  const at = CAPABILITIES.indexOf(key);
  if (at >= 0) return STATES.indexOf(states(readBy(agent, wanted.harness), at).widest);
  if (key === "found") return -agent.findings.length;
  if (key === "readers") return agent.readings.map((each) => each.harness).join();
  return key === "kind" ? agent.kind : agent.path.toLowerCase();
}

function sorted(found) {
  const keys = new Map(found.map((agent) => [agent, keyOf(agent, order.key)]));
  const sign = order.down ? 1 : -1;
  return found.sort((one, other) => {
    const [a, b] = [keys.get(one), keys.get(other)];
    return (a < b ? -sign : a > b ? sign : 0) || one.index - other.index;
  });
}

function headRow() {
  const cells = COLUMNS.map(([key, label, style]) => {
    const size = SHORT[key] || label.length;
    const button = make("button", { type: "button" }, label.slice(0, size), size < label.length ? make("span", { class: "tail" }, label.slice(size)) : "");
    button.addEventListener("click", () => {
      order = { key, down: order.key === key ? !order.down : true };
      for (const [at, column] of COLUMNS.entries()) {
        const direction = column[0] !== key ? "none" : order.down ? "ascending" : "descending";
        grid.firstChild.firstChild.children[at].setAttribute("aria-sort", direction);
      }
      show();
    });
    return make("div", { role: "columnheader", class: style, "aria-sort": key === order.key ? "ascending" : "none" }, button);
  });
  return make("div", { role: "rowgroup", class: "head-group" }, make("div", { role: "row", class: "line head", "aria-rowindex": 1 }, ...cells));
}

function cell(agent, capability, at) {
  const readings = readBy(agent, wanted.harness);
  const found = states(readings, at);
  const tools = new Set(readings.filter((each) => each.loads).flatMap((each) => facts.texts[each.grants[at][1]]));
  const scopes = new Set(readings.filter((each) => each.loads).flatMap((each) => each.grants[at][2]));
  const hint = found.widest === "refused" ? "not loaded" : `${found.widest}${scopes.size ? `: ${[...scopes].join(", ")}` : ""}${tools.size && isGranted(found.widest) ? ` (${[...tools].join(", ")})` : ""}`;
  const more = found.differs ? "; differs between harnesses" : "";
  return make(
    "div", { role: "gridcell", class: HARMFUL.has(capability) ? "can harm" : "can", title: hint + more },
    make("i", { class: `dot ${found.widest}`, "aria-hidden": "true" }),
    make("span", { class: "unseen" }, (found.widest === "refused" ? "not loaded" : found.widest) + more),
    found.differs ? make("i", { class: "apart", "aria-hidden": "true" }, "≠") : "",
  );
}

// What is the same for all capabilities is said once.
function cells(agent) {
  const found = CAPABILITIES.map((_, at) => states(readBy(agent, wanted.harness), at));
  const whole = { refused: "does not load", inherited: "has the tools of the agent that uses it" }[found[0].widest];
  if (!whole || found.some((each) => each.widest !== found[0].widest || each.differs)) return CAPABILITIES.map((each, at) => cell(agent, each, at));
  const text = agent.readings.length ? whole : "no harness is known to read it";
  return [make("div", { role: "gridcell", class: `whole ${found[0].widest}`, "aria-colspan": CAPABILITIES.length }, text)];
}

function tallies(agent) {
  const numbers = ["error", "warning", "note"].map((severity) => [severity, agent.findings.filter((each) => each[0] === severity).length]);
  return numbers.filter(([, number]) => number).map(([severity, number]) =>
    make("span", { class: `tally ${severity}`, title: plural(number, severity) }, String(number), make("span", { class: "unseen" }, ` ${severity}${number === 1 ? "" : "s"}`)));
}

function row(agent, position) {
  const found = tallies(agent);
  return make(
    "div", { role: "row", class: "line agent", id: `row-${position}`, "aria-rowindex": position + 2, "aria-selected": String(agent.index === selected), tabindex: position === current ? 0 : -1 },
    make("div", { role: "gridcell", class: "who" }, named("b", agent.name), make("span", { title: agent.path }, agent.path)),
    make("div", { role: "gridcell", class: "kind" }, agent.kind),
    ...cells(agent),
    make("div", { role: "gridcell", class: "readers" }, agent.readings.map((each) => each.harness).join(", ") || "no harness"),
    make("div", { role: "gridcell", class: "found" }, ...(found.length ? found : [make("span", { class: "unseen" }, "none")])),
  );
}

function fillChunk(chunk) {
  if (chunk.firstChild) return;
  const start = Number(chunk.dataset.start);
  chunk.setAttribute("role", "rowgroup");
  chunk.append(...rows.slice(start, start + CHUNK).map((agent, at) => row(agent, start + at)));
}

function emptyChunk(chunk) {
  const start = Number(chunk.dataset.start);
  if (current >= start && current < start + CHUNK) return;
  chunk.removeAttribute("role");
  chunk.replaceChildren();
}

const chunks = () => grid.querySelectorAll(".chunk");

function show() {
  wanted = wantedNow();
  rows = sorted(agents.filter((agent) => matches(agent, wanted)));
  current = 0;
  watcher.disconnect();
  chunks().forEach((chunk) => chunk.remove());
  for (let start = 0; start < rows.length; start += CHUNK) {
    const chunk = make("div", { class: "chunk", "data-start": start });
    chunk.style.setProperty("--n", Math.min(CHUNK, rows.length - start));
    grid.append(chunk);
    if (start === 0) fillChunk(chunk);
    watcher.observe(chunk);
  }
  grid.setAttribute("aria-rowcount", rows.length + 1);
  byId("count").value = rows.length === agents.length ? plural(agents.length, "entry").replace("entrys", "entries") : `${rows.length.toLocaleString("en")} of ${agents.length.toLocaleString("en")}`;
  drawDelegation();
}

function focusRow(position) {
  const before = byId(`row-${current}`);
  if (before) before.tabIndex = -1;
  current = Math.max(0, Math.min(position, rows.length - 1));
  const chunk = chunks()[Math.floor(current / CHUNK)];
  if (!chunk) return;
  fillChunk(chunk);
  const element = byId(`row-${current}`);
  element.tabIndex = 0;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "nearest" });
}

grid.addEventListener("click", (event) => {
  const element = event.target.closest(".agent");
  if (element) openRow(Number(element.getAttribute("aria-rowindex")) - 2);
});
grid.addEventListener("keydown", (event) => {
  if (!event.target.classList.contains("agent")) return;
  const page = Math.max(1, Math.floor(window.innerHeight / event.target.offsetHeight) - 3);
  const steps = { ArrowDown: current + 1, ArrowUp: current - 1, PageDown: current + page, PageUp: current - page, Home: 0, End: rows.length - 1 };
  if (event.key in steps) focusRow(steps[event.key]);
  else if (event.key === "Enter" || event.key === " ") openRow(current);
  else return;
  event.preventDefault();
});

// --- details ---

const details = byId("details");

function openRow(position) {
  focusRow(position);
  const agent = rows[position];
  selected = agent.index;
  grid.querySelectorAll('[aria-selected="true"]').forEach((each) => each.setAttribute("aria-selected", "false"));
  byId(`row-${position}`).setAttribute("aria-selected", "true");
  details.replaceChildren(...describe(agent));
  details.hidden = false;
  details.scrollTop = 0;
  details.focus({ preventScroll: true });
}

function close() {
  if (details.hidden) return;
  details.hidden = true;
  selected = -1;
  grid.querySelectorAll('[aria-selected="true"]').forEach((each) => each.setAttribute("aria-selected", "false"));
  focusRow(current);
}
document.addEventListener("keydown", (event) => event.key === "Escape" && close());

function describe(agent) {
  const button = make("button", { type: "button", class: "quiet" }, "Close");
  button.addEventListener("click", close);
  const parts = [
    make("header", {}, make("div", {}, named("h2", agent.name), make("code", { class: "path" }, `${agent.path}:${agent.line}`)), button),
    agent.description ? named("p", agent.description) : "",
    list([["Kind", agent.kind], ["Intended", agent.intended]]),
  ];
  if (agent.forbidden.length) parts.push(make("h3", {}, "Forbidden by the policy"), bullets(agent.forbidden));
  if (agent.changes.length) parts.push(make("h3", {}, "Changed"), ...agent.changes.map(describeChange));
  parts.push(make("h3", {}, "What each harness makes of it"));
  parts.push(...(agent.readings.length ? agent.readings.map(describeReading) : [make("p", { class: "muted" }, "No harness is known to read it.")]));
  if (agent.findings.length) {
    const items = agent.findings.map(([severity, code, name, line, text]) =>
      make("li", {}, make("b", {}, `${severity} ${code} ${name}`), ` line ${line}: `, facts.texts[text]));
    parts.push(make("h3", {}, "Findings"), make("ul", { class: "plain findings" }, ...items));
  }
  parts.push(...neighbourhood(agent));
  if (agent.head) parts.push(make("h3", {}, "What the file says"), make("pre", { tabindex: 0, role: "region", "aria-label": "What the file says" }, agent.head));
  return parts.filter(Boolean);
}

const bullets = (texts) => make("ul", { class: "plain" }, ...texts.map((text) => make("li", {}, text)));

function list(pairs) {
  const found = pairs.filter(([, value]) => value && value.length !== 0);
  return make("dl", {}, ...found.flatMap(([label, value]) => [make("dt", {}, label), make("dd", {}, value)]));
}

function describeChange([harness, what, shifts]) {
  const signs = shifts.map(([name, before, after, gain]) =>
    make("span", { class: `shift ${gain ? "gain" : "loss"}` }, `${gain ? "+" : "−"} ${name} `, make("small", {}, `${before} → ${after}`)));
  return make("p", {}, `${harness}: ${what} `, ...signs);
}

function describeReading(reading) {
  const head = make("h4", {}, facts.harnesses[reading.harness] || reading.harness);
  const box = make("div", { class: "harness" }, head);
  if (!reading.loads) {
    head.append(make("span", { class: "mark bad" }, "does not load"));
    box.append(make("p", {}, reading.error));
    return box;
  }
  if (reading.unrestricted) head.append(make("span", { class: "mark warm" }, "unrestricted"));
  if (reading.knownAs) head.append(named("span", `known as ${reading.knownAs}`, { class: "mark" }));
  const grants = CAPABILITIES.map((capability, at) => [capability, reading.grants[at]]).filter(([, grant]) => grant[0] !== "denied");
  const granted = grants.flatMap(([capability, [state, tools, scopes]]) => [
    make("dt", { class: HARMFUL.has(capability) ? "harm" : undefined }, title(capability), make("i", { class: `dot ${state}`, "aria-hidden": "true" })),
    make(
      "dd", {},
      make("span", { class: state === "given" ? "unseen" : "mark" }, state), " ",
      state === "inherited" ? "" : make("span", { class: "tools" }, facts.texts[tools].map((tool) => (tool === ANY ? "every tool" : tool)).join(" ")),
      scopes.length ? make("span", { class: "scopes" }, scopes.join(", ")) : "",
    ),
  ]);
  const isOfUser = grants.length === CAPABILITIES.length && grants.every(([, grant]) => grant[0] === "inherited");
  if (isOfUser) box.append(make("p", {}, "It has the tools of the agent that uses it."));
  else box.append(grants.length ? make("dl", {}, ...granted) : make("p", {}, "Grants no tools."));
  const more = list([
    ["Wider", reading.wider.join(", ")],
    ["Narrower", reading.narrower.join(", ")],
    ["Approved", reading.approved.join(", ")],
    ["Mode", reading.mode],
    ["Starts", reading.starts.join(", ")],
    ["May call", reading.calls.includes(ANY) ? "every agent, built-in ones included" : reading.calls.join(", ")],
    ["As a subagent", reading.private || (facts.texts[reading.without].length ? `without ${facts.texts[reading.without].join(", ")}` : "")],
  ]);
  if (more.children.length) box.append(more);
  for (const [capability, way] of reading.reaches) {
    box.append(make("p", {}, make("span", { class: "mark warm" }, `${capability} through others`), " may call ", named("b", way.join(" → ")), `, which can ${facts.verbs[capability]}`));
  }
  return box;
}

// --- pictures of delegation ---

const SVG = "http://www.w3.org/2000/svg";

function shape(tag, properties, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

const short = (text, size) => ([...text].length > size ? [...text].slice(0, size - 1).join("") + "…" : text);

// Columns of boxes, and edges from a box to one in a column to its right: [column, box, column, box].
function picture(label, columns, edges, width, space) {
  const [height, gap] = [42, 12];
  const size = Math.floor(width / 7.6);
  const tallest = Math.max(...columns.map((boxes) => boxes.length));
  const whole = { x: columns.length * (width + space) - space + 4, y: tallest * (height + gap) - gap + 4 };
  const svg = shape("svg", { viewBox: `0 0 ${whole.x} ${whole.y}`, width: whole.x, height: whole.y, role: "img", "aria-label": label });
  const place = (column, at) => ({
    x: 2 + column * (width + space),
    y: 2 + (whole.y - 4 - (columns[column].length * (height + gap) - gap)) / 2 + at * (height + gap),
  });
  for (const [from, one, to, other] of edges) {
    const [start, end] = [place(from, one), place(to, other)];
    const [x1, y1, x2, y2] = [start.x + width, start.y + height / 2, end.x - 6, end.y + height / 2];
    const middle = (x1 + x2) / 2;
    svg.append(shape("path", { class: "edge", d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}` }));
    svg.append(shape("path", { class: "tip", d: `M${x2 + 5} ${y2}l-7 -4v8z` }));
  }
  columns.forEach((boxes, column) => boxes.forEach((box, at) => {
    const { x, y } = place(column, at);
    svg.append(shape("rect", { class: `box ${box.style || ""}`, x, y, width, height, rx: 8 }));
    svg.append(shape("text", { x: x + 10, y: y + (box.sub ? 18 : 26) }, short(box.name, size)));
    if (box.sub) svg.append(shape("text", { class: "sub", x: x + 10, y: y + 33 }, short(box.sub, size + 4)));
  }));
  return make("div", { class: "picture", tabindex: 0, role: "group", "aria-label": label }, svg);
}

function abilities(reading) {
  const found = CAPABILITIES.filter((each, at) => ["write", "execute", "network"].includes(each) && isGranted(reading.grants[at][0]));
  return found.join(", ") || "cannot change anything";
}

const sees = (one, other) => other.home === "" || one.home === other.home || one.home.startsWith(`${other.home}/`);
const nameOf = (agent, reading) => reading.knownAs || agent.name;
const fits = (pattern, name) => pattern === name || (pattern.includes("*") && new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*+/g, ".*")}$`).test(name));
const limited = (boxes, most) => (boxes.length > most ? [...boxes.slice(0, most - 1), { name: `and ${boxes.length - most + 1} more`, style: "more" }] : boxes);

// Who may call the agent and whom it may call, in the chosen harness or the first that knows of such calls.
function neighbourhood(agent) {
  for (const reading of readBy(agent, chosen("harness")).filter((each) => each.loads)) {
    const others = agents.filter((each) => each !== agent).flatMap((each) => readBy(each, reading.harness).filter((its) => its.loads).map((its) => ({ agent: each, its })));
    const box = ({ agent: each, its }) => ({ name: nameOf(each, its), sub: abilities(its) });
    const mine = nameOf(agent, reading);
    const callers = reading.callable ? others.filter(({ agent: each, its }) => sees(each, agent) && its.calls.some((name) => name !== ANY && fits(name, mine))).map(box) : [];
    const anyone = reading.callable ? others.filter(({ agent: each, its }) => sees(each, agent) && its.calls.includes(ANY)).length : 0;
    const callable = others.filter(({ agent: each, its }) => its.callable && sees(agent, each));
    const callees = callable.filter(({ agent: each, its }) => reading.calls.some((name) => name !== ANY && fits(name, nameOf(each, its)))).map(box);
    const left = limited(callers, 6);
    if (anyone) left.push({ name: plural(anyone, "agent"), sub: "may call any agent", style: "more" });
    const right = limited(callees, 6);
    if (reading.calls.includes(ANY)) right.push({ name: "Any agent", sub: `${callable.length} and built-in`, style: "more" });
    if (!left.length && !right.length) continue;
    const edges = [...left.map((_, at) => [0, at, 1, 0]), ...right.map((_, at) => [1, 0, 2, at])];
    const heading = make("h3", {}, `Delegation in ${facts.harnesses[reading.harness]}`);
    return [heading, picture(`${plural(left.length, "caller")} and ${plural(right.length, "callee")} of ${mine}`, [left, [{ name: mine, sub: abilities(reading), style: "self" }], right], edges, 132, 24)];
  }
  return [];
}

// All agents that reach through others what they lack: a way for each group of capabilities that the same agents give.
function waysOf(found) {
  const groups = new Map();
  for (const agent of found) {
    for (const reading of readBy(agent, wanted.harness).filter((each) => each.loads)) {
      for (const [capability, way] of reading.reaches) {
        const key = [reading.harness, agent.index, ...way].join("\n");
        const group = groups.get(key) || { agent, reading, way, gains: [] };
        group.gains.push(capability);
        groups.set(key, group);
      }
    }
  }
  return [...groups.values()];
}

function drawDelegation() {
  const all = waysOf(rows);
  const ways = all.filter((each) => each.way.length <= MOST_STEPS).slice(0, MOST_WAYS);
  const cycles = facts.cycles.filter((each) => !wanted.harness || each.harness === wanted.harness).slice(0, MOST_WAYS);
  byId("delegation-panel").hidden = !all.length && !cycles.length;
  const columns = Array.from({ length: Math.max(2, ...ways.map((each) => each.way.length + 1)) }, () => new Map());
  const edges = new Map();
  const place = (column, key, name, words, gains, style) => {
    const box = columns[column].get(key) || { name, words, gains: new Set(), style, at: columns[column].size };
    gains.forEach((each) => box.gains.add(each));
    columns[column].set(key, box);
    return box.at;
  };
  for (const { agent, reading, way, gains } of ways) {
    const lacks = gains.map((each) => `no ${each}`);
    let before = place(0, `${reading.harness} ${agent.index}`, nameOf(agent, reading), `${reading.harness}: `, lacks, "");
    way.forEach((name, step) => {
      const isLast = step === way.length - 1;
      const key = [reading.harness, agent.home, name, isLast].join("\n");
      const at = place(step + 1, key, name, isLast ? "can " : "may call others", isLast ? gains.map((each) => facts.verbs[each]) : [], isLast ? "self" : "");
      edges.set([step, before, step + 1, at].join(), [step, before, step + 1, at]);
      before = at;
    });
  }
  const boxes = columns.map((each) => [...each.values()].map((box) => ({ ...box, sub: box.words + [...box.gains].join(", ") })));
  const parts = [];
  if (ways.length) parts.push(picture(`${plural(all.length, "way")} to a capability through other agents`, boxes, [...edges.values()], 300, 90));
  if (all.length > ways.length) parts.push(make("p", { class: "muted" }, `and ${(all.length - ways.length).toLocaleString("en")} more; filter the agents above to see them`));
  for (const cycle of cycles) parts.push(make("p", {}, make("span", { class: "mark warm" }, "circle"), ` ${facts.harnesses[cycle.harness]}: `, named("b", cycle.names.join(", ")), " may call one another"));
  byId("picture").replaceChildren(...parts);
}

// --- start ---

grid.append(headRow());
fill("harness", Object.entries(facts.harnesses));
fill("kind", count(agents.map((agent) => agent.kind)));
fill("folder", folders().map(([folder, number]) => [folder, `${folder} (${number})`]));
fill("rule", count(agents.flatMap((agent) => [...new Set(agent.findings.map((finding) => finding[2]))])));
for (const chip of document.querySelectorAll("[data-only]")) {
  const number = agents.filter((agent) => ONLY[chip.dataset.only](agent, agent.readings)).length;
  chip.querySelector("b").textContent = number.toLocaleString("en");
  chip.hidden = number === 0;
}
document.addEventListener("click", (event) => {
  const toggle = event.target.closest("[data-can], [data-only]");
  if (!toggle) return;
  toggle.setAttribute("aria-pressed", String(toggle.getAttribute("aria-pressed") !== "true"));
  show();
});
filters.addEventListener("submit", (event) => event.preventDefault());
filters.addEventListener("input", show);
filters.addEventListener("reset", () => {
  document.querySelectorAll("[data-can], [data-only]").forEach((each) => each.setAttribute("aria-pressed", "false"));
  setTimeout(show);
});
window.addEventListener("beforeprint", () => {
  watcher.disconnect();
  chunks().forEach(fillChunk);
});
window.addEventListener("afterprint", () => chunks().forEach((chunk) => watcher.observe(chunk)));

const theme = byId("theme");
const isDark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const label = () => (theme.textContent = isDark() ? "Light" : "Dark");
theme.hidden = false;
theme.addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  label();
});
label();
show();
