/**
 * A soak test: checks that a server that is written to and read from for a long time keeps its speed and size.
 *
 * Recipe. A real server on an empty folder. Its maximum rate is measured for half a minute, unless `--traces-a-second` sets it. Half of
 * that rate is then sent evenly, in batches of 25 traces with 20 steps each, while 50 readers request a list, a search, facets or one trace
 * of the last two minutes every five seconds. The amount that they read does not grow, because batches are generated again when their
 * traces are 45 seconds old. Each minute's memory, files and latencies are printed. At the end, the server must have every acknowledged
 * trace. At most 1 % of the batches may have been rejected with a request to retry, and at most 1 % of the reads may have failed.
 * Measurements that should stay flat are compared between the last third of the minutes and the first third after the warm-up (`watch.ts`).
 * Ends with `N passed, N failed`.
 *
 *   node --conditions=source bench/soak/soak.long.ts [--minutes 30] [--traces-a-second N]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Client, createClient, routes } from '@throughline/contract';
import { type Batch, createSender, makeBatches } from '../ingest/senders.ts';
import { type ServerProcess, startServerProcess } from '../lib/server-process.ts';
import { readFolder } from '../lib/stored-traces.ts';
import { judge, type Minute, measureSize, percentile, readMemory } from './watch.ts';

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, 'traces-a-second': { type: 'string' } },
});

const MINUTE_MS = 60_000;
const READERS = 50;
const READ_EVERY_MS = 5_000;
/** Length of the range that readers request. */
const BACK_MS = 2 * MINUTE_MS;
const TRACES_PER_BATCH = 25;
const CONNECTIONS = 32;
const AT_MOST_SECONDS = 30;
const BATCHES = 120;
/** Age at which batches are generated again. Less than `BACK_MS`, so that readers always find recent traces. */
const OLD_MS = 45_000;
/** Maximum share of batches that were rejected with a request to retry. Also the maximum share of reads that failed. */
const BAD_SHARE = 0.01;

type Sender = ReturnType<typeof createSender>;

let acknowledged = 0;
let sent = 0;
let refused = 0;
let readings = 0;
let failedReadings = 0;
let acknowledgedMs: number[] = [];
let readMs: number[] = [];

async function sendOne(sender: Sender, batch: Batch): Promise<void> {
  const { status, ms, accepted } = await sender.send(batch);
  acknowledged += accepted;
  sent += 1;
  if (status === 200) acknowledgedMs.push(ms);
  else if (status === 503 || status === 429) refused += 1;
  else throw new Error(`a batch was answered ${status}`);
}

/** Measures the maximum rate in traces per second, with senders that never pause. */
async function atMost(sender: Sender, batchAt: (turn: number) => Batch): Promise<number> {
  const before = acknowledged;
  const startMs = performance.now();
  const flood = async (first: number) => {
    for (let turn = first; performance.now() - startMs < AT_MOST_SECONDS * 1000; turn += CONNECTIONS) {
      await sendOne(sender, batchAt(turn));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_sender, index) => flood(index)));
  return (acknowledged - before) / ((performance.now() - startMs) / 1000);
}

/**
 * Returns a function that returns the batch to send as the `turn`-th one. Batches are sent repeatedly until they are `OLD_MS` old, and then
 * generated again.
 */
function createBatches(): (turn: number) => Batch {
  const made: { readonly batch: Batch; readonly atMs: number }[] = [];
  return (turn) => {
    const place = turn % BATCHES;
    const known = made[place];
    if (known !== undefined && performance.now() - known.atMs < OLD_MS) return known.batch;
    const atMs = performance.now();
    const [batch] = makeBatches({
      seed: turn + 1,
      batches: 1,
      traces: TRACES_PER_BATCH,
      keep: 1,
      anonymous: true,
    }).batches;
    if (batch === undefined) throw new Error('there is nothing to send');
    made[place] = { batch, atMs };
    return batch;
  };
}

/**
 * Sends batches at a constant rate. Waits for a response only while all connections are in use. After a delay, sends the overdue batches of
 * at most one second.
 */
async function sendEvenly(
  sender: Sender,
  batchAt: (turn: number) => Batch,
  { tracesASecond, done }: { readonly tracesASecond: number; readonly done: AbortSignal },
): Promise<void> {
  const everyMs = (1000 * TRACES_PER_BATCH) / tracesASecond;
  const sending = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let dueMs = performance.now();
  for (let turn = 0; !done.aborted && failures.length === 0; turn += 1) {
    dueMs = Math.max(dueMs + everyMs, performance.now() - 1000);
    await sleep(Math.max(0, dueMs - performance.now()));
    const one: Promise<void> = sendOne(sender, batchAt(turn))
      .catch((error: unknown) => void failures.push(error))
      .finally(() => sending.delete(one));
    sending.add(one);
    if (sending.size >= CONNECTIONS) await Promise.race(sending);
  }
  await Promise.all(sending);
  if (failures.length > 0) throw failures[0];
}

