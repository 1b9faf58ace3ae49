// The pane that measures: what is compared with what, the histogram, the figures, and at the end the sentences.

import { useSignal } from "@preact/signals";
import type { Quantity } from "../protocol.ts";
import type { Measurement } from "../reduce.ts";
import { part, state } from "../service.ts";
import { Button, Field, Tabs } from "../page/parts.tsx";
import { figure, half } from "./bins.ts";
import { Histogram, sideClass } from "./histogram.tsx";
import { Report } from "./report.tsx";
import { agentNames, isOld, isRunning, measure, measurement, settings, sound, NOTHING, stop, subject, USUAL, usual, type Settings } from "./runs.ts";

const agents = part((state) => state.agents);
const GAMES = [500, 2000, 5000, 20_000, 100_000];

export function MeasurePane() {
  const tab = useSignal<"effect" | "report">("effect");
  return (
    <section class="pane measure" aria-label="Measure" data-pane="measure">
      <header class="bar">
        <h2>Measure</h2>
        <Tabs
          label="Kind of measurement"
          chosen={tab.value}
          choose={(name) => (tab.value = name)}
          tabs={[
            { name: "effect", title: "What it does" },
            { name: "report", title: "Report" },
          ]}
        />
        <span class="grow" />
        {tab.value === "effect" && <RunButtons />}
      </header>
      {tab.value === "effect" ? <Effect /> : <Report />}
    </section>
  );
}

function RunButtons() {
  return isRunning.value ? (
    <Button class="primary" onClick={stop} keys="Ctrl-Enter" title="Stop the measurement">
      Stop
    </Button>
  ) : (
    <Button
      class={isOld.value || !measurement.value ? "primary" : ""}
      onClick={measure}
      keys="Ctrl-Enter"
      title="Play the games and measure"
      disabled={!sound.value}
    >
      {isOld.value ? "Measure again" : "Measure"}
    </Button>
  );
}

function Effect() {
  const run = measurement.value;
  return (
    <div class="measured">
      <SettingsRow />
      {run && run.sides.length > 0 ? (
        <div class={`results ${isOld.value ? "old" : ""}`}>
          <Status />
          <div class="results-columns">
            <div>
              <Legend />
              <Histogram edges={run.bins} beyond={run.beyond} sides={run.sides} about={run.about} />
            </div>
            <div class="figures">
              {run.sentences.length > 0 && <Sentences sentences={run.sentences} />}
              <Quantities quantities={run.quantities} two={run.sides.length > 1} final={run.phase === "measured"} />
            </div>
          </div>
        </div>
      ) : (
        <div class="empty" role="status">
          <p>{isRunning.value && run ? firstWords(run) : emptyWords()}</p>
          {isRunning.value && run?.training && <progress value={run.training.done} max={run.training.of} aria-label="Training of the players" />}
        </div>
      )}
    </div>
  );
}

function firstWords(run: Measurement): string {
  return run.training ? statusWords(run) : "The first games are being played.";
}

function emptyWords(): string {
  if (!subject.value) return "Open a rule file to measure it.";
  if (!sound.value) return "The rules have errors. Mend them, then measure what they do.";
  return "Play many games with these rules, and see how they come out.";
}

function Status() {
  const run = measurement.value!;
  const words = statusWords(run);
  const old = isOld.value && run.phase !== "waiting";
  return (
    <p class="run-status" role="status">
      {old && <strong class="badge">Old</strong>}
      {old && (run.path === subject.value ? "These results are of the rules before your last change. " : `These results are of ${run.path}. `)}
      {words} {run.players && <span class="quiet">Players: {run.players}.</span>}
      {run.training ? (
        <progress value={run.training.done} max={run.training.of} hidden={!isRunning.value} aria-label="Training of the players" />
      ) : (
        <progress value={run.games} max={run.of} hidden={!isRunning.value} aria-label="Games played" />
      )}
    </p>
  );
}

function statusWords(run: Measurement): string {
  const [games, of] = [run.games.toLocaleString("en"), run.of.toLocaleString("en")];
  // What is said is of players that have played all their games, while others learn.
  const isPart = run.sentences.length > 0;
  switch (run.phase) {
    case "measured":
      return `${games} games of each are played.`;
    case "stopped":
      return isPart ? "Stopped. The sentences are of the players that had played all their games." : `Stopped after ${games} of ${of} games of each.`;
    case "waiting":
      return "These are the results before the last change. New games begin.";
    case "running":
      if (run.training) return `Players learn each of the rules: ${Math.floor((100 * run.training.done) / run.training.of)} %.`;
      return isPart ? `Those that learn: ${games} of ${of} games of each.` : `${games} of ${of} games of each. No verdict before the end.`;
  }
}

