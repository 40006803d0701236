import { useSyncExternalStore } from 'react';

/** How instants are written: "12 s ago", or as the time of day. */
export type TimeLook = 'relative' | 'absolute';

const KEY = 'time_look';
const listeners = new Set<() => void>();

function read(): TimeLook {
  return localStorage.getItem(KEY) === 'absolute' ? 'absolute' : 'relative';
}

/** One look at the storage for all instants on the page. */
let look: TimeLook | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: TimeLook): void {
  look = next;
  localStorage.setItem(KEY, next);
  for (const listener of listeners) listener();
}

/** The one setting for all lists, kept in this browser. */
export function useTimeLook(): readonly [TimeLook, (look: TimeLook) => void] {
  const current = useSyncExternalStore(subscribe, () => {
    look ??= read();
    return look;
  });
  return [current, set];
}
