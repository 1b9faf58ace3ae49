// Light or dark: the system's setting, or the one chosen here.

import { effect, signal } from "@preact/signals";
import { store } from "../service.ts";

export type Theme = "auto" | "light" | "dark";

const KEY = "houserule:theme";
const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };

const kept = store.getItem(KEY);
export const theme = signal<Theme>(kept === "light" || kept === "dark" ? kept : "auto");

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  store.setItem(KEY, theme.value);
});

export function nextTheme(): void {
  theme.value = NEXT[theme.peek()];
}
