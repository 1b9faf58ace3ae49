// Moves that name things, narrowed click by click. No page, no state: the board and the keyboard use the same rules.

import type { Choices, Move, Thing } from "../protocol.ts";

/** What has been chosen so far: an option, or none, and things in the order of the clicks. */
export interface Pick {
  option: number | null;
  things: Thing[];
}

export const NOTHING_PICKED: Pick = { option: null, things: [] };

export interface Narrowed {
  /** The moves that agree with the pick. */
  moves: Move[];
  /** Things that continue the pick in the order of a move. */
  next: Set<Thing>;
  /** Moves that name nothing but what is picked. */
  ready: Move[];
  /** The move that is left, if the last click finished it. It can be played without a further question. */
  only: Move | null;
}

/** Returns the choices with only those things that the drawing shows: the others can't be clicked. */
export function drawn(choices: Choices, svg: string): Choices {
  const shown = new Set([...svg.matchAll(/data-thing="([^"]+)"/g)].map((found) => found[1]));
  return { ...choices, moves: choices.moves.map((move) => ({ ...move, things: move.things.filter((thing) => shown.has(thing)) })) };
}

/** Returns the moves that a pick leaves, and the things that can be clicked next. */
export function narrow(choices: Choices, pick: Pick): Narrowed {
  const open = choices.moves.filter((move) => pick.option === null || move.option === pick.option);
  const ordered = open.filter((move) => startsWith(move.things, pick.things));
  const loose = unordered(choices);
  // Of an option that takes some of several things, the order of the clicks is free.
  const moves = open.filter((move) =>
    loose.has(move.option) ? contains(move.things, pick.things) : startsWith(move.things, pick.things),
  );
  const next = new Set<Thing>();
  for (const move of moves) {
    if (loose.has(move.option)) without(move.things, pick.things).forEach((thing) => next.add(thing));
    else if (move.things.length > pick.things.length) next.add(move.things[pick.things.length]!);
  }
  const ready = moves.filter((move) => move.things.length === pick.things.length);
  const only = pick.things.length > 0 && moves.length === 1 && ordered.length === 1 && ready.length === 1;
  return { moves, next, ready, only: only ? ready[0]! : null };
}

/** Returns the pick after a click on a thing, or `null` if no move continues with it. A picked thing is let go. */
export function clicked(choices: Choices, pick: Pick, thing: Thing): Pick | null {
  const at = pick.things.lastIndexOf(thing);
  const longer = { ...pick, things: [...pick.things, thing] };
  if (narrow(choices, pick).next.has(thing)) return longer;
  if (at >= 0) return { ...pick, things: pick.things.filter((_, index) => index !== at) };
  // A click elsewhere begins again: the first thing was a mistake.
  const again = { ...pick, things: [thing] };
  return narrow(choices, { ...pick, things: [] }).next.has(thing) ? again : null;
}

/**
 * Returns the options whose moves take some of several things, such as cards of a hand: every move lists its things in
 * the same order, and some moves list more of them than others. A move from one site to another has always two.
 */
export function unordered(choices: Choices): Set<number> {
  const lengths = new Map<number, Set<number>>();
  const sorted = new Map<number, boolean>();
  for (const move of choices.moves) {
    if (!lengths.has(move.option)) lengths.set(move.option, new Set());
    lengths.get(move.option)!.add(move.things.length);
    sorted.set(move.option, (sorted.get(move.option) ?? true) && ascending(move.things));
  }
  const found = new Set<number>();
  for (const [option, sizes] of lengths) {
    if (sorted.get(option) && Math.max(...sizes) > 1 && sizes.size > 1) found.add(option);
  }
  return found;
}

/** The domain and the index of a thing. */
export function parts(thing: Thing): [string, number] {
  const at = thing.lastIndexOf(":");
  return [thing.slice(0, at), Number(thing.slice(at + 1))];
}

function ascending(things: Thing[]): boolean {
  return things.every((thing, index) => {
    if (index === 0) return true;
    const [domain, number] = parts(thing);
    const [other, before] = parts(things[index - 1]!);
    return domain === other && before < number;
  });
}

function startsWith(things: Thing[], first: Thing[]): boolean {
  return first.every((thing, index) => things[index] === thing);
}

function contains(things: Thing[], some: Thing[]): boolean {
  return without(things, some).length === things.length - some.length;
}

/** The things that are left after one of each of the others is taken. */
function without(things: Thing[], taken: Thing[]): Thing[] {
  const left = [...things];
  for (const thing of taken) {
    const at = left.indexOf(thing);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}
