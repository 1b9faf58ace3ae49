// What went wrong and what was done, in words, below the page. Screen readers read it out.

import { useEffect } from "preact/hooks";
import type { Notice } from "../reduce.ts";
import { part, update } from "../service.ts";
import { Icon } from "./parts.tsx";

const NEWS_LASTS = 5000;
const notices = part((state) => state.notices);

export function dismiss(key: number): void {
  update((state) => ({ ...state, notices: state.notices.filter((notice) => notice.key !== key) }));
}

export function Notices() {
  return (
    <div class="notices" aria-live="polite" aria-label="Notices" role="region">
      {notices.value.map((notice) => (
        <One key={notice.key} notice={notice} />
      ))}
    </div>
  );
}

function One({ notice }: { notice: Notice }) {
  useEffect(() => {
    if (notice.kind === "error") return;
    const timer = setTimeout(() => dismiss(notice.key), NEWS_LASTS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={`notice ${notice.kind}`}>
      <p>{notice.text}</p>
      <button type="button" class="bare" aria-label="Dismiss" onClick={() => dismiss(notice.key)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
