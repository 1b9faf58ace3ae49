// Reads rule files as VS Code does: `node tokens.mjs FILE…` prints their tokens as JSON.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const read = (path) => readFileSync(fileURLToPath(new URL(path, import.meta.url)));

await oniguruma.loadWASM(read("../node_modules/vscode-oniguruma/release/onig.wasm"));
const registry = new textmate.Registry({
  onigLib: {
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  },
  loadGrammar: () => textmate.parseRawGrammar(read("../syntaxes/rules.tmLanguage.json").toString(), "rules.json"),
});
const grammar = await registry.loadGrammar("source.rules");

/** The lines of a text, each with its tokens that have a scope, and how many brackets are open at the end. */
export function tokenise(text) {
  let state = textmate.INITIAL;
  const lines = text.split("\n").map((line) => {
    const { tokens, ruleStack, stoppedEarly } = grammar.tokenizeLine(line, state);
    if (stoppedEarly) throw new Error(`tokenising takes too long: ${line}`);
    state = ruleStack;
    return tokens
      .map(({ startIndex, endIndex, scopes }) => ({ start: startIndex, text: line.slice(startIndex, endIndex), scopes: scopes.slice(1) }))
      .filter(({ text, scopes }) => scopes.length && text.trim());
  });
  return { lines, open: state.depth - 1 };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = process.argv.slice(2).map((path) => [path, tokenise(readFileSync(path, "utf8")).lines]);
  process.stdout.write(JSON.stringify(Object.fromEntries(files)));
}
