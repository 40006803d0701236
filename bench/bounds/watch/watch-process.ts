/**
 * Observes a server from a separate process, so that sending hostile bodies does not affect the measurement. Requests the server's health,
 * sends small traces of another project without waiting for earlier responses, and samples the server's memory. The parent process controls
 * this process by messages.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { mainThreadMs } from '../../lib/process-cost.ts';
import { isCommand, type WatchReport } from './watch-messages.ts';

const PROBE_EVERY_MS = 50;
const SEND_EVERY_MS = 150;
/** Maximum number of pending requests of the other project. */
const MAX_WAITING = 200;
/**
 * A server that uses more memory than this is killed, because other programs run on the machine. Such a server exceeded the memory bound
 * long before.
 */
const MAX_SERVER_BYTES = 3e9;

interface Watched {
  readonly url: string;
  readonly pid: number;
  readonly apiKey: string;
}

let watched: Watched | undefined;
let echoUrl: string | undefined;
let acknowledged = 0;
const others = new Agent({ keepAlive: true, maxSockets: MAX_WAITING });

interface Silence {
  readonly ms: number;
  /** CPU time of the server's main thread during the time without a response. On a busy machine, it is less than the elapsed time. */
  readonly cpuMs: number;
}

/** Requests the server's health at fixed intervals, and measures the longest time without a successful response. */
function createProbe(url: () => string | undefined, cpuMs: () => number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let since: Silence | undefined;
  let pending = false;
  let longest: Silence = { ms: 0, cpuMs: 0 };
  const note = () => {
    if (since === undefined) return;
    const ms = performance.now() - since.ms;
    if (ms > longest.ms) longest = { ms, cpuMs: Math.max(0, cpuMs() - since.cpuMs) };
  };
  const ask = () => {
    const at = url();
    if (pending || at === undefined) return;
    pending = true;
    since ??= { ms: performance.now(), cpuMs: cpuMs() };
    const done = (answered: boolean) => {
      if (!pending) return;
      pending = false;
      note();
      if (answered) since = undefined;
    };
    const call = request(at, { agent }, (answer) => {
      answer.resume();
      answer.on('end', () => done(answer.statusCode === 200));
      answer.on('error', () => done(false));
    });
    call.on('error', () => done(false));
    call.end();
  };
  setInterval(ask, PROBE_EVERY_MS);
  return {
    reset() {
      longest = { ms: 0, cpuMs: 0 };
    },
    forget() {
      since = undefined;
    },
    longest() {
      note();
      return longest;
    },
  };
}

/** CPU time of the server's main thread at the last sample. Stored, because the CPU time of a server that has exited cannot be read. */
let mainMs = 0;

const health = createProbe(
  () => watched && `${watched.url}/api/health/live`,
  () => mainMs,
);
const machine = createProbe(
  () => echoUrl,
  () => 0,
);

interface Waiting {
  readonly sinceMs: number;
}
const waiting = new Set<Waiting>();
let otherMs: number[] = [];
let otherRefused = 0;
let otherLost = 0;

function sendSmall(): void {
  if (watched === undefined || waiting.size >= MAX_WAITING) return;
  const { url, apiKey } = watched;
  const one: Waiting = { sinceMs: performance.now() };
  waiting.add(one);
  const trace = {
    request: { method: 'GET', path: '/other', route: '/other' },
    timing: { startTime: new Date().toISOString(), duration: 1 },
  };
  const body = JSON.stringify({ service: { name: 'other' }, traces: [trace, trace] });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-api-key': apiKey,
  };
  const end = (status: number | undefined, text = '') => {
    if (!waiting.delete(one)) return;
    otherMs.push(performance.now() - one.sinceMs);
    if (status === 200) acknowledged += Number(JSON.parse(text).accepted);
    else if (status === undefined) otherLost += 1;
    else otherRefused += 1;
  };
  const sent = request(`${url}/api/ingest/traces`, { method: 'POST', agent: others, headers }, (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    answer.on('end', () => end(answer.statusCode, text));
    answer.on('error', () => end(undefined));
  });
  sent.on('error', () => end(undefined));
  sent.end(body);
}
setInterval(sendSmall, SEND_EVERY_MS);

let peakBytes = 0;
let endedForMemory = false;

function readStatus(pid: number, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1] ?? 0) * 1024;
}

/** True if the kernel allowed this process to reset the server's peak memory. */
let peakIsReset = false;

function sampleMemory(): void {
  if (watched === undefined) return;
  try {
    mainMs = mainThreadMs(watched.pid);
    const now = readStatus(watched.pid, 'VmRSS');
    peakBytes = Math.max(peakBytes, now, peakIsReset ? readStatus(watched.pid, 'VmHWM') : 0);
    if (now > MAX_SERVER_BYTES && !endedForMemory) {
      endedForMemory = true;
      process.kill(watched.pid, 'SIGKILL');
    }
  } catch {
    // The server has exited. Its parent process reports the exit.
  }
}
setInterval(sampleMemory, PROBE_EVERY_MS);

function begin(): void {
  peakBytes = 0;
  otherMs = [];
  otherRefused = 0;
  otherLost = 0;
  health.reset();
  machine.reset();
  try {
    if (watched !== undefined) writeFileSync(`/proc/${watched.pid}/clear_refs`, '5');
    peakIsReset = true;
  } catch {
    peakIsReset = false;
  }
  sampleMemory();
}

function report(): WatchReport {
  sampleMemory();
  const nowMs = performance.now();
  return {
    silenceMs: health.longest().ms,
    silenceCpuMs: health.longest().cpuMs,
    machineSilenceMs: machine.longest().ms,
    otherMs: [...otherMs, ...[...waiting].map(({ sinceMs }) => nowMs - sinceMs)],
    otherRefused,
    otherLost,
    acknowledged,
    peakBytes,
    endedForMemory,
  };
}

process.on('message', (command) => {
  if (!isCommand(command)) throw new Error('not a command of the watch');
  switch (command.type) {
    case 'watch':
      watched = command;
      endedForMemory = false;
      acknowledged = 0;
      waiting.clear();
      health.forget();
      break;
    case 'echo':
      ({ url: echoUrl } = command);
      break;
    case 'rest':
      watched = undefined;
      break;
    case 'begin':
      begin();
      break;
    case 'report':
      process.send?.(report());
      break;
  }
});
process.on('disconnect', () => process.exit());
