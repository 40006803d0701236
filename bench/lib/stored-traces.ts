import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { withEngine } from './engine.ts';
import type { ServerProcess } from './server-process.ts';
import type { GeneratedTrace } from './trace-generator.ts';

const ReadTrace = z.object({
  trace: z.object({ _id: z.string(), flow: z.array(z.record(z.string(), z.unknown())) }),
});

/** Reads traces through the API. Throws if a step differs from the step that was sent. */
export async function compareTraces(server: ServerProcess, traces: readonly GeneratedTrace[]): Promise<void> {
  for (const sent of traces) {
    const answer = await fetch(`${server.url}/api/traces/${sent._id}`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    if (!answer.ok)
      throw new Error(`trace ${sent._id} was acknowledged, but reading it answers ${answer.status}`);
    const { trace } = ReadTrace.parse(await answer.json());
    const stored = trace.flow.map(({ error: _error, ...step }) => step);
    if (!isDeepStrictEqual(stored, sent.flow))
      throw new Error(`trace ${sent._id} was stored differently from how it was sent`);
  }
}

/**
 * Reads the folder of a stopped server. Returns the ids and the number of its traces, the number of its steps, and the bytes of the traces
 * and of the steps. Leaves out ClickHouse parts that were already merged into others.
 */
export async function readFolder(
  dataDir: string,
): Promise<{ ids: ReadonlySet<string>; rows: number; steps: number; bytes: number }> {
  return inFolder(dataDir, async (read) => {
    const ids = await read(z.object({ id: z.string() }), 'SELECT id FROM traces');
    const [sizes] = await read(
      z.object({ bytes: z.coerce.number(), steps: z.coerce.number() }),
      `SELECT sum(bytes_on_disk) AS bytes, sumIf(rows, table = 'steps') AS steps FROM system.parts
       WHERE active AND database = currentDatabase() AND table IN ('traces', 'steps')`,
    );
    if (sizes === undefined) throw new Error('the folder has no parts');
    return { ids: new Set(ids.map(({ id }) => id)), rows: ids.length, ...sizes };
  });
}

/**
 * Counts the distinct spans of each trace, by W3C trace id, in a folder that no process has open. Traces without a request are absent from
 * the result.
 */
export async function readSpanCounts(dataDir: string): Promise<ReadonlyMap<string, number>> {
  return inFolder(dataDir, async (read) => {
    const rows = await read(
      z.object({ trace_id: z.string(), spans: z.coerce.number() }),
      `SELECT trace_id, uniqExact(span_id) AS spans FROM spans
       WHERE trace_id IN (SELECT trace_id FROM traces) GROUP BY trace_id`,
    );
    return new Map(rows.map(({ trace_id, spans }) => [trace_id, spans]));
  });
}

type Read = <S extends z.ZodType>(row: S, query: string) => Promise<z.output<S>[]>;

function inFolder<T>(dataDir: string, ask: (read: Read) => Promise<T>): Promise<T> {
  return withEngine(dataDir, (client) =>
    ask(async (row, query) => {
      const answer = await client.query({ query, format: 'JSONEachRow' });
      return (await answer.json()).map((found) => row.parse(found));
    }),
  );
}
