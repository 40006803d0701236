import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../soak/watch.ts';
import type { HostileForm, Outcome, Send } from './form.ts';
import type { Victim } from './watch/victim.ts';
import type { Watch } from './watch/watch.ts';

/** Effects of one hostile input that was sent once, or many times concurrently. */
export interface Tried {
  readonly form: HostileForm;
  readonly senders: number;
  /** Number of senders that received each response, by response. */
  readonly answers: Readonly<Record<string, number>>;
  /** Body of one of the responses. */
  readonly text: string;
  readonly peakBytes: number;
  readonly silenceMs: number;
  /** CPU time that the server's main thread used during the longest time without a response to the health check. */
  readonly silenceCpuMs: number;
  readonly machineSilenceMs: number;
  /** Median duration of the other project's requests while the hostile input was sent, divided by their median duration before. */
  readonly otherRatio: number;
  readonly otherLongestMs: number;
  readonly otherRefused: number;
  readonly cpuSeconds: number;
  readonly tookMs: number;
  /** The server's exit code or signal; undefined if the server still runs. */
  readonly died: string | undefined;
  /** True if the server was still busy when the hostile input reached its limit of CPU time or of elapsed time. */
  readonly stillBusy: boolean;
  /** Number of senders that had no response when the hostile input reached its limit of CPU time or of elapsed time. */
  readonly unanswered: number;
}

/**
 * Minimum time for which the server is observed with a hostile input. This time is long enough for several requests of the other project.
 */
const MIN_WATCHED_MS = 1000;
const LOOK_EVERY_MS = 250;
/**
 * A server that uses less than this share of a core counts as idle. The share is not 0, since the server still handles the other project's
 * requests.
 */
const QUIET_SHARE = 0.5;

export interface Tools {
  readonly victim: Victim;
  readonly watch: Watch;
  /** Durations of the other project's requests when no hostile input is running, newest last. */
  readonly usualMs: number[];
  readonly limitMs: number;
}

export async function tryForm(tools: Tools, form: HostileForm, send: Send, senders: number): Promise<Tried> {
  const { victim, watch, usualMs, limitMs } = tools;
  const target = await victim.newTarget();
  await sampleUsual(watch, usualMs);
  watch.begin();
  const startMs = performance.now();
  const startCpu = victim.cpuSeconds();
  const limit = startLimit(victim, limitMs);
  const outcomes = await Promise.all(Array.from({ length: senders }, () => send(target, limit.signal)));
  const stillBusy = !(await becomesQuiet(victim, limit.signal, startMs));
  limit.stop();
  const seen = await watch.report();
  const died = seen.endedForMemory ? 'ended at 3 GB' : victim.ended();
  return {
    form,
    senders,
    answers: countAnswers(outcomes),
    text: outcomes[0]?.text ?? '',
    peakBytes: seen.peakBytes,
    silenceMs: seen.silenceMs,
    silenceCpuMs: seen.silenceCpuMs,
    machineSilenceMs: seen.machineSilenceMs,
    otherRatio: percentile(seen.otherMs, 0.5) / percentile(usualMs, 0.5),
    otherLongestMs: Math.max(0, ...seen.otherMs),
    otherRefused: seen.otherRefused + seen.otherLost,
    cpuSeconds: died === undefined ? victim.cpuSeconds() - startCpu : 0,
    tookMs: since(startMs),
    died,
    stillBusy,
    unanswered: outcomes.filter(({ answer }) => answer === 'no answer').length,
  };
}

const since = (startMs: number) => performance.now() - startMs;

/** Number of newest requests whose median duration counts as the usual duration. */
const USUAL_SAMPLES = 40;
const USUAL_FOR_MS = 320;

async function sampleUsual(watch: Watch, usualMs: number[]): Promise<void> {
  watch.begin();
  await sleep(usualMs.length === 0 ? 10 * USUAL_FOR_MS : USUAL_FOR_MS);
  usualMs.push(...(await watch.report()).otherMs);
  usualMs.splice(0, usualMs.length - USUAL_SAMPLES);
}

/** Maximum elapsed time of a hostile input on a busy machine, as a multiple of the limit of CPU time. */
const MAX_STRETCH = 6;

/**
 * Returns a signal that aborts when the server has exited or has used `limitMs` of CPU time, or when `MAX_STRETCH` times `limitMs` has
 * passed.
 */
function startLimit(victim: Victim, limitMs: number) {
  const controller = new AbortController();
  const startMs = performance.now();
  const startCpu = victim.cpuSeconds();
  const timer = setInterval(() => {
    const computedMs = (victim.cpuSeconds() - startCpu) * 1000;
    if (victim.ended() !== undefined || computedMs > limitMs || since(startMs) > limitMs * MAX_STRETCH)
      controller.abort();
  }, LOOK_EVERY_MS);
  controller.signal.addEventListener('abort', () => clearInterval(timer));
  return { signal: controller.signal, stop: () => controller.abort() };
}

/** Waits until the server is nearly idle. Returns false if the server exits or the limit is reached first. */
async function becomesQuiet(victim: Victim, limit: AbortSignal, startMs: number): Promise<boolean> {
  let before = victim.cpuSeconds();
  while (!limit.aborted && victim.ended() === undefined) {
    const lookedMs = performance.now();
    await sleep(LOOK_EVERY_MS);
    const now = victim.cpuSeconds();
    const share = ((now - before) * 1000) / since(lookedMs);
    if (share < QUIET_SHARE && since(startMs) >= MIN_WATCHED_MS && (await victim.isLive())) return true;
    before = now;
  }
  return false;
}

function countAnswers(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { answer } of outcomes) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}
