// What the service knows of a text, shown in the editor: colours of names, messages, hints, folds.

import { foldService } from "@codemirror/language";
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { Prec, StateEffect, StateField, type EditorState, type Extension, type Range } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";
import type { Message } from "../protocol.ts";
import type { Facts } from "../reduce.ts";

const DEFINES = 1;
const BUILT_IN = 2;

const setFacts = StateEffect.define<Facts>();

const tokens = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    for (const effect of transaction.effects) if (effect.is(setFacts)) return coloured(effect.value, transaction.state);
    return set.map(transaction.changes);
  },
  provide: (field) => Prec.high(EditorView.decorations.from(field)),
});

function coloured(facts: Facts, state: EditorState): DecorationSet {
  const marks: Range<Decoration>[] = [];
  for (const [from, to, kind, flags] of facts.tokens) {
    if (from >= to || to > state.doc.length || kind === "comment") continue;
    const look = `t-${kind}${flags & DEFINES ? " t-defines" : ""}${flags & BUILT_IN ? " t-built-in" : ""}`;
    marks.push(Decoration.mark({ class: look }).range(from, to));
  }
  return Decoration.set(marks, true);
}

class Hint extends WidgetType {
  constructor(readonly text: string) {
    super();
  }
  override eq(other: Hint) {
    return other.text === this.text;
  }
  override toDOM() {
    const span = document.createElement("span");
    span.className = "hint";
    span.textContent = this.text;
    span.setAttribute("aria-hidden", "true");
    return span;
  }
}

const hints = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setFacts)) continue;
      const known = effect.value.hints.filter(({ at }) => at <= transaction.state.doc.length);
      return Decoration.set(
        known.map(({ at, text }) => Decoration.widget({ widget: new Hint(text), side: 1 }).range(at)),
        true,
      );
    }
    return set.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Folds by their first line: where they begin and end. They move with the text until the service answers. */
const folds = StateField.define<readonly [number, number][]>({
  create: () => [],
  update(list, transaction) {
    for (const effect of transaction.effects) if (effect.is(setFacts)) return effect.value.folds;
    if (!transaction.docChanged) return list;
    return list.map(([from, to]) => [transaction.changes.mapPos(from, 1), transaction.changes.mapPos(to, -1)] as [number, number]);
  },
});

const folding = foldService.of((state, start, end) => {
  const fold = state.field(folds).find(([from, to]) => from >= start && from <= end && to > end && to <= state.doc.length);
  return fold ? { from: fold[0], to: fold[1] } : null;
});

export const marks: Extension = [tokens, hints, folds, folding];

/** Shows colours, hints and folds of the text as it is now. */
export function showFacts(view: EditorView, facts: Facts): void {
  view.dispatch({ effects: setFacts.of(facts) });
}

/** What is underlined in a view, to leave it alone where it is the same: a tooltip with a fix would close. */
const underlined = new WeakMap<EditorView, { state: EditorState["doc"]; text: string }>();

/** Underlines the messages of the text as it is now. `apply` takes a message, and the title of one of its fixes. */
export function showMessages(view: EditorView, messages: Message[], apply: (message: Message, fix: string) => void): void {
  const text = JSON.stringify(messages.map((message) => ({ ...message, fixes: message.fixes?.map((fix) => fix.title) })));
  const before = underlined.get(view);
  if (before?.state === view.state.doc && before.text === text) return;
  underlined.set(view, { state: view.state.doc, text });
  const length = view.state.doc.length;
  const inside = (at: number) => Math.min(Math.max(0, at), length);
  const found = messages.map((message): Diagnostic => {
    const from = inside(message.from);
    return {
      from,
      to: Math.max(from, inside(message.to)),
      severity: message.severity,
      message: sentence(message),
      ...(message.code ? { source: message.code } : {}),
      actions: (message.fixes ?? []).map((fix) => ({ name: fix.title, apply: () => apply(message, fix.title) })),
    };
  });
  view.dispatch(setDiagnostics(view.state, found));
}

/** A message in short: its sentence, what stands at the place, and help. */
export function sentence(message: Message): string {
  return [message.message, message.help].filter(Boolean).join("\n");
}
