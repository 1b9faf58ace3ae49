// The connection to the service: it sends what the page says, and says what it hears. A lost connection is tried again.

import type { Ask, Tell } from "./protocol.ts";

export interface Transport {
  say(ask: Ask & { id?: number }): void;
}

export interface Listener {
  /** The connection is open. The first thing to say is `hello`. */
  opened(): void;
  heard(tell: Tell): void;
  /** The connection is lost; it is tried again after `wait` milliseconds. */
  lost(wait: number): void;
}

const LEAST_WAIT = 300;
const MOST_WAIT = 4000;

/** Connects to the server that gave the page, for as long as the page lives. */
export function connect(listener: Listener): Transport & { again(): void } {
  let socket: WebSocket | null = null;
  let wait = LEAST_WAIT;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open() {
    clearTimeout(timer);
    const mine = new WebSocket(`ws://${location.host}/ws`);
    socket = mine;
    mine.onopen = () => listener.opened();
    mine.onmessage = (event) => {
      const tell = JSON.parse(String(event.data)) as Tell;
      if (tell.tell === "welcome") wait = LEAST_WAIT;
      listener.heard(tell);
    };
    mine.onclose = () => {
      if (socket !== mine) return;
      socket = null;
      listener.lost(wait);
      timer = setTimeout(open, wait);
      wait = Math.min(MOST_WAIT, wait * 1.6);
    };
  }

  open();
  return {
    say(ask) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(ask));
    },
    /** Connects again at once. */
    again() {
      wait = LEAST_WAIT;
      const old = socket;
      socket = null;
      old?.close();
      open();
    },
  };
}

const KEPT = "houserule:token";

/** Takes the token from the address, and removes it from there. Later it is found in the session's storage. */
export function takeToken(): string {
  const given = location.hash.slice(1);
  if (given) {
    sessionStorage.setItem(KEPT, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return given || sessionStorage.getItem(KEPT) || "";
}
