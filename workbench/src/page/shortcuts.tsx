// The keys of the page. Each has a button too; `?` lists them.

import { signal } from "@preact/signals";
import { editor } from "../editor/view.ts";
import { panel } from "../editor/pane.tsx";
import { filesShown } from "../files/files.tsx";
import { toggle } from "../measure/runs.ts";
import { saveOrName } from "../files/documents.ts";
import { state } from "../service.ts";
import { focusBoard } from "../table/board.tsx";
import { chooseOption, go, otherDice, position, random, step, takeScreen, unpick, waitsForOthers } from "../table/play.ts";
import { newGameAsked } from "../table/table.tsx";
import { Dialog } from "./parts.tsx";
import { nextPane, toggleWhole, whole } from "./panes.ts";

export const helpShown = signal(false);

const LISTS: [string, [string, string][]][] = [
  [
    "Everywhere",
    [
      ["Ctrl-S", "save the text"],
      ["Ctrl-O", "files"],
      ["Ctrl-Enter", "measure, or stop it"],
      ["F6, Shift-F6", "next pane, pane before"],
      ["?", "these keys"],
    ],
  ],
  [
    "In the editor",
    [
      ["Ctrl-Space", "complete the word"],
      ["F8, Shift-F8", "next message, message before"],
      ["Ctrl-.", "to the fixes of a message"],
      ["F12, Shift-F12", "definition, uses of a name"],
      ["F2", "rename in all files"],
      ["Shift-F1", "help about the word"],
      ["Ctrl-Shift-F", "standard layout"],
      ["Ctrl-F", "search and replace"],
      ["Ctrl-Z, Ctrl-Y", "undo, redo"],
      ["Escape, then Tab", "leave the editor"],
    ],
  ],
  [
    "At the table",
    [
      ["arrow keys", "from place to place on the board"],
      ["L", "next place with a move"],
      ["Enter", "choose the place; take the screen"],
      ["1 to 9", "choose an option"],
      ["Escape", "forget what was chosen"],
      ["M", "type a move"],
      ["U, R", "undo, redo"],
      ["[ and ]", "a decision back, a decision on"],
      ["Home, End", "beginning, end of the line"],
      ["D", "other dice"],
      ["G", "a random move"],
      ["Space", "one decision of an agent"],
      ["N", "new game"],
      ["F", "the table alone, and back"],
    ],
  ],
];

export function Shortcuts() {
  if (!helpShown.value) return null;
  return (
    <Dialog title="Keys" close={() => (helpShown.value = false)}>
      <div class="shortcuts">
        {LISTS.map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, words]) => (
                <div key={key}>
                  <dt>{key}</dt>
                  <dd>{words}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="quiet">On a Mac, Cmd in place of Ctrl. Keys of the table work while the focus is in its pane.</p>
    </Dialog>
  );
}

/** Listens to the keys of the whole page. */
export function listen(): void {
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (everywhere(event) || atTable(event)) event.preventDefault();
  });
}

function everywhere(event: KeyboardEvent): boolean {
  const ctrl = event.ctrlKey || event.metaKey;
  if (ctrl && !event.altKey && !event.shiftKey) {
    switch (event.key) {
      case "s":
        saveOrName(state.peek().active ?? "");
        return true;
      case "o":
        filesShown.value = true;
        return true;
      case "Enter":
        whole.value = null;
        toggle();
        return true;
      case ".":
        return toFixes();
    }
  }
  if (event.key === "F6") {
    nextPane(event.shiftKey ? -1 : 1);
    return true;
  }
  if (event.key === "?" && !isTyping(event)) {
    helpShown.value = true;
    return true;
  }
  return false;
}

function atTable(event: KeyboardEvent): boolean {
  const shown = position.peek();
  const inside = (event.target as Element).closest?.('[data-pane="table"]') || event.target === document.body;
  if (!shown || !inside || isTyping(event) || event.ctrlKey || event.altKey || event.metaKey) return false;
  const { line, decision, of } = shown;
  const onButton = (event.target as Element).closest?.("button, select, [role=tab]");
  const number = /^[1-9]$/.test(event.key) ? Number(event.key) : null;
  if (number !== null) {
    const offered = shown.choices?.options.map((option, index) => ({ option, index })).filter(({ option }) => option.moves > 0) ?? [];
    const chosen = offered[number - 1];
    if (chosen) chooseOption(chosen.index);
    return Boolean(chosen);
  }
  const back = () => decision > 0 && go(line, decision - 1);
  const on = () => decision < of && go(line, decision + 1);
  const actions: Record<string, () => unknown> = {
    u: () => go(line, "undo"),
    r: () => go(line, "redo"),
    "[": back,
    "]": on,
    Home: () => go(line, 0),
    End: () => go(line, of),
    d: otherDice,
    g: random,
    n: () => (newGameAsked.value = true),
    f: () => toggleWhole("table"),
    m: () => document.querySelector<HTMLElement>('[data-key="move"]')?.focus(),
    b: focusBoard,
    l: focusBoard,
    Escape: unpick,
    ...(onButton ? {} : { " ": () => waitsForOthers(shown) && step(true), Enter: () => shown.hand_over && takeScreen() }),
  };
  const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return false;
  action();
  return true;
}

/** Frames for which fixes are waited for: the service finds them after their messages. */
const FIXES_WAIT = 60;

/** Puts the focus on the first fix of the message at the cursor, or of any message. Until there is one, on a message. */
function toFixes(): boolean {
  whole.value = null;
  panel.value = "messages";
  let waiting: HTMLElement | null = null;
  const look = (frames: number) => {
    if (waiting && document.activeElement !== waiting) return;
    const { active, rules } = state.peek();
    const messages = (active && rules[active]?.messages) || [];
    const at = editor.peek()?.state.selection.main.head ?? 0;
    const near = messages.findIndex((message) => message.from <= at && at <= message.to && message.fixes?.length);
    const items = document.querySelectorAll(".messages > li");
    const fix = (near >= 0 ? items[near] : document)?.querySelector<HTMLElement>(".messages .fix, .fix");
    waiting = fix ?? document.querySelector<HTMLElement>(".messages .link");
    waiting?.focus();
    if (!fix && frames > 0) requestAnimationFrame(() => look(frames - 1));
  };
  requestAnimationFrame(() => look(FIXES_WAIT));
  return true;
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (target.isContentEditable || target.tagName === "TEXTAREA") return true;
  return target.tagName === "INPUT" && !["range", "checkbox"].includes((target as HTMLInputElement).type);
}
