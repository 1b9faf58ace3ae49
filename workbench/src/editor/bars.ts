// The shares of the lines in a profile, as bars beside them. They move with the text until there are others.

import { RangeSet, StateEffect, StateField, type Extension } from "@codemirror/state";
import { gutter, GutterMarker, type EditorView } from "@codemirror/view";
import { lineWords, percent } from "./figures.ts";
import { pressed, type ProfiledLine } from "./profiling.ts";

/** Least share of a line that has a bar. */
const LEAST = 0.005;

class Bar extends GutterMarker {
  constructor(readonly profiled: ProfiledLine) {
    super();
  }
  override eq(other: Bar) {
    return other.profiled === this.profiled;
  }
  override toDOM() {
    const { line, relative } = this.profiled;
    const bar = document.createElement("div");
    bar.className = "share-bar";
    bar.title = lineWords(this.profiled);
    const filled = bar.appendChild(document.createElement("i"));
    filled.style.width = `${Math.max(relative * 100, 2)}%`;
    bar.appendChild(document.createElement("span")).textContent = percent(line.cost.share);
    return bar;
  }
}

const setBars = StateEffect.define<ProfiledLine[]>();

const bars = StateField.define<RangeSet<Bar>>({
  create: () => RangeSet.empty,
  update(set, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setBars)) continue;
      const { doc } = transaction.state;
      const found = effect.value.filter(({ line }) => line.cost.share >= LEAST && line.line <= doc.lines);
      return RangeSet.of(
        found.map((one) => new Bar(one).range(doc.line(one.line.line).from)),
        true,
      );
    }
    return set.map(transaction.changes);
  },
});

const beside = gutter({
  class: "cm-shares",
  markers: (view) => view.state.field(bars),
  domEventHandlers: {
    mousedown(view, { from }) {
      view.dispatch({ selection: { anchor: from } });
      view.focus();
      pressed.value++;
      return true;
    },
  },
});

export const shareBars: Extension = [bars, beside];

/** Shows bars beside the lines of the text as it is now; none hides them. */
export function showBars(view: EditorView, lines: ProfiledLine[]): void {
  if (view.state.field(bars, false)) view.dispatch({ effects: setBars.of(lines) });
}
