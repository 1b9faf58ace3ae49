import assert from "node:assert/strict";
import { test } from "node:test";
import { draftOf, draftPathOf, draftPaths, dropDrafts, keepDraft, keepGame, keptGame, type KeptGame, type Store } from "../src/drafts.ts";

function memory(room = Infinity): Store & { all: Map<string, string> } {
  const all = new Map<string, string>();
  return {
    all,
    get length() {
      return all.size;
    },
    key: (at) => [...all.keys()][at] ?? null,
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => {
      if (value.length > room) throw new Error("QuotaExceededError");
      all.set(key, value);
    },
    removeItem: (key) => void all.delete(key),
  };
}

test("a draft is found again by folder and path, the newest first", () => {
  const store = memory();
  keepDraft(store, "/games", "a.rules", { text: "old", hash: "1", at: 1 });
  keepDraft(store, "/games", "a.rules", { text: "new", hash: "2", at: 2 });
  keepDraft(store, "/games", "b: c.rules", { text: "other", hash: null, at: 3 });
  keepDraft(store, "/else", "a.rules", { text: "elsewhere", hash: "1", at: 4 });
  assert.equal(draftOf(store, "/games", "a.rules")?.text, "new");
  assert.deepEqual(draftPaths(store, "/games"), ["a.rules", "b: c.rules"]);
  assert.deepEqual([...store.all.keys()].map((key) => draftPathOf(key, "/games")), ["a.rules", "a.rules", "b: c.rules", null]);
  dropDrafts(store, "/games", "a.rules");
  assert.equal(draftOf(store, "/games", "a.rules"), null);
  assert.equal(draftOf(store, "/games", "b: c.rules")?.text, "other");
  assert.equal(draftOf(store, "/else", "a.rules")?.text, "elsewhere");
});

test("a path is no beginning of another", () => {
  const store = memory();
  keepDraft(store, "/games", "a.rules:b", { text: "one", hash: null, at: 1 });
  dropDrafts(store, "/games", "a.rules");
  assert.equal(draftOf(store, "/games", "a.rules:b")?.text, "one");
});

test("a full or broken store is told, not thrown", () => {
  assert.equal(keepDraft(memory(10), "/games", "a.rules", { text: "a".repeat(100), hash: null, at: 1 }), false);
  const store = memory();
  keepDraft(store, "/games", "a.rules", { text: "a", hash: null, at: 1 });
  for (const key of store.all.keys()) store.all.set(key, "{");
  assert.equal(draftOf(store, "/games", "a.rules"), null);
});

test("the game in progress is kept for its folder", () => {
  const store = memory();
  const events = [{ index: 0, decision: 1, seat: 0, kind: "action" as const, text: "place a1" }];
  const game: KeptGame = { path: "a.rules", set: { size: 7 }, players: null, seats: ["person"], seed: 3, dice: "drawn", events };
  assert.equal(keepGame(store, "/games", game), true);
  assert.deepEqual(keptGame(store, "/games"), game);
  assert.equal(keptGame(store, "/else"), null);
});
