// The editor: one view, and a state for each open text. The texts themselves are in the page's state; the editor follows.

import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, temporarilySetTabFocusMode } from "@codemirror/commands";
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { nextDiagnostic, previousDiagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, Prec, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers, rectangularSelection } from "@codemirror/view";
import { batch, effect, signal } from "@preact/signals";
import { edit, saveOrName } from "../files/documents.ts";
import { toggle } from "../measure/runs.ts";
import { currentFacts, currentRules } from "../reduce.ts";
import { state } from "../service.ts";
import { shareBars, showBars } from "./bars.ts";
import { difference } from "./edits.ts";
import { mend } from "./fixes.ts";
import { INDENT, looks, rulesLanguage } from "./language.ts";
import { marks, showFacts, showMessages } from "./marks.ts";
import { profiledLines } from "./profiling.ts";
import { closeHelp, completion, define, defineAt, format, helpHere, hover, references, rename, wanted } from "./questions.ts";

/** The editor's view, once it is on the page. */
export const editor = signal<EditorView | null>(null);
/** Where the cursor is, for the status line. */
export const cursor = signal({ line: 1, column: 1 });

/** The text comes from the page's state, not from the keyboard. */
const fromState = Annotation.define<boolean>();

const keys = Prec.high(
  keymap.of([
    { key: "Mod-s", run: () => (saveOrName(state.peek().active ?? ""), true) },
    { key: "Mod-Enter", run: () => (toggle(), true) },
    { key: "F12", run: define },
    { key: "Shift-F12", run: references },
    { key: "F2", run: rename },
    { key: "Shift-F1", run: helpHere },
    { key: "Mod-Shift-f", run: format },
    { key: "Alt-Shift-f", run: format },
    { key: "F8", run: nextDiagnostic },
    { key: "Shift-F8", run: previousDiagnostic },
  ]),
);

/** Styles of the editor carry what the page's security policy asks for. */
const nonce = EditorView.cspNonce.of(document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "");

function extensions(path: string, readOnly: boolean): Extension {
  const rules = !path.endsWith(".rhai");
  return [
    nonce,
    keys,
    shareBars,
    lineNumbers(),
    foldGutter({ openText: "⌄", closedText: "›" }),
    codeFolding({ placeholderText: "…" }),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    rectangularSelection(),
    indentUnit.of(INDENT),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    completion,
    highlightSelectionMatches(),
    search({ top: true }),
    rules ? [rulesLanguage, marks, hover] : [marks],
    syntaxHighlighting(looks),
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({ tabindex: "0", "aria-label": `Text of ${path}`, "aria-readonly": String(readOnly) }),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        const at = event.ctrlKey || event.metaKey ? view.posAtCoords({ x: event.clientX, y: event.clientY }) : null;
        if (at === null) return false;
        void defineAt(at);
        return true;
      },
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((one) => one.annotation(fromState))) edit(path, update.state.doc.toString());
      if (update.selectionSet || update.docChanged) tellCursor(update.state);
    }),
    keymap.of([
      { key: "Escape", run: closeHelp },
      // After Escape, Tab leaves the editor instead of indenting.
      { key: "Escape", run: temporarilySetTabFocusMode },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
  ];
}

/** Shows what a part of the state says of the text in the editor, whenever that is another. Returns how to end that. */
function changes<T extends object>(find: () => T | null | undefined, show: (found: T) => void, key: (found: T) => object = (found) => found): () => void {
  let last: [object, string | null] | null = null;
  return effect(() => {
    const [found, active] = [find(), state.value.active];
    if (!found || (last?.[0] === key(found) && last[1] === active)) return;
    last = [key(found), active];
    show(found);
  });
}

function tellCursor(state: EditorState): void {
  const { head } = state.selection.main;
  const line = state.doc.lineAt(head);
  const next = { line: line.number, column: head - line.from + 1 };
  if (next.line !== cursor.peek().line || next.column !== cursor.peek().column) cursor.value = next;
}

/** Makes the editor in an element, and lets it follow the page's state. Returns how to end that. */
export function mountEditor(parent: HTMLElement): () => void {
  const view = new EditorView({ parent, extensions: nonce });
  const states = new Map<string, EditorState>();
  const scrolls = new Map<string, number>();
  let shown: string | null = null;
  editor.value = view;

  const follow = effect(() => {
    const { active, documents } = state.value;
    const doc = active === null ? undefined : documents[active];
    if (active !== shown) {
      if (shown !== null) {
        states.set(shown, view.state);
        scrolls.set(shown, view.scrollDOM.scrollTop);
      }
      shown = active;
      if (doc) {
        view.setState(states.get(doc.path) ?? EditorState.create({ doc: doc.text, extensions: extensions(doc.path, doc.readOnly) }));
        view.scrollDOM.scrollTop = scrolls.get(doc.path) ?? 0;
        tellCursor(view.state);
      }
    }
    for (const path of states.keys()) if (!documents[path]) states.delete(path);
    const change = doc && difference(view.state.doc.toString(), doc.text);
    if (!change) return;
    // What comes from outside is one step of the history.
    view.dispatch({ changes: change, annotations: [fromState.of(true), isolateHistory.of("full")] });
  });

  const underline = changes(
    () => currentRules(state.value, state.value.active)?.messages,
    (messages) => {
      const path = state.peek().active;
      if (path !== null) showMessages(view, messages, (message, fix) => mend(path, message, fix));
    },
  );
  const colour = changes(
    () => currentFacts(state.value, state.value.active),
    (facts) => showFacts(view, facts),
    (facts) => facts.tokens,
  );

  const profile = changes(
    () => profiledLines(state.value.active),
    (lines) => showBars(view, lines),
  );

  const jump = effect(() => {
    const place = wanted.value;
    if (!place || place.path !== state.value.active) return;
    batch(() => {
      const length = view.state.doc.length;
      const [from, to] = [Math.min(place.from, length), Math.min(place.to, length)];
      view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
      wanted.value = null;
    });
  });

  return () => {
    follow();
    underline();
    colour();
    profile();
    jump();
    view.destroy();
    editor.value = null;
  };
}
