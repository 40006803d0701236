import { useSyncExternalStore } from 'react';

/** Format of timestamps: "12 s ago", or the time of day. */
export type TimeLook = 'relative' | 'absolute';

const KEY = 'time_look';
const listeners = new Set<() => void>();

function read(): TimeLook {
  return localStorage.getItem(KEY) === 'absolute' ? 'absolute' : 'relative';
}

/** Cached setting, so that the page's timestamps do not each read the storage. */
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

/** Returns the time format of all lists, and a function that changes the format. The browser stores the format. */
export function useTimeLook(): readonly [TimeLook, (look: TimeLook) => void] {
  const current = useSyncExternalStore(subscribe, () => {
    look ??= read();
    return look;
  });
  return [current, set];
}
