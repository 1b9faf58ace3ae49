// Texts that are not saved, and the game in progress, kept in the browser. They survive a reload, a crash of the page
// and a restart of the server. Every key names the folder, the file and the text on disk that the draft changes.

import type { ParamSet, TableEvent } from "./protocol.ts";

/** The part of `localStorage` that is used. */
export interface Store {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface Draft {
  text: string;
  /** The hash of the file that the draft changes; `null` for a file that doesn't exist yet. */
  hash: string | null;
  /** When it was kept, in milliseconds since 1970. */
  at: number;
}

export interface KeptGame {
  path: string;
  set: ParamSet;
  players: number | null;
  seats: string[];
  seed: number;
  dice: "drawn" | "reported";
  events: TableEvent[];
}

/** What is open in a folder. */
export interface Desk {
  open: string[];
  active: string | null;
  sets: Record<string, ParamSet>;
}

const NEW = "new";
const MARK = "houserule";

const prefix = (kind: string, folder: string) => `${MARK}:${kind}:${encodeURIComponent(folder)}:`;
const draftKey = (folder: string, path: string, hash: string | null) =>
  `${prefix("draft", folder)}${encodeURIComponent(path)}:${hash ?? NEW}`;

/** Keeps a draft. Returns `false` if the browser has no room for it. */
export function keepDraft(store: Store, folder: string, path: string, draft: Draft): boolean {
  return keep(store, draftKey(folder, path, draft.hash), draft);
}

/** Forgets all drafts of a file, whatever they were based on. */
export function dropDrafts(store: Store, folder: string, path: string): void {
  for (const key of keys(store, `${prefix("draft", folder)}${encodeURIComponent(path)}:`)) store.removeItem(key);
}

/** Returns the newest draft of a file, or `null`. */
export function draftOf(store: Store, folder: string, path: string): Draft | null {
  const found = keys(store, `${prefix("draft", folder)}${encodeURIComponent(path)}:`).map((key) => read<Draft>(store, key));
  return found.filter((draft) => draft !== null).sort((one, other) => other.at - one.at)[0] ?? null;
}

/** Returns the paths of all drafts of a folder, sorted. */
export function draftPaths(store: Store, folder: string): string[] {
  const start = prefix("draft", folder);
  const paths = keys(store, start).map((key) => decodeURIComponent(key.slice(start.length).split(":")[0]!));
  return [...new Set(paths)].sort();
}

/** Returns the path whose draft a key of the store holds, or `null`. Another page may have written it. */
export function draftPathOf(key: string, folder: string): string | null {
  const start = prefix("draft", folder);
  return key.startsWith(start) ? decodeURIComponent(key.slice(start.length).split(":")[0]!) : null;
}

export function keepGame(store: Store, folder: string, game: KeptGame): boolean {
  return keep(store, prefix("game", folder), game);
}

export function keptGame(store: Store, folder: string): KeptGame | null {
  return read<KeptGame>(store, prefix("game", folder));
}

export function keepDesk(store: Store, folder: string, desk: Desk): boolean {
  return keep(store, prefix("desk", folder), desk);
}

export function keptDesk(store: Store, folder: string): Desk | null {
  return read<Desk>(store, prefix("desk", folder));
}

function keep(store: Store, key: string, value: unknown): boolean {
  try {
    store.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function read<T>(store: Store, key: string): T | null {
  try {
    const text = store.getItem(key);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

function keys(store: Store, start: string): string[] {
  const found: string[] = [];
  for (let index = 0; index < store.length; index++) {
    const key = store.key(index);
    if (key?.startsWith(start)) found.push(key);
  }
  return found;
}
