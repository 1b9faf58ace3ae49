// The params of the rules, beside their text: a slider or a field for each. A param of this file changes the text; one of
// another file is set for the table and the measurement, until a house rule keeps it.

import { effect, signal } from "@preact/signals";
import { edit, houseRule } from "../files/documents.ts";
import type { Param, ParamSet } from "../protocol.ts";
import { currentFacts } from "../reduce.ts";
import { Button, Field } from "../page/parts.tsx";
import { state, update } from "../service.ts";
import { followSet } from "../table/play.ts";
import { changed } from "./edits.ts";
import { shownRules } from "./messages.tsx";
import { goTo } from "./questions.ts";

type Value = Param["value"];

export function Params() {
  const path = state.value.active;
  const rules = shownRules.value;
  if (!path || !rules?.facts) return null;
  const set = state.value.sets[path] ?? {};
  if (!rules.params.length) return <p class="empty">These rules have no params.</p>;
  const count = Object.keys(set).length;
  const doc = state.value.documents[path];
  const room = doc && !doc.readOnly ? roomFor(doc.text) : null;
  return (
    <div class="params">
      {count > 0 && (
        <div class="set-bar" role="status">
          <span>{count} set beside the text</span>
          {room !== null && <Button onClick={() => writeAll(path, set, room)}>Write into the text</Button>}
          <Button onClick={() => void houseRule(path, `My ${rules.title ?? "house rule"}`).then((made) => made && setAll(path, {}))}>
            Keep as a house rule
          </Button>
          <Button onClick={() => setAll(path, {})}>Reset</Button>
        </div>
      )}
      {rules.params.map((param) => (
        <Row key={param.name} param={param} path={path} set={set} />
      ))}
    </div>
  );
}

function Row({ param, path, set }: { param: Param; path: string; set: ParamSet }) {
  const value = asked.value[keyOf(path, param.name)]?.value ?? set[param.name] ?? param.value;
  const id = `param-${param.name}`;
  const change = (next: Value) => write(param, path, next);
  const usual = param.usual ?? param.value;
  const differs = value !== usual;
  return (
    <div class={`param ${differs ? "changed" : ""}`}>
      <label for={id}>
        {param.place ? (
          <button type="button" class="link name" onClick={() => void goTo(param.place!)} title="Show it in the text">
            {param.name}
          </button>
        ) : (
          <span class="name">{param.name}</span>
        )}
        {param.help && <small>{param.help}</small>}
      </label>
      <Control id={id} param={param} value={value} change={change} />
      <button
        type="button"
        class="bare usual"
        hidden={!differs}
        title={`Back to ${String(usual)}`}
        aria-label={`${param.name}: back to ${String(usual)}`}
        onClick={() => change(usual)}
      >
        {String(usual)}
      </button>
    </div>
  );
}

function Control({ id, param, value, change }: { id: string; param: Param; value: Value; change: (value: Value) => void }) {
  if (param.kind === "truth") {
    return <input id={id} type="checkbox" checked={value === true || value === "true"} onChange={(event) => change(event.currentTarget.checked)} />;
  }
  if (param.kind === "choice") {
    return (
      <select id={id} value={String(value)} onChange={(event) => change(event.currentTarget.value)}>
        {(param.values ?? []).map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    );
  }
  const [least, most] = [param.least ?? undefined, param.most ?? undefined];
  const number = (text: string) => {
    const next = Math.round(Number(text));
    if (text !== "" && Number.isFinite(next)) change(Math.min(most ?? next, Math.max(least ?? next, next)));
  };
  return (
    <span class="number-control">
      {least !== undefined && most !== undefined && (
        <input
          type="range"
          min={least}
          max={most}
          value={Number(value)}
          aria-label={`${param.name}, ${least} to ${most}`}
          onInput={(event) => number(event.currentTarget.value)}
        />
      )}
      <Field id={id} type="number" min={least} max={most} value={Number(value)} commit={number} />
    </span>
  );
}

/**
 * A value that was asked for. It is asked until the service has answered about the text as it is, since its place in an
 * older text would be another. Then it is written, and it is shown until the service has answered about the new text.
 */
interface Asked {
  path: string;
  name: string;
  value: Value;
  step: "asked" | "writing" | "written";
}

const asked = signal<Record<string, Asked>>({});

const keyOf = (path: string, name: string) => `${path} ${name}`;

function write(param: Param, path: string, value: Value): void {
  keep({ path, name: param.name, value, step: "asked" });
}

function keep(one: Asked): void {
  asked.value = { ...asked.peek(), [keyOf(one.path, one.name)]: one };
}

effect(() => {
  for (const [key, one] of Object.entries(asked.value)) {
    const facts = currentFacts(state.value, one.path);
    if (!facts || one.step === "writing") continue;
    if (one.step === "written") {
      const { [key]: _, ...others } = asked.peek();
      asked.value = others;
      return;
    }
    const param = facts.params.find((param) => param.name === one.name);
    if (!param) continue;
    keep({ ...one, step: "writing" });
    queueMicrotask(() => {
      writeNow(param, one.path, one.value);
      keep({ ...one, step: "written" });
    });
    return;
  }
});

/** Writes a value into the text if it stands there, and sets it beside the text otherwise. */
function writeNow(param: Param, path: string, value: Value): void {
  const doc = state.peek().documents[path];
  const place = param.place?.path === path && !doc?.readOnly ? param.place : null;
  if (doc && place) {
    edit(path, changed(doc.text, [{ from: place.from, to: place.to, insert: String(value) }]));
    return;
  }
  const { [param.name]: _, ...others } = state.peek().sets[path] ?? {};
  setAll(path, value === param.value ? others : { ...others, [param.name]: value });
}

/** Returns where a line can be added to a variant: after the brace that opens it. Returns `null` for any other text. */
function roomFor(text: string): number | null {
  const found = /^variant\b[^{\n]*\{[^\S\n]*\n/m.exec(text);
  return found && found.index + found[0].length;
}

function writeAll(path: string, set: ParamSet, at: number): void {
  const lines = Object.entries(set).map(([name, value]) => `  param ${name} = ${value}\n`);
  edit(path, changed(state.peek().documents[path]!.text, [{ from: at, to: at, insert: lines.join("") }]));
  setAll(path, {});
}

function setAll(path: string, set: ParamSet): void {
  update((state) => ({ ...state, sets: { ...state.sets, [path]: set } }));
  followSet(path);
}
