// The state of the page, and how each message of the service changes it. No page, no socket: tests run it alone.

import { changedOnDisk, fresh, restored, type Doc } from "./documents.ts";
import type { Draft } from "./drafts.ts";
import type {
  AgentEntry,
  FileEntry,
  Message,
  OutlineEntry,
  Param,
  ParamSet,
  Quantity,
  SampleSide,
  Tell,
  TellOf,
  Token,
} from "./protocol.ts";

export type Connection = "connecting" | "ready" | "reconnecting" | "refused";

/** What the service knows of a text. */
export interface Rules extends Facts {
  version: number;
  title: string | null;
  of: string | null;
  messages: Message[];
  /** Fixes are being looked for. Until they are found, messages that were there before keep those that they had. */
  fixing: boolean;
}

/** What follows the messages. Until it is there, that of an older version stays. */
export interface Facts {
  /** The version that it is about; 0 for none. */
  facts: number;
  tokens: Token[];
  params: Param[];
  outline: OutlineEntry[];
  hints: { at: number; text: string }[];
  folds: [number, number][];
}

/** A measurement: its figures so far, and the rules that it began with. */
export interface Measurement {
  id: number;
  path: string;
  /** The state of the rules at the start; results of another state are old. */
  stamp: string;
  games: number;
  of: number;
  bins: number[];
  beyond: [boolean, boolean];
  sides: SampleSide[];
  quantities: Quantity[];
  players: string | null;
  about: string | null;
  /** What differs, by the players that have played all their games. */
  sentences: string[];
  /** The players that are trained before they play. */
  training: { done: number; of: number } | null;
  /** `measured`: all games are played, and all sentences are there. */
  phase: "waiting" | "running" | "measured" | "stopped";
}

export interface ReportRun {
  id: number;
  path: string;
  stamp: string;
  done: number;
  of: number;
  words: string | null;
  address: string | null;
  phase: "running" | "reported" | "stopped";
}

/** A profile: where the time of the rules goes. */
export interface Profiling {
  id: number;
  path: string;
  stamp: string;
  done: number;
  of: number;
  phase: "running" | "profiled" | "stopped";
  /** The last result. It stays until there is another. */
  result: ProfileResult | null;
}

export interface ProfileResult {
  path: string;
  stamp: string;
  told: TellOf<"profiled">;
}

/** The training of an agent at the table. */
export interface Training {
  id: number;
  done: number;
  of: number;
  /** `trained`: the agent can decide now. */
  phase: "running" | "trained" | "stopped";
}

export interface Notice {
  key: number;
  kind: "error" | "news";
  text: string;
}

export interface State {
  connection: Connection;
  folder: string | null;
  version: string | null;
  start: string | null;
  first: boolean;
  files: FileEntry[];
  games: FileEntry[];
  agents: AgentEntry[];
  documents: Record<string, Doc>;
  rules: Record<string, Rules>;
  sets: Record<string, ParamSet>;
  /** The tabs of the editor, in order. */
  open: string[];
  active: string | null;
  position: TellOf<"position"> | null;
  /** The last samples of an earlier measurement stay until the new one has its first. */
  measurement: Measurement | null;
  profile: Profiling | null;
  report: ReportRun | null;
  training: Training | null;
  notices: Notice[];
}

export const EMPTY: State = {
  connection: "connecting",
  folder: null,
  version: null,
  start: null,
  first: false,
  files: [],
  games: [],
  agents: [],
  documents: {},
  rules: {},
  sets: {},
  open: [],
  active: null,
  position: null,
  measurement: null,
  profile: null,
  report: null,
  training: null,
  notices: [],
};

