// A menu of what keys do in the editor, for those who don't know the keys or have none.

import { startCompletion } from "@codemirror/autocomplete";
import { redo, undo } from "@codemirror/commands";
import { nextDiagnostic } from "@codemirror/lint";
import { openSearchPanel } from "@codemirror/search";
import type { Command } from "@codemirror/view";
import { define, format, helpHere, references, rename } from "./questions.ts";
import { editor } from "./view.ts";

const ACTIONS: [string, string, Command][] = [
  ["Complete the word", "Ctrl-Space", startCompletion],
  ["Help about the word", "Shift-F1", helpHere],
  ["Definition", "F12", define],
  ["Uses", "Shift-F12", references],
  ["Rename", "F2", rename],
  ["Next message", "F8", nextDiagnostic],
  ["Standard layout", "Ctrl-Shift-F", format],
  ["Search and replace", "Ctrl-F", openSearchPanel],
  ["Undo", "Ctrl-Z", undo],
  ["Redo", "Ctrl-Y", redo],
];

export function Actions() {
  const choose = (event: Event) => {
    const select = event.currentTarget as HTMLSelectElement;
    const action = ACTIONS[Number(select.value)];
    select.value = "";
    const view = editor.peek();
    if (!action || !view) return;
    view.focus();
    action[2](view);
  };
  return (
    <select class="actions" aria-label="Actions of the editor" value="" onChange={choose}>
      <option value="" hidden>
        Edit
      </option>
      {ACTIONS.map(([title, keys], at) => (
        <option key={title} value={at}>
          {title} ({keys})
        </option>
      ))}
    </select>
  );
}
