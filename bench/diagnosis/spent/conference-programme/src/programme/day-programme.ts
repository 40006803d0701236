import type { Connection } from '../db/connection.ts';
import type { Session } from '../db/data.ts';
import { selectSessions } from '../db/queries.ts';
import { speakerNames } from './speakers.ts';

function bySlot(rows: { startsAt: string; text: string }[]): Record<string, string[]> {
  const slots: Record<string, string[]> = {};
  for (const { startsAt, text } of rows) (slots[startsAt] ??= []).push(text);
  return slots;
}

async function describe(db: Connection, { startsAt, room, title, speakerIds }: Session) {
  const names = await speakerNames(db, speakerIds);
  return { startsAt, text: `${title} (${room}) with ${names.join(' and ')}` };
}

export async function dayProgramme(db: Connection, day: number) {
  const sessions = await selectSessions(db, day);
  const rows = await Promise.all(sessions.map((session) => describe(db, session)));
  return { day, sessions: rows.length, slots: bySlot(rows) };
}
