// The histogram: the shares of both sides over each other, drawn as they come in.

import type { SampleSide } from "../protocol.ts";
import { bars, figure, half } from "./bins.ts";

const WIDTH = 560;
const HEIGHT = 132;

interface HistogramProps {
  edges: number[];
  /** The first bin counts values below it too, the last bin values above it. */
  beyond: [boolean, boolean];
  sides: SampleSide[];
  about: string | null;
}

/** Room for the words at an end of the scale. */
const END = 46;

export function Histogram({ edges, beyond, sides, about }: HistogramProps) {
  const drawn = bars(
    edges,
    sides.map((side) => side.counts),
    WIDTH,
    HEIGHT,
  );
  const words = sides.map((side) => `${side.name}: ${figure(side.mean, half(side))} on average`).join("; ");
  return (
    <svg class="histogram" viewBox={`-8 -14 ${WIDTH + 16} ${HEIGHT + 36}`} role="img" aria-label={`${about ?? "Results"}. ${words}`}>
      <line class="axis" x1={0} x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
      {drawn.paths.map((path, side) => (
        <path key={side} class={`bars ${sideClass(side, sides.length)}`} d={path} />
      ))}
      {sides.map((side, index) => {
        if (side.mean == null) return null;
        const x = drawn.at(side.mean);
        const [low, high] = [drawn.at(side.low ?? side.mean), drawn.at(side.high ?? side.mean)];
        const y = -9 + 5 * index;
        return (
          <g key={index} class={`mean ${sideClass(index, sides.length)}`}>
            <title>{`${side.name}: ${figure(side.mean, half(side))} on average`}</title>
            <line x1={x} x2={x} y1={y} y2={HEIGHT} />
            <line class="interval" x1={low} x2={high} y1={y} y2={y} />
          </g>
        );
      })}
      {drawn.ticks
        .filter(({ x }) => (!beyond[0] || x > END) && (!beyond[1] || x < WIDTH - END))
        .map(({ value, x }) => (
          <text key={value} x={x} y={HEIGHT + 16}>
            {plain(value)}
          </text>
        ))}
      {beyond[0] && (
        <text class="first" x={-6} y={HEIGHT + 16}>
          &lt; {plain(edges[1]!)}
        </text>
      )}
      {beyond[1] && (
        <text class="last" x={WIDTH + 6} y={HEIGHT + 16}>
          ≥ {plain(edges[edges.length - 2]!)}
        </text>
      )}
    </svg>
  );
}

function plain(value: number): string {
  return value.toLocaleString("en").replace("-", "−");
}

/** The last side is the rules in the editor. */
export function sideClass(side: number, count: number): string {
  return side === count - 1 ? "mine" : "base";
}
