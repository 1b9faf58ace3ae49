// Small parts that all panes use: buttons that name their keys, tabs, dialogs.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

export interface ButtonProps {
  onClick: () => void;
  children: ComponentChildren;
  /** The keys that do the same, as `?` lists them. */
  keys?: string;
  title?: string;
  label?: string;
  class?: string;
  disabled?: boolean;
  pressed?: boolean;
}

export function Button({ onClick, children, keys, title, label, class: look = "", disabled, pressed }: ButtonProps) {
  const words = title ?? label;
  return (
    <button
      type="button"
      class={`button ${look}`}
      onClick={onClick}
      disabled={disabled ?? false}
      title={keys ? `${words ? `${words} · ` : ""}${keys}` : words}
      aria-label={label}
      aria-keyshortcuts={keys?.replace("Ctrl-", "Control+").replaceAll("-", "+")}
      aria-pressed={pressed}
    >
      {children}
    </button>
  );
}

interface FieldProps {
  id?: string;
  type?: "text" | "number";
  min?: number | undefined;
  max?: number | undefined;
  /** The id of a list of proposals. */
  list?: string;
  label?: string;
  title?: string;
  class?: string;
  size?: number;
  value: string | number;
  /** Takes what was typed, at Enter or when the field is left. */
  commit: (text: string) => void;
}

/** A field that keeps what is being typed while the page around it changes. */
export function Field({ value, commit, label, type = "text", ...rest }: FieldProps) {
  const typed = useSignal<string | null>(null);
  return (
    <input
      {...rest}
      type={type}
      aria-label={label}
      value={typed.value ?? value}
      onInput={(event) => (typed.value = event.currentTarget.value)}
      onChange={(event) => {
        typed.value = null;
        commit(event.currentTarget.value);
      }}
    />
  );
}

interface TabsProps<Name extends string> {
  label: string;
  tabs: { name: Name; title: string; count?: number; alarm?: boolean }[];
  chosen: Name;
  choose: (name: Name) => void;
}

/** Tabs of which arrow keys choose one. */
export function Tabs<Name extends string>({ label, tabs, chosen, choose }: TabsProps<Name>) {
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.name === chosen);
    const next = (at + step + tabs.length) % tabs.length;
    choose(tabs[next]!.name);
    ((event.currentTarget as HTMLElement).children[next] as HTMLElement).focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.name}
          type="button"
          role="tab"
          aria-selected={tab.name === chosen}
          tabIndex={tab.name === chosen ? 0 : -1}
          onClick={() => choose(tab.name)}
        >
          {tab.title}
          {tab.count ? <span class={`count ${tab.alarm ? "alarm" : ""}`}>{tab.count}</span> : null}
        </button>
      ))}
    </div>
  );
}

/** A dialog over the page. Escape closes it. */
export function Dialog({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => before?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={close}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <header class="bar">
        <h2>{title}</h2>
        <span class="grow" />
        <Button onClick={() => dialog.current?.close()} keys="Escape">
          Close
        </Button>
      </header>
      <div class="dialog-body" tabIndex={0}>
        {children}
      </div>
    </dialog>
  );
}

const ICONS = {
  undo: "M6 4 3 7l3 3M3 7h6a4 4 0 0 1 0 8H7",
  redo: "M10 4l3 3-3 3M13 7H7a4 4 0 0 0 0 8h2",
  back: "M10 4 5.5 8.5 10 13",
  on: "M6 4l4.5 4.5L6 13",
  first: "M4 4v9M12 4 7 8.5l5 4.5",
  last: "M12 4v9M4 4l5 4.5L4 13",
  dice: "M3 3h10v10H3zM6 6h.01M10 10h.01M10 6h.01M6 10h.01",
  more: "M6.5 3H3v3.5M9.5 14H13v-3.5M3 3l4 4M13 14l-4-4",
  less: "M3.5 7H7V3.5M12.5 10H9v3.5M7 7 3 3M9 10l4 4",
  close: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.5 3.5l.7.7M11.8 11.8l.7.7M12.5 3.5l-.7.7M4.2 11.8l-.7.7",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5Z",
  auto: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2v12",
} as const;

export function Icon({ name }: { name: keyof typeof ICONS }) {
  return (
    <svg class="icon" viewBox="0 0 16 17" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}
