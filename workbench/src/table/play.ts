// What is done at the table. The service holds the game; the page keeps enough to begin it again elsewhere.

import { computed, effect, signal } from "@preact/signals";
import { keepGame, keptGame, type KeptGame } from "../drafts.ts";
import type { Ask, Position, TableEvent, Thing } from "../protocol.ts";
import { entry, stampOf } from "../reduce.ts";
import { complain, Lost, part, Refused, ask, say, sessionStore, state, store, update } from "../service.ts";
import { form, lone, type Form } from "./form.ts";
import { clicked, drawn, narrow, NOTHING_PICKED, type Pick } from "./moves.ts";

export const PERSON = "person";

/** The table's game as it was asked for; the events are those of the position. */
export const game = signal<Omit<KeptGame, "events"> | null>(null);
export const pick = signal<Pick>(NOTHING_PICKED);
/** A question to the table is on its way. */
export const busy = signal(false);
/** Things that a line of the score names, shown on the board. */
export const lit = signal<readonly Thing[]>([]);
const NOTHING_LIT: readonly Thing[] = [];
export const position = part((state) => state.position);

/** What can be done, with the things that can be clicked. */
export const choices = computed(() => {
  const shown = position.value;
  return shown?.choices ? drawn(shown.choices, shown.svg) : null;
});

export const narrowed = computed(() => {
  const open = choices.value;
  return open ? narrow(open, pick.value) : null;
});

/** The number of the decision shown, on its line and table: a new one forgets what was picked. */
const place = computed(() => {
  const shown = position.value;
  return shown && `${shown.line}:${shown.decision}:${shown.events.length}:${shown.choices?.moves.length}:${shown.choices?.seat}`;
});

effect(() => {
  place.value;
  pick.value = NOTHING_PICKED;
  lit.value = NOTHING_LIT;
});

/**
 * The position from which agents and dice were last asked to go on. If they get to no other place from it, they aren't
 * asked again, until anything else is done at the table or the rules change.
 */
let stepped: Position | null = null;

let kept: KeptGame | null = null;
const beginsWith = (events: TableEvent[], some: TableEvent[]) => some.every((event, at) => event.text === events[at]?.text);

// Each page has its own game after a reload; a page that is opened later takes up the last one.
effect(() => {
  const [asked, shown, folder] = [game.value, position.value, state.peek().folder];
  if (folder === null || !asked || !shown) return;
  // Events after the place shown are not told, nor those that the rules don't allow any more; they stay.
  const more = shown.decision < shown.of || Boolean(shown.differs);
  const before = kept && kept.path === asked.path && more && beginsWith(kept.events, shown.events) ? kept.events : shown.events;
  kept = { ...asked, events: before };
  for (const place of [sessionStore, store]) keepGame(place, folder, kept);
});

/** Begins a game. Without a seed the one of the game before is taken. */
export function newGame(path: string, changes: Partial<Omit<KeptGame, "events" | "path">> = {}): void {
  const old = game.peek()?.path === path ? game.peek() : null;
  const set = state.peek().sets[path] ?? {};
  game.value = { players: null, seats: [], seed: 1, dice: "drawn", ...old, set, path, ...changes };
  begin();
}

/** The params of the table's rules were set otherwise: the game is played again under them, as far as it fits. */
export function followSet(path: string): void {
  if (game.peek()?.path !== path) return;
  const events = kept?.events ?? [];
  game.value = { ...game.peek()!, set: state.peek().sets[path] ?? {} };
  begin(events);
}

/** The text whose rules are played has another path now. */
export function followMove(from: string, to: string): void {
  if (game.peek()?.path !== from) return;
  game.value = { ...game.peek()!, path: to };
  begin(kept?.events);
}

/** After a reload, or a restart of the server: the game that was in progress. */
export function resumeTable(): void {
  const { folder, documents, active } = state.peek();
  const last = kept ?? (folder === null ? null : (keptGame(sessionStore, folder) ?? keptGame(store, folder)));
  if (last && (last.path in documents || entry(state.peek(), last.path))) {
    const { events, ...rest } = last;
    game.value = rest;
    begin(events);
  } else if (active && isPlayable(active)) newGame(active);
}

export function isPlayable(path: string): boolean {
  return !path.endsWith(".rhai");
}

function begin(events?: KeptGame["events"]): void {
  if (!game.peek()) return;
  arranged = form.peek();
  void tell({ ask: "table", ...game.peek()!, form: arranged, ...(events?.length ? { events } : {}) });
}

/** The form of the drawings that the table was asked for last. */
let arranged: Form = "wide";

effect(() => {
  if (position.value) lone.value = position.value.seats.length === 1;
});

