import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { STEP, withMember } from '../bodies/native-json.ts';
import { pack } from '../bodies/pack.ts';
import { join, listOfNumbered } from '../bodies/pieces.ts';
import { callOnce, post } from '../calls.ts';
import type { HostileForm, Outcome, Send } from '../form.ts';

/** Time for which one sender holds its connections. */
const HELD_MS = 4000;
const EVERY_MS = 100;

const form = (way: HostileForm['way'], name: string, send: Send): HostileForm => ({
  way,
  name,
  prepare: async () => send,
});

/** Posts a body in small pieces without ever completing it. */
const trickled =
  (pieceBytes: number, headers: Readonly<Record<string, string>>): Send =>
  async (target, signal) => {
    const done = AbortSignal.any([signal, AbortSignal.timeout(HELD_MS)]);
    const all = { 'x-api-key': target.apiKey, 'content-type': 'application/json', ...headers };
    const outcome = await callOnce(
      target,
      { method: 'POST', path: '/api/ingest/traces', headers: all },
      (sent) => {
        const timer = setInterval(() => sent.write(Buffer.alloc(pieceBytes, ' ')), EVERY_MS);
        sent.on('close', () => clearInterval(timer));
      },
      done,
    );
    return heldOr(outcome);
  };

const heldOr = (outcome: Outcome): Outcome =>
  outcome.answer === 'no answer' ? { ...outcome, answer: 'closed as asked' } : outcome;

/** Opens a connection and sends a first string. Then sends a second string again and again until `HELD_MS` has passed. */
const opened =
  (said: string, repeated: string): Send =>
  async (target, signal) => {
    const { hostname, port } = new URL(target.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.resume();
    socket.write(said);
    const endMs = performance.now() + HELD_MS;
    while (performance.now() < endMs && !signal.aborted && !socket.destroyed) {
      if (repeated !== '') socket.write(repeated);
      await sleep(EVERY_MS);
    }
    socket.destroy();
    return { answer: 'closed as asked', text: '' };
  };

/** Hostile inputs that hold connections, and the memory that the server reserves for them. */
export const CONNECTIONS: readonly HostileForm[] = [
  form(
    'connections',
    'bodies of 8 MB that trickle',
    trickled(1, { 'content-length': String(8 * 1024 * 1024) }),
  ),
  form(
    'connections',
    'packed bodies that trickle',
    trickled(1, { 'content-length': String(7_000_000), 'content-encoding': 'gzip' }),
  ),
  form(
    'connections',
    'bodies without a length that trickle',
    trickled(1000, { 'transfer-encoding': 'chunked' }),
  ),
  form(
    'connections',
    'headers that never end',
    opened('GET /api/health/live HTTP/1.1\r\nHost: a\r\n', 'x-a: b\r\n'),
  ),
  form('connections', 'connections that say nothing', opened('', '')),
  form(
    'connections',
    '200 requests in one piece',
    opened('GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(200), ''),
  ),
];

/** Opens live streams of one session. Then sends large traces with many steps, which the server must push to all streams. */
function streams(count: number, read: boolean): Send {
  return async (target, signal) => {
    const body = await pack(
      withMember(
        'flow',
        join(
          '',
          listOfNumbered(2000, (index) => `{"stepId":"${index}",${STEP},"outputs":"${'x'.repeat(500)}"}`),
        ),
      ),
      'gzip',
    );
    const done = AbortSignal.any([signal, AbortSignal.timeout(HELD_MS)]);
    const headers = { authorization: `Bearer ${target.token}`, accept: 'text/event-stream' };
    const path = `/api/traces/stream?projectId=${target.projectId}`;
    const open = Array.from({ length: count }, () =>
      callOnce(
        target,
        { method: 'GET', path, headers },
        (sent) => {
          sent.on('response', (answer) => (read ? answer.resume() : answer.pause()));
          sent.end();
        },
        done,
      ),
    );
    await sleep(HELD_MS / 8);
    while (!done.aborted) {
      const sent = {
        'x-api-key': target.apiKey,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      };
      await post(target, '/api/ingest/traces', sent, body, done);
    }
    const outcomes = await Promise.all(open);
    const refused = outcomes.find(({ answer }) => answer !== 'no answer');
    return refused === undefined ? { answer: 'streams', text: '' } : heldOr(refused);
  };
}

const liveForm = (name: string, send: Send): HostileForm => ({
  ...form('live streams', name, send),
  onlyAlone: true,
});

/** Many live streams of one session. */
export const LIVE: readonly HostileForm[] = [
  liveForm('24 streams of one session', streams(24, true)),
  liveForm('600 streams of one session', streams(600, true)),
  liveForm('1,150 streams of one session', streams(1150, true)),
  liveForm('600 streams that nobody reads', streams(600, false)),
];
