// The files of the folder and the bundled games, to open one or to begin a house rule.

import { signal, useSignal } from "@preact/signals";
import type { FileEntry } from "../protocol.ts";
import { Button, Dialog } from "../page/parts.tsx";
import { state } from "../service.ts";
import { houseRule, show, showNew } from "./documents.ts";

export const filesShown = signal(false);

const BUNDLED_FIRST = 60;

export function Files() {
  return filesShown.value ? <Shown /> : null;
}

/** How well a file fits some words: 0 for its whole name or title, 3 for words within others. */
function rank(file: FileEntry, words: string): number {
  const names = [file.path.replace(/^.*\//, "").replace(/\.\w+$/, ""), file.title].map((name) => name.toLowerCase());
  if (names.includes(words)) return 0;
  if (names.some((name) => name.startsWith(words))) return 1;
  return names.some((name) => name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(words))) ? 2 : 3;
}

function Shown() {
  const wanted = useSignal("");
  const { files, games, documents, folder } = state.value;
  const unsaved = Object.values(documents)
    .filter((doc) => doc.hash === null && !files.some((file) => file.path === doc.path))
    .map((doc): FileEntry => ({ path: doc.path, title: state.value.rules[doc.path]?.title ?? doc.path, kind: "variant" }));
  const words = wanted.value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (file: FileEntry) => {
    const text = `${file.path} ${file.title} ${file.family ?? ""} ${file.of ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const close = () => (filesShown.value = false);
  const found = [...unsaved, ...files, ...games].filter(fits);
  const first = words.length ? found.sort((one, other) => rank(one, words.join(" ")) - rank(other, words.join(" ")))[0] : found[0];
  const openFirst = (event: Event) => {
    event.preventDefault();
    if (first) void show(first.path).then((shown) => shown && close());
  };
  return (
    <Dialog title="Files" close={close}>
      <form onSubmit={openFirst}>
        <input
          type="search"
          autofocus
          class="search"
          placeholder="Search by name, title or family"
          aria-label="Search files"
          value={wanted.value}
          onInput={(event) => (wanted.value = event.currentTarget.value)}
        />
      </form>
      <NewFile close={close} />
      <Group title={folder ?? "This folder"} files={[...unsaved, ...files].filter(fits)} close={close} empty={words.length ? "No file here has this name." : "No rule file in this folder yet."} entered={words.length ? first : undefined} />
      <Group title="Bundled with houserule" files={games.filter(fits)} close={close} empty="No bundled game has this name." limit={words.length ? Infinity : BUNDLED_FIRST} entered={words.length ? first : undefined} />
    </Dialog>
  );
}

interface GroupProps {
  title: string;
  files: FileEntry[];
  close: () => void;
  empty: string;
  limit?: number;
  /** The file that Enter opens. */
  entered?: FileEntry | undefined;
}

function Group({ title, files, close, empty, limit = Infinity, entered }: GroupProps) {
  const families = [...new Set(files.map((file) => file.family ?? ""))];
  const shown = files.slice(0, limit);
  return (
    <section class="file-group" aria-label={title}>
      <h3>{title}</h3>
      {!files.length && <p class="empty">{empty}</p>}
      {families.map((family) => {
        const some = shown.filter((file) => (file.family ?? "") === family);
        if (!some.length) return null;
        return (
          <div key={family}>
            {family && <h4>{family}</h4>}
            <ul>
              {some.map((file) => (
                <One key={file.path} file={file} close={close} entered={file === entered} />
              ))}
            </ul>
          </div>
        );
      })}
      {files.length > limit && <p class="quiet">{files.length - limit} more: search for them.</p>}
    </section>
  );
}

function One({ file, close, entered }: { file: FileEntry; close: () => void; entered: boolean }) {
  const open = () => void show(file.path).then((shown) => shown && close());
  return (
    <li class={entered ? "entered" : undefined}>
      <button type="button" class="bare file" onClick={open}>
        <b>{file.title}</b> <span class="quiet">{file.path}</span>
        {file.kind === "broken" && <span class="badge">has errors</span>}
        {file.kind === "script" && <span class="quiet"> script</span>}
        {entered && <span class="quiet"> · Enter</span>}
        {file.of && <span class="quiet"> of {file.of.replace(/^bundled\//, "")}</span>}
      </button>
      {(file.kind === "game" || file.kind === "variant") && (
        <Button class="small" onClick={() => void houseRule(file.path, `My ${file.title}`).then((made) => made && close())}>
          House rule
        </Button>
      )}
    </li>
  );
}

function NewFile({ close }: { close: () => void }) {
  const name = useSignal("");
  const create = (event: Event) => {
    event.preventDefault();
    const path = name.value.trim();
    if (!path) return;
    showNew(/\.(rules|rhai)$/.test(path) ? path : `${path}.rules`, "");
    close();
  };
  return (
    <form class="new-file row" onSubmit={create}>
      <input value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} placeholder="name of a new file" aria-label="Name of a new file" spellcheck={false} />
      <button type="submit" class="button" disabled={!name.value.trim()}>
        New empty file
      </button>
    </form>
  );
}