// The pane has another width: the table is drawn for it.
effect(() => {
  const wanted = form.value;
  if (!position.peek() || wanted === arranged || state.peek().connection !== "ready") return;
  arranged = wanted;
  void tell({ ask: "arrange", form: wanted });
});

// Rules with errors have no table. As soon as they have none, the table is asked for again.
const playable = computed(() => {
  const { active, rules, connection, position } = state.value;
  if (connection !== "ready" || position || !active || !isPlayable(active) || !rules[active]) return null;
  return rules[active].messages.some((message) => message.severity === "error") ? null : stampOf(state.value, active);
});
effect(() => {
  if (playable.value && !busy.peek()) newGame(state.peek().active!);
});

/** Questions to the table that aren't answered yet. */
let underWay = 0;

/** Asks the table for something. What can't be done is shown as a notice. */
async function tell(question: Ask): Promise<Position | null> {
  busy.value = ++underWay > 0;
  if (question.ask !== "step") stepped = null;
  try {
    return await ask(question, "position");
  } catch (error) {
    if (error instanceof Refused) complain(error.message);
    if (!(error instanceof Refused || error instanceof Lost)) throw error;
    return null;
  } finally {
    busy.value = --underWay > 0;
  }
}

export const act = (action: number) => void tell({ ask: "act", action });
export const settle = (outcome: number | string) => void tell({ ask: "settle", outcome });
export const go = (line: number, decision: number | "undo" | "redo") => void tell({ ask: "go", line, decision });
export const otherDice = () => void tell({ ask: "other-dice" });
export const takeScreen = () => void tell({ ask: "take-screen" });
export const type = (text: string) => tell({ ask: "type", text });
export const step = (one: boolean) => void tell(one ? { ask: "step", one } : { ask: "step" });

export const training = part((state) => state.training);

/** Trains the agent that is to decide, if it has to be. */
export function train(): void {
  if (!position.peek()?.to_train || training.peek()?.phase === "running") return;
  const id = say({ ask: "train" });
  update((state) => ({ ...state, training: { id, done: 0, of: 0, phase: "running" } }));
}

export function stopTraining(): void {
  const run = training.peek();
  if (run?.phase !== "running") return;
  say({ ask: "cancel", id: run.id });
  update((state) => ({ ...state, training: { ...run, phase: "stopped" } }));
}

// The agent that was trained decides.
effect(() => {
  if (training.value?.phase !== "trained") return;
  update((state) => ({ ...state, training: null }));
  queueMicrotask(() => position.peek()?.to_train && step(false));
});

export function seat(seat: number, agent: string): void {
  const kept = game.peek();
  if (kept) {
    const names = (position.peek()?.seats ?? []).map((seat) => (seat.person ? PERSON : (seat.agent ?? PERSON)));
    names[seat] = agent;
    game.value = { ...kept, seats: names };
  }
  void tell({ ask: "seat", seat, agent });
}

/** A thing of the board is clicked, or chosen by the keyboard. */
export function choose(thing: Thing): void {
  const open = choices.peek();
  const next = open && clicked(open, pick.peek(), thing);
  if (!next) return;
  pick.value = next;
  const only = narrow(open, next).only;
  if (only) act(only.action);
}

/** An option is chosen by its button. One with a single move is played. */
export function chooseOption(option: number): void {
  const moves = choices.peek()?.moves.filter((move) => move.option === option) ?? [];
  if (moves.length === 1) act(moves[0]!.action);
  else pick.value = pick.peek().option === option ? NOTHING_PICKED : { option, things: [] };
}

export function unpick(): void {
  pick.value = NOTHING_PICKED;
}

export function random(): void {
  const moves = narrowed.peek()?.moves ?? [];
  const move = moves[Math.floor(Math.random() * moves.length)];
  if (move) act(move.action);
}

/** Is it the turn of an agent or of the dice, at the end of a line? */
export function waitsForOthers(shown: Position): boolean {
  const asked = shown.choices || shown.hand_over || shown.over?.length || shown.chance;
  return !asked && shown.decision >= shown.of;
}

// Agents and dice go on by themselves while a person plays. Where a game first differs under changed rules it stays as it
// was, for an edit that takes the change back.
effect(() => {
  const shown = position.value;
  if (!shown || shown.differs || shown.to_train || busy.value || state.value.connection !== "ready" || !waitsForOthers(shown)) return;
  if (!shown.seats.some((seat) => seat.person) || shown === stepped) return;
  // A position that answers no question comes by itself, since the rules have changed.
  if (stepped && shown.id != null && isSamePlace(stepped, shown)) return;
  stepped = shown;
  queueMicrotask(() => step(false));
});

function isSamePlace(one: Position, other: Position): boolean {
  return one.line === other.line && one.events.length === other.events.length && one.decision === other.decision;
}
