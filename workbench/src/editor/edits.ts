// Texts and their changes. Offsets are UTF-16 code units, so a sign such as an emoji counts as two.

import { isDirty, type Doc } from "../documents.ts";
import type { DiffLine, Edit } from "../protocol.ts";

export interface Change {
  from: number;
  to: number;
  insert: string;
}

/** Are the places of the edits of a file counted in this text of it? Where the service knows no open text, in that on disk. */
export function areCountedIn(doc: Doc, edits: readonly Edit[]): boolean {
  const own = edits.filter((edit) => edit.path === doc.path);
  return own.every(({ version }) => (version == null ? !isDirty(doc) : version === doc.version));
}

/** Returns the edits of one file as changes, in order. Returns `null` if two overlap or one is outside of the text. */
export function changesOf(edits: readonly Edit[], path: string, length: number): Change[] | null {
  const changes = edits
    .filter((edit) => edit.path === path)
    .map(({ from, to, text }) => ({ from, to, insert: text }))
    .sort((one, other) => one.from - other.from || one.to - other.to);
  let end = 0;
  for (const { from, to } of changes) {
    if (from < end || to < from || to > length) return null;
    end = to;
  }
  return changes;
}

/** Returns the text with the changes, which don't overlap and are in order. */
export function changed(text: string, changes: readonly Change[]): string {
  let [result, end] = ["", 0];
  for (const { from, to, insert } of changes) {
    result += text.slice(end, from) + insert;
    end = to;
  }
  return result + text.slice(end);
}

/** Returns the smallest single change from one text to another, or `null` if they are equal. No sign is cut in two. */
export function difference(before: string, after: string): Change | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  if (isInside(before, start) || isInside(after, start)) start--;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  if (isInside(before, before.length - end) || isInside(after, after.length - end)) end--;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

/** Is the offset in the middle of a sign of two units? */
function isInside(text: string, at: number): boolean {
  const [first, second] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return first >= 0xd800 && first < 0xdc00 && second >= 0xdc00 && second < 0xe000;
}

/** Returns the lines of two texts beside each other: what only the first has is removed, what only the second has is added. */
export function lineDiff(before: string, after: string, context = 3): DiffLine[] {
  const [one, other] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < one.length - start && end < other.length - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  const middle = common(one.slice(start, one.length - end), other.slice(start, other.length - end));
  const same = (text: string): DiffLine => ({ kind: "same", text });
  const all = [...one.slice(0, start).map(same), ...middle, ...one.slice(one.length - end).map(same)];
  const near = (index: number) => all.slice(Math.max(0, index - context), index + context + 1).some((line) => line.kind !== "same");
  const shown: DiffLine[] = [];
  all.forEach((line, index) => {
    if (near(index)) shown.push(line);
    else if (shown.at(-1)?.kind !== "gap") shown.push({ kind: "gap", text: "" });
  });
  return shown;
}

/** The longest common subsequence of two lists of lines, as a difference. Beyond a million pairs all lines are replaced. */
function common(one: string[], other: string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: "removed", text });
  const added = (text: string): DiffLine => ({ kind: "added", text });
  if (one.length * other.length > 1_000_000) return [...one.map(removed), ...other.map(added)];
  const width = other.length + 1;
  const longest = new Uint32Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        one[i] === other[j] ? longest[(i + 1) * width + j + 1]! + 1 : Math.max(longest[(i + 1) * width + j]!, longest[i * width + j + 1]!);
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      lines.push({ kind: "same", text: one[i]! });
      i++;
      j++;
    } else if (i < one.length && (j === other.length || longest[(i + 1) * width + j]! >= longest[i * width + j + 1]!)) {
      lines.push(removed(one[i++]!));
    } else {
      lines.push(added(other[j++]!));
    }
  }
  return lines;
}
