import assert from "node:assert/strict";
import { test } from "node:test";
import type { Choices, Move } from "../src/protocol.ts";
import { clicked, drawn, narrow, NOTHING_PICKED, unordered } from "../src/table/moves.ts";

const site = (name: string) => `cell:${name.charCodeAt(0) - 97 + 8 * (Number(name[1]) - 1)}`;

function choices(...moves: [option: number, ...things: string[]][]): Choices {
  const all = moves.map(([option, ...things], action): Move => ({ action, name: things.join(" "), option, things: things.map(site) }));
  const options = [...new Set(all.map((move) => move.option))].map((option) => ({
    name: `option ${option}`,
    moves: all.filter((move) => move.option === option).length,
  }));
  return { seat: 0, options, moves: all };
}

test("a move that names one place is played with one click", () => {
  const given = choices([0, "a1"], [0, "b2"]);
  assert.deepEqual([...narrow(given, NOTHING_PICKED).next], [site("a1"), site("b2")]);
  const pick = clicked(given, NOTHING_PICKED, site("b2"))!;
  assert.equal(narrow(given, pick).only?.action, 1);
});

test("the second place of a move follows the first", () => {
  const given = choices([0, "a2", "a3"], [0, "a2", "a4"], [0, "b2", "a3"]);
  assert.deepEqual([...narrow(given, NOTHING_PICKED).next], [site("a2"), site("b2")]);
  const pick = clicked(given, NOTHING_PICKED, site("a2"))!;
  assert.equal(narrow(given, pick).only, null);
  assert.deepEqual([...narrow(given, pick).next], [site("a3"), site("a4")]);
  assert.equal(narrow(given, clicked(given, pick, site("a4"))!).only?.action, 1);
});

test("a move back and forth isn't mixed up with its reverse", () => {
  const given = choices([0, "a1", "b1"], [0, "b1", "a1"]);
  const pick = clicked(given, clicked(given, NOTHING_PICKED, site("b1"))!, site("a1"))!;
  assert.equal(narrow(given, pick).only?.action, 1);
});

test("a click on a picked place lets it go, one elsewhere begins again, one on nothing is ignored", () => {
  const given = choices([0, "a2", "a3"], [0, "b2", "b3"]);
  const pick = clicked(given, NOTHING_PICKED, site("a2"))!;
  assert.deepEqual(clicked(given, pick, site("a2")), NOTHING_PICKED);
  assert.deepEqual(clicked(given, pick, site("b2"))!.things, [site("b2")]);
  assert.equal(clicked(given, pick, site("h8")), null);
});

test("two options at one place are asked about", () => {
  const given = choices([0, "a1"], [1, "a1"]);
  const found = narrow(given, clicked(given, NOTHING_PICKED, site("a1"))!);
  assert.equal(found.only, null);
  assert.deepEqual(
    found.ready.map((move) => move.option),
    [0, 1],
  );
  assert.equal(narrow(given, { option: 1, things: [site("a1")] }).only?.action, 1);
});

test("a move that could go on waits", () => {
  const given = choices([0, "a1"], [1, "a1", "b1"]);
  const found = narrow(given, clicked(given, NOTHING_PICKED, site("a1"))!);
  assert.equal(found.only, null);
  assert.equal(found.ready.length, 1);
  assert.deepEqual([...found.next], [site("b1")]);
});

test("some of several things are clicked in any order, and never played by themselves", () => {
  const given = choices([0, "a1"], [0, "b1"], [0, "c1"], [0, "a1", "b1"], [0, "a1", "c1"], [0, "b1", "c1"], [0, "a1", "b1", "c1"]);
  assert.deepEqual([...unordered(given)], [0]);
  const second = clicked(given, clicked(given, NOTHING_PICKED, site("c1"))!, site("a1"))!;
  assert.deepEqual(
    narrow(given, second).ready.map((move) => move.action),
    [4],
  );
  const all = narrow(given, clicked(given, second, site("b1"))!);
  assert.equal(all.only, null);
  assert.deepEqual(
    all.ready.map((move) => move.action),
    [6],
  );
});

test("things that the drawing doesn't show are chosen by the names of their moves", () => {
  const given: Choices = choices([0, "a1"], [0, "a1"]);
  given.moves.forEach((move, at) => move.things.push(`suit:${at}`));
  const shown = drawn(given, `<path data-thing="${site("a1")}"/>`);
  const found = narrow(shown, clicked(shown, NOTHING_PICKED, site("a1"))!);
  assert.deepEqual([found.only, found.ready.length], [null, 2]);
  assert.deepEqual(narrow(drawn(given, ""), NOTHING_PICKED).ready.length, 2);
});

test("an option chosen by its button limits the places", () => {
  const given = choices([0, "a1"], [1, "b1"]);
  assert.deepEqual([...narrow(given, { option: 1, things: [] }).next], [site("b1")]);
});
