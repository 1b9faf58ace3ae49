// The name of a text that is saved for the first time.

import { useSignal } from "@preact/signals";
import { Dialog } from "../page/parts.tsx";
import { state } from "../service.ts";
import { followMove } from "../table/play.ts";
import { move, naming, save } from "./documents.ts";

export function Naming() {
  return naming.value === null ? null : <Name key={naming.value} path={naming.value} />;
}

function Name({ path }: { path: string }) {
  const name = useSignal(path);
  const { files, documents } = state.value;
  const wanted = name.value.trim().replace(/^(.*[^/.])$/, (name) => (/\.(rules|rhai)$/.test(name) ? name : `${name}.rules`));
  const taken = wanted !== path && (wanted in documents || files.some((file) => file.path === wanted));
  const close = () => (naming.value = null);
  const send = (event: Event) => {
    event.preventDefault();
    if (!wanted || taken) return;
    move(path, wanted);
    followMove(path, wanted);
    close();
    void save(wanted);
  };
  return (
    <Dialog title="Save as a new file" close={close}>
      <form class="form" onSubmit={send}>
        <label>
          Name of the file in {state.value.folder}
          <input autofocus value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} spellcheck={false} autocomplete="off" />
        </label>
        {taken && (
          <p class="wrong" role="alert">
            There is a file with this name already.
          </p>
        )}
        <button type="submit" class="button primary" disabled={!wanted || taken}>
          Save
        </button>
      </form>
    </Dialog>
  );
}
