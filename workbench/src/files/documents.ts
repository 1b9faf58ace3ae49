// What is done with open texts: open, edit, save, answer a conflict, close. Every change goes to the service and, while
// it isn't saved, into the browser's storage.

import { effect, signal } from "@preact/signals";
import { edited, isDirty, keepMine, saved, takeTheirs, unsaved, written, type Doc } from "../documents.ts";
import { draftOf, dropDrafts, keepDraft } from "../drafts.ts";
import { areCountedIn, changed, changesOf } from "../editor/edits.ts";
import type { Edit, FileEntry } from "../protocol.ts";
import { entry, withDoc } from "../reduce.ts";
import { ask, complain, Lost, mention, Refused, say, state, store, tryAsk, update } from "../service.ts";

const VERSIONS_WAIT = 400;

/** Opens a file, or returns what is open already. Returns `null` if there is no such file. */
export async function openPath(path: string, { again = false } = {}): Promise<Doc | null> {
  const known = state.peek().documents[path];
  if (known && (!again || known.hash === null)) return known;
  const told = await tryAsk({ ask: "open", path }, "file");
  return told ? (state.peek().documents[path] ?? null) : null;
}

/** Opens a file in a tab and shows it. */
export async function show(path: string): Promise<boolean> {
  if (!(await openPath(path))) return false;
  update((state) => ({ ...state, active: path, open: state.open.includes(path) ? state.open : [...state.open, path] }));
  sendText(path);
  return true;
}

/** Opens a text that is on no disk yet. */
export function showNew(path: string, text: string): void {
  const free = freePath(path);
  update((state) => ({ ...withDoc(state, unsaved(free, text)), active: free, open: [...state.open, free] }));
  keep(state.peek().documents[free]!);
  sendText(free);
}

/** A draft of a file that was never saved, from an earlier visit. */
export function restoreDraft(path: string): void {
  const folder = state.peek().folder;
  const draft = folder === null ? null : draftOf(store, folder, path);
  if (draft) update((state) => withDoc(state, unsaved(path, draft.text)));
}

/** Returns the path, with a number if a file or a text has it already. */
export function freePath(path: string): string {
  const { files, documents } = state.peek();
  const taken = (path: string) => path in documents || files.some((file) => file.path === path);
  const [, stem, suffix] = /^(.*?)(\.[^./]*)?$/.exec(path)!;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? path : `${stem}-${number}${suffix ?? ""}`;
    if (!taken(candidate)) return candidate;
  }
}

export function edit(path: string, text: string): void {
  const doc = state.peek().documents[path];
  if (!doc || doc.text === text) return;
  const next = edited(doc, text);
  update((state) => withDoc(state, next));
  keep(next);
  sendText(path);
}

/** Applies edits of the service, in all files that they name, or complains that they don't fit any more. */
export async function applyEdits(edits: Edit[]): Promise<void> {
  if (!(await tryEdits(edits))) complain("The text has changed since. Nothing was edited.");
}

/**
 * Applies edits of the service, in all files that they name. Edits whose places are counted in other texts are not
 * applied: then the service is sent the texts, and `false` is returned.
 */
export async function tryEdits(edits: Edit[]): Promise<boolean> {
  const paths = [...new Set(edits.map((edit) => edit.path))];
  const docs = await Promise.all(paths.map((path) => openPath(path)));
  const changes = docs.map((doc, at) => doc && !doc.readOnly && areCountedIn(doc, edits) && changesOf(edits, paths[at]!, doc.text.length));
  if (!changes.every(Boolean)) {
    for (const path of paths) sendText(path, { now: true });
    return false;
  }
  docs.forEach((doc, at) => edit(doc!.path, changed(doc!.text, changes[at] as Exclude<(typeof changes)[number], null | false>)));
  update((state) => ({ ...state, open: [...new Set([...state.open, ...paths])] }));
  if (paths.length > 1) mention(`${paths.length} files were edited. They are not saved yet.`);
  return true;
}

/** The text that waits for a name, because it has no file yet. */
export const naming = signal<string | null>(null);

/** Saves a text. One without a file is asked for its name first. */
export function saveOrName(path: string): void {
  const doc = state.peek().documents[path];
  if (doc && doc.hash === null && !doc.theirs) naming.value = path;
  else void save(path);
}

/** Gives an unsaved text another path. */
export function move(from: string, to: string): void {
  const doc = state.peek().documents[from];
  const folder = state.peek().folder;
  if (!doc || folder === null || from === to) return;
  sent.delete(from);
  say({ ask: "close", path: from });
  update((state) => {
    const { [from]: _, ...documents } = state.documents;
    const { [from]: __, ...rules } = state.rules;
    const { [from]: set, ...sets } = state.sets;
    const open = state.open.map((path) => (path === from ? to : path));
    const active = state.active === from ? to : state.active;
    return { ...state, documents: { ...documents, [to]: { ...doc, path: to } }, rules, sets: set ? { ...sets, [to]: set } : sets, open, active };
  });
  keep(state.peek().documents[to]!);
  dropDrafts(store, folder, from);
  sendText(to);
}

