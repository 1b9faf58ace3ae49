// The first look: a bundled game, a house rule of it that is not saved, and a number to change.

import { effect, signal } from "@preact/signals";
import { goTo } from "../editor/questions.ts";
import { houseRule, show } from "../files/documents.ts";
import type { Param, ParamSet } from "../protocol.ts";
import { state } from "../service.ts";
import { newGame } from "../table/play.ts";

/** The house rule in which a number waits to be changed, until one is. */
export const hinted = signal<string | null>(null);

// The first edit takes the hint away.
effect(() => {
  const doc = hinted.value === null ? undefined : state.value.documents[hinted.value];
  if (doc && doc.version > 1) hinted.value = null;
});

const PATIENCE = 5000;

/** Aborted once somebody has pressed a key or clicked, perhaps before the server has answered. */
const touch = new AbortController();
for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, () => touch.abort(), { capture: true, signal: touch.signal });

export async function firstLook(game: string): Promise<void> {
  if (!(await show(game))) return;
  const params = await paramsOf(game);
  const number = params.find((param) => param.kind === "number" && steppable(param));
  const set: ParamSet = number ? { [number.name]: next(number) } : {};
  const title = `My ${state.peek().rules[game]?.title ?? "house rule"}`;
  hinted.value = await houseRule(game, title, set);
  if (!hinted.value) return;
  newGame(hinted.value);
  const places = (await paramsOf(hinted.value)).map((param) => param.place);
  const place = places.find((place) => place?.path === hinted.value);
  // Whoever has begun to do something keeps the focus.
  if (place && !touch.signal.aborted) await goTo(place);
}

/** Another value of a number, near the usual one. */
function next(param: Param): number {
  const value = Number(param.value);
  return value + 1 <= (param.most ?? Infinity) ? value + 1 : value - 1;
}

function steppable(param: Param): boolean {
  return typeof param.value === "number" && (param.most ?? Infinity) > (param.least ?? -Infinity);
}

function paramsOf(path: string): Promise<Param[]> {
  return new Promise((found) => {
    const timer = setTimeout(() => finish([]), PATIENCE);
    const stop = state.subscribe(({ rules }) => {
      const known = rules[path];
      if (known?.facts) finish(known.params);
    });
    function finish(params: Param[]) {
      clearTimeout(timer);
      queueMicrotask(() => stop());
      found(params);
    }
  });
}
