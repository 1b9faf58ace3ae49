// The figures of a profile in words.

import type { Cost } from "../protocol.ts";
import type { ProfiledLine } from "./profiling.ts";

/** A share in per cent. */
export function percent(share: number, decimals = 0): string {
  const least = 10 ** -decimals;
  const number = share * 100;
  if (number > 0 && number < least / 2) return `<${least} %`;
  return `${number.toFixed(decimals)} %`;
}

/** How often something happens in a decision. */
export function times(number: number): string {
  if (number > 0 && number < 0.01) return "<0.01";
  const decimals = number >= 100 || number === 0 ? 0 : number >= 10 ? 1 : 2;
  return number.toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** What something costs, in a sentence. */
export function costWords({ share, evaluations, instructions, repeated }: Cost): string {
  const count = Math.round(instructions).toLocaleString("en");
  const costs = [`${percent(share, 1)} of the time`, `${times(evaluations)} times a decision`, `${count} instructions a decision`];
  return [...costs, `${percent(repeated)} of these compute again what the same decision has computed`].join(" · ");
}

/** What a line costs, and below it the expressions that begin on it with all that they use. */
export function lineWords({ line, expressions }: ProfiledLine): string {
  const within = expressions.map(({ column, cost, text }) => `${percent(cost.share, 1)} column ${column}: ${text}`);
  return [costWords(line.cost).replaceAll(" · ", "\n"), ...(within.length ? ["", "With all that they use:", ...within] : [])].join("\n");
}
