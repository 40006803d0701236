import { basename } from 'node:path';
import { loadLateModule } from '../../internal/late-modules.ts';
import { type Batch, buildBody } from '../queue/batch.ts';
import { buildHeaders, type Target } from './post.ts';

/** Maximum bytes that are sent. More cannot be sent within a second. */
const LIMIT_BYTES = 8 * 1024 * 1024;

export const TOO_MUCH_AT_END =
  'traces were dropped, because too many were waiting to be sent when the process ended; call shutdown() before the process ends';

/**
 * Program of the child process. Reads lines from stdin (URL, then headers and body of each request), posts all bodies in parallel, and ends
 * after the responses. Shares no modules and no open handles with the host. Receives only the environment variables that
 * `selectSystemVariables` returns.
 */
const PROGRAM = `
let text = '';
process.stdin.setEncoding('utf8').on('data', (part) => { text += part; }).on('end', () => {
  const [url, ...requests] = text.trim().split('\\n');
  const { request } = require(url.startsWith('https:') ? 'node:https' : 'node:http');
  for (let at = 0; at + 1 < requests.length; at += 2) {
    request(url, { method: 'POST', headers: JSON.parse(requests[at]) })
      .on('error', () => {})
      .on('response', (response) => response.resume())
      .end(requests[at + 1]);
  }
});`;

/**
 * The traces that are not delivered yet. The idempotency key of a batch prevents the server from storing its traces twice if the batch
 * arrived in an earlier attempt.
 */
interface LastBatches {
  readonly newestFirst: readonly Batch[];
  /** The description of this process as JSON (see {@link buildBody}). */
  readonly envelope: string;
  /** Number of traces that were lost earlier and have not been reported to the server yet. */
  readonly lost: number;
}

/**
 * Sends the newest batches, at most {@link LIMIT_BYTES}, while this process ends. It runs no asynchronous code any more, so a child Node
 * process sends them. The first body reports the lost traces to the server, including those of the batches beyond the limit. Returns the
 * number of sent batches. It is 0 if the child process does not end normally within `limitMs`, or if this program was not started as
 * `node`: a bundled executable would start the host again.
 */
export function flushInChildProcess(target: Target, last: LastBatches, limitMs: number): number {
  if (!/^node(js)?(\.exe)?$/i.test(basename(process.execPath))) return 0;
  const { newestFirst, envelope } = last;
  const batches = takeUpToLimit(newestFirst);
  const lost = newestFirst.slice(batches.length).reduce((sum, { traces }) => sum + traces.length, last.lost);
  const lines = batches.flatMap(({ key, traces }, at) => [
    JSON.stringify(buildHeaders(target, key)),
    buildBody(traces, envelope, at === 0 ? lost : 0).toString(),
  ]);
  const ended = loadLateModule('node:child_process').spawnSync(process.execPath, ['-e', PROGRAM], {
    input: [target.url.href, ...lines].join('\n'),
    timeout: limitMs,
    killSignal: 'SIGKILL',
    stdio: ['pipe', 'ignore', 'ignore'],
    env: selectSystemVariables(process.env),
    windowsHide: true,
  });
  return ended.status === 0 ? batches.length : 0;
}

function takeUpToLimit(newestFirst: readonly Batch[]): readonly Batch[] {
  let bytes = 0;
  const end = newestFirst.findIndex((batch) => {
    bytes += batch.bytes;
    return bytes > LIMIT_BYTES;
  });
  return end < 0 ? newestFirst : newestFirst.slice(0, end);
}

/**
 * Returns only the variables that the child process needs. The host's NODE_OPTIONS could load this SDK again; SystemRoot is required for
 * sockets on Windows.
 */
function selectSystemVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const copied: NodeJS.ProcessEnv = {};
  for (const name of ['SystemRoot', 'NODE_EXTRA_CA_CERTS', 'LD_LIBRARY_PATH']) {
    if (env[name] !== undefined) copied[name] = env[name];
  }
  return copied;
}
