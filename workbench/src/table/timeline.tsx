// Time at the table: undo and redo, a scrubber through the line that is shown, the lines that branch off, the log.

import { useEffect, useRef } from "preact/hooks";
import type { Position, TableEvent, TableLine } from "../protocol.ts";
import { Button, Icon } from "../page/parts.tsx";
import { go, otherDice } from "./play.ts";

export function Timeline({ shown }: { shown: Position }) {
  const { line, decision, of } = shown;
  return (
    <div class="timeline">
      <Button onClick={() => go(line, "undo")} disabled={decision === 0} keys="U" label="Undo" title="Undo: back to your last decision">
        <Icon name="undo" />
      </Button>
      <Button onClick={() => go(line, "redo")} disabled={decision >= of} keys="R" label="Redo" title="Redo">
        <Icon name="redo" />
      </Button>
      <Button onClick={() => go(line, 0)} disabled={decision === 0} keys="Home" class="ends" label="To the beginning">
        <Icon name="first" />
      </Button>
      <Button onClick={() => go(line, decision - 1)} disabled={decision === 0} keys="[" label="A decision back">
        <Icon name="back" />
      </Button>
      <input
        type="range"
        min={0}
        max={Math.max(of, 1)}
        value={decision}
        disabled={of === 0}
        aria-label="Decision shown"
        aria-valuetext={`decision ${decision} of ${of}`}
        onInput={(event) => go(line, Number(event.currentTarget.value))}
      />
      <Button onClick={() => go(line, decision + 1)} disabled={decision >= of} keys="]" label="A decision on">
        <Icon name="on" />
      </Button>
      <Button onClick={() => go(line, of)} disabled={decision >= of} keys="End" class="ends" label="To the end">
        <Icon name="last" />
      </Button>
      <output class="number" aria-label="Decision">
        {decision}/{of}
      </output>
      <Button onClick={otherDice} keys="D" label="Other dice" title="The chance since your last decision falls again, otherwise, on a new line">
        <Icon name="dice" /> <span class="wide-only">Other dice</span>
      </Button>
    </div>
  );
}

/** The lines of the game, each from the decision where it left another. */
export function Lines({ shown }: { shown: Position }) {
  const { lines, line } = shown;
  if (lines.length < 2) return null;
  const longest = Math.max(1, ...lines.map((one) => one.decisions));
  return (
    <nav class="lines" aria-label="Lines of the game">
      {lines.map((one, at) => (
        <button key={at} type="button" aria-current={at === line} onClick={() => go(at, one.decisions)} title={lineWords(one, lines)}>
          <span>{one.name}</span>
          <svg viewBox={`0 0 100 6`} preserveAspectRatio="none" aria-hidden="true">
            <line x1={((one.from_decision ?? 0) / longest) * 100} x2={(one.decisions / longest) * 100} y1={3} y2={3} />
          </svg>
          <span class="number">{one.decisions}</span>
        </button>
      ))}
    </nav>
  );
}

function lineWords(line: TableLine, lines: TableLine[]): string {
  const from = line.from_line == null ? null : lines[line.from_line];
  return from ? `leaves “${from.name}” after decision ${line.from_decision}, ${line.decisions} decisions` : `${line.decisions} decisions`;
}

/** The number of decisions after an event. */
function placeAfter(event: TableEvent): number {
  return event.decision + (event.kind === "action" ? 1 : 0);
}

export function Log({ shown }: { shown: Position }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const host = list.current;
    const now = host?.querySelector<HTMLElement>("[aria-current=step]");
    if (host && now) host.scrollTop = now.offsetTop - host.clientHeight / 2;
  }, [shown.decision, shown.line, shown.events.length]);
  const last = shown.events.findLastIndex((event) => placeAfter(event) <= shown.decision);
  if (!shown.events.length) return <p class="empty">Nothing has happened yet.</p>;
  return (
    <ol ref={list} class="log" tabIndex={0} aria-label="Log of events">
      {shown.events.map((event, at) => (
        <li key={at} class={event.kind}>
          <button
            type="button"
            class={at > last ? "later" : ""}
            aria-current={at === last ? "step" : undefined}
            onClick={() => go(shown.line, placeAfter(event))}
          >
            <span class="number">{placeAfter(event)}</span>
            {event.seat != null && <span class="seat-mark">{shown.seats[event.seat]?.name}</span>}
            <span>
              {event.said ?? event.text ?? "something hidden"}
              {event.zone && ` to ${event.zone}`}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
