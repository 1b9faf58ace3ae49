import assert from "node:assert/strict";
import { test } from "node:test";
import { costWords, lineWords, percent, times } from "../src/editor/figures.ts";

test("shares and times have as many digits as they are worth", () => {
  assert.deepEqual(
    [0, 0.0001, 0.004, 0.006, 0.234, 1].map((share) => percent(share)),
    ["0 %", "<1 %", "<1 %", "1 %", "23 %", "100 %"],
  );
  assert.deepEqual(
    [0, 0.0001, 0.0006, 0.234].map((share) => percent(share, 1)),
    ["0.0 %", "<0.1 %", "0.1 %", "23.4 %"],
  );
  assert.deepEqual([0, 0.001, 0.5, 12.34, 4321.4].map(times), ["0", "<0.01", "0.50", "12.3", "4,321"]);
});

test("a line says what it costs, and which expressions begin on it", () => {
  const cost = { share: 0.482, evaluations: 9.21, instructions: 2346, repeated: 0.63 };
  assert.equal(
    costWords(cost),
    "48.2 % of the time · 9.21 times a decision · 2,346 instructions a decision · 63 % of these compute again what the same decision has computed",
  );
  const place = { path: "a.rules", from: 3, to: 9 };
  const line = { place, line: 2, text: "define run(p)", cost };
  assert.equal(lineWords({ line, relative: 1, expressions: [] }).split("\n").length, 4);
  const expression = { place, line: 2, column: 4, text: "run(p)", cost: { ...cost, share: 0.5 } };
  assert.deepEqual(lineWords({ line, relative: 1, expressions: [expression] }).split("\n").slice(4), [
    "",
    "With all that they use:",
    "50.0 % column 4: run(p)",
  ]);
});
