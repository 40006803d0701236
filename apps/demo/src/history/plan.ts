import { createHash } from 'node:crypto';
import { createRandom, pickBetween, type Random, shuffle } from '../random.ts';
import type { RecordedStep, RecordedTrace, RecordedVisit } from './history.ts';

type Repeat = NonNullable<RecordedStep['repeat']>;

const SEED = 20_260_115;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 14;
/** Days since the current release was deployed. */
const RELEASED_DAYS_AGO = 4;
/** Number of visits in the busiest hour of a working day. */
const BUSIEST = 8;
/**
 * Visits per hour of the day, starting at midnight, in percent of the busiest hour: a quiet night, and peaks at noon and in the evening.
 */
const RHYTHM = [12, 7, 4, 3, 3, 5, 14, 28, 42, 55, 65, 74, 82, 78, 66, 60, 62, 70, 84, 96, 100, 88, 58, 28];
const WEEKEND = 0.7;
const ROUNDS = 8;
/** Shortest and longest pause between two requests of a visitor. */
const THINKING_MS = { low: 2000, high: 45_000 };

/** A recorded visit that is replayed at another time. */
export interface PlannedVisit {
  readonly visit: RecordedVisit;
  /** Start time of each request in epoch milliseconds. */
  readonly starts: readonly number[];
  /** Name that distinguishes this replay from other replays of the same visit. */
  readonly name: string;
}

/**
 * Plans two weeks of visits up to a given time; the same time always gives the same plan. Returns the visits in the order in which to send
 * them: each eighth of the list is spread over both weeks. Once the first eighth is stored, the stats cover the whole range.
 */
export function planHistory(recorded: readonly RecordedVisit[], until: Date): PlannedVisit[] {
  const untilMs = until.getTime();
  const firstMs = untilMs - DAYS * DAY_MS;
  const releasedMs = untilMs - RELEASED_DAYS_AGO * DAY_MS;
  const random = createRandom(SEED);
  const byRelease = [...Map.groupBy(recorded, ({ service }) => service.release).values()];
  const [before, since = before] = byRelease.map((visits) => repeatShuffled(random, visits));
  if (before === undefined || since === undefined) throw new Error('the history has no visits');
  const planned: PlannedVisit[] = [];
  for (let hourMs = Math.floor(firstMs / HOUR_MS) * HOUR_MS; hourMs < untilMs; hourMs += HOUR_MS) {
    for (let left = countVisits(random, hourMs); left > 0; left -= 1) {
      const startMs = hourMs + Math.floor(random() * HOUR_MS);
      const { value: visit } = (startMs < releasedMs ? before : since).next();
      const starts = planStarts(random, visit, startMs);
      const lastMs = starts.at(-1) ?? startMs;
      if (startMs >= firstMs && lastMs + MINUTE_MS < untilMs && !isAcross(releasedMs, startMs, lastMs)) {
        planned.push({ visit, starts, name: `${untilMs} ${planned.length}` });
      }
    }
  }
  const newestFirst = planned.sort((a, b) => (b.starts[0] ?? 0) - (a.starts[0] ?? 0));
  const rounds = Map.groupBy(newestFirst.entries(), ([place]) => place % ROUNDS);
  return [...rounds.values()].flatMap((round) => round.map(([, visit]) => visit));
}

/** True for a visit that would begin before the change of release and end after it. */
function isAcross(releasedMs: number, startMs: number, lastMs: number): boolean {
  return startMs < releasedMs && lastMs >= releasedMs;
}

/** Yields all visits again and again. Each round has a different order. */
function* repeatShuffled(random: Random, visits: readonly RecordedVisit[]): Generator<RecordedVisit, never> {
  for (;;) yield* shuffle(random, visits);
}

/**
 * Returns a random number of visits for an hour of local time: the integer part of the expected number, plus one more visit with a
 * probability equal to the fractional part.
 */
function countVisits(random: Random, hourMs: number): number {
  const hour = new Date(hourMs);
  const isWeekend = hour.getDay() % 6 === 0;
  const share = (RHYTHM[hour.getHours()] ?? 0) / 100;
  const visits = BUSIEST * share * (isWeekend ? WEEKEND : 1) * (0.8 + 0.4 * random());
  return Math.floor(visits) + (random() < visits % 1 ? 1 : 0);
}

function planStarts(random: Random, { traces }: RecordedVisit, startMs: number): number[] {
  let atMs = startMs;
  return traces.map(({ timing }, place) => {
    if (place > 0) atMs += pickBetween(random, THINKING_MS.low, THINKING_MS.high);
    const start = atMs;
    atMs += Math.ceil(timing.duration);
    return start;
  });
}

/**
 * Builds the traces of a planned visit. Only times and ids differ from the recorded traces. All durations are multiplied by `slowdown`.
 */
export function playVisit({ visit, starts, name }: PlannedVisit, slowdown: number): RecordedTrace[] {
  return visit.traces.map((trace, place) => {
    const startMs = starts[place] ?? 0;
    const { startTime, duration } = trace.timing;
    const play = (instant: string) => moveInstant(instant, startTime, startMs, slowdown);
    const ids = hashText(`${name} ${place}`);
    const { _id: _recorded, ...sent } = trace as RecordedTrace & { readonly _id?: string };
    return {
      ...sent,
      traceId: ids.slice(0, 32),
      spanId: ids.slice(32, 48),
      timing: { ...trace.timing, startTime: play(startTime), duration: lengthen(duration, slowdown) },
      ...(trace.sessionId !== undefined && {
        sessionId: hashText(`${name} ${trace.sessionId}`).slice(0, 16),
      }),
      flow: trace.flow.map((step) => ({
        ...step,
        startTime: play(step.startTime),
        endTime: play(step.endTime),
        duration: lengthen(step.duration, slowdown),
        ...(step.repeat !== undefined && { repeat: lengthenRepeat(step.repeat, slowdown) }),
      })),
    };
  });
}

function lengthenRepeat({ count, minMs, sumMs, maxMs }: Repeat, slowdown: number): Repeat {
  return {
    count,
    minMs: lengthen(minMs, slowdown),
    sumMs: lengthen(sumMs, slowdown),
    maxMs: lengthen(maxMs, slowdown),
  };
}

/** Multiplies a duration in milliseconds. The result has whole microseconds, as durations of the SDK have. */
function lengthen(durationMs: number, slowdown: number): number {
  return Math.round(durationMs * slowdown * 1000) / 1000;
}

/**
 * Moves an instant of a recorded request to its replay. The recorded request started at `requestTime`; the replay starts at `startMs`. The
 * microseconds of the request's start stay the same; the distance from the start to the instant is multiplied by `slowdown`.
 */
function moveInstant(instant: string, requestTime: string, startMs: number, slowdown: number): string {
  const requestMicros = readMicros(requestTime);
  const distance = Math.round((readMicros(instant) - requestMicros) * slowdown);
  const micros = startMs * 1000 + (requestMicros % 1000) + distance;
  return new Date(Math.floor(micros / 1000)).toISOString().replace('Z', `${padMicros(micros % 1000)}Z`);
}

/** Parses an instant with six decimals to epoch microseconds. */
function readMicros(instant: string): number {
  const [, micros = '0'] = /\.\d{3}(\d{3})Z$/.exec(instant) ?? [];
  return Date.parse(instant) * 1000 + Number(micros);
}

function padMicros(micros: number): string {
  return String(micros).padStart(3, '0');
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
