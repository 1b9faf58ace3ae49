// The pane of the rules: tabs of open texts, the editor, and below it messages, params, outline and changes.

import { effect, signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { isDirty } from "../documents.ts";
import { answer, close, entryOf, houseRule, saveOrName } from "../files/documents.ts";
import { filesShown } from "../files/files.tsx";
import { hinted } from "../page/first.ts";
import { Button, Dialog, Icon, Tabs } from "../page/parts.tsx";
import { state, update } from "../service.ts";
import { Actions } from "./actions.tsx";
import { lineDiff } from "./edits.ts";
import { Messages, shownRules } from "./messages.tsx";
import { Changes, DiffLines, Outline, Uses } from "./outline.tsx";
import { Params } from "./params.tsx";
import { Profile } from "./profile.tsx";
import { pressed, profileIsOld } from "./profiling.ts";
import { renameTo, renaming, uses } from "./questions.ts";
import { cursor, editor, mountEditor } from "./view.ts";

export type Panel = "params" | "messages" | "changes" | "outline" | "profile" | "uses";
export const panel = signal<Panel>("params");
effect(() => {
  if (uses.value) panel.value = "uses";
});
effect(() => {
  if (pressed.value) panel.value = "profile";
});

export function EditorPane() {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => mountEditor(host.current!), []);
  const { active, documents } = state.value;
  const doc = active === null ? undefined : documents[active];
  return (
    <section class="pane editor" aria-label="Rules" data-pane="editor">
      <header class="bar">
        <h2 class="hidden">Rules</h2>
        <Button onClick={() => (filesShown.value = true)} keys="Ctrl-O" title="Files and bundled games">
          Files
        </Button>
        <OpenTabs />
        <span class="grow" />
        {doc?.readOnly && entryOf(doc.path).kind !== "script" && (
          <Button class="primary" onClick={() => void houseRule(doc.path, `My ${shownRules.value?.title ?? "house rule"}`)}>
            Make a house rule of it
          </Button>
        )}
        {doc && !doc.readOnly && (
          <Button onClick={() => saveOrName(doc.path)} disabled={!isDirty(doc)} keys="Ctrl-S" class={isDirty(doc) ? "primary" : ""}>
            Save
          </Button>
        )}
      </header>
      <ConflictBar />
      <FirstHint />
      <div ref={host} class={`text ${profileIsOld.value ? "old-bars" : ""}`} hidden={!doc} />
      {!doc && <p class="empty">No file is open.</p>}
      <StatusLine />
      <Below />
      {renaming.value && <Rename />}
    </section>
  );
}

