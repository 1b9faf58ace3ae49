// Where the time of the rules goes: parts and lines that cost most, and what the line at the cursor costs.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { LineCost, PartCost } from "../protocol.ts";
import { state } from "../service.ts";
import { sound, subject } from "../measure/runs.ts";
import { Button } from "../page/parts.tsx";
import { costWords, percent, times } from "./figures.ts";
import { beginProfile, hideProfile, isProfiling, pressed, profile, profiledLines, profileIsOld, runIsOld, stopProfile } from "./profiling.ts";
import { goTo } from "./questions.ts";
import { cursor } from "./view.ts";

/** Least share of what is listed. */
const LEAST = 0.01;
/** The most parts and the most lines, until all are asked for. */
const FEW = 8;
const all = signal(false);

export function Profile() {
  const result = profile.value?.result;
  const host = useRef<HTMLDivElement>(null);
  // What a bar leads to is at the top.
  useEffect(() => host.current?.parentElement?.scrollTo(0, 0), [pressed.value]);
  return (
    <div ref={host} class="profile">
      <div class="row">
        {isProfiling.value ? (
          <Button onClick={stopProfile} title="Stop the profile">
            Stop
          </Button>
        ) : (
          <Button class={result && !profileIsOld.value ? "" : "primary"} onClick={beginProfile} disabled={!sound.value}>
            {result ? "Profile again" : "Profile"}
          </Button>
        )}
        {result && (
          <Button onClick={hideProfile} title="Take the bars away">
            Hide
          </Button>
        )}
        <p class="profile-status" role="status">
          <StatusWords />
        </p>
      </div>
      {isProfiling.value && <progress value={profile.value!.of ? profile.value!.done : undefined} max={profile.value!.of || 1} aria-label="Progress of the profile" />}
      {result && <Results />}
    </div>
  );
}

function StatusWords() {
  const run = profile.value;
  if (isProfiling.value) return <>Random games are being played.</>;
  if (run?.phase === "stopped") return <>{runIsOld.value ? "Stopped, because the rules have changed." : "Stopped."}</>;
  if (run?.result && profileIsOld.value) {
    return (
      <>
        <strong class="badge">Old</strong> This profile is of the rules before the last change.
      </>
    );
  }
  if (run?.result) return <>{run.result.path === subject.value ? `${run.result.told.played}.` : `This profile is of ${run.result.path}.`}</>;
  if (!subject.value) return <>Open a rule file to see where its time goes.</>;
  if (!sound.value) return <>The rules have errors. Mend them, then see where their time goes.</>;
  return <>Where does the time go? Random games of a few seconds show it, beside each line.</>;
}

function Results() {
  const { path, told } = profile.value!.result!;
  const parts = told.parts.filter(({ cost }) => cost.share >= LEAST);
  const lines = told.lines.filter(({ cost }) => cost.share >= LEAST).sort((a, b) => b.cost.share - a.cost.share);
  const most = all.value ? Infinity : FEW;
  const isMore = Math.max(parts.length, lines.length) > FEW;
  return (
    <div class={profileIsOld.value ? "old" : ""}>
      {told.cautions.map((caution) => (
        <p key={caution} class="wrong">
          {caution}.
        </p>
      ))}
      <AtCursor />
      {parts.length > 0 && <Parts parts={parts.slice(0, most)} path={path} />}
      {lines.length > 0 && <Lines lines={lines.slice(0, most)} path={path} />}
      {isMore && (
        <Button class="small" onClick={() => (all.value = !all.value)}>
          {all.value ? "Show fewer" : "Show more"}
        </Button>
      )}
      <p class="quiet">
        {told.cautions.length === 0 && `${told.decision[0]!.toUpperCase()}${told.decision.slice(1)}. `}
        Times: evaluations for a decision. Again: the share of the instructions that compute what was computed before in the same decision.
      </p>
    </div>
  );
}

/** What the line at the cursor costs, and the expressions that begin on it. */
function AtCursor() {
  const { line } = cursor.value;
  const here = profiledLines(state.value.active)?.find((one) => one.line.line === line);
  if (!here) return null;
  return (
    <section class="at-cursor" aria-label="Line at the cursor">
      <p>
        <b>Line {line}</b> {costWords(here.line.cost)}
      </p>
      <ul>
        {here.expressions.map(({ place, column, text, cost }) => (
          <li key={`${place.from}-${place.to}`}>
            <span class="number">{percent(cost.share, 1)}</span>
            <button type="button" class="link" onClick={() => void goTo(place)} title={`Line ${line}, column ${column}: ${costWords(cost)}`}>
              <code>{text}</code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Parts({ parts, path }: { parts: PartCost[]; path: string }) {
  return (
    <table class="costs">
      <caption>Parts, with all that they use</caption>
      <Head what="Part" own />
      <tbody>
        {parts.map(({ kind, name, place, line, own_share, cost }) => (
          <tr key={`${place.path} ${place.from}`}>
            <ShareCell share={cost.share} />
            <th scope="row">
              <button type="button" class="link" onClick={() => void goTo(place)} title={placeWords(place.path, path, line)}>
                <span class="kind">{`${kind} `}</span>
                {name}
              </button>
            </th>
            <td>{percent(own_share, 1)}</td>
            <td>{times(cost.evaluations)}</td>
            <td>{percent(cost.repeated)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Lines({ lines, path }: { lines: LineCost[]; path: string }) {
  return (
    <table class="costs">
      <caption>Lines, without what they use from others</caption>
      <Head what="Line" />
      <tbody>
        {lines.map(({ place, line, text, cost }) => (
          <tr key={`${place.path} ${line}`}>
            <ShareCell share={cost.share} />
            <th scope="row">
              <button type="button" class="link" onClick={() => void goTo(place)} title={`${placeWords(place.path, path, line)}: ${text}`}>
                {line}
              </button>{" "}
              <code>{text}</code>
            </th>
            <td>{times(cost.evaluations)}</td>
            <td>{percent(cost.repeated)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Head({ what, own = false }: { what: string; own?: boolean }) {
  return (
    <thead>
      <tr>
        <th scope="col">Share</th>
        <th scope="col">{what}</th>
        {own && (
          <th scope="col" title="Share without what it uses from other parts">
            Own
          </th>
        )}
        <th scope="col" title="Evaluations for a decision">
          Times
        </th>
        <th scope="col" title="Share of the instructions that compute what was computed before in the same decision">
          Again
        </th>
      </tr>
    </thead>
  );
}

function ShareCell({ share }: { share: number }) {
  return (
    <td class="share">
      <i style={{ width: `${share * 100}%` }} />
      <span>{percent(share, 1)}</span>
    </td>
  );
}

/** A line, with its file if that isn't the one that was profiled. */
function placeWords(path: string, usual: string, line: number): string {
  return path === usual ? `Line ${line}` : `${path}, line ${line}`;
}
