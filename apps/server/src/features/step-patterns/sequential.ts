import {
  buildCallKey,
  computeMedian,
  groupByEndpoint,
  isRead,
  isWaiting,
  mergeEnvironments,
  type SeenRequest,
  type SeenStep,
} from './step-tree.ts';

/**
 * Steps that ran one after the other, but could have run concurrently: each step only waits for another process, and no captured value
 * shows that a step needs the result of another step.
 */
export interface Sequence {
  readonly requests: readonly SeenRequest[];
  readonly looked: number;
  readonly steps: readonly { readonly name: string; readonly asked: string; readonly medianMicros: number }[];
  readonly medianSavingMicros: number;
}

export interface Candidate extends Sequence {
  /** The consecutive reads of each request, in the order in which they began. */
  readonly runs: readonly { readonly request: SeenRequest; readonly steps: readonly SeenStep[] }[];
}

/**
 * Steps are reported if running them concurrently would save at least `savingMicros`, and at least `share` of a request's time. Both must
 * apply to at least `requests` of an endpoint's requests, and to at least the share `ofRequests` of them.
 */
const LIMITS = { savingMicros: 5000, share: 0.1, requests: 5, ofRequests: 0.5 } as const;

/** Finds reads that are awaited one after the other, in the same order in at least half of an endpoint's requests. */
export function findCandidates(requests: readonly SeenRequest[]): Candidate[] {
  const found = groupByEndpoint(requests).flatMap((all) => {
    const runs = all.flatMap((request) => findRuns(request).map((steps) => ({ request, steps })));
    return [...Map.groupBy(runs, ({ steps }) => JSON.stringify(steps.map(buildCallKey)))].flatMap(
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
              asked: buildCallKey(step),
              medianMicros: computeMedian(worth.map(({ steps }) => steps[at]?.durationMicros ?? 0)),
            })),
            medianSavingMicros: computeMedian(worth.map(({ steps }) => computeSaving(steps))),
          },
        ];
      },
    );
  });
  return mergeEnvironments(found, ({ steps }) => JSON.stringify(steps.map(({ asked }) => asked)));
}

/** Computes the time in microseconds that would be saved if all steps ran concurrently, so that only the longest step counts. */
export function computeSaving(steps: readonly SeenStep[]): number {
  const took = steps.map(({ durationMicros }) => durationMicros);
  return took.reduce((sum, micros) => sum + micros, 0) - Math.max(...took);
}

/** Allowed overlap of consecutive steps: clients can send start times rounded to milliseconds together with exact durations. */
const ROUNDED_MICROS = 1000;

function startsAfter(step: SeenStep, last: SeenStep): boolean {
  const sinceMicros = step.startMicros - last.startMicros;
  return sinceMicros + ROUNDED_MICROS > last.durationMicros && sinceMicros >= last.durationMicros / 2;
}

type WaitsFor = 'reads' | 'nothing' | 'more';

/** Finds runs of two or more different reads below one step, each read beginning after the previous one has ended. */
export function findRuns({ steps }: Pick<SeenRequest, 'steps'>): SeenStep[][] {
  const children = Map.groupBy(steps, ({ parentStepId }) => parentStepId);
  /** For each step id, the calls for which the step waits: only reads, no calls, or also calls that can change data. */
  const known = new Map<string, WaitsFor>();
  const waitsFor = (step: SeenStep): WaitsFor => {
    if (isWaiting(step)) return isRead(step) ? 'reads' : 'more';
    if (step.type === 'log') return 'nothing';
    if (step.type !== 'function') return 'more';
    const said = known.get(step.stepId);
    if (said !== undefined) return said;
    // Sets a preliminary result that ends the recursion, because a client can send a step that is its own ancestor.
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
        run.every((before) => buildCallKey(before) !== buildCallKey(step));
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

/** JSON of a step's inputs and outputs; empty if not captured. Spans never contain the results of queries. */
export interface Captured {
  readonly inputs: string;
  readonly outputs: string;
}

/**
 * True if the later step can have received a value of the earlier step: the earlier outputs and the later inputs contain the same string or
 * number, which the earlier inputs do not contain, and which is long enough not to be a coincidence. If the earlier outputs are unknown:
 * true unless all later inputs are also inputs of the earlier step. Also true if the later inputs are unknown, or if values are stored with
 * another step.
 */
export function mayDepend(earlier: Captured, later: Captured): boolean {
  if (later.inputs === '' || isElsewhere(later.inputs) || isElsewhere(earlier.outputs)) return true;
  if (earlier.outputs === '') {
    const all = listValues(later.inputs);
    const before = new Set(listValues(earlier.inputs));
    return all.length === 0 || all.some((value) => !before.has(value));
  }
  const given = listScalars(later.inputs);
  // Leaves out inputs of the earlier step, because they existed before that step ran.
  const known = listScalars(earlier.inputs);
  return [...listScalars(earlier.outputs)].some((value) => given.has(value) && !known.has(value));
}

/** True if the captured JSON refers to values stored with another step. */
function isElsewhere(json: string): boolean {
  return json.includes('"$type":"reference"');
}

/** True if no later step can have received a value of an earlier step. */
export function areIndependent(steps: readonly Captured[]): boolean {
  return steps.every((later, at) => steps.slice(0, at).every((earlier) => !mayDepend(earlier, later)));
}

const SCALAR = /"((?:[^"\\]|\\.)*)"(\s*:)?|-?\d+(?:\.\d+)?/g;

/** Lists the numbers, and the strings that are not keys, in JSON. */
function listValues(json: string): string[] {
  return [...json.matchAll(SCALAR)].flatMap(([whole, text, key]) =>
    key === undefined ? [text ?? whole] : [],
  );
}

/**
 * Lists the numbers in JSON, the strings that are not keys, and the words in these strings, except for values that are too short to be
 * distinctive.
 */
function listScalars(json: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const value of listValues(json)) {
    for (const word of [value, ...value.split(/[^\p{L}\p{N}_-]+/u)]) if (isDistinctive(word)) found.add(word);
  }
  return found;
}

const isDistinctive = (word: string) => word.length > (/^-?\d+$/.test(word) ? 1 : 3);
