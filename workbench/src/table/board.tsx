// The board: the service's drawing in the page. Shapes with `data-thing` can be clicked, touched, and reached by keys.

import { effect, signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isArrow, neighbour } from "./geometry.ts";
import { choose, lit, narrowed, pick, position, unpick } from "./play.ts";

const SHAPE = "[data-thing]";

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
    return () => {
      stopDrawing();
      stopMarking();
    };
  }, []);
  return <div ref={host} class="board" role="group" aria-label="Board. Arrow keys move, Enter chooses." onClick={click} onKeyDown={press} onFocusIn={focused} />;
}

let drawn = "";

/** Puts a drawing into the page. The focus stays on the same thing. */
function draw(host: HTMLElement, svg: string): void {
  const focus = document.activeElement?.closest(SHAPE) && host.contains(document.activeElement);
  if (svg !== drawn || !host.firstChild) host.innerHTML = svg;
  drawn = svg;
  // An image has no parts that can be pressed; a group has.
  host.querySelector("svg")?.setAttribute("role", "group");
  for (const shape of shapes(host)) {
    shape.setAttribute("role", "button");
    // Without it nothing here could take the focus again.
    shape.setAttribute("tabindex", "-1");
  }
  if (focus && current.peek()) find(host, current.peek()!)?.focus();
}

/** Shows on each shape what can be done with it. */
function mark(host: HTMLElement): void {
  const [can, picked, shown] = [narrowed.value?.next ?? new Set<string>(), pick.value.things, new Set(lit.value)];
  const all = shapes(host);
  const names = all.map(thingOf);
  const first = current.value && names.includes(current.value) ? current.value : (names.find((thing) => can.has(thing)) ?? names[0]);
  all.forEach((shape, at) => {
    const thing = names[at]!;
    shape.classList.toggle("can", can.has(thing));
    shape.classList.toggle("picked", picked.includes(thing));
    shape.classList.toggle("lit", shown.has(thing));
    shape.setAttribute("tabindex", thing === first ? "0" : "-1");
    shape.setAttribute("aria-disabled", String(!can.has(thing) && !picked.includes(thing)));
    shape.setAttribute("aria-pressed", String(picked.includes(thing)));
  });
}

function click(event: Event): void {
  const shape = (event.target as Element).closest<SVGElement>(SHAPE);
  if (shape) choose(thingOf(shape));
}

function focused(event: FocusEvent): void {
  const shape = (event.target as Element).closest<SVGElement>(SHAPE);
  if (shape) current.value = thingOf(shape);
}

function press(event: KeyboardEvent): void {
  const host = event.currentTarget as HTMLElement;
  const shape = (event.target as Element).closest<SVGElement>(SHAPE);
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
