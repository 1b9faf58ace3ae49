// Which shape of a board an arrow key leads to. Boards of any kind have only the places of their shapes in common.

export interface Spot {
  x: number;
  y: number;
}

export type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

const STEP: Record<Arrow, Spot> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

export function isArrow(key: string): key is Arrow {
  return key in STEP;
}

/**
 * Returns the index of the next spot in a direction, or `null` at the edge. A spot straight ahead wins over a nearer
 * one at an angle, and nothing beyond 60 degrees counts.
 */
export function neighbour(spots: readonly Spot[], from: number, arrow: Arrow): number | null {
  const here = spots[from];
  if (!here) return spots.length ? 0 : null;
  const step = STEP[arrow];
  let best: number | null = null;
  let least = Infinity;
  spots.forEach((spot, index) => {
    if (index === from) return;
    const ahead = (spot.x - here.x) * step.x + (spot.y - here.y) * step.y;
    const aside = Math.abs((spot.x - here.x) * step.y) + Math.abs((spot.y - here.y) * step.x);
    if (ahead <= 0.5 || aside > ahead * 1.75) return;
    const cost = ahead + 2 * aside;
    if (cost < least) [best, least] = [index, cost];
  });
  return best;
}
