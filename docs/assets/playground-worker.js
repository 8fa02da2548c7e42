// Runs Python beside the page, so that the page stays responsive.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const here = new URL("./pyodide/", import.meta.url);

async function start() {
  const python = await loadPyodide({ indexURL: here.href });
  const packages = await fetch(new URL("packages.zip", here));
  python.unpackArchive(await packages.arrayBuffer(), "zip", { extractDir: "/packages" });
  python.runPython("import sys; sys.path.insert(0, '/packages')");
  return python.pyimport("playground.answers");
}

const answers = start();

onmessage = async ({ data: { id, call, args } }) => {
  try {
    postMessage({ id, result: JSON.parse((await answers)[call](...args)) });
  } catch (error) {
    postMessage({ id, error: String(error.message ?? error) });
  }
};
