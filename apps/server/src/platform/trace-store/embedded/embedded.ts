import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { drainPending } from 'chdb';
import { selectDetachedParts, selectParts } from '../all-nodes.ts';
import { INSERT_SETTINGS, splitLines } from '../queries.ts';
import { Sessions, streamLines } from '../sessions.ts';
import type { QueryParams, TraceStore } from '../trace-store.ts';
import { runMutation } from '../unfinished-mutations.ts';
import { withRowsFile } from './rows-file.ts';

const SETTINGS_TEXT = Object.entries(INSERT_SETTINGS)
  .map(([name, value]) => `${name} = ${value}`)
  .join(', ');

/** Maximum number of concurrent reads. One request can run several statements at once, and a list must not wait for a slow search. */
const READERS = Math.min(availableParallelism() + 1, 8);

/** Maximum number of concurrent reads of background work. Two, so that a search does not make all other background work wait. */
const BACKGROUND_READERS = 2;

/** Inserts above this size use a separate session: 60 MB take a second, during which other inserts continue. */
const LARGE_INSERT_BYTES = 2 * 1024 * 1024;
/**
 * Lookups whose SQL has more characters than this, such as lookups of a thousand ids, also use a separate session: each takes 50 to 400 ms,
 * and a batch of traces with one span each needs ten such lookups.
 */
const LARGE_LOOKUP_LENGTH = 16 * 1024;

export function openEmbedded(folder: string): TraceStore {
  const path = join(folder, 'traces');
  // Inserts have their own session, which reads never occupy. Slow statements also have sessions of their own.
  const writer = new Sessions(path, 1);
  const readers = new Sessions(path, READERS);
  const largeWriter = new Sessions(path, 1);
  const builder = new Sessions(path, 1);
  const backgroundReaders = new Sessions(path, BACKGROUND_READERS);
  const rowsOver =
    (sessionsFor: (sql: string) => Sessions): TraceStore['rows'] =>
    async (row, sql, params) => {
      const answer = await sessionsFor(sql).run(sql, params, 'JSONEachRow');
      return splitLines(answer.text()).map((line) => row.parse(JSON.parse(line)));
    };
  const runIn = (sessions: Sessions, sql: string, params?: QueryParams) =>
    runMutation(async () => {
      await sessions.run(sql, params);
    });
  const store: TraceStore = {
    rows: rowsOver(() => readers),
    rowsForWriter: rowsOver((sql) => (sql.length > LARGE_LOOKUP_LENGTH ? largeWriter : writer)),
    rowsBeside: rowsOver(() => backgroundReaders),
    lines: async (sql, params) => splitLines((await readers.run(sql, params, 'TabSeparatedRaw')).text()),
    command: (sql, params) => runIn(writer, sql, params),
    commandBeside: (sql, params) => runIn(builder, sql, params),
    stream: (sql, params = {}) => streamLines(path, sql, params),
    async insert(table, columns, rows) {
      const pieces = Buffer.isBuffer(rows) ? [rows] : rows;
      const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
      if (bytes === 0) return;
      const session = bytes > LARGE_INSERT_BYTES ? largeWriter : writer;
      await withRowsFile(folder, pieces, (file) =>
        session.run(
          `INSERT INTO ${table} (${columns.join(', ')}) FROM INFILE '${file}' SETTINGS ${SETTINGS_TEXT} FORMAT TabSeparated`,
        ),
      );
    },
    partsOfAllNodes: selectParts(undefined),
    detachedPartsOfAllNodes: selectDetachedParts(undefined),
    // When this process ends, its inserts end too, so no insert of an earlier lock holder can be running.
    holding: async () => store,
    async ping() {
      await readers.run('SELECT 1');
    },
    async close() {
      for (const sessions of [readers, writer, largeWriter, builder, backgroundReaders]) sessions.close();
      await drainPending();
    },
  };
  return store;
}
