// The life of a connection: hello, what was open before, and the same again after the connection was lost.

import { computed, effect } from "@preact/signals";
import { draftPathOf, draftPaths, keepDesk, keptDesk } from "./drafts.ts";
import { openPath, restoreDraft, sendAllTexts } from "./files/documents.ts";
import { filesShown } from "./files/files.tsx";
import { firstLook } from "./page/first.ts";
import { forget, heard, mention, part, say, state, store, update, use } from "./service.ts";
import { resumeTable } from "./table/play.ts";
import { connect, takeToken } from "./transport.ts";

const folder = part((state) => state.folder);

export function begin(): void {
  let token = takeToken();
  const transport = connect({
    opened() {
      if (token) say({ ask: "hello", token });
      else update((state) => ({ ...state, connection: "refused" }));
    },
    heard(tell) {
      if (tell.tell === "wrong" && state.peek().connection !== "ready") {
        update((state) => ({ ...state, connection: "refused" }));
        return;
      }
      heard(tell);
      if (tell.tell === "welcome") void welcomed();
    },
    lost() {
      forget();
      update((state) => (state.connection === "refused" ? state : { ...state, connection: "reconnecting", ...stopped(state) }));
    },
  });
  use(transport);
  // The address of a server that was started again differs only in its token, so the browser doesn't load the page.
  window.addEventListener("hashchange", () => {
    token = takeToken();
    transport.again();
  });
  window.addEventListener("storage", ({ key, newValue }) => {
    const path = key && newValue && folder.peek() !== null ? draftPathOf(key, folder.peek()!) : null;
    if (path && state.peek().documents[path]) mention(`Another page is changing ${path} too. Each page keeps its own text until one saves.`);
  });
  effect(() => {
    const kept = desk.value;
    if (folder.peek() !== null && kept.open.length) keepDesk(store, folder.peek()!, kept);
  });
}

const open = part((state) => state.open);
const active = part((state) => state.active);
const sets = part((state) => state.sets);
const desk = computed(() => ({ open: open.value, active: active.value, sets: sets.value }));

/** A run doesn't outlive its connection. */
function stopped({ measurement, profile, report, training }: typeof state.value) {
  return {
    measurement: measurement && measurement.phase !== "measured" ? { ...measurement, phase: "stopped" as const } : measurement,
    training: training && training.phase === "running" ? { ...training, phase: "stopped" as const } : training,
    profile: profile && profile.phase === "running" ? { ...profile, phase: "stopped" as const } : profile,
    report: report && report.phase === "running" ? { ...report, phase: "stopped" as const } : report,
  };
}

let visits = 0;

async function welcomed(): Promise<void> {
  const { folder, start, first, open, games, files } = state.peek();
  if (folder === null || start === null) return;
  if (visits++ > 0) {
    await Promise.all(open.map((path) => openPath(path, { again: true })));
    sendAllTexts();
    resumeTable();
    return;
  }
  const desk = keptDesk(store, folder);
  const known = new Set([...games, ...files].map((file) => file.path));
  const drafts = draftPaths(store, folder);
  for (const path of drafts) if (!known.has(path)) restoreDraft(path);
  update((state) => ({ ...state, sets: desk?.sets ?? {} }));
  const wanted = [...new Set([...(desk?.open ?? []), ...drafts])].filter((path) => known.has(path) || drafts.includes(path));
  if (first && !wanted.length) {
    await firstLook(start);
    return;
  }
  // The file that the command named comes to the front; a bundled game that it chose itself does so only on an empty desk.
  const front = first && desk?.active && wanted.includes(desk.active) ? desk.active : start;
  const paths = first ? wanted : [...new Set([...wanted, start])];
  const opened = await Promise.all(paths.map((path) => openPath(path)));
  if (!opened.some(Boolean)) filesShown.value = true;
  update((state) => ({ ...state, open: paths.filter((path) => state.documents[path]), active: state.documents[front] ? front : (paths[0] ?? null) }));
  sendAllTexts();
  resumeTable();
}
