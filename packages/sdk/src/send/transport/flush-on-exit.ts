import { basename } from 'node:path';
import { loadLateModule } from '../../internal/late-modules.ts';
import { wallMs } from '../../internal/timers.ts';
import { type Batch, buildBody } from '../queue/batch.ts';
import { describeRefusalAtEnd, describeRejection, describeTooManyAtEnd } from './log-lines.ts';
import { type Answer, classifyResponse } from './outcome.ts';
import { buildHeaders, type Target } from './post.ts';

/** Maximum bytes that are sent. More cannot be sent within a second. */
const LIMIT_BYTES = 8 * 1024 * 1024;

/** Maximum number of characters that are read of a response. */
const ANSWER_LENGTH = 256 * 1024;

/**
 * Program of the child process. Reads lines from stdin (URL, then headers and body of each request), posts all bodies in parallel, writes a
 * line of JSON for each response, and ends. Shares no modules and no open handles with the host. Receives only the environment variables
 * that `selectSystemVariables` returns.
 */
const PROGRAM = `
let text = '';
process.stdin.setEncoding('utf8').on('data', (part) => { text += part; }).on('end', () => {
  const [url, ...requests] = text.trim().split('\\n');
  const { request } = require(url.startsWith('https:') ? 'node:https' : 'node:http');
  for (let at = 0; at + 1 < requests.length; at += 2) {
    let body = '';
    const tell = (answer) => console.log(JSON.stringify({ nth: at / 2, ...answer }));
    const fail = ({ code, message }) => tell({ status: 0, body: '', failure: code ?? message });
    request(url, { method: 'POST', headers: JSON.parse(requests[at]) })
      .on('error', fail)
      .on('response', (response) => {
        response.setEncoding('utf8').on('error', fail)
          .on('data', (part) => { if (body.length < ${ANSWER_LENGTH}) body += part; })
          .on('end', () => tell({ status: response.statusCode, body }));
      })
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

/** The result of the last flush, in numbers of traces. */
interface LastFlush {
  readonly accepted: number;
  readonly rejected: number;
  /** Traces that were not sent, and traces in batches that the server did not accept. */
  readonly lost: number;
  /** Traces that were lost, now or earlier, without a report to the server. */
  readonly unreported: number;
  /** Lines for the host's log. */
  readonly lines: readonly string[];
}

/**
 * Sends the newest batches, at most {@link LIMIT_BYTES}, while this process ends. An ending process runs no asynchronous code, so a child
 * Node process sends the batches. The first body reports the lost traces to the server, including those of batches beyond the limit.
 * Batches whose response has not arrived within `limitMs` are lost. Sends nothing if `limitMs` is 0, or if this program was not started as
 * `node`, because a bundled executable would start the host again.
 */
export function flushInChildProcess(target: Target, last: LastBatches, limitMs: number): LastFlush {
  const { newestFirst, envelope } = last;
  const canSend = limitMs > 0 && /^node(js)?(\.exe)?$/i.test(basename(process.execPath));
  const batches = canSend ? takeUpToLimit(newestFirst) : [];
  const tooMany = countTraces(newestFirst.slice(batches.length));
  const lines = batches.flatMap(({ key, traces }, at) => [
    JSON.stringify(buildHeaders(target, key)),
    buildBody(traces, envelope, at === 0 ? last.lost + tooMany : 0).toString(),
  ]);
  const answers = batches.length === 0 ? NO_ANSWERS : post([target.url.href, ...lines], limitMs);
  return summarize(batches, answers, tooMany, last.lost);
}

/** Returns the responses by the number of the body. */
function post(lines: readonly string[], limitMs: number): ReadonlyMap<number, Answer> {
  const { stdout } = loadLateModule('node:child_process').spawnSync(process.execPath, ['-e', PROGRAM], {
    input: lines.join('\n'),
    timeout: limitMs,
    killSignal: 'SIGKILL',
    stdio: ['pipe', 'pipe', 'ignore'],
    encoding: 'utf8',
    maxBuffer: Infinity,
    env: selectSystemVariables(process.env),
    windowsHide: true,
  });
  const answers = new Map<number, Answer>();
  // The text after the last line break is empty, or a line that the process had not written completely when it was killed. There is no
  // output if the process could not be started.
  for (const line of (stdout ?? '').split('\n').slice(0, -1)) {
    const { nth, ...answer }: Answer & { readonly nth: number } = JSON.parse(line);
    if (!answers.has(nth)) answers.set(nth, answer);
  }
  return answers;
}

const NO_ANSWERS: ReadonlyMap<number, Answer> = new Map();
const NO_ANSWER: Answer = { status: 0, retryAfter: undefined, body: '', failure: 'no response in time' };

function summarize(
  batches: readonly Batch[],
  answers: ReadonlyMap<number, Answer>,
  tooMany: number,
  lostEarlier: number,
): LastFlush {
  let accepted = 0;
  let rejected = 0;
  let refused = 0;
  let isLossReported = false;
  let refusal = '';
  let rejection: string | undefined;
  batches.forEach(({ traces }, nth) => {
    const outcome = classifyResponse(answers.get(nth) ?? NO_ANSWER, wallMs());
    if (outcome.kind === 'stored') {
      accepted += traces.length - outcome.rejected;
      rejected += outcome.rejected;
      rejection ??= outcome.reason;
      if (nth === 0) isLossReported = true;
    } else {
      if (refused === 0) refusal = outcome.reason;
      refused += traces.length;
    }
  });
  const lines: string[] = [];
  if (rejection !== undefined) lines.push(describeRejection(rejection));
  if (refused > 0) lines.push(describeRefusalAtEnd(refused, refusal));
  if (tooMany > 0 && batches.length > 0) lines.push(describeTooManyAtEnd(tooMany));
  const lost = refused + tooMany;
  return { accepted, rejected, lost, unreported: isLossReported ? refused : lostEarlier + lost, lines };
}

function countTraces(batches: readonly Batch[]): number {
  return batches.reduce((sum, { traces }) => sum + traces.length, 0);
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
