import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { drainPending, Session } from 'chdb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openTraceStore, type TraceStore } from './open.ts';

/** ClickHouse's HTTP interface over the engine in this process: what a ClickHouse server answers to the client. */
async function answer(session: Session, request: IncomingMessage): Promise<Buffer> {
  const url = new URL(request.url ?? '/', 'http://clickhouse');
  if (url.pathname === '/ping') return Buffer.from('Ok.\n');
  const packed = Buffer.concat(await request.toArray());
  const body = request.headers['content-encoding'] === 'gzip' ? await promisify(gunzip)(packed) : packed;
  const settings = [...url.searchParams].flatMap(([name, value]) =>
    name.startsWith('param_') || name === 'async_insert'
      ? [`SET ${name} = '${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}';`]
      : [],
  );
  const sql = url.searchParams.get('query');
  const statement = sql === null ? body.toString() : `${sql}\n${body}`;
  const result = await session.queryAsync(`${settings.join(' ')} ${statement}`);
  return Buffer.from(result.bytes());
}

let folder: string;
let session: Session;
let server: Server;
let store: TraceStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'throughline-served-'));
  session = new Session(join(folder, 'clickhouse'));
  server = createServer((request, reply) => {
    answer(session, request).then(
      (bytes) => reply.end(bytes),
      (error: unknown) => reply.writeHead(500).end(error instanceof Error ? error.message : ''),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  store = await openTraceStore({
    clickhouse: {
      url: `http://127.0.0.1:${address.port}`,
      user: 'default',
      password: '',
      database: 'default',
    },
    dataDir: join(folder, 'unused'),
  });
});
afterAll(async () => {
  await store.close();
  server.closeAllConnections();
  server.close();
  session.close();
  await drainPending();
  await rm(folder, { recursive: true, force: true });
});

test('a ClickHouse server is migrated, written and read like the engine in process', async () => {
  const seconds = Math.floor(Date.now() / 1000);
  const project = '01973000-0000-7000-8000-000000000001';
  const answers = ['{"text":"tab\\\\t quote\' 😀"}', '{}'].map(
    (text, index) => `${project}\t01973000-0000-7000-8000-00000000000${index}\t${text}\t${seconds}.000000\n`,
  );
  await store.insert(
    'ingest_batches',
    ['project_id', 'key', 'answer', 'stored_at'],
    Buffer.from(answers.join('')),
  );
  const rows = await store.rows(
    z.object({ answer: z.string() }),
    'SELECT answer FROM ingest_batches WHERE project_id = {project:UUID} ORDER BY key',
    { project },
  );
  expect(rows.map(({ answer: text }) => text)).toEqual(['{"text":"tab\\t quote\' 😀"}', '{}']);
  const nasty = `'; DROP TABLE steps; -- \\ \t\n 😀 {x:String}`;
  const [row] = await store.rows(z.object({ same: z.string() }), 'SELECT {nasty:String} AS same', { nasty });
  expect(row?.same).toBe(nasty);
  await store.ping();
  await expect(store.insert('steps', ['project_id'], Buffer.from('not a uuid\n'))).rejects.toThrow(/uuid/i);
  await expect(store.rows(z.object({}), 'SELECT nothing FROM nowhere')).rejects.toThrow(/nowhere/);
});
