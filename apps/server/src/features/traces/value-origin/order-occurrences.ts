import { parseInstant, type Step } from '@throughline/contract';
import type { Occurrence } from './find-occurrences.ts';

/** A point in time within a request. Calls in the same microsecond are ordered by their position in the call tree. */
interface Moment {
  readonly micros: number;
  readonly turn: number;
  readonly within: number;
}

interface Turns {
  readonly enter: number;
  readonly leave: number;
}

/** Order of the values at the end of a step, by the time at which they were created. */
const WITHIN_END = {
  localVariables: 0,
  parameters: 1,
  thisContext: 2,
  outputs: 3,
  returnValue: 3,
  metadata: 4,
  error: 5,
};
const BEFORE = -1;
const AFTER = 9;

/**
 * Sorts occurrences by time. An input gets the time of its call's start, a result the time of its call's end, and a variable the time of
 * the call that returned or received it.
 */
export function orderOccurrences(found: readonly Occurrence[], steps: readonly Step[]): Occurrence[] {
  const turns = numberTurns(steps);
  const moments = new Map<Occurrence, Moment>(found.map((each) => [each, findMoment(each, turns)]));
  const readMoment = (each: Occurrence) => moments.get(each) ?? FIRST;
  const isOfCall = ({ at }: Occurrence) => at.step !== undefined && !isSeenAtEndOnly(at.place);
  const inOrder = found.filter(isOfCall).sort((a, b) => compareMoments(readMoment(a), readMoment(b)));
  const byCaller = Map.groupBy(inOrder, ({ at }) => at.step?.parentStepId ?? null);
  for (const each of found) {
    if (each.at.step === undefined || each.at.place !== 'localVariables') continue;
    const called = byCaller.get(each.at.step.stepId) ?? [];
    const exact = called.filter((below) => isExact(below, each));
    // A variable is recorded when its function ends, but got its value earlier: when a call returned or received the value.
    const from = exact.find((below) => !isGiven(below)) ?? exact[0] ?? called[0];
    if (from !== undefined)
      moments.set(each, { ...readMoment(from), within: isGiven(from) ? BEFORE : AFTER });
  }
  return found.toSorted((a, b) => compareMoments(readMoment(a), readMoment(b)));
}

const FIRST: Moment = { micros: Number.NEGATIVE_INFINITY, turn: 0, within: 0 };
const LAST: Moment = { micros: Number.POSITIVE_INFINITY, turn: 0, within: 0 };

function findMoment(each: Occurrence, turns: ReadonlyMap<string, Turns>): Moment {
  const { step, place } = each.at;
  if (step === undefined) return place.startsWith('response.') ? LAST : FIRST;
  const { enter, leave } = turns.get(step.stepId) ?? { enter: 0, leave: 0 };
  if (isGiven(each)) return { micros: readMicros(step.startTime), turn: enter, within: 0 };
  const within = new Map<string, number>(Object.entries(WITHIN_END)).get(place) ?? 0;
  return { micros: readMicros(step.endTime), turn: leave, within };
}

/** True if a called function returned or received the variable's whole value, with the searched value at the same path. */
function isExact(below: Occurrence, variable: Occurrence): boolean {
  const place = isReturned(below.at.place) ? below.path : below.path.slice(1);
  return JSON.stringify(place) === JSON.stringify(variable.path.slice(1));
}

function isReturned(place: string): boolean {
  return place === 'returnValue' || place === 'outputs';
}

/** True for a value that existed when the call began. */
function isGiven({ at, path, given }: Occurrence): boolean {
  const isThis = at.place === 'thisContext' && path.length === 0;
  return at.place === 'inputs' || isThis || given === true;
}

function isSeenAtEndOnly(place: string): boolean {
  return place === 'localVariables' || place === 'thisContext';
}

function readMicros(instant: string): number {
  return Number(parseInstant(instant) ?? 0n);
}

function compareMoments(a: Moment, b: Moment): number {
  if (a.micros !== b.micros) return a.micros < b.micros ? -1 : 1;
  return a.turn - b.turn || a.within - b.within;
}

/** Numbers the starts and ends of all calls in the order of the call tree. */
function numberTurns(steps: readonly Step[]): ReadonlyMap<string, Turns> {
  const known = new Set(steps.map(({ stepId }) => stepId));
  const below = Map.groupBy(steps, ({ parentStepId }) =>
    parentStepId !== null && known.has(parentStepId) ? parentStepId : null,
  );
  const enters = new Map<string, number>();
  const turns = new Map<string, Turns>();
  const pending = (below.get(null) ?? []).toReversed().map((step) => ({ step, leaving: false }));
  for (let next = pending.pop(), turn = 0; next !== undefined; next = pending.pop(), turn += 1) {
    const { stepId } = next.step;
    if (next.leaving) {
      turns.set(stepId, { enter: enters.get(stepId) ?? turn, leave: turn });
      continue;
    }
    enters.set(stepId, turn);
    pending.push({ step: next.step, leaving: true });
    for (const step of (below.get(stepId) ?? []).toReversed()) pending.push({ step, leaving: false });
  }
  return turns;
}
