// A session of the workbench without a server: `node session.mjs houserule.wasm`. Rules are checked, mended, drawn,
// played and measured. docs/workbench.md says how the module is built.

import { readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]));
const { memory, houserule_allocate, houserule_ask, houserule_answer_bytes } = instance.exports;

/** Asks, and returns all that is told. */
function ask(question) {
  const bytes = new TextEncoder().encode(JSON.stringify(question));
  const at = houserule_allocate(bytes.length);
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
  const answer = houserule_ask(at, bytes.length);
  return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, answer, houserule_answer_bytes())));
}

const told = (tells, kind) => tells.filter((one) => one.tell === kind);
const rules = (limit) => `variant "Short" of "dilido" {\n  param ${limit} = 2\n}\n`;

/** Checks a text, and prints its messages. */
function check(version, text) {
  const [{ messages }] = told(ask({ ask: "text", path: "short.rules", version, text }), "messages");
  for (const one of messages) console.log(`${one.severity}[${one.code}]: ${one.message}`);
  console.log(`${messages.length} messages`);
}

check(1, rules("penalty_limt"));
check(2, rules("penalty_limit"));

ask({ ask: "table", id: 1, path: "short.rules", seed: 1, seats: ["random"] });
const [played] = told(ask({ ask: "step", id: 2 }), "position");
console.log(`\n${played.heading} ${played.decision} decisions, a drawing of ${played.svg.length} characters.\n`);

const begun = performance.now();
const [measured] = told(ask({ ask: "measure", id: 3, path: "short.rules", seed: 1, games: 5000 }), "measured");
for (const sentence of measured.sentences) console.log(sentence);
console.log(`\n5,000 games of each in ${Math.round(performance.now() - begun)} ms.`);
