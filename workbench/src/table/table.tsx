// The pane of the table: the board, what can be done, and what happened.

import { signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Position } from "../protocol.ts";
import { toggleWhole, whole } from "../page/panes.ts";
import { Button, Dialog, Icon, Tabs } from "../page/parts.tsx";
import { part, state } from "../service.ts";
import { Board } from "./board.tsx";
import { Asked } from "./choices.tsx";
import { follow } from "./form.ts";
import { busy, game, go, isPlayable, newGame, position, step, stopTraining, takeScreen, train, training, waitsForOthers } from "./play.ts";
import { NewGame, Scores, Seats } from "./seats.tsx";
import { Lines, Log, Timeline } from "./timeline.tsx";

/** The place at which the table is covered for the next person. */
const covered = signal<string | null>(null);
export const newGameAsked = signal(false);
const active = part((state) => state.active);

export function TablePane() {
  const shown = position.value;
  const pane = useRef<HTMLElement>(null);
  useLayoutEffect(() => follow(pane.current!), []);
  return (
    <section ref={pane} class="pane table" aria-label="Table" data-pane="table" aria-busy={busy.value}>
      <header class="bar">
        <h2>Table</h2>
        <span class="title">{shown?.game}</span>
        <span class="grow" />
        <Other />
        <Button
          class="whole"
          onClick={() => toggleWhole("table")}
          keys="F"
          label="The table alone"
          title={whole.value ? "Rules and measurements again" : "The table alone"}
          pressed={whole.value === "table"}
        >
          <Icon name={whole.value ? "less" : "more"} />
        </Button>
        <Button onClick={() => (newGameAsked.value = true)} keys="N" disabled={!game.value}>
          New game
        </Button>
      </header>
      {shown ? <Shown shown={shown} /> : <p class="empty">{emptyWords()}</p>}
      {newGameAsked.value && (
        <Dialog title="New game" close={() => (newGameAsked.value = false)}>
          <NewGame done={() => (newGameAsked.value = false)} />
        </Dialog>
      )}
    </section>
  );
}

function emptyWords(): string {
  const rules = state.value.rules[active.value ?? ""];
  if (!active.value) return "Open a rule file to play it.";
  if (rules?.messages.some((message) => message.severity === "error")) return "The rules have errors. Mend them, and the board appears here.";
  return "The board appears here.";
}

/** The editor shows other rules than those of the table. */
function Other() {
  const path = active.value;
  if (!path || !isPlayable(path) || !game.value || game.value.path === path) return null;
  return (
    <Button class="primary" onClick={() => newGame(path)}>
      Play {state.value.rules[path]?.title ?? path}
    </Button>
  );
}

function Shown({ shown }: { shown: Position }) {
  const over = shown.hand_over;
  // Who sat here before looks at the news first, and covers the table then.
  const place = `${shown.line}:${shown.decision}:${shown.events.length}`;
  const hidden = over && (!over.news || covered.value === place) ? over : null;
  return (
    <div class="play">
      <div class="spread">
        <div class="board-side">
          <p class="heading" role="status" aria-live="polite">
            {shown.over?.length ? shown.over.join(" ") : (shown.heading ?? "")}
          </p>
          {shown.differs && (
            <p class="first-differs" role="alert">
              <b>First differs at decision {shown.differs.decision}:</b> {shown.differs.words}
              {shown.decision !== shown.differs.decision && <Button onClick={() => go(shown.line, shown.differs!.decision)}>Show it</Button>}
              {waitsForOthers(shown) && <Button onClick={() => step(false)}>Go on from here</Button>}
            </p>
          )}
          {over && !hidden && (
            <p class="first-differs" role="alert">
              See what happened, then cover the table for {shown.seats[over.to]?.name}.
              <Button class="primary" onClick={() => (covered.value = place)}>
                Cover the table
              </Button>
            </p>
          )}
          {hidden ? <HandOver to={shown.seats[hidden.to]?.name ?? `seat ${hidden.to + 1}`} /> : <Board />}
          {!hidden && <Timeline shown={shown} />}
        </div>
        <div class="table-side">
          {!hidden && <Asked shown={shown} />}
          <Waiting shown={shown} />
          <Seats shown={shown} />
          {!hidden && <About shown={shown} />}
        </div>
      </div>
    </div>
  );
}

/** The score, the log and the lines of the game. */
function About({ shown }: { shown: Position }) {
  const tab = useSignal<"log" | "score">("score");
  return (
    <>
      <Tabs
        label="About the game"
        chosen={tab.value}
        choose={(name) => (tab.value = name)}
        tabs={[
          { name: "score", title: "Score" },
          { name: "log", title: "Log" },
        ]}
      />
      <div class="tab-body">{tab.value === "score" ? <Scores shown={shown} /> : <Log shown={shown} />}</div>
      <Lines shown={shown} />
    </>
  );
}

/** Nobody at this screen is asked: agents can play one decision, or all. One that has to be trained waits for that. */
function Waiting({ shown }: { shown: Position }) {
  if (shown.to_train) return <ToTrain name={shown.to_train} />;
  if (!waitsForOthers(shown) || shown.seats.some((seat) => seat.person)) return null;
  return (
    <div class="choices">
      <div class="options">
        <Button onClick={() => step(true)} keys="Space" title="One decision of an agent">
          One decision
        </Button>
        <Button class="primary" onClick={() => step(false)}>
          Play to the end
        </Button>
      </div>
    </div>
  );
}

/** An agent learns the rules as they are before it decides. */
function ToTrain({ name }: { name: string }) {
  const run = training.value;
  const running = run?.phase === "running";
  return (
    <div class="choices" role="group" aria-label={`Training of ${name}`}>
      <p>
        <b>{name}</b> has to learn these rules before it decides. It takes about 15 seconds, once.
      </p>
      <div class="options">
        {running ? (
          <Button onClick={stopTraining}>Stop</Button>
        ) : (
          <Button class="primary" onClick={train}>
            Train it
          </Button>
        )}
        {running && <progress value={run.of ? run.done : undefined} max={run.of || 1} aria-label="Progress of the training" />}
      </div>
    </div>
  );
}

/** Hides the table until the next person has the screen. */
function HandOver({ to }: { to: string }) {
  return (
    <div class="hand-over" role="group" aria-label="Hand-over">
      <h3>Give the screen to {to}</h3>
      <p class="quiet">The hands are covered until {to} is here.</p>
      <Button class="primary" onClick={takeScreen} keys="Enter">
        I am {to}
      </Button>
    </div>
  );
}
