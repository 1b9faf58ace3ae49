import assert from "node:assert/strict";
import { test } from "node:test";
import { edited, isDirty, keepMine, restored, saved, takeTheirs, unsaved, written } from "../src/documents.ts";
import type { Position, SampleSide, Tell, TellOf } from "../src/protocol.ts";
import { currentFacts, currentRules, EMPTY, hasErrors, reduce, stampOf, withDoc, type Measurement, type Profiling, type State } from "../src/reduce.ts";

const file = (text: string, hash: string, path = "a.rules"): Tell => ({ tell: "file", id: 1, path, text, hash });
const opened = (text = "one", hash = "1") => reduce(EMPTY, file(text, hash));
const doc = (state: State, path = "a.rules") => state.documents[path]!;
const write = (state: State, text: string) => withDoc(state, edited(doc(state), text));

function messages(version: number, severity?: "error" | "warning", path = "a.rules", of: string | null = null): Tell {
  const found = severity ? [{ severity, code: "unknown-name", from: 0, to: 1, message: "nothing is called `x`" }] : [];
  return { tell: "messages", path, version, of, messages: found };
}

test("bundled games are told apart from the files of the folder", () => {
  const own = { path: "a.rules", title: "A", kind: "game" as const, read_only: false };
  const bundled = { path: "bundled/go", title: "Go", kind: "game" as const, read_only: true };
  const script = { path: "bundled/hex-distance.rhai", title: "", kind: "script" as const, read_only: true };
  const state = reduce(EMPTY, {
    tell: "welcome",
    version: "1",
    folder: "/games",
    start: "a.rules",
    files: [own, bundled, script],
    games: [own, bundled],
    agents: [],
    first: false,
  });
  assert.deepEqual([state.files, state.games], [[own], [bundled]]);
  const later = reduce(state, { tell: "files", files: [bundled, script] });
  assert.deepEqual([later.files, later.games], [[], [bundled]]);
});

test("a welcome makes the page ready", () => {
  const state = reduce(EMPTY, { tell: "welcome", version: "1", folder: "/games", start: "a.rules", files: [], games: [], agents: [], first: true });
  assert.equal(state.connection, "ready");
  assert.deepEqual([state.folder, state.start, state.first], ["/games", "a.rules", true]);
});

test("a text without changes follows its file", () => {
  const state = reduce(opened(), { tell: "changed", path: "a.rules", text: "two", hash: "2" });
  assert.deepEqual([doc(state).text, doc(state).hash, doc(state).version, isDirty(doc(state))], ["two", "2", 2, false]);
});

test("a text with changes is asked about, and each answer keeps a whole text", () => {
  const state = reduce(write(opened(), "mine"), { tell: "changed", path: "a.rules", text: "theirs", hash: "2" });
  assert.deepEqual([doc(state).text, doc(state).theirs], ["mine", { text: "theirs", hash: "2" }]);
  const mine = keepMine(doc(state));
  assert.deepEqual([mine.text, mine.hash, isDirty(mine), mine.theirs], ["mine", "2", true, null]);
  const theirs = takeTheirs(doc(state));
  assert.deepEqual([theirs.text, theirs.hash, isDirty(theirs), theirs.theirs], ["theirs", "2", false, null]);
  assert.ok(theirs.version > doc(state).version);
});

test("a file that is gone leaves its text, which can be saved as a new file", () => {
  const state = reduce(opened(), { tell: "changed", path: "a.rules" });
  assert.equal(doc(state).text, "one");
  const mine = keepMine(doc(state));
  assert.deepEqual([mine.hash, isDirty(mine)], [null, true]);
});

test("the page's own save and the same text from elsewhere are no conflict", () => {
  const state = write(opened(), "mine");
  const other = reduce(state, { tell: "changed", path: "a.rules", text: "mine", hash: "2" });
  assert.deepEqual([isDirty(doc(other)), doc(other).theirs], [false, null]);
  const own = withDoc(state, saved(doc(state), "mine", "2"));
  assert.equal(reduce(own, { tell: "changed", path: "a.rules", text: "mine", hash: "2" }).documents["a.rules"]!.theirs, null);
});

test("what was typed while a save was on its way stays unsaved", () => {
  const typed = edited(edited(doc(opened()), "two"), "three");
  assert.deepEqual([isDirty(saved(typed, "two", "2")), saved(typed, "two", "2").hash], [true, "2"]);
});

