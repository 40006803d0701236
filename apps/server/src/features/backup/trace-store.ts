import { z } from 'zod';
import { countRows, type TraceStore } from '../../platform/trace-store/index.ts';
import type { RowsFrame } from './frames.ts';

/** A table of the trace store whose rows are part of a backup. */
export interface TraceTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** True if the table's engine merges rows with equal keys at some later time. A backup reads the rows as if they were merged. */
  readonly folds: boolean;
  /** True if the table's rows expire automatically. */
  readonly expires: boolean;
}

/**
 * Finds the tables that are not derived from other tables, in the order in which a backup reads them: traces before steps and spans. Steps
 * and spans are stored before their trace's row, so a backup finds them for every trace that it has read.
 */
export async function findTraceTables(store: TraceStore): Promise<TraceTable[]> {
  const tables = await store.rows(
    z.object({ name: z.string(), engine: z.string(), expires: z.number() }),
    `SELECT name, engine, name = 'ingest_batches' AS expires FROM system.tables
     WHERE database = currentDatabase()
       AND (engine = 'Distributed' OR engine LIKE '%MergeTree' AND NOT endsWith(name, '_local'))
       AND name != 'trace_migrations' AND name NOT LIKE '%rollup%'
     ORDER BY name != 'traces', name`,
  );
  const columns = await store.rows(
    z.object({ table: z.string(), names: z.array(z.string()) }),
    `SELECT table, groupArray(name) AS names FROM (
       SELECT table, name FROM system.columns
       WHERE database = currentDatabase() AND default_kind NOT IN ('ALIAS', 'MATERIALIZED', 'EPHEMERAL')
       ORDER BY table, position)
     GROUP BY table`,
  );
  const columnsOf = new Map(columns.map(({ table, names }) => [table, names]));
  return tables.map(({ name, engine, expires }) => ({
    name,
    columns: columnsOf.get(name) ?? [],
    folds: !/^(Replicated)?MergeTree$/.test(engine),
    expires: expires === 1,
  }));
}

/** Yields a table's rows one storage day at a time, because ClickHouse limits the number of partitions, here days, in one insert. */
export async function* readTraceRows(
  store: TraceStore,
  { name, columns, folds }: TraceTable,
): AsyncGenerator<RowsFrame> {
  const days = await store.lines(
    `SELECT DISTINCT _partition_id AS day FROM ${name} WHERE /* housekeeping */ true ORDER BY day`,
  );
  for (const day of days) {
    const pieces = store.stream(
      `SELECT ${columns.join(', ')} FROM ${name} ${folds ? 'FINAL' : ''} WHERE /* housekeeping */ _partition_id = {day:String}`,
      { day },
    );
    for await (const text of joinIntoLargePieces(pieces)) {
      yield { store: 'traces', table: name, columns, rows: countLines(text), text };
    }
  }
}

/**
 * Minimum size of a frame in bytes; the last frame of a day can be smaller. One insert restores one frame. Over HTTP, rows arrive in chunks
 * of 64 kB. One insert per chunk would create too many ClickHouse parts.
 */
const PIECE_BYTES = 8 * 1024 * 1024;

async function* joinIntoLargePieces(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    gathered.push(piece);
    bytes += piece.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(gathered);
    gathered = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(gathered);
}

function countLines(text: Buffer): number {
  let lines = 0;
  for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, at + 1)) lines += 1;
  return lines;
}

export function countTraceRows(store: TraceStore, table: string): Promise<number> {
  return countRows(store, `SELECT count() AS rows FROM ${table} WHERE /* housekeeping */ true`);
}

/** Marks the rollups of all hours with traces as dirty. The next server that starts rebuilds them. */
export async function markRollups(store: TraceStore): Promise<void> {
  await store.command(
    `INSERT INTO rollup_marks SELECT project_id, hour, generateUUIDv4(), now64(3)
     FROM (SELECT DISTINCT project_id, toStartOfHour(start_time) AS hour FROM traces WHERE /* housekeeping */ true)`,
  );
}
