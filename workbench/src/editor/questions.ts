// What the editor asks about a place of the text: completion, help, definitions, uses, new names, layout.

import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { signal } from "@preact/signals";
import { activateHover, closeHoverTooltips, hasHoverTooltips, hoverTooltip, type Command, type EditorView } from "@codemirror/view";
import { applyEdits, sendText, show, tryEdits } from "../files/documents.ts";
import type { TextPlace } from "../protocol.ts";
import { ask, complain, Lost, mention, state, tryAsk } from "../service.ts";

/** Where the uses of a name are, for the list below the editor. */
export const uses = signal<{ word: string; places: TextPlace[] } | null>(null);
/** The name for which a new one is asked. */
export const renaming = signal<{ path: string; version: number | undefined; at: number; word: string } | null>(null);

/** The path of the text that is shown. All that is written of it is sent first, since questions name places in it. */
function path(): string {
  const path = state.peek().active ?? "";
  sendText(path, { now: true });
  return path;
}

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[@A-Za-z]\w*/);
  if (!word && !context.explicit) return null;
  const told = await ask({ ask: "complete", path: path(), at: context.pos }, "completions").catch((error: Error) => error);
  // A newer text has taken the question's place: it is asked again. After `null` the editor wouldn't.
  if (told instanceof Lost) return { from: context.pos, options: [] };
  if (told instanceof Error || context.aborted) return null;
  const first = told.items[0];
  if (!first) return null;
  // The word that is being typed is no proposal.
  const others = told.items.filter((item) => item.word !== word?.text);
  const options = others.map(
    (item): Completion => ({ label: item.word, type: item.kind, ...(item.detail ? { detail: item.detail } : {}), ...(item.help ? { info: item.help } : {}) }),
  );
  return { from: first.from, to: first.to, options, validFor: /^@?\w*$/ };
}

export const completion = autocompletion({ override: [complete], activateOnTypingDelay: 60, icons: false });

export const hover = hoverTooltip(
  async (_view, at) => {
    const told = await ask({ ask: "hover", path: path(), at }, "hovered").catch(() => null);
    if (typeof told?.from !== "number" || (!told.code && !told.help)) return null;
    const { from, to, code, help } = told;
    return {
      pos: from,
      ...(typeof to === "number" ? { end: to } : {}),
      above: true,
      create() {
        const dom = document.createElement("div");
        dom.className = "help";
        for (const [tag, text] of [
          ["code", code],
          ["p", help],
        ] as const) {
          if (!text) continue;
          const part = dom.appendChild(document.createElement(tag));
          part.textContent = text;
        }
        return { dom };
      },
    };
  },
  { hoverTime: 350, hideOnChange: true },
);

/** Shows the help of the word at the cursor, as the pointer does. */
export const helpHere: Command = (view) => {
  activateHover(view, view.state.selection.main.head, 1, { tooltip: hover, until: (change) => change.docChanged || Boolean(change.selection) });
  return true;
};

export const closeHelp: Command = (view) => {
  if (!hasHoverTooltips(view.state)) return false;
  view.dispatch({ effects: closeHoverTooltips });
  return true;
};

export const define: Command = (view) => {
  void defineAt(view.state.selection.main.head);
  return true;
};

export async function defineAt(at: number): Promise<void> {
  const told = await tryAsk({ ask: "define", path: path(), at }, "places");
  const [place] = told?.places ?? [];
  if (place) await goTo(place);
  else if (told) mention("This word has no definition in the rules.");
}

export const references: Command = (view) => {
  const at = view.state.selection.main.head;
  void tryAsk({ ask: "references", path: path(), at }, "places").then((told) => {
    if (told) uses.value = { word: wordAt(view, at), places: told.places };
  });
  return true;
};

export const rename: Command = (view) => {
  const at = view.state.selection.main.head;
  const word = wordAt(view, at);
  if (!word) complain("Put the cursor on a name, then rename it.");
  else if (view.state.readOnly) complain("This file is read-only.");
  else {
    const asked = path();
    renaming.value = { path: asked, version: state.peek().documents[asked]?.version, at, word };
  }
  return true;
};

/** Renames everywhere. Returns what is wrong with the new name, or `null`. */
export async function renameTo(name: string): Promise<string | null> {
  const asked = renaming.peek();
  if (!asked) return null;
  try {
    // The service may know other texts of some files than the page, such as unsaved ones: then it is asked about these.
    for (let asks = 0; asks < 2; asks++) {
      if (state.peek().documents[asked.path]?.version !== asked.version) break;
      const told = await ask({ ask: "rename", path: asked.path, at: asked.at, new: name }, "edits");
      if (!(await tryEdits(told.edits))) continue;
      renaming.value = null;
      return null;
    }
    return "The text has changed since. Nothing was edited.";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export const format: Command = (view) => {
  if (view.state.readOnly) complain("This file is read-only.");
  else void tryAsk({ ask: "format", path: path() }, "edits").then((told) => told && applyEdits(told.edits));
  return true;
};

/** A place that the editor should show as soon as it shows the file. */
export const wanted = signal<TextPlace | null>(null);

export async function goTo(place: TextPlace): Promise<void> {
  if (await show(place.path)) wanted.value = { ...place };
}

function wordAt(view: EditorView, at: number): string {
  const range = view.state.wordAt(at);
  return range ? view.state.sliceDoc(range.from, range.to) : "";
}
