// The page as a whole: a line on top, three panes, and what lies over them.

import { EditorPane } from "../editor/pane.tsx";
import { Files } from "../files/files.tsx";
import { Naming } from "../files/naming.tsx";
import { MeasurePane } from "../measure/measure.tsx";
import { part } from "../service.ts";
import { TablePane } from "../table/table.tsx";
import { Notices } from "./notices.tsx";
import { front, PANES, resize, sizes, whole, type PaneName } from "./panes.ts";
import { Button, Icon } from "./parts.tsx";
import { helpShown, Shortcuts } from "./shortcuts.tsx";
import { nextTheme, theme } from "./theme.ts";

const connection = part((state) => state.connection);
const folder = part((state) => state.folder);

const TITLES: Record<PaneName, string> = { editor: "Rules", table: "Table", measure: "Measure" };
const THEMES = { auto: "as the system", light: "light", dark: "dark" };
const THEME_ICONS = { auto: "auto", light: "sun", dark: "moon" } as const;

export function Page() {
  return (
    <>
      <header class="top">
        <h1>
          houserule <span>workbench</span>
        </h1>
        <span class="folder" title={folder.value ?? ""}>
          {folder.value}
        </span>
        <nav class="pane-tabs" aria-label="Panes">
          {PANES.map((pane) => (
            <button key={pane} type="button" aria-current={front.value === pane} onClick={() => (front.value = pane)}>
              {TITLES[pane]}
            </button>
          ))}
        </nav>
        <span class="grow" />
        <Connection />
        <Button class="bare" onClick={nextTheme} label={`Colours: ${THEMES[theme.value]}`} title={`Colours: ${THEMES[theme.value]}. Change them`}>
          <Icon name={THEME_ICONS[theme.value]} />
        </Button>
        <Button class="bare" onClick={() => (helpShown.value = true)} label="Keys" keys="?">
          ?
        </Button>
      </header>
      <main class="panes" data-front={front.value} data-whole={whole.value ?? undefined}>
        <EditorPane />
        <Splitter which="editor" label="Width of the rules" />
        <TablePane />
        <Splitter which="table" label="Height of the table" />
        <MeasurePane />
      </main>
      <Notices />
      <Files />
      <Naming />
      <Shortcuts />
    </>
  );
}

function Connection() {
  const words = {
    connecting: "Connecting",
    ready: "",
    reconnecting: "The connection is lost. Reconnecting. Your texts and the game are kept.",
    refused: "This page is not known to the server. Open the address that houserule workbench printed.",
  }[connection.value];
  return (
    <span class={`connection ${connection.value}`} role="status" aria-live="assertive">
      {words}
    </span>
  );
}

/** A border between panes, moved by the pointer or by arrow keys. */
function Splitter({ which, label }: { which: "editor" | "table"; label: string }) {
  const across = which === "editor";
  const drag = (event: PointerEvent) => {
    const bar = event.currentTarget as HTMLElement;
    if (!bar.hasPointerCapture(event.pointerId)) return;
    const box = bar.parentElement!.getBoundingClientRect();
    resize(which, across ? ((event.clientX - box.left) / box.width) * 100 : ((event.clientY - box.top) / box.height) * 100);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2 }[event.key];
    if (!step) return;
    event.preventDefault();
    resize(which, sizes.peek()[which] + step);
  };
  return (
    <div
      class={`splitter ${which}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={across ? "vertical" : "horizontal"}
      aria-valuenow={sizes.value[which]}
      aria-valuemin={20}
      aria-valuemax={80}
      onPointerDown={(event) => (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={press}
    />
  );
}
