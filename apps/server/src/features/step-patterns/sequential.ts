import {
  byEndpoint,
  isRead,
  isWaiting,
  median,
  type SeenRequest,
  type SeenStep,
  whatIsAsked,
} from './step-tree.ts';

/** Steps that followed one another, though each only waits, and what was captured says of no one that it needed another. */
export interface Sequence {
  readonly requests: readonly SeenRequest[];
  readonly looked: number;
  readonly steps: readonly { readonly name: string; readonly asked: string; readonly medianMicros: number }[];
  readonly medianSavingMicros: number;
}

export interface Candidate extends Sequence {
  /** The steps of each request, in the order of their names. */
  readonly runs: readonly { readonly request: SeenRequest; readonly steps: readonly SeenStep[] }[];
}

/** The least time that parallel calls must save, and the least number and share of an endpoint's requests. */
const LIMITS = { savingMicros: 5000, share: 0.1, requests: 5, ofRequests: 0.5 } as const;

/** Reads that are waited for one after the other, by the same names in most requests of an endpoint. */
export function findCandidates(requests: readonly SeenRequest[]): Candidate[] {
  return byEndpoint(requests).flatMap((all) => {
    const runs = all.flatMap((request) => findRuns(request).map((steps) => ({ request, steps })));
    return [...Map.groupBy(runs, ({ steps }) => JSON.stringify(steps.map(whatIsAsked)))].flatMap(
      ([, some]) => {
        const worth = some.filter(({ request, steps }) => {
          const saving = computeSaving(steps);
          return saving >= LIMITS.savingMicros && saving >= request.durationMicros * LIMITS.share;
        });
        if (worth.length < LIMITS.requests || worth.length < all.length * LIMITS.ofRequests) return [];
        return [
          {
            requests: worth.map(({ request }) => request),
            looked: all.length,
            runs: worth,
            steps: (worth[0]?.steps ?? []).map((step, at) => ({
              name: step.name,
              asked: whatIsAsked(step),
              medianMicros: median(worth.map(({ steps }) => steps[at]?.durationMicros ?? 0)),
            })),
            medianSavingMicros: median(worth.map(({ steps }) => computeSaving(steps))),
          },
        ];
      },
    );
  });
}

/** The time saved if all steps ran at the same time as the longest. Microseconds. */
export function computeSaving(steps: readonly SeenStep[]): number {
  const took = steps.map(({ durationMicros }) => durationMicros);
  return took.reduce((sum, micros) => sum + micros, 0) - Math.max(...took);
}

/** Senders may give starts in whole milliseconds, beside durations that are exact. */
const ROUNDED_MICROS = 1000;

function startsAfter(step: SeenStep, last: SeenStep): boolean {
  const sinceMicros = step.startMicros - last.startMicros;
  return sinceMicros + ROUNDED_MICROS > last.durationMicros && sinceMicros >= last.durationMicros / 2;
}

type WaitsFor = 'reads' | 'nothing' | 'more';

/** Runs of two or more different reads under one step, each beginning when the one before has ended. */
export function findRuns({ steps }: Pick<SeenRequest, 'steps'>): SeenStep[][] {
  const children = Map.groupBy(steps, ({ parentStepId }) => parentStepId);
  /** Tells if a step waits for reads, for nothing, or for a call that may change data. */
  const known = new Map<string, WaitsFor>();
  const waitsFor = (step: SeenStep): WaitsFor => {
    if (isWaiting(step)) return isRead(step) ? 'reads' : 'more';
    if (step.type === 'log') return 'nothing';
    if (step.type !== 'function') return 'more';
    const said = known.get(step.stepId);
    if (said !== undefined) return said;
    // A sender may say that a step is below itself.
    known.set(step.stepId, 'more');
    const below = (children.get(step.stepId) ?? []).map(waitsFor);
    const all = below.includes('more') ? 'more' : below.includes('reads') ? 'reads' : 'nothing';
    known.set(step.stepId, all);
    return all;
  };
  const onlyReads = (step: SeenStep) => waitsFor(step) === 'reads';
  return [...children.values()].flatMap((siblings) => {
    const inOrder = [...siblings].sort((a, b) => a.startMicros - b.startMicros);
    const runs: SeenStep[][] = [];
    let run: SeenStep[] = [];
    for (const step of inOrder) {
      const last = run.at(-1);
      const follows = last === undefined || startsAfter(step, last);
      const fits =
        step.calls === 1 &&
        follows &&
        onlyReads(step) &&
        run.every((before) => whatIsAsked(before) !== whatIsAsked(step));
      if (fits) run.push(step);
      else {
        runs.push(run);
        run = onlyReads(step) && step.calls === 1 ? [step] : [];
      }
    }
    runs.push(run);
    return runs.filter((found) => found.length > 1);
  });
}

/** JSON text of what a step was given and what came of it; empty where it was not captured, as what queries bring is in no span. */
export interface Captured {
  readonly inputs: string;
  readonly outputs: string;
}

/**
 * True if a later step may have received a value of an earlier one: a text or number in both, long enough to be no coincidence. If the
 * output of the earlier step is unknown, every input of the later step must also be an input of the earlier one. If the inputs are
 * unknown too, or stored with another step, the answer is true.
 */
export function mayDepend(earlier: Captured, later: Captured): boolean {
  if (later.inputs === '' || isElsewhere(later.inputs) || isElsewhere(earlier.outputs)) return true;
  if (earlier.outputs === '') {
    const all = listValues(later.inputs);
    const before = new Set(listValues(earlier.inputs));
    return all.length === 0 || all.some((value) => !before.has(value));
  }
  const given = listScalars(later.inputs);
  // The inputs of the earlier step existed before it ran.
  const known = listScalars(earlier.inputs);
  return [...listScalars(earlier.outputs)].some((value) => given.has(value) && !known.has(value));
}

/** True if the captured values refer to another step. */
function isElsewhere(json: string): boolean {
  return json.includes('"$type":"reference"');
}

/** True if no later step may have received a value of an earlier one. */
export function areIndependent(steps: readonly Captured[]): boolean {
  return steps.every((later, at) => steps.slice(0, at).every((earlier) => !mayDepend(earlier, later)));
}

const SCALAR = /"((?:[^"\\]|\\.)*)"(\s*:)?|-?\d+(?:\.\d+)?/g;

/** Texts that are no keys, and numbers, of JSON text. */
function listValues(json: string): string[] {
  return [...json.matchAll(SCALAR)].flatMap(([whole, text, key]) =>
    key === undefined ? [text ?? whole] : [],
  );
}

/** Texts that are no keys, and the words and numbers in them, of JSON text; without those that are everywhere. */
function listScalars(json: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const value of listValues(json)) {
    for (const word of [value, ...value.split(/[^\p{L}\p{N}_-]+/u)]) if (tellsApart(word)) found.add(word);
  }
  return found;
}

const tellsApart = (word: string) => word.length > (/^-?\d+$/.test(word) ? 1 : 3);
