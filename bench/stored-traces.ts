import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createClient } from '@clickhouse/client';
import { drainPending } from 'chdb';
import { createChdbConnection } from 'chdb/connection';
import { z } from 'zod';
import type { ServerProcess } from './server-process.ts';
import type { GeneratedTrace } from './trace-generator.ts';

const Read = z.object({
  trace: z.object({ _id: z.string(), flow: z.array(z.record(z.string(), z.unknown())) }),
});

/** Reads traces through the API and fails unless each step is what was sent. */
export async function compareTraces(server: ServerProcess, traces: readonly GeneratedTrace[]): Promise<void> {
  for (const sent of traces) {
    const answer = await fetch(`${server.url}/api/traces/${sent._id}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    if (!answer.ok)
      throw new Error(`trace ${sent._id} was acknowledged, but reading it answers ${answer.status}`);
    const { trace } = Read.parse(await answer.json());
    const stored = trace.flow.map(({ error: _error, ...step }) => step);
    if (!isDeepStrictEqual(stored, sent.flow))
      throw new Error(`trace ${sent._id} was stored differently from how it was sent`);
  }
}

/** The ids in a stopped server's folder, and how many bytes its traces and steps take there, without parts already merged away. */
export async function readFolder(
  dataDir: string,
): Promise<{ ids: ReadonlySet<string>; rows: number; steps: number; bytes: number }> {
  const connection: unknown = createChdbConnection({ path: join(dataDir, 'traces') });
  const client = createClient({ connection: connection as never });
  const read = async <S extends z.ZodType>(row: S, query: string): Promise<z.output<S>[]> => {
    const answer = await client.query({ query, format: 'JSONEachRow' });
    return (await answer.json()).map((found) => row.parse(found));
  };
  const ids = await read(z.object({ id: z.string() }), 'SELECT id FROM traces');
  const [sizes] = await read(
    z.object({ bytes: z.coerce.number(), steps: z.coerce.number() }),
    `SELECT sum(bytes_on_disk) AS bytes, sumIf(rows, table = 'steps') AS steps FROM system.parts
     WHERE active AND database = currentDatabase() AND table IN ('traces', 'steps')`,
  );
  await client.close();
  // A process has one folder open at a time; the next round has another.
  await drainPending();
  if (sizes === undefined) throw new Error('the folder has no parts');
  return { ids: new Set(ids.map(({ id }) => id)), rows: ids.length, ...sizes };
}
