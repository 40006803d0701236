import { type CapturedValue, formatDuration } from '@throughline/contract';
import { areIndependent, type Captured, computeSaving, findRuns } from '../../step-patterns/index.ts';
import {
  type ExaminedStep,
  measureShare,
  type ReadRequest,
  type Statement,
} from '../statements/read-request.ts';

/** Minimum time that concurrent awaits must save, in microseconds and as a share of the request. */
const LIMITS = { savingMicros: 20_000, share: 0.15 } as const;
/** Maximum number of steps of a trace that is searched. In a larger trace, the search would take too long. */
const MAX_STEPS = 2000;
/** Maximum number of names in a sentence. */
const MAX_NAMES = 3;

/** Finds reads that were awaited one after the other, although none of them used another read's result. */
export function findSequentialAwaits(request: ReadRequest): Statement[] {
  if (request.steps.length > MAX_STEPS) return [];
  const byId = new Map(request.steps.map((step) => [step.stepId, step]));
  return findRuns(request).flatMap((run) => {
    const steps = run.flatMap(({ stepId }) => byId.get(stepId) ?? []);
    const [first] = steps;
    const saving = computeSaving(steps);
    const share = measureShare(request, saving);
    if (first === undefined || saving < LIMITS.savingMicros || share < LIMITS.share) return [];
    if (!areIndependent(steps.map(writeValues))) return [];
    const names = steps.slice(0, MAX_NAMES).map(({ name }) => `\`${name}\``);
    const more = steps.length > MAX_NAMES ? ` and ${steps.length - MAX_NAMES} more` : '';
    return [
      {
        text: `${names.join(', then ')}${more}: none uses a result of another; in parallel they would save ${formatDuration(saving / 1000)}`,
        stepId: first.stepId,
        weight: share,
      },
    ];
  });
}

function writeValues({ inputs, outputs }: ExaminedStep): Captured {
  return { inputs: writeValue(inputs), outputs: writeValue(outputs) };
}

function writeValue(value: CapturedValue | undefined): string {
  return value === undefined ? '' : JSON.stringify(value);
}
