// What the player can do besides clicking on the board: options, moves that name no thing, outcomes of chance.

import { useSignal } from "@preact/signals";
import type { Choices, Move, Position } from "../protocol.ts";
import { Button } from "../page/parts.tsx";
import { act, busy, chooseOption, choices, narrowed, pick, random, settle, type as typeMove, unpick } from "./play.ts";

const SHOWN = 60;

export function Asked({ shown }: { shown: Position }) {
  if (shown.chance) return <Chance chance={shown.chance} />;
  if (choices.value) return <Chosen choices={choices.value} />;
  return null;
}

function Chosen({ choices }: { choices: Choices }) {
  const found = narrowed.value!;
  const chosen = pick.value;
  const begun = chosen.option !== null || chosen.things.length > 0;
  const nameless = found.moves.filter((move) => move.things.length === 0);
  // Options on the board are filters, the others are buttons. A lone option needs no button: its moves are there.
  const offered = choices.options.map((option, index) => ({ option, index })).filter(({ option }) => option.moves > 0);
  const alone = offered.length === 1;
  return (
    <div class="choices" role="group" aria-label="What can be done">
      {!alone && chosen.things.length === 0 && (
        <div class="options">
          {offered.map(({ option, index }, number) => (
            <Button
              key={option.name}
              class="option"
              keys={number < 9 ? String(number + 1) : undefined}
              pressed={chosen.option === index}
              title={option.help ?? undefined}
              onClick={() => chooseOption(index)}
              disabled={busy.value}
            >
              <b>{option.name}</b>
              {option.moves > 1 && <span class="count">{option.moves}</span>}
              {option.help && <small>{option.help}</small>}
            </Button>
          ))}
        </div>
      )}
      {alone && chosen.things.length === 0 && offered[0]!.option.help && (
        <p class="quiet">
          <b>{offered[0]!.option.name}</b>: {offered[0]!.option.help}
        </p>
      )}
      {chosen.things.length > 0 && <Ready moves={found.ready} more={found.moves.length - found.ready.length} />}
      {chosen.things.length === 0 && (alone || chosen.option !== null) && nameless.length > 0 && <List moves={nameless} />}
      {begun && (
        <Button onClick={unpick} keys="Escape">
          Choose something else
        </Button>
      )}
      <Typed more={choices.more ?? 0} />
    </div>
  );
}

/** Moves that name what is picked: one of several options, or one that could go on. */
function Ready({ moves, more }: { moves: Move[]; more: number }) {
  return (
    <div class="ready" aria-live="polite">
      {moves.length > 0 ? <List moves={moves} /> : <p class="quiet">{more === 1 ? "One move goes" : `${more} moves go`} on from here. Choose the next place.</p>}
    </div>
  );
}

function List({ moves }: { moves: Move[] }) {
  return (
    <div class="moves">
      {moves.slice(0, SHOWN).map((move) => (
        <Button key={move.action} onClick={() => act(move.action)} title={move.name} disabled={busy.value}>
          {move.words ?? move.name}
        </Button>
      ))}
      {moves.length > SHOWN && <p class="quiet">{moves.length - SHOWN} more: type the one that you want.</p>}
    </div>
  );
}

function Typed({ more }: { more: number }) {
  const text = useSignal("");
  const send = async (event: Event) => {
    event.preventDefault();
    if (text.value.trim() && (await typeMove(text.value.trim()))) text.value = "";
  };
  return (
    <form class="typed" onSubmit={(event) => void send(event)}>
      <input
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        placeholder="or type a move"
        aria-label="Type a move"
        autocomplete="off"
        spellcheck={false}
        data-key="move"
      />
      {choices.value && (
        <Button onClick={random} keys="G" title="Take a random move" disabled={busy.value}>
          Random
        </Button>
      )}
      {more > 0 && <span class="quiet">{more.toLocaleString("en")} moves are not shown; all can be typed.</span>}
    </form>
  );
}

function Chance({ chance }: { chance: NonNullable<Position["chance"]> }) {
  const { question, outcomes } = chance;
  return (
    <div class="choices" role="group" aria-label={question}>
      <p>{question}</p>
      {outcomes.length <= SHOWN ? (
        <div class="moves outcomes">
          {outcomes.map(({ outcome, name }) => (
            <Button key={outcome} onClick={() => settle(outcome)} disabled={busy.value}>
              {name}
            </Button>
          ))}
        </div>
      ) : (
        <select aria-label={question} onChange={(event) => event.currentTarget.value && settle(outcomes[Number(event.currentTarget.value)]!.outcome)}>
          <option value="">Choose what came</option>
          {outcomes.map(({ outcome, name }, at) => (
            <option key={outcome} value={at}>
              {name}
            </option>
          ))}
        </select>
      )}
      <Typed more={0} />
    </div>
  );
}
