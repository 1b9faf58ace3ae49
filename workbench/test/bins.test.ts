import assert from "node:assert/strict";
import { test } from "node:test";
import { bars, figure, share, ticks } from "../src/measure/bins.ts";

test("sides are shares of their own games", () => {
  assert.deepEqual(share([1, 3]), [0.25, 0.75]);
  assert.deepEqual(share([0, 0]), [0, 0]);
});

test("the highest bar of both sides fills the picture", () => {
  const { paths, at } = bars([0, 10, 20], [[1, 1], [0, 400]], 200, 100);
  assert.equal(paths[0], "M0 100V50H100V50H200V100Z");
  assert.equal(paths[1], "M0 100V100H100V0H200V100Z");
  assert.equal(at(5), 50);
});

test("a side without games has no bars, and nothing is not a number", () => {
  const { paths } = bars([3, 3], [[0], []], 200, 100);
  assert.equal(paths[1], "");
  assert.doesNotMatch(paths[0]!, /NaN|Infinity/);
});

test("ticks are round and inside of the scale", () => {
  assert.deepEqual(ticks(0, 60), [0, 10, 20, 30, 40, 50, 60]);
  assert.deepEqual(ticks(-1, 1), [-1, -0.5, 0, 0.5, 1]);
  assert.deepEqual(ticks(0.1, 0.4), [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4]);
  assert.deepEqual(ticks(7, 7), [7]);
  for (const value of ticks(13, 997)) assert.ok(value >= 13 && value <= 997);
});

test("a figure has the decimals that its interval is worth", () => {
  assert.equal(figure(37.28123, 1.1), "37.3");
  assert.equal(figure(0.19512, 0.012), "0.195");
  assert.equal(figure(12345.6, 80), "12,346");
  assert.equal(figure(-4.5, 1), "−4.5");
  assert.equal(figure(null), "–");
});