function OpenTabs() {
  const { open, active, documents } = state.value;
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => host.current?.querySelector(".active")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [active, open.length]);
  return (
    <div ref={host} class="open-tabs">
      {open.map((path) => {
        const doc = documents[path];
        if (!doc) return null;
        const [name, dirty] = [path.replace(/^.*\//, ""), isDirty(doc)];
        return (
          <span key={path} class={`open-tab ${path === active ? "active" : ""}`}>
            <button type="button" class="bare" aria-current={path === active} title={path} onClick={() => update((state) => ({ ...state, active: path }))}>
              {name}
              {doc.readOnly && <span class="quiet"> read-only</span>}
              {dirty && (
                <span class="dirty" title="Not saved">
                  <span class="hidden"> not saved</span>
                </span>
              )}
            </button>
            <button type="button" class="bare" aria-label={`Close ${name}`} onClick={() => close(path)}>
              <Icon name="close" />
            </button>
          </span>
        );
      })}
    </div>
  );
}

/** Two texts of one file: here and on disk. */
function ConflictBar() {
  const both = useSignal(false);
  const { active, documents } = state.value;
  const doc = active === null ? undefined : documents[active];
  if (!doc?.theirs) return null;
  const theirs = doc.theirs.text;
  return (
    <div class="conflict" role="alert">
      <p>
        {theirs === null
          ? "The file is gone from the folder, and this text has changes that are not saved."
          : "The file has changed on disk, and this text has changes that are not saved."}
      </p>
      <div class="row">
        <Button class="primary" onClick={() => answer(doc.path, "mine")}>
          Keep mine
        </Button>
        {theirs === null ? (
          <Button onClick={() => close(doc.path)}>Close it</Button>
        ) : (
          <>
            <Button onClick={() => answer(doc.path, "theirs")}>Take the file's</Button>
            <Button onClick={() => (both.value = !both.value)} pressed={both.value}>
              Show both
            </Button>
          </>
        )}
      </div>
      {both.value && theirs !== null && (
        <>
          <p class="quiet">Lines with − are only in the file, lines with + only here.</p>
          <DiffLines lines={lineDiff(theirs, doc.text)} />
        </>
      )}
    </div>
  );
}

/** On a first visit: what to do, and what will be seen. */
function FirstHint() {
  const path = hinted.value;
  if (!path || state.value.active !== path) return null;
  return (
    <div class="first-hint" role="note">
      <p>
        <b>Change a number</b> in these rules, or move a slider below. The board follows at once, and <b>Measure</b> plays thousands of
        games to show what the change does.
      </p>
      <button type="button" class="bare" aria-label="Hide this hint" onClick={() => (hinted.value = null)}>
        <Icon name="close" />
      </button>
    </div>
  );
}

function StatusLine() {
  const rules = shownRules.value;
  const errors = rules?.messages.filter((message) => message.severity === "error").length ?? 0;
  const warnings = (rules?.messages.length ?? 0) - errors;
  const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;
  const words = errors ? plural(errors, "error") : warnings ? plural(warnings, "warning") : rules ? "No messages" : "";
  return (
    <div class="status-line">
      <button type="button" class={`bare ${errors ? "error" : warnings ? "warning" : ""}`} onClick={() => (panel.value = "messages")} aria-live="polite">
        {words}
      </button>
      <span class="first-message">{rules?.messages[0]?.message}</span>
      <span class="grow" />
      <Actions />
      <span class="quiet number">
        {cursor.value.line}:{cursor.value.column}
      </span>
    </div>
  );
}

function Below() {
  const rules = shownRules.value;
  const isVariant = Boolean(rules?.of);
  const alarm = rules?.messages.some((message) => message.severity === "error") ?? false;
  return (
    <div class="below">
      <Tabs<Panel>
        label="About the rules"
        chosen={panel.value}
        choose={(name) => (panel.value = name)}
        tabs={[
          { name: "params", title: "Params" },
          { name: "messages", title: "Messages", count: rules?.messages.length ?? 0, alarm },
          { name: "changes", title: isVariant ? "What it changes" : "Changes" },
          { name: "outline", title: "Outline" },
          { name: "profile", title: "Profile" },
          ...(uses.value ? [{ name: "uses" as const, title: "Uses" }] : []),
        ]}
      />
      <div class="tab-body" role="tabpanel">
        {panel.value === "params" && <Params />}
        {panel.value === "messages" && <Messages />}
        {panel.value === "changes" && <Changes />}
        {panel.value === "outline" && <Outline />}
        {panel.value === "profile" && <Profile />}
        {panel.value === "uses" && <Uses />}
      </div>
    </div>
  );
}

function Rename() {
  const asked = renaming.value!;
  const name = useSignal(asked.word);
  const wrong = useSignal<string | null>(null);
  const send = async (event: Event) => {
    event.preventDefault();
    wrong.value = await renameTo(name.value.trim());
    if (wrong.value === null) editor.peek()?.focus();
  };
  return (
    <Dialog title={`Rename ${asked.word}`} close={() => (renaming.value = null)}>
      <form class="form" onSubmit={(event) => void send(event)}>
        <label>
          New name
          <input autofocus value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} spellcheck={false} autocomplete="off" />
        </label>
        {wrong.value && (
          <p class="wrong" role="alert">
            {wrong.value}
          </p>
        )}
        <button type="submit" class="button primary">
          Rename in all files
        </button>
      </form>
    </Dialog>
  );
}
