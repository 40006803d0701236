import { AsyncResource } from 'node:async_hooks';
import { loadLateModule } from '../internal/late-modules.ts';
import { runGuarded } from '../internal/report.ts';
import { clearInterval, monotonicMs, setInterval } from '../internal/timers.ts';

/** Measurements of the process during a request. */
export interface Performance {
  /** Bytes of heap in use near the end of the request. */
  readonly heapUsed: number;
  /** CPU time of the whole process during the request, in percent of one core, measured over at least {@link sampleEveryMs}. */
  readonly cpuUsage: number;
  /** Longest delay of a due timer in the event loop during the request, in milliseconds. */
  readonly eventLoopDelay: number;
}

/**
 * A reading of the process's counters. Shared by all requests that start or end within {@link sampleEveryMs}, because a reading is a system
 * call.
 */
export interface ProcessSample {
  readonly atMs: number;
  readonly cpuMicros: number;
  readonly heapUsed: number;
  previous: ProcessSample | undefined;
}

const sampleEveryMs = 100;
const tickEveryMs = 20;
/** Time in ms without the start or end of a request after which the timer stops, so that it does not wake an idle service. */
const idleAfterMs = 5000;
const MAX_DELAYS = 64;

let lastSample: ProcessSample | undefined;

let scope: AsyncResource | undefined;
let ticking: NodeJS.Timeout | undefined;
let lastTickMs = 0;
let lastAskedMs = 0;
/** The timer's ticks that ran late, oldest first, each with its time and its delay. */
const delays: { atMs: number; delayMs: number }[] = [];

/** Must be called once, outside any request: a timer started later would inherit the context of the request that starts it. */
export function prepareSampling(): void {
  scope ??= new AsyncResource('ThroughlineSampling');
}

/** Returns the counters, at most {@link sampleEveryMs} old. `nowMs` is performance.now(). */
export function sampleProcess(nowMs: number): ProcessSample {
  lastAskedMs = nowMs;
  if (ticking === undefined) startTicking(nowMs);
  if (lastSample !== undefined && nowMs - lastSample.atMs < sampleEveryMs) return lastSample;
  const cpu = process.cpuUsage();
  if (lastSample !== undefined) lastSample.previous = undefined;
  lastSample = {
    atMs: nowMs,
    cpuMicros: cpu.user + cpu.system,
    heapUsed: loadLateModule('node:v8').getHeapStatistics().used_heap_size,
    previous: lastSample,
  };
  return lastSample;
}

export function measurePerformance(start: ProcessSample, startMs: number, nowMs: number): Performance {
  const end = sampleProcess(nowMs);
  const from = end === start ? (start.previous ?? start) : start;
  const spanMs = end.atMs - from.atMs;
  return {
    heapUsed: end.heapUsed,
    // The CPU time that some virtual machines report can decrease.
    cpuUsage: spanMs > 0 ? Math.max(0, Math.round((end.cpuMicros - from.cpuMicros) / spanMs) / 10) : 0,
    eventLoopDelay: Math.round(findLongestDelay(startMs, nowMs) * 1000) / 1000,
  };
}

function findLongestDelay(startMs: number, nowMs: number): number {
  // A request that blocks the event loop ends before the timer's delayed tick runs, so the delay up to now is counted.
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
    ticking = setInterval(() => runGuarded('Measuring', noteTick), tickEveryMs);
    ticking.unref();
  };
  if (scope === undefined) start();
  else scope.runInAsyncScope(start);
}

function noteTick(): void {
  const now = monotonicMs();
  const late = now - lastTickMs - tickEveryMs;
  lastTickMs = now;
  if (late > 1) {
    delays.push({ atMs: now, delayMs: late });
    if (delays.length > MAX_DELAYS) delays.shift();
  }
  if (now - lastAskedMs > idleAfterMs) {
    clearInterval(ticking);
    ticking = undefined;
  }
}
