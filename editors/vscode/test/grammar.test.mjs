import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { tokenise } from "./tokens.mjs";

const folder = fileURLToPath(new URL(".", import.meta.url));
const rules = join(folder, "../../../rules");

test("every bundled rule file is read to its end, and closes what it opens", () => {
  const files = readdirSync(rules, { recursive: true }).filter((name) => name.endsWith(".rules"));
  assert(files.length > 100);
  for (const name of files) {
    assert.equal(tokenise(readFileSync(join(rules, name), "utf8")).open, 0, name);
  }
});

test("each token of the sample has its scopes", () => {
  const text = readFileSync(join(folder, "sample.rules"), "utf8").trimEnd();
  const { lines, open } = tokenise(text);
  const shown = text.split("\n").map((line, at) => {
    const tokens = lines[at].map(({ text, scopes }) => `    ${text.trim()}  ${scopes.join(" ")}\n`);
    return `${line}\n${tokens.join("").replaceAll(".rules", "")}`;
  });
  const snapshot = join(folder, "sample.txt");
  if (process.env.UPDATE_SNAPSHOTS) writeFileSync(snapshot, shown.join(""));
  assert.equal(shown.join(""), readFileSync(snapshot, "utf8"));
  assert.equal(open, 0);
});
