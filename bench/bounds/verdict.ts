import type { Figure } from '../lib/figures.ts';
import { percentile } from '../soak/watch.ts';
import { isServerFault, tellsToWait, WAYS_IN } from './form.ts';
import type { Tried } from './try-form.ts';

/** Maximum values that the measurements of every hostile input must not exceed. */
const MUST = { memoryMB: 1500, silenceMs: 1000, otherRatio: 2 } as const;

const memoryMB = ({ peakBytes }: Tried) => peakBytes / 1e6;
const answered = ({ answers }: Tried, is: (answer: string) => boolean) =>
  Object.entries(answers).reduce((sum, [answer, count]) => sum + (is(answer) ? count : 0), 0);

/** Counts responses that are the server's fault. Returns 0 if the server process ended, because another row counts ended servers. */
const faults = (tried: Tried) => (tried.died === undefined ? answered(tried, isServerFault) : 0);
/**
 * Counts responses that ask the sender to retry, if the input had a single sender. The server had no other load, so a retry would get the
 * same response, and the sender would repeat the input forever. `onlyAlone` inputs are exempt.
 */
const waits = (tried: Tried) =>
  tried.senders === 1 && tried.form.onlyAlone !== true ? answered(tried, tellsToWait) : 0;

interface Row {
  readonly name: string;
  readonly unit: string;
  readonly max: number;
  readonly measure: (tried: Tried) => number;
}

/** The bounds, and how each bound is measured. The result for an input path is the result of the path's worst input. */
const ROWS: readonly Row[] = [
  { name: 'server memory', unit: 'MB', max: MUST.memoryMB, measure: memoryMB },
  {
    name: 'longest time without answering /api/health/live',
    unit: 'ms',
    max: MUST.silenceMs,
    measure: ({ silenceMs }) => silenceMs,
  },
  {
    name: 'of it, computed by the server',
    unit: 'ms',
    max: MUST.silenceMs,
    measure: ({ silenceCpuMs }) => silenceCpuMs,
  },
  {
    name: "other projects' requests, by their usual time",
    unit: 'ratio',
    max: MUST.otherRatio,
    measure: ({ otherRatio }) => otherRatio,
  },
  {
    name: "other projects' requests that were refused",
    unit: 'requests',
    max: 0,
    measure: ({ otherRefused }) => otherRefused,
  },
  {
    name: 'servers that ended',
    unit: 'servers',
    max: 0,
    measure: ({ died }) => (died === undefined ? 0 : 1),
  },
  { name: "answers that are the server's fault, or none", unit: 'answers', max: 0, measure: faults },
  { name: 'told to come again, alone', unit: 'answers', max: 0, measure: waits },
];

/** Lists the names of the bounds that a hostile input exceeds. */
export function brokenBounds(tried: Tried): string[] {
  return ROWS.filter(({ measure, max }) => measure(tried) > max).map(({ name }) => name);
}

/**
 * True if a hostile input exceeds a time bound by so little that a busy machine can be the cause. Such a hostile input is repeated, and the
 * median counts.
 */
export function isDoubtful(tried: Tried): boolean {
  if (tried.died !== undefined || tried.stillBusy) return false;
  const late = Math.max(tried.silenceMs / MUST.silenceMs, tried.otherRatio / MUST.otherRatio);
  return late > 1 && late < MAX_DOUBTFUL;
}

/** Maximum factor by which a busy machine can make a time exceed its bound. */
const MAX_DOUBTFUL = 3;

/**
 * Combines several tries of one hostile input: the medians of the times that have a bound, the maximum of memory and of the other project's
 * rejected requests, the first exit of a server, and all other members of the first try.
 */
export function combine(tries: readonly [Tried, ...Tried[]]): Tried {
  const middle = (measure: (tried: Tried) => number) => percentile(tries.map(measure), 0.5);
  const most = (measure: (tried: Tried) => number) => Math.max(...tries.map(measure));
  return {
    ...tries[0],
    silenceMs: middle(({ silenceMs }) => silenceMs),
    silenceCpuMs: middle(({ silenceCpuMs }) => silenceCpuMs),
    otherRatio: middle(({ otherRatio }) => otherRatio),
    peakBytes: most(({ peakBytes }) => peakBytes),
    otherRefused: most(({ otherRefused }) => otherRefused),
    died: tries.find(({ died }) => died !== undefined)?.died,
  };
}

/** Lists one figure for each input path and bound: the worst measurement of all inputs of the path. */
export function listFigures(all: readonly Tried[]): Figure[] {
  return WAYS_IN.flatMap((way) => {
    const tried = all.filter(({ form }) => form.way === way);
    return tried.length === 0 ? [] : ROWS.map((row) => worst(`${way}: ${row.name}`, row, tried));
  });
}

function worst(name: string, { unit, max, measure }: Row, tried: readonly Tried[]): Figure {
  const measured = tried.map(measure);
  const value = Math.max(...measured);
  const min = Math.min(...measured);
  return { name, value, min, max: value, unit, must: `<= ${max}`, ok: value <= max };
}

/** Lists the measurements of one hostile input, for the JSON output. */
export function formFigures(tried: Tried): Figure[] {
  const name = `${tried.form.way}: ${tried.form.name}, ${tried.senders === 1 ? 'alone' : `${tried.senders} at once`}`;
  return ROWS.map((row) => worst(`${name}: ${row.name}`, row, [tried]));
}
