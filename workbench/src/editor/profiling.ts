// Profiles of the rules: what they begin with, when they stop, when their results are old, and what they say of a line.

import { computed, effect, signal } from "@preact/signals";
import { sound, stop as stopMeasuring, subject } from "../measure/runs.ts";
import type { ExpressionCost, LineCost } from "../protocol.ts";
import { stampOf, type Profiling } from "../reduce.ts";
import { part, say, state, update } from "../service.ts";

/** What a line costs, and the expressions that begin on it. */
export interface ProfiledLine {
  line: LineCost;
  /** Its share of the greatest share of a line. */
  relative: number;
  expressions: ExpressionCost[];
}

/** The seed of the random games. Times and instructions are the same at every run. */
const SEED = 1;
/** The most expressions of a line. */
const EXPRESSIONS = 5;

export const profile = part((state) => state.profile);
export const isProfiling = computed(() => profile.value?.phase === "running");
const isChanged = (one: { path: string; stamp: string } | null) => one !== null && stampOf(state.value, one.path) !== one.stamp;
/** The rules of the result have changed since. */
export const profileIsOld = computed(() => isChanged(profile.value?.result ?? null));
/** The rules have changed since the profile began. */
export const runIsOld = computed(() => isChanged(profile.value));

/** Grows when a bar beside a line is pressed. */
export const pressed = signal(0);

const result = part((state) => state.profile?.result ?? null);
/** What the result says of the lines of each file. */
const files = computed(() => {
  const files = new Map<string, ProfiledLine[]>();
  const told = result.value?.told;
  if (!told) return files;
  const greatest = Math.max(...told.lines.map(({ cost }) => cost.share), Number.MIN_VALUE);
  for (const line of told.lines) {
    const here = told.expressions.filter((one) => one.place.path === line.place.path && one.line === line.line);
    const expressions = here.sort((a, b) => b.cost.share - a.cost.share).slice(0, EXPRESSIONS);
    const lines = files.get(line.place.path) ?? [];
    files.set(line.place.path, [...lines, { line, relative: line.cost.share / greatest, expressions }]);
  }
  return files;
});
const NONE: ProfiledLine[] = [];

/** What the editor shows of the lines of a file. Returns `null` while the result is old: then its bars stay where they are. */
export function profiledLines(path: string | null): ProfiledLine[] | null {
  const lines = files.value.get(path ?? "");
  if (!lines) return NONE;
  return profileIsOld.value ? null : lines;
}

export function beginProfile(): void {
  const path = subject.peek();
  if (!path || !sound.peek()) return;
  // A page has one run.
  stopMeasuring();
  const now = state.peek();
  const id = say({ ask: "profile", path, set: now.sets[path] ?? {}, seed: SEED });
  const begun: Profiling = { id, path, stamp: stampOf(now, path), done: 0, of: 0, phase: "running", result: now.profile?.result ?? null };
  update((state) => ({ ...state, profile: begun }));
}

export function stopProfile(): void {
  const run = profile.peek();
  if (run?.phase !== "running") return;
  say({ ask: "cancel", id: run.id });
  update((state) => ({ ...state, profile: { ...run, phase: "stopped" } }));
}

/** Takes the bars away. */
export function hideProfile(): void {
  stopProfile();
  update((state) => ({ ...state, profile: null }));
}

// What is played would be of other rules than those in the editor.
effect(() => {
  if (isProfiling.value && runIsOld.value) stopProfile();
});
