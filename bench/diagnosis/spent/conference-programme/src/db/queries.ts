import type { Connection } from './connection.ts';
import { sessions, speakers, type Session, type Speaker } from './data.ts';

export function selectSessions(db: Connection, day: number): Promise<Session[]> {
  return db.run(() => sessions.filter((session) => session.day === day));
}

export function selectSpeakers(db: Connection, ids: readonly number[]): Promise<Speaker[]> {
  return db.run(() => speakers.filter(({ id }) => ids.includes(id)));
}
