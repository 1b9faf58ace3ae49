// What a histogram draws: bars of two sides on one scale, as paths.

export interface Bars {
  /** The outline of the bars of each side, in a picture of `width` × `height`. */
  paths: string[];
  /** Ticks of the scale below: a value and its place. */
  ticks: { value: number; x: number }[];
  /** The place of a value. */
  at: (value: number) => number;
}

/**
 * Returns the bars of one or two sides. `edges` has one number more than each list of counts. Sides are shares of their
 * own games, so that a side that is still playing can be compared with one that isn't.
 */
export function bars(edges: readonly number[], sides: readonly (readonly number[])[], width: number, height: number): Bars {
  const low = edges[0] ?? 0;
  const high = edges[edges.length - 1] ?? 1;
  const wide = high > low ? high - low : 1;
  const at = (value: number) => ((value - low) / wide) * width;
  const shares = sides.map(share);
  const top = Math.max(...shares.flat(), Number.MIN_VALUE);
  const paths = shares.map((share) => {
    const steps = share.map((value, bin) => `V${round(height - (value / top) * height)}H${round(at(edges[bin + 1]!))}`);
    return share.length ? `M0 ${height}${steps.join("")}V${height}Z` : "";
  });
  return { paths, ticks: ticks(low, high).map((value) => ({ value, x: at(value) })), at };
}

/** Returns the share of each count. */
export function share(counts: readonly number[]): number[] {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => (all > 0 ? count / all : 0));
}

/** Returns about six round values from low to high. */
export function ticks(low: number, high: number): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * (1 - 1e-9))!;
  const found = [];
  for (let count = Math.ceil(low / step); count * step <= high + step * 1e-9; count++) {
    found.push(Number((count * step).toPrecision(12)));
  }
  return found;
}

/** Half the interval of a mean, if there is one. */
export function half(one: { low?: number | null; high?: number | null }): number | undefined {
  return one.low == null || one.high == null ? undefined : (one.high - one.low) / 2;
}

/** A number with as many decimals as its uncertainty is worth. */
export function figure(value: number | null | undefined, precision?: number): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const scale = precision && precision > 0 ? precision : Math.abs(value) / 100;
  const decimals = scale > 0 ? Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(scale)))) : 0;
  const text = value.toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return text.replace("-", "−");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