/** Returns the state after a message. `draft` is what the browser kept of a file that is opened. */
export function reduce(state: State, tell: Tell, draft: Draft | null = null): State {
  switch (tell.tell) {
    case "welcome": {
      const { version, folder, start, games, agents, first } = tell;
      return { ...state, connection: "ready", version, folder, start, agents, first, ...sorted(tell.files, games) };
    }
    case "files":
      return { ...state, ...sorted(tell.files, state.games) };
    case "file":
      return opened(state, tell, draft);
    case "conflict":
    case "changed": {
      const doc = state.documents[tell.path];
      return doc ? withDoc(state, changedOnDisk(doc, tell.text ?? null, tell.hash ?? null)) : state;
    }
    case "messages":
      return { ...state, rules: { ...state.rules, [tell.path]: checked(state.rules[tell.path], tell) } };
    case "facts": {
      const rules = state.rules[tell.path];
      return rules?.version === tell.version ? { ...state, rules: { ...state.rules, [tell.path]: { ...rules, ...known(tell) } } } : state;
    }
    case "position":
      return { ...state, position: tell };
    case "samples":
    case "measured":
      return { ...state, measurement: measured(state.measurement, tell) };
    case "profiled":
      return { ...state, profile: profiled(state.profile, tell) };
    case "progress":
      return progressed(state, tell);
    case "reported":
      return { ...state, report: reported(state.report, tell) };
    case "done":
      return finished(state, tell.id ?? null, tell.cancelled ?? false);
    case "wrong":
      // The asker of a question shows what went wrong with it. A run ends with it.
      if (tell.id == null) return noticed(state, "error", tell.message);
      return finished(state, tell.id, true);
    // Which text was written is known to the one who asked.
    case "saved":
    case "hovered":
    case "completions":
    case "places":
    case "edits":
    case "differences":
    case "drafted":
      return state;
  }
}

/** The files of the folder, and the bundled games. */
function sorted(files: FileEntry[], games: FileEntry[]): Pick<State, "files" | "games"> {
  return { files: files.filter((file) => !file.read_only), games: games.filter((file) => file.read_only) };
}

export function withDoc(state: State, doc: Doc): State {
  return { ...state, documents: { ...state.documents, [doc.path]: doc } };
}

let notices = 0;

export function noticed(state: State, kind: Notice["kind"], text: string): State {
  const others = state.notices.filter((notice) => notice.text !== text);
  return { ...state, notices: [...others.slice(-3), { key: ++notices, kind, text }] };
}

/** The version of a text as it is opened. One that isn't open is taken for it, so that to open it changes nothing. */
const FRESH = 1;

/** Identifies the rules of a file with what it stands on: results of another stamp are old. */
export function stampOf(state: State, path: string): string {
  const texts: string[] = [];
  for (let next: string | null = path; next && texts.length < 32; ) {
    texts.push(`${next}@${state.documents[next]?.version ?? FRESH}`);
    const of: string | null = state.rules[next]?.of ?? entry(state, next)?.of ?? null;
    next = of === next ? null : of;
  }
  return `${texts.join("+")} ${JSON.stringify(state.sets[path] ?? {})}`;
}

export function entry(state: State, path: string): FileEntry | undefined {
  return state.files.find((file) => file.path === path) ?? state.games.find((file) => file.path === path);
}

/** The rules of a file, if they are those of the text as it is now. */
export function currentRules(state: State, path: string | null): Rules | null {
  if (!path) return null;
  const rules = state.rules[path];
  return rules && rules.version === state.documents[path]?.version ? rules : null;
}

/** The rules of a file, if all that is known of them is of the text as it is now. */
export function currentFacts(state: State, path: string | null): Rules | null {
  const rules = currentRules(state, path);
  return rules && rules.facts === rules.version ? rules : null;
}

export function hasErrors(rules: Rules | null): boolean {
  return rules?.messages.some((message) => message.severity === "error") ?? false;
}

function opened(state: State, tell: TellOf<"file">, draft: Draft | null): State {
  const old = state.documents[tell.path];
  const file = fresh(tell.path, tell.text, tell.hash, tell.read_only ?? false);
  // After a lost connection the page knows more than the file: its text is kept.
  const doc = old ? changedOnDisk(old, tell.text, tell.hash) : draft ? restored(file, draft) : file;
  return withDoc(state, { ...doc, readOnly: file.readOnly, newline: file.newline });
}

