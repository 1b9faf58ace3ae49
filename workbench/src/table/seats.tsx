// Who sits at the table, and how their scores come about.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Position, SeatScore, TableSeat } from "../protocol.ts";
import { Button } from "../page/parts.tsx";
import { part } from "../service.ts";
import { game, lit, newGame, PERSON, seat as sit } from "./play.ts";

const agents = part((state) => state.agents);

export function Seats({ shown }: { shown: Position }) {
  return (
    <>
      <ul class="seats" aria-label="Seats">
        {shown.seats.map((seat, at) => (
          <li key={at} class={shown.seat === at && !shown.over?.length ? "mover" : ""}>
            <span class="seat-mark">{seat.name}</span>
            <Player seat={seat} at={at} />
            {seat.score != null && <b class="number">{seat.score}</b>}
          </li>
        ))}
      </ul>
      <datalist id="agents-of-seats">
        {agents.value.map((agent) => (
          <option key={agent.form} value={agent.form}>
            {agent.help}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** No agent has this name. */
const ANOTHER = "*another";

/** Who plays a seat: one of a list, or an agent whose name is typed. */
function Player({ seat, at }: { seat: TableSeat; at: number }) {
  const typing = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), [typing.value]);
  const player = seat.person ? PERSON : (seat.agent ?? PERSON);
  const label = `${seat.name} is played by`;
  if (typing.value) {
    const done = (name: string) => {
      typing.value = false;
      if (name.trim()) sit(at, name.trim());
    };
    return (
      <input
        ref={field}
        aria-label={label}
        title="The name of an agent, such as mcts:1000"
        placeholder="mcts:1000"
        list="agents-of-seats"
        size={12}
        spellcheck={false}
        autocomplete="off"
        onChange={(event) => done(event.currentTarget.value)}
        onBlur={() => (typing.value = false)}
        onKeyDown={(event) => event.key === "Escape" && (typing.value = false)}
      />
    );
  }
  const names = agents.value.map((agent) => agent.name);
  const others = player === PERSON || names.includes(player) ? [] : [player];
  const chosen = (select: HTMLSelectElement) => {
    if (select.value !== ANOTHER) return sit(at, select.value);
    select.value = player;
    typing.value = true;
  };
  return (
    <select aria-label={label} value={player} onChange={(event) => chosen(event.currentTarget)}>
      <option value={PERSON}>a person</option>
      {[...names, ...others].map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
      <option value={ANOTHER}>another agent…</option>
    </select>
  );
}

/** The score line by line. A line with places shows them on the board while it has the focus or the pointer. */
export function Scores({ shown }: { shown: Position }) {
  const scores = (shown.scores ?? []).filter((score) => score.items.length);
  if (!scores.length) return <p class="empty">These rules have no score.</p>;
  return (
    <div class="scores">
      {scores.map((score) => (
        <Score key={score.seat} score={score} name={scores.length > 1 ? shown.seats[score.seat]?.name : undefined} />
      ))}
    </div>
  );
}

function Score({ score, name }: { score: SeatScore; name: string | undefined }) {
  return (
    <table aria-label={name ? `Score of ${name}` : "Score"}>
      <tbody>
        {score.items.map((item, at) => {
          const show = () => (lit.value = item.things ?? []);
          const hide = () => (lit.value = []);
          return (
            <tr key={at} onPointerEnter={show} onPointerLeave={hide}>
              <th scope="row">
                <button type="button" class="bare" onFocus={show} onBlur={hide} onClick={show}>
                  <b>{item.name}</b> <span class="quiet">{item.words}</span>
                </button>
              </th>
              <td class="number">{item.points}</td>
            </tr>
          );
        })}
        <tr class="total">
          <th scope="row">{name ?? "Total"}</th>
          <td class="number">{score.total}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** What a new game begins with. */
export function NewGame({ done }: { done: () => void }) {
  const kept = game.value;
  const players = useSignal(kept?.players == null ? "" : String(kept.players));
  const seed = useSignal(String(kept?.seed ?? 1));
  const dice = useSignal(kept?.dice ?? "drawn");
  if (!kept) return null;
  const start = (event: Event) => {
    event.preventDefault();
    const count = players.value === "" ? null : Math.max(1, Math.floor(Number(players.value)) || 1);
    const seats = count === kept.players ? kept.seats : [];
    newGame(kept.path, { players: count, seats, seed: Math.max(0, Math.floor(Number(seed.value)) || 0), dice: dice.value });
    done();
  };
  return (
    <form class="form" onSubmit={start}>
      <label>
        Players
        <input
          type="number"
          min={1}
          max={16}
          value={players.value}
          placeholder="the fewest"
          onInput={(event) => (players.value = event.currentTarget.value)}
        />
      </label>
      <label>
        Dice and cards
        <select value={dice.value} onChange={(event) => (dice.value = event.currentTarget.value as "drawn" | "reported")}>
          <option value="drawn">are drawn here, from the seed</option>
          <option value="reported">are real: I type what comes</option>
        </select>
      </label>
      <label>
        Seed
        <span class="row">
          <input type="number" min={0} value={seed.value} onInput={(event) => (seed.value = event.currentTarget.value)} />
          <Button onClick={() => (seed.value = String(Math.floor(Math.random() * 1_000_000)))}>Another</Button>
        </span>
      </label>
      <p class="quiet">The same seed gives the same dice again.</p>
      <button type="submit" class="button primary">
        Begin
      </button>
    </form>
  );
}
