// The three panes: which is in front where there is room for one, and how wide the others are.

import { effect, signal } from "@preact/signals";
import { store } from "../service.ts";

export type PaneName = "editor" | "table" | "measure";
export const PANES: PaneName[] = ["editor", "table", "measure"];

/** The pane in front on a narrow page. */
export const front = signal<PaneName>("editor");

/** The pane that has the whole page for itself. */
export const whole = signal<PaneName | null>(null);

export function toggleWhole(pane: PaneName): void {
  whole.value = whole.peek() === pane ? null : pane;
}

const KEY = "houserule:panes";
interface Sizes {
  /** The share of the editor's width, and of the table's height beside it, in percent. */
  editor: number;
  table: number;
}
const USUAL: Sizes = { editor: 40, table: 64 };

export const sizes = signal<Sizes>(read());

effect(() => {
  document.documentElement.style.setProperty("--editor-share", `${sizes.value.editor}%`);
  document.documentElement.style.setProperty("--table-share", `${sizes.value.table}%`);
  store.setItem(KEY, JSON.stringify(sizes.value));
});

export function resize(which: keyof Sizes, percent: number): void {
  sizes.value = { ...sizes.peek(), [which]: Math.min(80, Math.max(20, Math.round(percent))) };
}

/** Moves the focus to the next pane, or the one before. */
export function nextPane(step: 1 | -1): void {
  const now = document.activeElement?.closest<HTMLElement>("[data-pane]")?.dataset.pane as PaneName | undefined;
  const at = now ? PANES.indexOf(now) : step > 0 ? -1 : 0;
  const next = PANES[(at + step + PANES.length) % PANES.length]!;
  front.value = next;
  if (whole.peek() !== next) whole.value = null;
  const wanted = [".cm-content", '.board [tabindex="0"]', "button.primary", "button"];
  requestAnimationFrame(() => {
    const pane = document.querySelector(`[data-pane="${next}"]`);
    wanted.map((selector) => pane?.querySelector<HTMLElement>(selector)).find(Boolean)?.focus();
  });
}

function read(): Sizes {
  try {
    return { ...USUAL, ...(JSON.parse(store.getItem(KEY) ?? "{}") as Partial<Sizes>) };
  } catch {
    return USUAL;
  }
}
