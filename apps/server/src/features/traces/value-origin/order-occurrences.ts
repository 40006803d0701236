import { instantToMicros, type Step } from '@throughline/contract';
import type { Occurrence } from './find-occurrences.ts';

/** A moment of a request. Calls that share a microsecond are told apart by their order in the tree of calls. */
interface Moment {
  readonly micros: number;
  readonly turn: number;
  readonly within: number;
}

interface Turns {
  readonly enter: number;
  readonly leave: number;
}

/** Values of one step at its end, in the order in which they come to be. */
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

/** Sorts occurrences by time: inputs by a call's start, results by its end, variables by the calls that they come from or go to. */
export function orderOccurrences(found: readonly Occurrence[], steps: readonly Step[]): Occurrence[] {
  const turns = numberTurns(steps);
  const moments = new Map<Occurrence, Moment>(found.map((each) => [each, findMoment(each, turns)]));
  const byCaller = Map.groupBy(
    found.filter(({ at }) => at.step !== undefined && !isSeenAtEndOnly(at.place)),
    ({ at }) => at.step?.parentStepId ?? null,
  );
  for (const each of found) {
    if (each.at.step === undefined || each.at.place !== 'localVariables') continue;
    const called = (byCaller.get(each.at.step.stepId) ?? []).flatMap((below) => {
      const moment = moments.get(below);
      return moment === undefined ? [] : [{ moment, isGiven: isGiven(below) }];
    });
    const [first] = called.sort((a, b) => compareMoments(a.moment, b.moment));
    // A variable is recorded at the end of its function. It had the value when a call returned it, or was given it.
    if (first !== undefined) moments.set(each, { ...first.moment, within: first.isGiven ? BEFORE : AFTER });
  }
  const momentOf = (each: Occurrence) => moments.get(each) ?? FIRST;
  return found.toSorted((a, b) => compareMoments(momentOf(a), momentOf(b)));
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

/** True for a value that the call began with. */
function isGiven({ at, given }: Occurrence): boolean {
  return at.place === 'inputs' || given === true;
}

function isSeenAtEndOnly(place: string): boolean {
  return place === 'localVariables' || place === 'thisContext';
}

function readMicros(instant: string): number {
  return Number(instantToMicros(instant) ?? 0n);
}

function compareMoments(a: Moment, b: Moment): number {
  if (a.micros !== b.micros) return a.micros < b.micros ? -1 : 1;
  return a.turn - b.turn || a.within - b.within;
}

/** Numbers the starts and ends of all calls in the order of the tree of calls. */
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
