import { assertMayRead } from '../access/clients.mjs';
import { decodeCursor } from './cursor.mjs';
import { readEvents } from './log.mjs';
import { cut, startAfter } from './paging.mjs';

const MAX_SIZE = 50;

function pageSize(params) {
  const size = Number(params.get('size') ?? 2);
  return Math.min(Math.max(size, 1), MAX_SIZE);
}

function present(event) {
  const who = event.badge === null ? 'nobody' : `badge ${event.badge}`;
  return { id: event.id, at: event.at, text: `${event.kind} by ${who}` };
}

export async function listEvents(client, params) {
  const door = params.get('door');
  assertMayRead(client, door);
  const cursor = params.has('after') ? decodeCursor(params.get('after')) : null;
  const events = await readEvents(door);
  const start = startAfter(events, cursor);
  const { items, next } = cut(events, start, pageSize(params));
  return { door, for: client.name, events: items.map(present), next, readAt: Date.now() };
}
