import { EditorState } from "@codemirror/state";
import assert from "node:assert/strict";
import { test } from "node:test";
import { edited, fresh } from "../src/documents.ts";
import { areCountedIn, changed, changesOf, difference, lineDiff } from "../src/editor/edits.ts";

const TEXT = 'game "🎲 Würfel" {\n  param size = 6\n}\n';

/** Has every half of a sign its other half? */
const isWhole = (text: string) => encodeURI(text.replace(/[\ud800-\udfff]/gu, "\0")).indexOf("%00") < 0;

test("offsets are UTF-16 units, as the editor counts them", () => {
  const at = TEXT.indexOf("6");
  const changes = changesOf([{ path: "a", from: at, to: at + 1, text: "12" }], "a", TEXT.length)!;
  assert.equal(changed(TEXT, changes), TEXT.replace("6", "12"));
  const editor = EditorState.create({ doc: TEXT });
  assert.equal(editor.update({ changes }).state.doc.toString(), changed(TEXT, changes));
});

test("edits of other files are left out, and edits that overlap or lie outside are refused", () => {
  const edit = (from: number, to: number, path = "a") => ({ path, from, to, text: "x" });
  assert.deepEqual(changesOf([edit(4, 5), edit(1, 2), edit(0, 9, "b")], "a", 9), [
    { from: 1, to: 2, insert: "x" },
    { from: 4, to: 5, insert: "x" },
  ]);
  assert.equal(changesOf([edit(1, 3), edit(2, 4)], "a", 9), null);
  assert.equal(changesOf([edit(1, 10)], "a", 9), null);
});

test("edits that are counted in another text of the file are told apart", () => {
  const disk = fresh("a", "one\r\ntwo", "1", false);
  const draft = edited(disk, "one two");
  const counted = (version: number | null, path = "a") => [{ path, version, from: 0, to: 1, text: "x" }];
  assert.deepEqual([areCountedIn(disk, counted(null)), areCountedIn(draft, counted(null))], [true, false]);
  assert.deepEqual([areCountedIn(disk, counted(1)), areCountedIn(draft, counted(1)), areCountedIn(draft, counted(2))], [true, false, true]);
  assert.ok(areCountedIn(draft, counted(1, "b")));
});

test("the difference of two texts leads from one to the other, and cuts no sign in two", () => {
  const texts = ["", "a", "ab", "abb", "bab", "🎲", "🎲🎲", "🎳", "a🎲b", "a🎳b", TEXT, TEXT.replace("🎲", "🎳"), `${TEXT}${TEXT}`];
  for (const before of texts) {
    for (const after of texts) {
      const change = difference(before, after);
      assert.equal(change ? changed(before, [change]) : before, after);
      if (change) assert.ok(isWhole(change.insert) && isWhole(before.slice(change.from, change.to)), `${before} to ${after}`);
    }
  }
  assert.equal(difference(TEXT, TEXT), null);
});

test("a diff of lines shows what differs with the lines around it", () => {
  const before = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  const after = before.with(10, "another");
  const shown = lineDiff(before.join("\n"), after.join("\n"), 1);
  assert.deepEqual(
    shown.map((line) => `${line.kind} ${line.text}`),
    ["gap ", "same line 9", "removed line 10", "added another", "same line 11", "gap "],
  );
  assert.deepEqual(lineDiff("a\nb\nc", "a\nc").map((line) => line.kind), ["same", "removed", "same"]);
});
