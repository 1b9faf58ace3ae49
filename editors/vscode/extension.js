// Starts `houserule lsp` for rule files, and starts it again if its setting changes or the user asks for it.

const { execFile } = require("node:child_process");
const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** The client of the language server. */
let client;
/** The last start or stop: the next one waits for it. */
let busy = Promise.resolve();

exports.activate = (context) => {
  const restart = () => (busy = busy.then(stop).then(start));
  context.subscriptions.push(
    commands.registerCommand("houserule.restart", restart),
    workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("houserule.command") && restart()),
    workspace.onDidGrantWorkspaceTrust(restart),
  );
  return restart();
};

exports.deactivate = () => (busy = busy.then(stop));

async function start() {
  if (!workspace.isTrusted) return;
  const command = workspace.getConfiguration("houserule").get("command");
  const problem = await missing(command);
  if (problem) return complain(problem);
  client = new LanguageClient(
    "houserule",
    { command, args: ["lsp"] },
    { documentSelector: ["houserule", "rhai"].map((language) => ({ scheme: "file", language })) },
  );
  // The client tells the user why it didn't start.
  await client.start().catch(() => {});
}

async function stop() {
  // A server that no longer answers is no reason not to start another one.
  await client?.dispose().catch(() => {});
  client = undefined;
}

/** What is wrong with the command; undefined if it is a program with a language server. */
function missing(command) {
  return new Promise((resolve) => {
    const asked = execFile(command, ["lsp", "--help"], (error) => {
      if (!error) resolve();
      else if (error.code === "ENOENT") resolve(`The program \`${command}\` was not found. Install houserule, or say where it is.`);
      else if (typeof error.code === "number") resolve(`\`${command}\` has no \`lsp\`. Install a newer version of houserule, or name another program.`);
      else resolve(`\`${command}\` can't be run: ${error.message}.`);
    });
    // Whatever it is, it gets no input to wait for.
    asked.stdin?.end();
  });
}

/** Shows a problem with a button that leads to the setting. Waits for nobody. */
function complain(problem) {
  window.showErrorMessage(problem, "Open the setting").then((chosen) => {
    if (chosen) commands.executeCommand("workbench.action.openSettings", "houserule.command");
  });
}
