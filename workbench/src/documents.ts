// The open texts as values: what is on disk, what is written, and what happens when they differ.

export interface Doc {
  path: string;
  /** What is written now. */
  text: string;
  /** What is on disk, as far as the page knows; `null` if there is no file. */
  disk: string | null;
  /** The hash of that text. */
  hash: string | null;
  readOnly: boolean;
  /** The line ends of the file. In the page every line ends with `\n`. */
  newline: "\n" | "\r\n";
  /** Grows with each edit. Answers name the version that they are about. */
  version: number;
  /** A text that appeared on disk while this one has unsaved changes; `text` is `null` if the file is gone. */
  theirs: { text: string | null; hash: string } | null;
}

export function isDirty(doc: Doc): boolean {
  return !doc.readOnly && doc.text !== doc.disk;
}

/** A text from disk. */
export function fresh(path: string, raw: string, hash: string, readOnly: boolean): Doc {
  const text = unified(raw);
  return { path, text, disk: text, hash, readOnly, newline: raw.includes("\r\n") ? "\r\n" : "\n", version: 1, theirs: null };
}

/** The text with `\n` at the end of each line. */
export function unified(raw: string): string {
  return raw.replace(/\r\n?/g, "\n");
}

/** The text as the file has it. */
export function written(doc: Doc): string {
  return doc.newline === "\n" ? doc.text : doc.text.replaceAll("\n", doc.newline);
}

/** A text that is on no disk yet. */
export function unsaved(path: string, text: string): Doc {
  return { path, text, disk: null, hash: null, readOnly: false, newline: "\n", version: 1, theirs: null };
}

export function edited(doc: Doc, text: string): Doc {
  return text === doc.text || doc.readOnly ? doc : { ...doc, text, version: doc.version + 1 };
}

/** The file was written with `text`, which may be older than what is written now. */
export function saved(doc: Doc, text: string, hash: string): Doc {
  return { ...doc, disk: text, hash, theirs: null };
}

/** The file changed on disk. A text without changes follows; any other waits for an answer. */
export function changedOnDisk(doc: Doc, raw: string | null, hash: string | null): Doc {
  const text = raw === null ? null : unified(raw);
  if (hash === doc.hash && text !== null) return { ...doc, theirs: null };
  if (text !== null && text === doc.text && hash !== null) return saved(doc, text, hash);
  if (text !== null && hash !== null && !isDirty(doc)) return { ...saved(doc, text, hash), text, version: doc.version + 1 };
  return { ...doc, theirs: { text, hash: hash ?? "" } };
}

/** Answers a conflict: this text stays, and the next save replaces the other. */
export function keepMine(doc: Doc): Doc {
  if (!doc.theirs) return doc;
  const { text, hash } = doc.theirs;
  return { ...doc, disk: text, hash: text === null ? null : hash, theirs: null };
}

/** Answers a conflict: the text on disk replaces this one. */
export function takeTheirs(doc: Doc): Doc {
  if (!doc.theirs || doc.theirs.text === null) return doc;
  const { text, hash } = doc.theirs;
  return { ...saved(doc, text, hash), text, version: doc.version + 1 };
}

/** An unsaved text that was kept from before. If the file has changed since, both wait for an answer. */
export function restored(doc: Doc, draft: { text: string; hash: string | null }): Doc {
  if (draft.text === doc.text || doc.readOnly) return doc;
  const mine = { ...doc, text: draft.text, version: doc.version + 1 };
  if (draft.hash === doc.hash) return mine;
  return { ...mine, disk: null, hash: draft.hash, theirs: { text: doc.disk, hash: doc.hash ?? "" } };
}
