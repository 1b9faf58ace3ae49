// In which form the service draws the table: with the seats around the middle, or for a phone everything below each other.

import { computed, signal } from "@preact/signals";

export type Form = "wide" | "narrow";

/** Width and height of the pane of the table. */
const room = signal<readonly [number, number]>([1280, 800]);
/** The game at the table is for one player. */
export const lone = signal(false);

/** The form for the room that the pane of the table has. */
export const form = computed(() => formFor(...room.value, lone.value));

/** What lies beside the drawing, and what stands above and below it, in pixels. */
const BESIDE = [210, 300] as const;
const HEADS = 90;
/** What is left below the drawing where the pane is higher than wide. */
const BELOW = 375;
/** From this width on there is room for all seats. */
const ROOMY = 900;
/** A drawing with the seats around the middle is that much wider than high, at the least; and one for a single player. */
const BROAD = 1.2;
const BROAD_ALONE = 1.7;

/** Returns the form of a drawing for which the pane has some width and height. */
export function formFor(width: number, height: number, isAlone = false): Form {
  const isHigh = width < height;
  const across = isHigh ? width : width - Math.min(BESIDE[1], Math.max(BESIDE[0], 0.3 * width));
  const down = Math.max(height - (isHigh ? BELOW : HEADS), 1);
  return across < ROOMY && across < (isAlone ? BROAD_ALONE : BROAD) * down ? "narrow" : "wide";
}

/** Follows the size of the pane. Where it is out of sight, the page tells how large it will be. */
export function follow(pane: HTMLElement): () => void {
  const measure = () => {
    const { width, height } = pane.getBoundingClientRect();
    const bar = 40;
    const [across, down] = width > 0 ? [width, height - bar] : [innerWidth, innerHeight - 2 * bar];
    if (room.peek()[0] !== across || room.peek()[1] !== down) room.value = [across, down];
  };
  measure();
  const observer = new ResizeObserver(measure);
  observer.observe(pane);
  return () => observer.disconnect();
}
