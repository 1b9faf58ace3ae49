import assert from "node:assert/strict";
import { test } from "node:test";
import { neighbour, type Spot } from "../src/table/geometry.ts";

const grid: Spot[] = [0, 10, 20].flatMap((y) => [0, 10, 20].map((x) => ({ x, y })));
const hexes: Spot[] = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => ({ x: column * 10 + row * 5, y: row * 8.66 })));

test("arrows follow the rows and columns of a grid and stop at its edge", () => {
  assert.equal(neighbour(grid, 4, "ArrowLeft"), 3);
  assert.equal(neighbour(grid, 4, "ArrowRight"), 5);
  assert.equal(neighbour(grid, 4, "ArrowUp"), 1);
  assert.equal(neighbour(grid, 4, "ArrowDown"), 7);
  assert.equal(neighbour(grid, 2, "ArrowRight"), null);
  assert.equal(neighbour(grid, 0, "ArrowUp"), null);
});

test("every cell of a board of hexagons is reached from every other", () => {
  const reached = new Set([0]);
  for (const from of reached) {
    for (const arrow of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] as const) {
      const to = neighbour(hexes, from, arrow);
      if (to !== null) reached.add(to);
    }
  }
  assert.equal(reached.size, hexes.length);
});

test("without a place to begin, the first is taken", () => {
  assert.equal(neighbour(grid, -1, "ArrowUp"), 0);
  assert.equal(neighbour([], -1, "ArrowUp"), null);
});