test("a draft is taken up when its file is opened, and asked about if the file has changed", () => {
  const same = reduce(EMPTY, file("one", "1"), { text: "draft", hash: "1", at: 1 });
  assert.deepEqual([doc(same).text, isDirty(doc(same)), doc(same).theirs], ["draft", true, null]);
  const moved = reduce(EMPTY, file("one", "2"), { text: "draft", hash: "1", at: 1 });
  assert.deepEqual([doc(moved).text, doc(moved).theirs], ["draft", { text: "one", hash: "2" }]);
  assert.equal(takeTheirs(doc(moved)).text, "one");
  assert.equal(restored(doc(opened()), { text: "one", hash: "0" }).theirs, null);
});

test("after a new connection an open text is kept", () => {
  const state = reduce(write(opened(), "mine"), file("one", "1"));
  assert.deepEqual([doc(state).text, doc(state).theirs], ["mine", null]);
});

test("line ends of a file are kept, and not seen", () => {
  const state = opened("one\r\ntwo\r\n");
  assert.deepEqual([doc(state).text, isDirty(doc(state))], ["one\ntwo\n", false]);
  assert.equal(written(edited(doc(state), "one\n")), "one\r\n");
});

test("a read-only text can't be edited", () => {
  const state = reduce(EMPTY, { tell: "file", id: 1, path: "bundled/go", text: "one", hash: "1", read_only: true });
  assert.equal(edited(doc(state, "bundled/go"), "two").text, "one");
});

test("answers about an older text are not shown as current", () => {
  let state = reduce(opened(), messages(1, "error"));
  assert.equal(hasErrors(currentRules(state, "a.rules")), true);
  state = write(state, "two");
  assert.equal(currentRules(state, "a.rules"), null);
  assert.equal(hasErrors(currentRules(reduce(state, messages(2)), "a.rules")), false);
});

test("facts follow messages of their version, and older ones stay until then", () => {
  const facts = (version: number): Tell => ({ tell: "facts", path: "a.rules", version, tokens: [[0, version, "keyword", 0]], params: [], outline: [] });
  const shown = (state: State) => state.rules["a.rules"]!.tokens[0]?.[1];
  let state = reduce(reduce(opened(), facts(1)), messages(1));
  assert.deepEqual([shown(state), currentFacts(state, "a.rules")], [undefined, null]);
  state = reduce(state, facts(1));
  assert.deepEqual([shown(state), currentFacts(state, "a.rules")?.facts], [1, 1]);
  // Messages of the next version are there before its facts.
  state = reduce(write(state, "two"), messages(2, "error"));
  assert.deepEqual([shown(state), hasErrors(currentRules(state, "a.rules")), currentFacts(state, "a.rules")], [1, true, null]);
  assert.equal(reduce(state, facts(1)), state);
  assert.equal(shown(reduce(state, facts(2))), 2);
  // Fixes that are found later change messages alone.
  assert.equal(currentFacts(reduce(reduce(state, facts(2)), messages(2, "error")), "a.rules")?.facts, 2);
});

test("results are old after an edit of the rules or of what they stand on, and not otherwise", () => {
  let state = withDoc(withDoc(EMPTY, unsaved("a.rules", "a")), unsaved("b.rules", "b"));
  state = reduce(reduce(state, messages(1, undefined, "a.rules", "b.rules")), messages(1, undefined, "b.rules"));
  const before = stampOf(state, "a.rules");
  assert.equal(stampOf(withDoc(state, unsaved("c.rules", "c")), "a.rules"), before);
  assert.notEqual(stampOf(withDoc(state, edited(doc(state, "b.rules"), "bb")), "a.rules"), before);
  assert.notEqual(stampOf({ ...state, sets: { "a.rules": { size: 7 } } }, "a.rules"), before);
  // A file that isn't open counts as it is opened.
  const { "b.rules": _, ...documents } = state.documents;
  assert.equal(stampOf({ ...state, documents }, "a.rules"), before);
});

const side: SampleSide = { name: "A", counts: [3], mean: 1, low: 0, high: 2 };
const run: Measurement = {
  id: 7,
  path: "a.rules",
  stamp: "",
  games: 0,
  of: 10,
  bins: [],
  beyond: [false, false],
  sides: [],
  quantities: [],
  players: null,
  about: null,
  sentences: [],
  training: null,
  phase: "waiting",
};
const samples = (id: number, games: number): Tell => ({ tell: "samples", id, games, of: 10, bins: [0, 1], sides: [side], quantities: [] });

test("samples fill a measurement, sentences come at its end", () => {
  let state = reduce({ ...EMPTY, measurement: run }, samples(7, 3));
  assert.deepEqual([state.measurement?.phase, state.measurement?.games, state.measurement?.sentences], ["running", 3, []]);
  state = reduce(state, { tell: "measured", id: 7, games: 10, sentences: ["Scores are higher."], quantities: [] });
  assert.deepEqual([state.measurement?.phase, state.measurement?.sides.length], ["measured", 1]);
  assert.equal(reduce(state, { tell: "done", id: 7 }).measurement?.phase, "measured");
  assert.equal(reduce(state, samples(7, 5)).measurement?.games, 10);
});

