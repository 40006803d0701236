import { encodeCursor } from './cursor.mjs';

export function startAfter(events, cursor) {
  if (cursor === null) return 0;
  const start = events.findIndex((event) => event.at > cursor.at);
  return start === -1 ? events.length : start;
}

export function cut(events, start, size) {
  const items = events.slice(start, start + size);
  const more = start + size < events.length;
  return { items, next: more ? encodeCursor(items.at(-1)) : null };
}
