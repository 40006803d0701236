/**
 * A program that provides ClickHouse's HTTP interface to the engine in this process, for a given folder and port. The program notifies its
 * parent when it is ready, and exits with the parent. Like ClickHouse, it rejects URLs and parameters that are too long. It also rejects
 * statements that the engine cannot parse in the form for a cluster. As in ClickHouse, an insert runs from the time its head
 * is read: the engine's own `system.processes` lists the insert while its rows arrive. An insert whose rows are cut off stores no rows. An
 * insert whose rows are complete continues even if its sender disconnects.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createGunzip, gunzip, gzip } from 'node:zlib';
import { onCluster } from 'throughline/cluster';
import { type Asked, ServedEngine } from './clickhouse-engine.ts';

/**
 * ClickHouse's defaults: `http_max_uri_size`, and `http_max_field_value_size` for each value as encoded in
 * the URL.
 */
const MAX_ADDRESS_BYTES = 1024 * 1024;
const MAX_VALUE_BYTES = 128 * 1024;

/** Parameters of the HTTP interface itself. All other parameters are settings of ClickHouse. */
const OWN_PARAMETERS = ['query', 'query_id', 'database', 'wait_end_of_query', 'enable_http_compression'];

const [folder = '', port = '0'] = process.argv.slice(2);
const engine = new ServedEngine(folder);

const server = createServer({ maxHeaderSize: 2 * MAX_ADDRESS_BYTES }, (request, reply) => {
  answer(request, reply).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    const [, code = '1001'] = /\bCode: (\d+)/.exec(message) ?? [];
    // Discards the unread rest of the body.
    request.resume();
    reply.writeHead(500, { 'x-clickhouse-exception-code': code }).end(message);
  });
});
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
});
process.on('disconnect', () => process.exit());

async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const address = request.url ?? '/';
  const url = new URL(address, 'http://clickhouse');
  if (url.pathname === '/ping') {
    reply.end('Ok.\n');
    return;
  }
  refuseTooLong(address);
  const given = [...url.searchParams];
  const query = url.searchParams.get('query');
  const asked: Asked = {
    database: url.searchParams.get('database') ?? 'default',
    parameters: new Map(
      given.flatMap(([name, value]) =>
        name.startsWith('param_') ? [[name.slice('param_'.length), value]] : [],
      ),
    ),
    settings: new Map(given.filter(([name]) => !name.startsWith('param_') && !OWN_PARAMETERS.includes(name))),
    statement: query ?? (await readText(request)),
    rows: query === null ? undefined : readRows(request),
  };
  await readOnCluster(asked);
  const bytes = await engine.run(asked);
  const packs = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  if (!packs || url.searchParams.get('enable_http_compression') !== '1') {
    reply.end(bytes);
    return;
  }
  reply.writeHead(200, { 'content-encoding': 'gzip' }).end(await promisify(gzip)(bytes, { level: 1 }));
}

function isPacked(request: IncomingMessage): boolean {
  return request.headers['content-encoding'] === 'gzip';
}

async function readText(request: IncomingMessage): Promise<string> {
  const sent = await buffer(request);
  return (isPacked(request) ? await promisify(gunzip)(sent) : sent).toString();
}

/** Reads the rows of an insert. The stream fails if the request is cut off. */
function readRows(request: IncomingMessage): Readable {
  return isPacked(request) ? pipeline(request, createGunzip(), () => {}) : request;
}

/**
 * Matches statements that {@link readOnCluster} does not check: statements with the same form on a single server and on a cluster, and
 * statements that only tests send.
 */
const SAME_EVERYWHERE =
  /^\s*(SELECT|WITH|(CREATE|DROP) DATABASE|SYSTEM STOP MERGES|OPTIMIZE TABLE|TRUNCATE TABLE)\b/i;
const seen = new Set<string>();

/**
 * Checks that the engine can parse the statements that would be sent to a cluster instead of this statement. Checks each statement only
 * once.
 */
async function readOnCluster(asked: Asked): Promise<void> {
  const { statement, rows } = asked;
  if (rows !== undefined || SAME_EVERYWHERE.test(statement) || seen.has(statement)) return;
  seen.add(statement);
  for (const form of onCluster(statement, 'main'))
    await engine.run({ ...asked, statement: `EXPLAIN AST ${form}` });
}

function refuseTooLong(address: string): void {
  if (address.length > MAX_ADDRESS_BYTES)
    throw new Error('Code: 1000. DB::Exception: URI too long. (POCO_EXCEPTION)');
  const [, parameters = ''] = address.split('?', 2);
  for (const parameter of parameters.split('&')) {
    const value = parameter.slice(parameter.indexOf('=') + 1);
    if (value.length > MAX_VALUE_BYTES)
      throw new Error('Code: 1000. DB::Exception: Field value too long. (POCO_EXCEPTION)');
  }
}
