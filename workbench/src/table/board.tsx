// The board: the service's drawing in the page. Shapes with `data-thing` can be clicked, touched, and reached by keys.

import { effect, signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { dragFrom, dragOn, drop, endsDrag } from "./drag.ts";
import { isArrow, neighbour } from "./geometry.ts";
import { ADDED, redraw } from "./morph.ts";
import { choose, lit, narrowed, pick, position, unpick } from "./play.ts";

const SHAPE = "[data-thing]";
const ENDS = ["pointerup", "pointercancel"] as const;

/** The thing that Tab comes back to. */
const current = signal<string | null>(null);

export function Board() {
  const host = useRef<HTMLDivElement>(null);
  // Before anything is painted: a board is never empty.
  useLayoutEffect(() => {
    const stopDrawing = effect(() => draw(host.current!, position.value?.svg ?? ""));
    const stopMarking = effect(() => {
      position.value?.svg;
      mark(host.current!);
    });
    addEventListener("pointermove", dragOn);
    for (const end of ENDS) addEventListener(end, drop);
    return () => {
      removeEventListener("pointermove", dragOn);
      for (const end of ENDS) removeEventListener(end, drop);
      stopDrawing();
      stopMarking();
    };
  }, []);
  return (
    <div
      ref={host}
      class="board"
      role="group"
      aria-label="Board. Arrow keys move, Enter chooses."
      onClick={click}
      onKeyDown={press}
      onFocusIn={focused}
      onPointerDown={(event) => dragFrom(event, shapeOf(event))}
    />
  );
}

/** Puts a drawing into the page. The focus stays on the same thing. */
function draw(host: HTMLElement, svg: string): void {
  const focus = document.activeElement?.closest(SHAPE) && host.contains(document.activeElement);
  redraw(host, svg);
  // An image has no parts that can be pressed; a group has.
  host.querySelector("svg")?.setAttribute("role", "group");
  for (const shape of shapes(host)) {
    if (shape.hasAttribute("tabindex")) continue;
    shape.setAttribute("role", "button");
    // Without it nothing here could take the focus again.
    shape.setAttribute("tabindex", "-1");
  }
  if (focus && !host.contains(document.activeElement) && current.peek()) find(host, current.peek()!)?.focus();
}

/** Shows on each shape what can be done with it. */
function mark(host: HTMLElement): void {
  const [can, picked, shown] = [narrowed.value?.next ?? new Set<string>(), pick.value.things, new Set(lit.value)];
  const all = shapes(host);
  const names = all.map(thingOf);
  const first = current.value && names.includes(current.value) ? current.value : (names.find((thing) => can.has(thing)) ?? names[0]);
  places.clear();
  const plain = plainKinds(all, new Set([...can, ...picked]));
  host.querySelectorAll(`.${ADDED}`).forEach((dot) => dot.remove());
  const open: SVGElement[] = [];
  all.forEach((shape, at) => {
    const thing = names[at]!;
    const [isNext, isPicked] = [can.has(thing), picked.includes(thing)];
    const isMarked = isNext && !isPicked && !plain.has(kindOf(shape));
    shape.classList.toggle("can", isNext);
    shape.classList.toggle("picked", isPicked);
    shape.classList.toggle("lit", shown.has(thing));
    set(shape, "data-marked", isMarked ? "" : null);
    set(shape, "tabindex", thing === first ? "0" : "-1");
    set(shape, "aria-disabled", String(!isNext && !isPicked));
    set(shape, "aria-pressed", isPicked ? "true" : null);
    if (isMarked && shape.getAttribute("data-at") === "open") open.push(shape);
  });
  // All places are read before the first dot changes the drawing.
  const boxes = open.map((shape) => (shape as SVGGraphicsElement).getBBox());
  open.forEach((shape, at) => dot(shape, boxes[at]!));
}

/** Sets an attribute if it has another value. */
function set(shape: Element, name: string, value: string | null): void {
  if (shape.getAttribute(name) === value) return;
  if (value === null) shape.removeAttribute(name);
  else shape.setAttribute(name, value);
}

/** Marks in a group beyond which most of the group is not marked: they would hide what lies there. */
const MOST_MARKS = 36;

/** Returns the kinds of things whose marks would say nothing, or hide the board: they show under the pointer alone. */
function plainKinds(all: SVGElement[], can: ReadonlySet<string>): Set<string> {
  const counts = new Map<string, { all: number; can: number }>();
  for (const shape of all) {
    const count = counts.get(kindOf(shape)) ?? { all: 0, can: 0 };
    counts.set(kindOf(shape), count);
    count.all += 1;
    count.can += Number(can.has(thingOf(shape)));
  }
  const isPlain = (kind: string, { all, can }: { all: number; can: number }) =>
    kind.endsWith(CARD) ? can === all && all > 1 : can > MOST_MARKS && can > all / 2;
  return new Set([...counts].filter(([kind, count]) => isPlain(kind, count)).map(([kind]) => kind));
}

const CARD = " card";

/** The places in which cards lie, numbered. */
const places = new Map<Element, number>();

/** Cards of one place, open sites and taken ones are marked each in their own way. */
function kindOf(shape: Element): string {
  const thing = thingOf(shape);
  const domain = thing.slice(0, thing.lastIndexOf(":"));
  const zone = shape.parentElement?.classList.contains("card") ? shape.parentElement.parentElement : null;
  if (!zone) return `${domain} ${shape.getAttribute("data-at") ?? ""}`;
  if (!places.has(zone)) places.set(zone, places.size);
  return `${places.get(zone)} ${domain}${CARD}`;
}

/** Puts a dot on an open site. */
function dot(shape: SVGElement, { x, y, width, height }: DOMRect): void {
  const circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  const values = { class: ADDED, cx: x + width / 2, cy: y + height / 2, r: Math.min(9, 0.14 * Math.min(width, height)) };
  for (const [name, value] of Object.entries(values)) circle.setAttribute(name, String(value));
  shape.after(circle);
}

function shapeOf(event: Event): SVGElement | null {
  return (event.target as Element).closest<SVGElement>(SHAPE);
}

function click(event: Event): void {
  const [shape, ended] = [shapeOf(event), endsDrag()];
  if (shape && !ended) choose(thingOf(shape));
}

function focused(event: FocusEvent): void {
  const shape = shapeOf(event);
  if (shape) current.value = thingOf(shape);
}

function press(event: KeyboardEvent): void {
  const host = event.currentTarget as HTMLElement;
  const shape = shapeOf(event);
  if (!shape || event.ctrlKey || event.altKey || event.metaKey) return;
  const handled = isArrow(event.key)
    ? focusOn(arrowed(host, shape, event.key))
    : event.key === "Enter" || event.key === " "
      ? (choose(thingOf(shape)), true)
      : event.key === "Escape" && pick.peek().things.length
        ? (unpick(), true)
        : event.key === "l"
          ? focusOn(nextLegal(host, shape))
          : false;
  if (!handled) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Puts the focus on the board. */
export function focusBoard(): boolean {
  return focusOn(document.querySelector<SVGElement>(`.board ${SHAPE}[tabindex="0"]`));
}

function focusOn(shape: SVGElement | null | undefined): boolean {
  shape?.focus();
  return true;
}

function arrowed(host: HTMLElement, shape: SVGElement, key: string): SVGElement | null {
  const all = shapes(host);
  const spots = all.map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  });
  const next = isArrow(key) ? neighbour(spots, all.indexOf(shape), key) : null;
  return next === null ? null : (all[next] ?? null);
}

function nextLegal(host: HTMLElement, shape: SVGElement): SVGElement | undefined {
  const all = shapes(host);
  const at = all.indexOf(shape);
  return [...all.slice(at + 1), ...all.slice(0, at)].find((one) => one.classList.contains("can"));
}

function shapes(host: Element): SVGElement[] {
  return [...host.querySelectorAll<SVGElement>(SHAPE)];
}

function find(host: Element, thing: string): SVGElement | undefined {
  return shapes(host).find((shape) => thingOf(shape) === thing);
}

function thingOf(shape: Element): string {
  return shape.getAttribute("data-thing") ?? "";
}
