// The outline of the text, the uses of a name, and what the house rule changes: lists below the editor.

import { useSignal, useSignalEffect } from "@preact/signals";
import type { DiffLine, OutlineEntry, TellOf } from "../protocol.ts";
import { currentRules, entry, stampOf } from "../reduce.ts";
import { ask, part, state } from "../service.ts";
import { cursor } from "./view.ts";
import { lineOf, shownRules } from "./messages.tsx";
import { goTo, uses } from "./questions.ts";

export function Outline() {
  const [rules, path] = [shownRules.value, state.value.active];
  if (!rules?.facts || !path) return null;
  if (!rules.outline.length) return <p class="empty">Nothing is declared.</p>;
  return (
    <nav class="outline" aria-label="Outline">
      <Entries entries={rules.outline} path={path} text={state.value.documents[path]?.text ?? ""} />
    </nav>
  );
}

function Entries({ entries, path, text }: { entries: OutlineEntry[]; path: string; text: string }) {
  const line = cursor.value.line;
  return (
    <ul>
      {entries.map((entry, at) => {
        const here = lineOf(text, entry.from) <= line && line <= lineOf(text, entry.to);
        return (
          <li key={at}>
            <button
              type="button"
              class="bare"
              aria-current={here && !entry.children?.length ? "location" : undefined}
              onClick={() => void goTo({ path, from: entry.name_from, to: entry.name_to })}
            >
              <span class="kind">{entry.kind}</span> <b>{entry.name}</b> <span class="quiet">{entry.detail}</span>
            </button>
            {entry.children?.length ? <Entries entries={entry.children} path={path} text={text} /> : null}
          </li>
        );
      })}
    </ul>
  );
}

export function Uses() {
  const found = uses.value;
  if (!found) return <p class="empty">Put the cursor on a name and press Shift-F12 to see where it is used.</p>;
  return (
    <ul class="messages" aria-label={`Uses of ${found.word}`}>
      {found.places.map((place, at) => {
        const text = state.value.documents[place.path]?.text;
        const line = text === undefined ? "" : `line ${lineOf(text, place.from)}: ${lineText(text, place.from)}`;
        return (
          <li key={at}>
            <button type="button" class="link" onClick={() => void goTo(place)}>
              {place.path}
            </button>{" "}
            <code>{line}</code>
          </li>
        );
      })}
    </ul>
  );
}

function lineText(text: string, at: number): string {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const end = text.indexOf("\n", at);
  return text.slice(start, end < 0 ? undefined : end).trim();
}

/** Identifies what is compared; another value asks again. */
const compared = part((state) =>
  state.active && state.connection === "ready" && currentRules(state, state.active) ? stampOf(state, state.active) : null,
);

/** What a house rule changes: in words, and its rules beside those of its base. It follows each edit. */
export function Changes() {
  const told = useSignal<TellOf<"differences"> | null>(null);
  const wrong = useSignal<string | null>(null);
  useSignalEffect(() => {
    if (!compared.value) return;
    const { active, sets } = state.peek();
    const set = sets[active!] ?? {};
    let stale = false;
    ask({ ask: "diff", path: active!, set }, "differences").then(
      (answer) => {
        if (stale) return;
        told.value = answer;
        wrong.value = null;
      },
      (error: Error) => {
        if (!stale) wrong.value = error.message;
      },
    );
    return () => (stale = true);
  });
  if (wrong.value) return <p class="empty">{wrong.value}</p>;
  if (!told.value) return <p class="empty">Comparing.</p>;
  const { changes, lines } = told.value;
  const of = told.value.of && (entry(state.value, told.value.of)?.title ?? told.value.of);
  if (!changes.length && !lines.some((line) => line.kind === "added" || line.kind === "removed")) {
    return <p class="empty">{of ? `Nothing is different from ${of} yet.` : "This file changes no other game."}</p>;
  }
  return (
    <div class="changes">
      {of && <p class="quiet">Compared with {of}</p>}
      <ul class="sentences">
        {changes.map((change, at) => (
          <li key={at}>{change}</li>
        ))}
      </ul>
      <DiffLines lines={lines} />
    </div>
  );
}

const SIGNS = { same: " ", added: "+", removed: "−", gap: "⋯" };
const WORDS = { same: "", added: "added: ", removed: "removed: ", gap: "" };

export function DiffLines({ lines }: { lines: DiffLine[] }) {
  return (
    <div class="diff" role="group" aria-label="Lines that differ" tabIndex={0}>
      {lines.map((line, at) => (
        <div key={at} class={line.kind}>
          <span aria-hidden="true">{SIGNS[line.kind]}</span>
          <span class="hidden">{WORDS[line.kind]}</span>
          <code>{line.text}</code>
        </div>
      ))}
    </div>
  );
}
