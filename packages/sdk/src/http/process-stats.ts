import { AsyncResource } from 'node:async_hooks';
import { lateModule } from '../internal/late-modules.ts';
import { guarded } from '../internal/report.ts';
import { clearInterval, monotonicMs, setInterval } from '../runtime/timers.ts';

/** The machine's figures while a request ran. */
export interface Performance {
  /** Bytes of heap in use near the request's end. */
  readonly heapUsed: number;
  /** CPU time of the whole process, in percent of one core, over the request's time (over {@link markEveryMs} at least). */
  readonly cpuUsage: number;
  /** Milliseconds: the longest that the event loop kept a due timer waiting during the request. */
  readonly eventLoopDelay: number;
}

/** A reading of the process's counters. Shared by all requests that start or end within {@link markEveryMs}: reading them is a system call. */
export interface Mark {
  readonly atMs: number;
  readonly cpuMicros: number;
  readonly heapUsed: number;
  previous: Mark | undefined;
}

const markEveryMs = 100;
const tickEveryMs = 20;
/** The loop's timer stops when nothing was asked for this long, so that an idle service is left asleep. */
const idleAfterMs = 5000;
const delaysKept = 64;

let lastMark: Mark | undefined;

let scope: AsyncResource | undefined;
let ticking: NodeJS.Timeout | undefined;
let lastTickMs = 0;
let lastAskedMs = 0;
/** Late ticks, oldest first: when they came, and how late. */
const delays: { atMs: number; delayMs: number }[] = [];

/** Call once, outside any request: what is started later must not inherit the context of the request that starts it. */
export function prepareMachine(): void {
  scope ??= new AsyncResource('ThroughlineMachine');
}

/** The counters now, or as of up to {@link markEveryMs} ago. `nowMs` is performance.now(). */
export function sampleProcess(nowMs: number): Mark {
  lastAskedMs = nowMs;
  if (ticking === undefined) startTicking(nowMs);
  if (lastMark !== undefined && nowMs - lastMark.atMs < markEveryMs) return lastMark;
  const cpu = process.cpuUsage();
  if (lastMark !== undefined) lastMark.previous = undefined;
  lastMark = {
    atMs: nowMs,
    cpuMicros: cpu.user + cpu.system,
    heapUsed: lateModule('node:v8').getHeapStatistics().used_heap_size,
    previous: lastMark,
  };
  return lastMark;
}

export function performanceSince(start: Mark, startMs: number, nowMs: number): Performance {
  const end = sampleProcess(nowMs);
  const from = end === start ? (start.previous ?? start) : start;
  const spanMs = end.atMs - from.atMs;
  return {
    heapUsed: end.heapUsed,
    cpuUsage: spanMs > 0 ? Math.round((end.cpuMicros - from.cpuMicros) / spanMs) / 10 : 0,
    eventLoopDelay: Math.round(longestDelay(startMs, nowMs) * 1000) / 1000,
  };
}

function longestDelay(startMs: number, nowMs: number): number {
  // A request that blocks the loop itself ends before the late tick can be seen: count what is overdue now.
  let longest = Math.max(0, nowMs - Math.max(lastTickMs + tickEveryMs, startMs));
  for (let i = delays.length - 1; i >= 0; i--) {
    const delay = delays[i];
    if (delay === undefined || delay.atMs < startMs) break;
    longest = Math.max(longest, Math.min(delay.delayMs, delay.atMs - startMs));
  }
  return longest;
}

function startTicking(nowMs: number): void {
  lastTickMs = nowMs;
  const start = () => {
    ticking = setInterval(() => guarded('Measuring', tick), tickEveryMs);
    ticking.unref();
  };
  if (scope === undefined) start();
  else scope.runInAsyncScope(start);
}

function tick(): void {
  const now = monotonicMs();
  const late = now - lastTickMs - tickEveryMs;
  lastTickMs = now;
  if (late > 1) {
    delays.push({ atMs: now, delayMs: late });
    if (delays.length > delaysKept) delays.shift();
  }
  if (now - lastAskedMs > idleAfterMs) {
    clearInterval(ticking);
    ticking = undefined;
  }
}
