/**
 * bench:login: measures how much logins slow down other requests, and if the response time reveals which accounts exist.
 *
 * Recipe. The real server (embedded stores, RATE_LIMITS=off) in a separate process has 50 accounts and a project with 500 generated traces.
 * In each round, the project's newest 50 traces are listed every 30 ms: first without other load, then with 50 logins in progress, each
 * account logging in again after its last login succeeded. The main figures are the milliseconds that the logins add to the median, the p95
 * and the p99 of the list times. A failed login or a short list ends the benchmark with an error. Each round then sends logins with a wrong
 * password one at a time, alternating between existing accounts and unknown addresses. The figure is the ratio of their median durations,
 * the longer divided by the shorter.
 *
 *   npm run bench:login [-- --quick] [-- --json FILE]
 */
import { Agent, request } from 'node:http';
import { makeBatches } from '../ingest/senders.ts';
import { calibrationMs } from '../lib/calibration.ts';
import { figure, report } from '../lib/figures.ts';
import { type ServerProcess, startServerProcess } from '../lib/server-process.ts';

const IN_FLIGHT = 50;
const LIST_EVERY_MS = 30;
const PASSWORD = 'correct horse';

const args = process.argv.slice(2);
const quick = args.includes('--quick');
const rounds = quick ? 3 : 7;
const secondsEach = quick ? 4 : 8;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT + 20 });

function call(url: string, given: { readonly token?: string; readonly body?: unknown }): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const { token, body } = given;
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const sent = request(url, { method: body === undefined ? 'GET' : 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, text, ms: performance.now() - startedMs }),
      );
    });
    sent.once('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function expectStatus(answer: Promise<Answer>, status: number): Promise<Answer> {
  const got = await answer;
  if (got.status !== status) throw new Error(`answered ${got.status} instead of ${status}: ${got.text}`);
  return got;
}

const buildEmail = (place: number) => `person-${place}@bench.example`;
const logIn = (server: ServerProcess, email: string, password: string) =>
  call(`${server.url}/api/auth/login`, { body: { email, password } });

async function fill(server: ServerProcess): Promise<void> {
  for (let place = 0; place < IN_FLIGHT; place += 1) {
    const body = { name: `Person ${place}`, email: buildEmail(place), password: PASSWORD };
    await expectStatus(call(`${server.url}/api/auth/register/solo`, { body }), 201);
  }
  const { batches } = makeBatches({ seed: 1, batches: 20, traces: 25, keep: 1 });
  for (const { body } of batches) {
    const answer = await fetch(`${server.url}/api/ingest/traces`, {
      method: 'POST',
      headers: { 'x-api-key': server.apiKey, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: new Uint8Array(body),
    });
    if (answer.status !== 200) throw new Error(`the traces were refused: ${await answer.text()}`);
  }
}

/** Requests lists at a constant rate, without waiting for earlier responses. Returns the duration of each in ms. */
async function listFor(server: ServerProcess, seconds: number): Promise<number[]> {
  const url = `${server.url}/api/traces?projectId=${server.projectId}&limit=50`;
  const startedMs = performance.now();
  const lists: Promise<number>[] = [];
  const total = Math.floor((seconds * 1000) / LIST_EVERY_MS);
  while (lists.length < total) {
    while (lists.length < total && performance.now() - startedMs >= lists.length * LIST_EVERY_MS) {
      lists.push(
        expectStatus(call(url, { token: server.token }), 200).then(({ text, ms }) => {
          const { traces } = JSON.parse(text) as { traces: unknown[] };
          if (traces.length !== 50) throw new Error(`a list had ${traces.length} traces`);
          return ms;
        }),
      );
    }
    await new Promise((wait) => setTimeout(wait, 1));
  }
  return Promise.all(lists);
}

/** Like `listFor`, while all accounts log in repeatedly. Also returns the number of logins per second. */
async function listBesideLogins(server: ServerProcess, seconds: number) {
  let ended = false;
  let logins = 0;
  const loops = Array.from({ length: IN_FLIGHT }, async (_loop, place) => {
    while (!ended) {
      await expectStatus(logIn(server, buildEmail(place), PASSWORD), 200);
      logins += 1;
    }
  });
  const startedMs = performance.now();
  const listsMs = await listFor(server, seconds);
  const loginsASecond = logins / ((performance.now() - startedMs) / 1000);
  ended = true;
  await Promise.all(loops);
  return { listsMs, loginsASecond };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Returns the median duration of a failed login in ms: for existing accounts, and for unknown addresses. */
async function refusals(
  server: ServerProcess,
): Promise<{ readonly known: number; readonly unknown: number }> {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let place = 0; place < IN_FLIGHT; place += 1) {
    known.push((await expectStatus(logIn(server, buildEmail(place), 'not it'), 401)).ms);
    unknown.push((await expectStatus(logIn(server, `nobody-${place}@bench.example`, 'not it'), 401)).ms);
  }
  return { known: percentile(known, 0.5), unknown: percentile(unknown, 0.5) };
}

const server = await startServerProcess();
const added = { median: [] as number[], p95: [] as number[], p99: [] as number[] };
const byLoop: number[] = [];
const loginRates: number[] = [];
const alikeness: number[] = [];
try {
  await fill(server);
  await listFor(server, 1);
  await listBesideLogins(server, 1);
  for (let round = 0; round < rounds; round += 1) {
    const calm = await listFor(server, secondsEach);
    const { listsMs, loginsASecond } = await listBesideLogins(server, secondsEach);
    const more = (share: number) => percentile(listsMs, share) - percentile(calm, share);
    added.median.push(more(0.5));
    added.p95.push(more(0.95));
    added.p99.push(more(0.99));
    byLoop.push(more(0.95) / calibrationMs());
    loginRates.push(loginsASecond);
    process.stdout.write(
      `round ${round + 1}: list p50 ${percentile(calm, 0.5).toFixed(1)} → ${percentile(listsMs, 0.5).toFixed(1)} ms, p95 ${percentile(calm, 0.95).toFixed(1)} → ${percentile(listsMs, 0.95).toFixed(1)} ms, p99 ${percentile(calm, 0.99).toFixed(1)} → ${percentile(listsMs, 0.99).toFixed(1)} ms, ${loginsASecond.toFixed(1)} logins/s\n`,
    );
    const { known, unknown } = await refusals(server);
    alikeness.push(Math.max(known / unknown, unknown / known));
    // Each account logs in successfully once, so that its failed attempts do not add up to a delay.
    for (let place = 0; place < IN_FLIGHT; place += 1)
      await expectStatus(logIn(server, buildEmail(place), PASSWORD), 200);
  }
} finally {
  agent.destroy();
  await server.stop();
  await server.removeFolder();
}

await report(
  'login',
  [
    figure('trace list beside 50 logins in flight: added to the median', 'ms', added.median, '<= 100'),
    figure('trace list beside 50 logins in flight: added to the p95', 'ms', added.p95, '<= 100'),
    figure('the same, by a fixed loop beside it', 'ratio', byLoop),
    figure('trace list beside 50 logins in flight: added to the p99', 'ms', added.p99),
    figure('logins let in meanwhile', 'logins/s', loginRates),
    figure(
      'refused login, with and without an account, the longer by the shorter',
      'ratio',
      alikeness,
      '<= 1.1',
    ),
  ],
  args,
);
