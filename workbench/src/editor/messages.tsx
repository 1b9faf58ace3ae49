// The messages of the text in the editor, as a list: each can be read, selected, jumped to, and mended.

import type { Message } from "../protocol.ts";
import { part, state } from "../service.ts";
import { Button } from "../page/parts.tsx";
import { mend } from "./fixes.ts";
import { goTo } from "./questions.ts";

export const shownRules = part((state) => (state.active ? (state.rules[state.active] ?? null) : null));

export function Messages() {
  const [rules, path] = [shownRules.value, state.value.active];
  if (!rules || !path) return null;
  if (!rules.messages.length) return <p class="empty">No messages: the rules can be played.</p>;
  const text = state.value.documents[path]?.text ?? "";
  return (
    <ul class="messages" aria-label="Messages">
      {rules.messages.map((message, at) => (
        <One key={at} message={message} path={path} line={lineOf(text, message.from)} />
      ))}
    </ul>
  );
}

function One({ message, path, line }: { message: Message; path: string; line: number }) {
  const jump = () => void goTo({ path, from: message.from, to: message.to });
  // A click on the words jumps, but not one that ends a selection of them.
  const click = (event: Event) => {
    if (!(event.target as Element).closest("button, a") && getSelection()?.isCollapsed) jump();
  };
  return (
    <li class={message.severity} onClick={click}>
      <p>
        <span class="severity">{message.severity}</span> {message.message}
        {message.label && message.label !== message.message && <span class="quiet"> {message.label}</span>}
      </p>
      {message.help && <p class="message-help">{message.help}</p>}
      {message.notes?.map((note) => (
        <p key={note} class="quiet">
          {note}
        </p>
      ))}
      <div class="row">
        {message.fixes?.map((fix) => (
          <Button key={fix.title} class="fix" onClick={() => mend(path, message, fix.title)} title="Mend it so · Ctrl-.">
            {fix.title}
          </Button>
        ))}
        <button type="button" class="link" onClick={jump}>
          line {line}
        </button>
        {message.related?.map((place, at) => (
          <button key={at} type="button" class="link" onClick={() => void goTo(place)} title={place.path}>
            {place.label || place.path}
          </button>
        ))}
        {message.code && <code class="quiet">{message.code}</code>}
      </div>
    </li>
  );
}

export function lineOf(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf("\n"); next >= 0 && next < at; next = text.indexOf("\n", next + 1)) line++;
  return line;
}