async function read(server: ServerProcess, reader: number, done: AbortSignal): Promise<void> {
  const client = createClient({ baseUrl: server.url, fetch, token: () => server.token });
  await sleep((reader / READERS) * READ_EVERY_MS);
  for (let turn = reader; !done.aborted; turn += 1) {
    const startMs = performance.now();
    readings += 1;
    try {
      await readOnce(client, server.projectId, turn);
      readMs.push(performance.now() - startMs);
    } catch (error) {
      failedReadings += 1;
      process.stdout.write(`a reading failed: ${error instanceof Error ? error.message : String(error)}\n`);
    }
    await sleep(READ_EVERY_MS);
  }
}

async function readOnce(client: Client, projectId: string, turn: number): Promise<void> {
  const query = { projectId, startDate: new Date(Date.now() - BACK_MS).toISOString() };
  const { traces } = await client.call(routes.traces.list, { query: { ...query, ...chooseFilter(turn) } });
  const [newest] = traces;
  if (turn % 4 === 0) await client.call(routes.traces.facets, { query });
  if (turn % 4 === 1 && newest !== undefined)
    await client.call(routes.traces.read, { params: { id: newest._id } });
}

function chooseFilter(turn: number) {
  const filters = [
    {},
    { status: 'error' as const },
    { search: 'orders' },
    { minDuration: 50 },
    { attribute: 'tenant:t1' },
  ];
  return filters[turn % filters.length] ?? {};
}

async function takeMinute(server: ServerProcess): Promise<Minute> {
  const { files, bytes } = await measureSize(server.dataDir);
  const minute = { memoryBytes: readMemory(server.pid), files, bytes, acknowledgedMs, readMs };
  acknowledgedMs = [];
  readMs = [];
  return minute;
}

const done = new AbortController();
const server = await startServerProcess();
let stopped = false;
const stop = async () => {
  if (!stopped) await server.stop();
  stopped = true;
};
let failed = 0;
const fail = (why: string) => {
  failed += 1;
  process.stdout.write(`FAILED ${why}\n`);
};
try {
  const sender = createSender(server, CONNECTIONS);
  const batchAt = createBatches();
  for (let turn = 0; turn < BATCHES; turn += 1) batchAt(turn);
  const given = options['traces-a-second'];
  const tracesASecond = given === undefined ? (await atMost(sender, batchAt)) / 2 : Number(given);
  process.stdout.write(
    `${Math.round(tracesASecond)} traces a second${given === undefined ? ', half of what was taken at most' : ''}, ${READERS} readers\n`,
  );
  [sent, refused] = [0, 0];
  const others = Promise.all([
    sendEvenly(sender, batchAt, { tracesASecond, done: done.signal }),
    ...Array.from({ length: READERS }, (_reader, index) => read(server, index, done.signal)),
  ]);
  const minutes: Minute[] = [];
  await takeMinute(server);
  for (let index = 1; index <= Number(options.minutes); index += 1) {
    await Promise.race([sleep(MINUTE_MS), others]);
    const minute = await takeMinute(server);
    minutes.push(minute);
    const ms = (values: readonly number[], share: number) => `${Math.round(percentile(values, share))} ms`;
    process.stdout.write(
      `minute ${index}: ${Math.round(minute.memoryBytes / 1e6)} MB, ${minute.files} files, ${Math.round(minute.bytes / 1e6)} MB on disk; ` +
        `${minute.acknowledgedMs.length} batches p50 ${ms(minute.acknowledgedMs, 0.5)} p99 ${ms(minute.acknowledgedMs, 0.99)}; ` +
        `${minute.readMs.length} readings p50 ${ms(minute.readMs, 0.5)} p95 ${ms(minute.readMs, 0.95)}\n`,
    );
  }
  done.abort();
  await others;
  sender.close();
  const verdicts = judge(minutes);
  if (verdicts === undefined) process.stdout.write('Too few minutes to say what stays flat.\n');
  for (const { name, early, late, flat } of verdicts ?? []) {
    process.stdout.write(`${name}: ${Math.round(early)} early, ${Math.round(late)} late\n`);
    if (!flat) fail(`${name} did not stay flat`);
  }
  await stop();
  const { rows } = await readFolder(server.dataDir);
  process.stdout.write(
    `${acknowledged} traces acknowledged, ${rows} stored; ${refused} of ${sent} batches told to wait, ${failedReadings} of ${readings} readings failed\n`,
  );
  if (refused > sent * BAD_SHARE) fail(`${refused} of ${sent} batches were told to wait`);
  if (failedReadings > readings * BAD_SHARE) fail(`${failedReadings} of ${readings} readings failed`);
  if (rows < acknowledged) fail(`${acknowledged - rows} acknowledged traces are missing`);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
} finally {
  done.abort();
  await stop();
  await server.removeFolder();
}
process.stdout.write(failed === 0 ? '1 passed, 0 failed\n' : '0 passed, 1 failed\n');
process.exitCode = failed === 0 ? 0 : 1;
