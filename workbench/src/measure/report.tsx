// The report of the rules: written by the service, shown in a frame without scripts.

import { Button } from "../page/parts.tsx";
import { theme } from "../page/theme.ts";
import { report, reportIsOld, sound, stopReport, subject, writeReport } from "./runs.ts";

export function Report() {
  const run = report.value;
  const running = run?.phase === "running";
  // A frame doesn't see the colours of the page around it, unless they are the system's.
  const address = run?.address && (theme.value === "auto" ? run.address : `${run.address}?theme=${theme.value}`);
  return (
    <div class="report">
      <div class="bar">
        {running ? (
          <Button onClick={stopReport}>Stop</Button>
        ) : (
          <Button class="primary" onClick={writeReport} disabled={!sound.value}>
            {run?.address ? "Write it again" : "Write the report"}
          </Button>
        )}
        <p class="run-status" role="status">
          {!run && "Is the game fair, how long is it, is there anything to decide, luck or skill: on one page, in about a minute."}
          {running && (run.words ?? "The games begin.")}
          {run?.phase === "stopped" && "Stopped."}
          {run?.phase === "reported" && reportIsOld.value && (
            <>
              <strong class="badge">Old</strong>{" "}
              {run.path === subject.value ? "This report is of the rules before your last change." : `This report is of ${run.path}.`}
            </>
          )}
        </p>
        {running && <progress value={run.of ? run.done : undefined} max={run.of || 1} aria-label="Progress of the report" />}
        {address && (
          <a class="button" href={address} target="_blank" rel="noreferrer">
            Open it alone
          </a>
        )}
      </div>
      {address && <iframe class={reportIsOld.value ? "old" : ""} src={address} sandbox="" title="Report of the rules" />}
    </div>
  );
}