test("what players without training have shown stays while others learn and play", () => {
  let state = reduce(reduce({ ...EMPTY, measurement: run }, samples(7, 10)), {
    tell: "measured",
    id: 7,
    games: 10,
    sentences: ["random: Scores are higher."],
    quantities: [],
    more: true,
  });
  assert.deepEqual([state.measurement?.phase, state.measurement?.sentences.length], ["running", 1]);
  state = reduce(state, { tell: "progress", id: 7, done: 3, of: 100 });
  assert.deepEqual([state.measurement?.training, state.measurement?.sentences.length, state.report], [{ done: 3, of: 100 }, 1, null]);
  state = reduce(state, samples(7, 2));
  assert.deepEqual([state.measurement?.training, state.measurement?.games, state.measurement?.sentences.length], [null, 2, 1]);
  state = reduce(state, { tell: "measured", id: 7, games: 10, sentences: ["random: Scores are higher.", "learned: No difference."], quantities: [] });
  assert.deepEqual([state.measurement?.phase, state.measurement?.sentences.length], ["measured", 2]);
});

test("samples of another measurement, or of a stopped one, change nothing", () => {
  const state = { ...EMPTY, measurement: run };
  assert.equal(reduce(state, samples(6, 3)).measurement, run);
  const stopped = reduce(state, { tell: "done", id: 7, cancelled: true });
  assert.equal(stopped.measurement?.phase, "stopped");
  assert.equal(reduce(stopped, samples(7, 3)).measurement?.games, 0);
});

test("what goes wrong ends its run, or is a notice", () => {
  const state = reduce({ ...EMPTY, measurement: run }, { tell: "wrong", id: 7, message: "no" });
  assert.equal(state.measurement?.phase, "stopped");
  const pushed = reduce(reduce(EMPTY, { tell: "wrong", message: "no" }), { tell: "wrong", message: "no" });
  assert.deepEqual(
    pushed.notices.map((notice) => notice.text),
    ["no"],
  );
});

test("a report has progress and an address", () => {
  const report = { id: 8, path: "a.rules", stamp: "", done: 0, of: 0, words: null, address: null, phase: "running" as const };
  let state = reduce({ ...EMPTY, report }, { tell: "progress", id: 8, done: 2, of: 9, words: "greedy players" });
  assert.deepEqual([state.report?.done, state.report?.of, state.report?.words], [2, 9, "greedy players"]);
  state = reduce(state, { tell: "reported", id: 8, address: "/report/1" });
  assert.deepEqual([state.report?.phase, state.report?.address], ["reported", "/report/1"]);
});

test("a profile has progress and a result, which stays until there is another", () => {
  const begun = (id: number, result: Profiling["result"] = null): Profiling => ({ id, path: "a.rules", stamp: `${id}`, done: 0, of: 0, phase: "running", result });
  const told = (id: number): TellOf<"profiled"> => ({ tell: "profiled", id, played: "20 games", decision: "", cautions: [], parts: [], lines: [], expressions: [] });
  let state = reduce({ ...EMPTY, profile: begun(9) }, { tell: "progress", id: 9, done: 2, of: 9, words: "random games" });
  assert.deepEqual([state.profile?.done, state.profile?.of], [2, 9]);
  state = reduce(reduce(state, told(9)), { tell: "done", id: 9 });
  assert.deepEqual([state.profile?.phase, state.profile?.result?.stamp], ["profiled", "9"]);
  const again = { ...state, profile: begun(10, state.profile!.result) };
  const stopped = reduce(again, { tell: "done", id: 10, cancelled: true });
  assert.deepEqual([stopped.profile?.phase, stopped.profile?.result?.stamp], ["stopped", "9"]);
  // What comes after it was stopped, and what another run tells, changes nothing.
  assert.equal(reduce(stopped, told(10)).profile, stopped.profile);
  assert.equal(reduce(again, told(9)).profile, again.profile);
  assert.equal(reduce(again, { tell: "wrong", id: 10, message: "no" }).profile?.phase, "stopped");
});

test("a position is shown as it is told", () => {
  const position: Position = { game: "Go", lines: [], line: 0, decision: 2, of: 5, svg: "<svg/>", seats: [], events: [] };
  assert.equal(reduce(EMPTY, { tell: "position", ...position }).position?.decision, 2);
});
