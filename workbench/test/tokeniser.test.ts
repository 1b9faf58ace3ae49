import { StringStream } from "@codemirror/language";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parser } from "../src/editor/language.ts";

const ROOT = join(import.meta.dirname, "../..");

interface Read {
  line: number;
  text: string;
  look: string;
}

function tokens(text: string): { read: Read[]; state: ReturnType<NonNullable<typeof parser.startState>> } {
  const state = parser.startState!(2);
  const read: Read[] = [];
  text.split("\n").forEach((line, number) => {
    if (!line) parser.blankLine?.(state, 2);
    const stream = new StringStream(line, 2, 2);
    while (!stream.eol()) {
      const look = parser.token(stream, state);
      assert.ok(stream.pos > stream.start, `stands still at ${number + 1}:${stream.pos}`);
      if (look) read.push({ line: number + 1, text: stream.current(), look });
      stream.start = stream.pos;
    }
  });
  return { read, state };
}

const looks = (text: string) => tokens(text).read.map(({ text, look }) => `${text} ${look}`);

test("words are told by their places", () => {
  assert.deepEqual(looks('param size: 3..12 = 6  "squares"'), ["param word", "3 digits", ".. sign", "12 digits", "= sign", "6 digits", '"squares" quoted']);
  assert.deepEqual(looks("turn { roll pair }"), ["turn word", "roll word"]);
  assert.deepEqual(looks("put dot at @c4 // here"), ["put word", "at word", "@c4 value", "// here note"]);
  assert.deepEqual(looks("score { score: score[me] }"), ["score word", "score builtIn", "me builtIn"]);
  assert.deepEqual(looks("new var spot: cell? = none"), ["new word", "var word", "? sign", "= sign", "none word"]);
  assert.deepEqual(looks("dice pair: 2 of d6"), ["dice word", "2 digits", "of word", "d6 digits"]);
  assert.deepEqual(looks("if count(around(c) & empty) > 2 { again }"), [
    "if word",
    "count called",
    "around called",
    "& sign",
    "empty builtIn",
    "> sign",
    "2 digits",
    "again word",
  ]);
});

test("a script is quoted to its end", () => {
  const { read, state } = tokens('script """\nfn on_end(g) { put("x") }\n"""\nturn { }');
  assert.deepEqual(
    read.map(({ look }) => look),
    ["word", "quoted", "quoted", "quoted", "word"],
  );
  assert.equal(state.script, false);
});

test("all bundled rules are read, with every bracket closed", () => {
  const files = readdirSync(join(ROOT, "rules"), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".rules"));
  assert.ok(files.length > 150);
  for (const file of files) {
    const { read, state } = tokens(readFileSync(join(ROOT, "rules", file), "utf8"));
    assert.deepEqual([file, state.depth, state.script], [file, 0, false]);
    const heading = read.find(({ text }) => text === "game" || text === "variant");
    assert.equal(heading?.look, "word", file);
  }
});
