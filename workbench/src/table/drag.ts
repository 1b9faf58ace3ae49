// Things of the board that are drawn from place to place by a pointer: a short way to two clicks. What isn't dropped on
// something that can be chosen goes back.

import { choices, choose, narrowed, pick, unpick } from "./play.ts";
import { narrow } from "./moves.ts";

/** Pixels from which on a press is no click. */
const FAR = 7;
/** Pixels from which on a card that names a whole move is laid on the table. */
const AWAY = 48;

interface Drag {
  pointer: number;
  shape: SVGElement;
  board: Element | null;
  thing: string;
  from: { x: number; y: number };
  /** It was moved so far that it is no click. */
  moves: boolean;
}

let drag: Drag | null = null;
/** A drag ends with a click of the browser, which says nothing. */
let swallowsClick = false;

/** Returns `true` for the click with which a drag ends. */
export function endsDrag(): boolean {
  const ends = swallowsClick;
  swallowsClick = false;
  return ends;
}

export function dragFrom(event: PointerEvent, shape: SVGElement | null): void {
  swallowsClick = false;
  const thing = shape?.getAttribute("data-thing");
  if (!shape || !thing || event.button !== 0 || !narrowed.peek()?.next.has(thing)) return;
  const board = shape.closest(".board");
  drag = { pointer: event.pointerId, shape, board, thing, from: { x: event.clientX, y: event.clientY }, moves: false };
}

export function dragOn(event: PointerEvent): void {
  if (!drag || drag.pointer !== event.pointerId) return;
  const [x, y] = [event.clientX - drag.from.x, event.clientY - drag.from.y];
  if (!drag.moves && Math.hypot(x, y) < FAR) return;
  if (!drag.moves) {
    drag.moves = true;
    drag.board?.classList.add("drags");
    const next = { ...pick.peek(), things: [...pick.peek().things, drag.thing] };
    const open = choices.peek();
    // What can come next is shown on the way, unless the thing says it all.
    if (open && !narrow(open, next).only) choose(drag.thing);
  }
  const card = drag.shape.closest<SVGElement>(".card");
  const matrix = card?.ownerSVGElement?.getScreenCTM();
  if (card && matrix) card.style.transform = `translate(${x / matrix.a}px, ${y / matrix.d}px)`;
}

export function drop(event: PointerEvent): void {
  if (!drag || drag.pointer !== event.pointerId) return;
  const { shape, thing, from, moves } = drag;
  letGo();
  // The drawing was replaced: what was drawn isn't there any more.
  if (!shape.isConnected) return;
  if (!moves || event.type === "pointercancel") {
    if (moves && pick.peek().things.at(-1) === thing) unpick();
    return;
  }
  swallowsClick = true;
  const open = choices.peek();
  const isPicked = pick.peek().things.at(-1) === thing;
  const below = document.elementsFromPoint(event.clientX, event.clientY);
  const target = below.map((one) => one.closest("[data-thing]")).find((one) => one && one !== shape && one.closest(".board"));
  const onto = target?.getAttribute("data-thing");
  const isAway = Math.hypot(event.clientX - from.x, event.clientY - from.y) > AWAY;
  if (isPicked && onto && narrowed.peek()?.next.has(onto)) choose(onto);
  else if (isPicked) unpick();
  else if (open && isAway) choose(thing);
}

function letGo(): void {
  if (!drag) return;
  drag.board?.classList.remove("drags");
  const card = drag.shape.closest<SVGElement>(".card");
  if (card) card.style.transform = "";
  drag = null;
}
