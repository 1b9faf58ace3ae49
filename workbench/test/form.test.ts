import assert from "node:assert/strict";
import { test } from "node:test";
import { formFor } from "../src/table/form.ts";

test("a phone and a narrow pane have everything below each other", () => {
  assert.equal(formFor(390, 764), "narrow");
  assert.equal(formFor(820, 1100), "narrow");
  assert.equal(formFor(575, 420), "narrow");
});

test("a game for one player takes a broader pane as narrow", () => {
  assert.deepEqual([formFor(740, 450, true), formFor(740, 450)], ["narrow", "wide"]);
});

test("where there is room the seats are around the middle", () => {
  assert.equal(formFor(1260, 700), "wide");
  assert.equal(formFor(740, 420), "wide");
  assert.equal(formFor(1400, 1500), "wide");
});
