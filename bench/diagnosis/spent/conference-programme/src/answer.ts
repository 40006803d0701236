import { Connection } from './db/connection.ts';
import { dayProgramme } from './programme/day-programme.ts';

const db = new Connection(18);

export async function answer(path: string): Promise<{ status: number; body: unknown }> {
  const day = /^\/days\/(\d)\/programme$/.exec(path)?.[1];
  if (day === undefined) return { status: 404, body: { error: 'not found' } };
  try {
    return { status: 200, body: await dayProgramme(db, Number(day)) };
  } catch (error) {
    return { status: 500, body: { error: (error as Error).message } };
  }
}
