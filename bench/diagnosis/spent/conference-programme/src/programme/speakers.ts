import { BatchLoader } from '../db/batch-loader.ts';
import type { Connection } from '../db/connection.ts';
import type { Speaker } from '../db/data.ts';
import { selectSpeakers } from '../db/queries.ts';

function speakerLoader(db: Connection): BatchLoader<Speaker> {
  return new BatchLoader((ids) => selectSpeakers(db, ids));
}

function label(speaker: Speaker | undefined): string {
  return speaker ? `${speaker.name}, ${speaker.company}` : 'to be announced';
}

export async function speakerNames(db: Connection, ids: readonly number[]): Promise<string[]> {
  const loader = speakerLoader(db);
  const speakers = await Promise.all(ids.map((id) => loader.load(id)));
  return speakers.map(label);
}
