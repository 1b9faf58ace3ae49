// Questions to the service and their answers. The state is one signal; every message goes through `reduce`.

import { batch, computed, signal } from "@preact/signals";
import { draftOf, type Store } from "./drafts.ts";
import { UNNUMBERED, type Ask, type Tell, type TellKind, type TellOf } from "./protocol.ts";
import { EMPTY, noticed, reduce, type State } from "./reduce.ts";
import type { Transport } from "./transport.ts";

export const state = signal<State>(EMPTY);

/** A part of the state that changes only if its own value does. */
export function part<T>(select: (state: State) => T) {
  return computed(() => select(state.value));
}

export function update(change: (state: State) => State): void {
  state.value = change(state.peek());
}

/** What the browser keeps of the page, and of this visit. */
export const store = storeOf(() => localStorage);
export const sessionStore = storeOf(() => sessionStorage);

/** Returns the storage. A browser without one keeps things only as long as the page lives. */
function storeOf(find: () => Store): Store {
  try {
    return find();
  } catch {
    const kept = new Map<string, string>();
    return {
      get length() {
        return kept.size;
      },
      key: (index) => [...kept.keys()][index] ?? null,
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    };
  }
}

interface Waiting {
  answered(tell: Tell): void;
  failed(error: Error): void;
}

let transport: Transport | null = null;
let last = 0;
const waiting = new Map<number, Waiting>();

export function use(chosen: Transport): void {
  transport = chosen;
}

/** Says something that needs no answer, or whose answers change the state by themselves. Returns its number. */
export function say(ask: Ask): number {
  const id = ++last;
  transport?.say(UNNUMBERED.has(ask.ask) ? ask : { ...ask, id });
  return id;
}

/** The service answered that something can't be done. Its message is for people. */
export class Refused extends Error {}

/** The connection was lost before the answer, or a newer question took the place of this one. */
export class Lost extends Error {}

/** Asks, and returns the first answer, which has to be of one of these kinds. */
export function ask<K extends TellKind>(question: Ask, ..._kinds: K[]): Promise<TellOf<K>> {
  return new Promise((answered, failed) => {
    const id = say(question);
    waiting.set(id, { answered: (tell) => answered(tell as TellOf<K>), failed });
  });
}

/** Like `ask`, but shows what went wrong as a notice and returns `null`. */
export async function tryAsk<K extends TellKind>(question: Ask, ...kinds: K[]): Promise<TellOf<K> | null> {
  try {
    return await ask(question, ...kinds);
  } catch (error) {
    if (error instanceof Refused) complain(error.message);
    return null;
  }
}

export function complain(text: string): void {
  update((state) => noticed(state, "error", text));
}

export function mention(text: string): void {
  update((state) => noticed(state, "news", text));
}

/** Takes a message of the service. Facts about a text wait until its messages are painted. */
export function heard(tell: Tell): void {
  if (tell.tell !== "facts" || document.hidden) take(tell);
  else requestAnimationFrame(() => setTimeout(() => take(tell)));
}

function take(tell: Tell): void {
  batch(() => {
    const folder = state.peek().folder;
    const draft = tell.tell === "file" && folder !== null ? draftOf(store, folder, tell.path) : null;
    const asker = tell.id == null ? undefined : waiting.get(tell.id);
    if (tell.tell === "wrong" && tell.id != null && !asker) complain(tell.message);
    update((state) => reduce(state, tell, draft));
    if (!asker) return;
    waiting.delete(tell.id!);
    if (tell.tell === "wrong") asker.failed(new Refused(tell.message));
    else if (tell.tell === "done") asker.failed(new Lost());
    else asker.answered(tell);
  });
}

/** The connection is lost: no question that waits will be answered. */
export function forget(): void {
  const all = [...waiting.values()];
  waiting.clear();
  for (const one of all) one.failed(new Lost());
}
