import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { drainPending } from 'chdb';
import type { TraceStore } from '../open.ts';
import { INSERT_SETTINGS, splitLines } from '../queries.ts';
import { selectDetachedParts, selectParts } from '../served/all-nodes.ts';
import { Sessions, streamed } from '../sessions.ts';
import { withRowsFile } from './rows-file.ts';

const SETTINGS_TEXT = Object.entries(INSERT_SETTINGS)
  .map(([name, value]) => `${name} = ${value}`)
  .join(', ');

/** So many readings run at once: a call's several statements beside each other, and a list beside a slow search. */
const READERS = Math.min(availableParallelism() + 1, 8);

/** Larger inserts have a session of their own: 60 MB take a second, in which others are stored. */
const LARGE_INSERT_BYTES = 2 * 1024 * 1024;
/** So have longer lookups, which name a thousand ids and more: each takes 50 to 400 ms, and a batch of traces of one span needs ten of them. */
const LARGE_LOOKUP_LENGTH = 16 * 1024;

/** A store in this process, in a folder. */
export function openEmbedded(folder: string): TraceStore {
  const path = join(folder, 'traces');
  // Inserts have a session of their own, which no reader takes, and so has what takes long.
  const writer = new Sessions(path, 1);
  const readers = new Sessions(path, READERS);
  const largeWriter = new Sessions(path, 1);
  const builder = new Sessions(path, 1);
  const backgroundReader = new Sessions(path, 1);
  const rowsOver =
    (sessionsFor: (sql: string) => Sessions): TraceStore['rows'] =>
    async (row, sql, params) => {
      const answer = await sessionsFor(sql).run(sql, params, 'JSONEachRow');
      return splitLines(answer.text()).map((line) => row.parse(JSON.parse(line)));
    };
  const store: TraceStore = {
    rows: rowsOver(() => readers),
    rowsForWriter: rowsOver((sql) => (sql.length > LARGE_LOOKUP_LENGTH ? largeWriter : writer)),
    rowsBeside: rowsOver(() => backgroundReader),
    lines: async (sql, params) => splitLines((await readers.run(sql, params, 'TabSeparatedRaw')).text()),
    async command(sql, params) {
      await writer.run(sql, params);
    },
    async commandBeside(sql, params) {
      await builder.run(sql, params);
    },
    stream: (sql, params = {}) => streamed(path, sql, params),
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
    // Inserts of this process end with it; nothing can be left running.
    holding: async () => store,
    async ping() {
      await readers.run('SELECT 1');
    },
    async close() {
      for (const sessions of [readers, writer, largeWriter, builder, backgroundReader]) sessions.close();
      await drainPending();
    },
  };
  return store;
}
