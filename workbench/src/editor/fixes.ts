// Fixes of messages. A button for one stays while the text is checked again; pressed meanwhile, it waits for the answer.

import { computed, effect, signal } from "@preact/signals";
import { applyEdits } from "../files/documents.ts";
import type { Message } from "../protocol.ts";
import { currentRules, isSameMessage } from "../reduce.ts";
import { complain, state } from "../service.ts";

interface Wanted {
  path: string;
  message: Message;
  title: string;
}

/** The fix that was asked for last, until the fixes of the text as it is now are known. */
const wanted = signal<Wanted | null>(null);

/** Mends a text as a fix of a message proposes. */
export function mend(path: string, message: Message, title: string): void {
  wanted.value = { path, message, title };
}

const known = computed(() => {
  const asked = wanted.value;
  const rules = asked && currentRules(state.value, asked.path);
  return asked && rules && !rules.fixing ? { asked, messages: rules.messages } : null;
});

effect(() => {
  if (!known.value) return;
  const { asked, messages } = known.value;
  wanted.value = null;
  const near = (message: Message) => Math.abs(message.from - asked.message.from);
  const same = messages.filter((message) => isSameMessage(message, asked.message)).sort((one, other) => near(one) - near(other));
  const fix = same[0]?.fixes?.find((fix) => fix.title === asked.title);
  if (fix) queueMicrotask(() => void applyEdits(fix.edits));
  else complain("The text has changed since. Nothing was edited.");
});