function Legend() {
  const { sides, about, quantities } = measurement.value!;
  // The bars are of the first agent.
  const [first, ...others] = grouped(quantities);
  const by = others.length ? `, ${first!.players} players` : "";
  return (
    <p class="legend">
      {about && <span class="about">{about + by}</span>}
      {sides.map((side, index) => (
        <span key={index} class={`side ${sideClass(index, sides.length)}`}>
          <i aria-hidden="true" /> {side.name} <b>{figure(side.mean, half(side))}</b>
          {half(side) !== undefined && <span class="quiet"> ± {figure(half(side), half(side))}</span>}
        </span>
      ))}
    </p>
  );
}

function Sentences({ sentences }: { sentences: string[] }) {
  return (
    <ul class="sentences" aria-live="polite">
      {sentences.map((sentence, index) => (
        <li key={index}>{sentence}</li>
      ))}
    </ul>
  );
}

function Quantities({ quantities, two, final }: { quantities: Quantity[]; two: boolean; final: boolean }) {
  if (!quantities.length) return null;
  return (
    <table class={`quantities ${final ? "final" : "running"}`}>
      <caption class="hidden">Means of all games, with 95 % intervals of the differences</caption>
      <thead>
        <tr>
          <th scope="col">Quantity</th>
          <th scope="col">{two ? "Before" : "Mean"}</th>
          {two && <th scope="col">After</th>}
          {two && <th scope="col">Difference</th>}
        </tr>
      </thead>
      {grouped(quantities).map(({ players, rows }, _, { length }) => (
        <tbody key={players} class={rows.every((row) => row.differs != null) ? "settled" : ""}>
          {length > 1 && (
            <tr class="players">
              <th scope="rowgroup" colSpan={two ? 4 : 2}>
                {players}
              </th>
            </tr>
          )}
          {rows.map((row) => {
            const width = half(row);
            return (
              <tr key={row.name} class={row.differs ? "differs" : ""}>
                <th scope="row">{row.name}</th>
                <td>{figure(row.a, width)}</td>
                {two && <td>{figure(row.b, width)}</td>}
                {two && (
                  <td title={row.low == null ? undefined : `95 % interval: ${figure(row.low, width)} to ${figure(row.high, width)}`}>
                    {row.difference != null && row.difference > 0 ? "+" : ""}
                    {figure(row.difference, width)}
                    {width !== undefined && <span class="quiet"> ± {figure(width, width)}</span>}
                    {row.differs && <span class="hidden"> differs</span>}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      ))}
    </table>
  );
}

/** The quantities by the players that they are of. */
function grouped(quantities: Quantity[]): { players: string; rows: Quantity[] }[] {
  const names = [...new Set(quantities.map((row) => row.players ?? ""))];
  return names.map((players) => ({ players, rows: quantities.filter((row) => (row.players ?? "") === players) }));
}

function SettingsRow() {
  const now = settings.value;
  const set = (change: Partial<Settings>) => (settings.value = { ...settings.value, ...change });
  const { files, games } = state.value;
  const path = subject.value;
  const base = usual.value;
  return (
    <form class="settings" onSubmit={(event) => (event.preventDefault(), measure())}>
      <label>
        Against
        <select value={base || now.against !== USUAL ? now.against : NOTHING} onChange={(event) => set({ against: event.currentTarget.value })}>
          {base && <option value={USUAL}>{base.title}</option>}
          <option value={NOTHING}>nothing</option>
          {[...files, ...games]
            .filter((file) => file.path !== path && file.path !== base?.path && (file.kind === "game" || file.kind === "variant"))
            .map((file) => (
              <option key={file.path} value={file.path}>
                {file.title}
              </option>
            ))}
        </select>
      </label>
      <label>
        Players
        <Field
          list="agents"
          size={18}
          value={now.agents}
          label="Agents that play"
          title="Agents, with commas between them: each in turn plays all seats. Those that learn are trained first"
          commit={(names) => set({ agents: agentNames(names).join(", ") || "random" })}
        />
      </label>
      <label>
        Games
        <select value={now.games} onChange={(event) => set({ games: Number(event.currentTarget.value) })}>
          {GAMES.map((games) => (
            <option key={games} value={games}>
              {games.toLocaleString("en")}
            </option>
          ))}
        </select>
      </label>
      <label>
        Seed
        <Field type="number" min={0} class="short" value={now.seed} commit={(text) => set({ seed: Math.max(0, Math.floor(Number(text)) || 0) })} />
      </label>
      <label class="check" title="Measure again after each change of the rules">
        <input type="checkbox" checked={now.follow} onChange={(event) => set({ follow: event.currentTarget.checked })} />
        Follow
      </label>
      {/* Without it Enter in a field doesn't begin. */}
      <input type="submit" hidden />
      <datalist id="agents">
        {["random, greedy", "random, greedy, learned"].map((list) => (
          <option key={list} value={list} />
        ))}
        {agents.value.map((agent) => (
          <option key={agent.name} value={agent.name}>
            {agent.help}
          </option>
        ))}
      </datalist>
    </form>
  );
}