const NO_FACTS: Facts = { facts: 0, tokens: [], params: [], outline: [], hints: [], folds: [] };

function checked(before: Rules | undefined, tell: TellOf<"messages">): Rules {
  const { version, title, of } = tell;
  const fixing = tell.fixing ?? false;
  const messages = fixing ? tell.messages.map((message) => withKnownFixes(message, before?.messages ?? [])) : tell.messages;
  return { ...NO_FACTS, ...before, version, title: title ?? null, of: of ?? null, messages, fixing };
}

function withKnownFixes(message: Message, before: Message[]): Message {
  if (message.fixes?.length) return message;
  const fixes = before.find((one) => isSameMessage(one, message))?.fixes;
  return fixes?.length ? { ...message, fixes } : message;
}

/** Do two messages say the same? Their places may differ after an edit. */
export function isSameMessage(one: Message, other: Message): boolean {
  return one.message === other.message && one.code === other.code && one.label === other.label;
}

function known(tell: TellOf<"facts">): Facts {
  const { version, tokens, params, outline, hints, folds } = tell;
  return { facts: version, tokens, params, outline, hints: hints ?? [], folds: folds ?? [] };
}

function measured(run: Measurement | null, tell: TellOf<"samples"> | TellOf<"measured">): Measurement | null {
  if (!run || run.id !== tell.id || run.phase === "stopped") return run;
  const players = tell.players ?? run.players;
  if (tell.tell === "measured") {
    const { games, sentences, quantities, more } = tell;
    return { ...run, games, sentences, quantities, players, training: null, phase: more ? "running" : "measured" };
  }
  if (run.phase === "measured") return run;
  const { games, of, bins, beyond, sides, quantities, about } = tell;
  return { ...run, games, of, bins, beyond: beyond ?? [false, false], sides, quantities, players, about: about ?? null, training: null, phase: "running" };
}

function profiled(run: Profiling | null, tell: TellOf<"profiled">): Profiling | null {
  if (!run || run.id !== tell.id || run.phase === "stopped") return run;
  return { ...run, phase: "profiled", result: { path: run.path, stamp: run.stamp, told: tell } };
}

function progressed(state: State, tell: TellOf<"progress">): State {
  const { measurement, profile, report, training } = state;
  const [{ done, of }, words] = [tell, tell.words ?? null];
  if (measurement && measurement.id === tell.id && measurement.phase !== "stopped") {
    return { ...state, measurement: { ...measurement, training: { done, of }, phase: "running" } };
  }
  if (profile && profile.id === tell.id && profile.phase === "running") return { ...state, profile: { ...profile, done, of } };
  if (report && report.id === tell.id && report.phase !== "stopped") return { ...state, report: { ...report, done, of, words } };
  if (training && training.id === tell.id && training.phase !== "stopped") return { ...state, training: { ...training, done, of } };
  return state;
}

function reported(run: ReportRun | null, tell: TellOf<"reported">): ReportRun | null {
  if (!run || run.id !== tell.id || run.phase === "stopped") return run;
  return { ...run, address: tell.address, phase: "reported" };
}

function finished(state: State, id: number | null, cancelled: boolean): State {
  const { measurement, profile, report, training } = state;
  if (training?.id === id && training.phase === "running") {
    return { ...state, training: { ...training, phase: cancelled ? "stopped" : "trained" } };
  }
  if (measurement?.id === id && measurement.phase !== "measured") {
    return { ...state, measurement: { ...measurement, phase: "stopped" } };
  }
  if (profile?.id === id && profile.phase === "running") return { ...state, profile: { ...profile, phase: "stopped" } };
  if (report?.id === id && report.phase !== "reported" && cancelled) return { ...state, report: { ...report, phase: "stopped" } };
  return state;
}
