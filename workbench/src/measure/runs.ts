// Measurements and reports: what they begin with, when they stop, and when their results are old.

import { computed, effect, signal } from "@preact/signals";
import { currentRules, entry, hasErrors, stampOf, type Measurement } from "../reduce.ts";
import { part, say, state, update } from "../service.ts";
import { isPlayable } from "../table/play.ts";

/** No path begins with a star. */
export const USUAL = "*usual";
export const NOTHING = "*nothing";

export interface Settings {
  /** The agents, with commas between them: each in turn plays all seats. */
  agents: string;
  /** The number of players; `null` for the fewest. */
  players: number | null;
  games: number;
  seed: number;
  /** What the rules are compared with: a path, what they change, or nothing. */
  against: string;
  /** Measure again after each edit. */
  follow: boolean;
}

export const settings = signal<Settings>({ agents: "random", players: null, games: 5000, seed: 1, against: USUAL, follow: true });

/** The rules that are measured: those in the editor, or those that were there before a script was opened. */
const recent = signal<string | null>(null);
effect(() => {
  const { active } = state.value;
  if (active && isPlayable(active)) recent.value = active;
});

export const subject = computed(() => {
  const path = recent.value;
  return path && path in state.value.documents ? path : null;
});

/**
 * What the subject is compared with by itself: the rules that it changes, or its own with the usual params. Those outside
 * of the folder have no path here; the server finds them.
 */
export const usual = computed<{ title: string; path: string | null } | null>(() => {
  const path = subject.value;
  if (!path) return null;
  const of = state.value.rules[path]?.of ?? entry(state.value, path)?.of;
  if (of) return { title: entry(state.value, of)?.title ?? of, path: of };
  if (entry(state.value, path)?.kind === "variant") return { title: "what it changes", path: null };
  return Object.keys(state.value.sets[path] ?? {}).length ? { title: "the usual params", path } : null;
});

const stamp = computed(() => (subject.value ? stampOf(state.value, subject.value) : ""));
/** The rules can be measured: they are checked and have no errors. */
export const sound = computed(() => {
  const rules = currentRules(state.value, subject.value);
  return rules !== null && !hasErrors(rules);
});
export const measurement = part((state) => state.measurement);
export const report = part((state) => state.report);
export const isOld = computed(() => measurement.value !== null && measurement.value.stamp !== stamp.value);
export const reportIsOld = computed(() => report.value !== null && report.value.stamp !== stamp.value);
export const isRunning = computed(() => {
  const phase = measurement.value?.phase;
  return phase === "waiting" || phase === "running";
});

export function measure(): void {
  const path = subject.peek();
  if (!path) return;
  stop();
  const { players, games, seed, against } = settings.peek();
  const alone = against === NOTHING;
  // The server knows the usual base.
  const base = alone || against === USUAL ? null : { path: against, set: state.peek().sets[against] ?? {} };
  const set = state.peek().sets[path] ?? {};
  const id = say({ ask: "measure", path, set, base, alone, agents: agentNames(settings.peek().agents), players, games, seed });
  update((state) => {
    const fresh: Measurement = {
      id,
      path,
      stamp: stamp.peek(),
      games: 0,
      of: games,
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
    // The bars of the same rules before an edit stay until the first new ones.
    const old = state.measurement;
    const kept = old?.path === path ? { bins: old.bins, beyond: old.beyond, sides: old.sides, quantities: old.quantities } : {};
    return { ...state, measurement: { ...fresh, ...kept } };
  });
}

/** The names in a list of agents, each once. */
export function agentNames(list: string): string[] {
  const names = list.split(",").map((name) => name.trim());
  return [...new Set(names.filter(Boolean))];
}

export function stop(): void {
  const run = measurement.peek();
  if (!run || run.phase === "measured" || run.phase === "stopped") return;
  say({ ask: "cancel", id: run.id });
  update((state) => ({ ...state, measurement: { ...run, phase: "stopped" } }));
}

export function toggle(): void {
  if (isRunning.peek()) stop();
  else if (sound.peek()) measure();
}

export function writeReport(): void {
  const path = subject.peek();
  if (!path) return;
  stopReport();
  const id = say({ ask: "report", path, set: state.peek().sets[path] ?? {} });
  update((state) => ({
    ...state,
    report: { id, path, stamp: stamp.peek(), done: 0, of: 0, words: null, address: null, phase: "running" },
  }));
}

export function stopReport(): void {
  const run = report.peek();
  if (run?.phase !== "running") return;
  say({ ask: "cancel", id: run.id });
  update((state) => ({ ...state, report: { ...run, phase: "stopped" } }));
}

// A pause in typing begins the measurement again, as long as there is something to compare.
const PAUSE = 150;
const due = computed(() => {
  const ready = state.value.connection === "ready" && settings.value.follow && sound.value;
  const old = measurement.value === null || isOld.value;
  const compared = usual.value !== null || measurement.value !== null;
  return ready && old && compared ? stamp.value : null;
});
let timer: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  clearTimeout(timer);
  if (due.value !== null) timer = setTimeout(measure, PAUSE);
});