export async function save(path: string): Promise<boolean> {
  const doc = state.peek().documents[path];
  if (!doc || doc.readOnly || !isDirty(doc)) return true;
  if (doc.theirs) {
    complain("The file has changed on disk. Choose above the text what becomes of the two texts, then save.");
    return false;
  }
  try {
    const told = await ask({ ask: "save", path, text: written(doc), base: doc.hash }, "saved", "conflict");
    if (told.tell === "conflict") return false;
    const now = state.peek().documents[path];
    if (!now) return true;
    const next = saved(now, doc.text, told.hash);
    update((state) => withDoc(state, next));
    keep(next);
    mention(`${path} is saved.`);
    return true;
  } catch (error) {
    if (error instanceof Refused) complain(error.message);
    if (error instanceof Lost) complain("The connection was lost. The text is kept in this browser; save it again.");
    return false;
  }
}

export function close(path: string): void {
  const doc = state.peek().documents[path];
  if (doc && isDirty(doc) && !confirm(`${path} is not saved. Close it and forget the changes?`)) return;
  const folder = state.peek().folder;
  if (folder !== null) dropDrafts(store, folder, path);
  say({ ask: "close", path });
  sent.delete(path);
  update((state) => {
    const { [path]: _, ...documents } = state.documents;
    const { [path]: __, ...rules } = state.rules;
    const open = state.open.filter((other) => other !== path);
    const at = Math.max(0, state.open.indexOf(path) - 1);
    return { ...state, documents, rules, open, active: state.active === path ? (open[at] ?? null) : state.active };
  });
}

export function answer(path: string, which: "mine" | "theirs"): void {
  const doc = state.peek().documents[path];
  if (!doc) return;
  const next = which === "mine" ? keepMine(doc) : takeTheirs(doc);
  update((state) => withDoc(state, next));
  keep(next);
  sendText(path);
}

/** Drafts the text of a new house rule of a game, and opens it. */
export async function houseRule(of: string, title: string, set = state.peek().sets[of] ?? {}): Promise<string | null> {
  const drafted = await tryAsk({ ask: "house-rule", of, title, set }, "drafted");
  if (!drafted) return null;
  const path = freePath(drafted.name.includes(".") ? drafted.name : `${drafted.name}.rules`);
  showNew(path, drafted.text);
  return path;
}

/** The entry of a path: that of the folder, or one for a text that is on no disk yet. */
export function entryOf(path: string): FileEntry {
  const rules = state.peek().rules[path];
  const kind = path.endsWith(".rhai") ? "script" : rules?.of ? "variant" : "game";
  return entry(state.peek(), path) ?? { path, title: rules?.title ?? path, kind, of: rules?.of ?? null };
}

/** Keeps what isn't saved, and forgets what is. */
function keep(doc: Doc): void {
  const folder = state.peek().folder;
  if (folder === null) return;
  if (!isDirty(doc)) dropDrafts(store, folder, doc.path);
  else if (!keepDraft(store, folder, doc.path, { text: doc.text, hash: doc.hash, at: Date.now() })) {
    complain("The browser has no room to keep unsaved texts. Save your files before you close this page.");
  }
}

const sent = new Map<string, { version: number; at: number }>();

/** Sends what is written. If a check of the file is on its way, that waits for the answer, unless it is wanted now. */
export function sendText(path: string, { now = false } = {}): void {
  const { documents, rules, connection } = state.peek();
  const doc = documents[path];
  if (!doc || connection !== "ready") return;
  const before = sent.get(path);
  if (before?.version === doc.version) return;
  const answered = now || !before || rules[path]?.version === before.version || Date.now() - before.at > VERSIONS_WAIT;
  if (!answered) {
    setTimeout(() => sendText(path), VERSIONS_WAIT);
    return;
  }
  sent.set(path, { version: doc.version, at: Date.now() });
  say({ ask: "text", path, version: doc.version, text: doc.text });
}

/** After a new connection the service knows no text. */
export function sendAllTexts(): void {
  sent.clear();
  for (const path of Object.keys(state.peek().documents)) sendText(path);
}

/** Sends what is newer than the last answer, and follows files that changed on disk. */
effect(() => {
  const { documents, rules, connection } = state.value;
  if (connection !== "ready") return;
  for (const path of Object.keys(documents)) if (rules[path] || sent.has(path)) sendText(path);
});
