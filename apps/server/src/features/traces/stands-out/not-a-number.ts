import {
  type ExaminedStep,
  mentionsNaN,
  type ReadRequest,
  type Statement,
} from '../statements/read-request.ts';
import { isFailed } from '../store.ts';

/** The weight of this rule is below the weights of the rules that explain a failure, and above the weights of all rules about time. */
const WEIGHT = 1.2;

/**
 * Finds a calculation that resulted in NaN. Reports the first function that ended with NaN, because its callers received the NaN from it.
 */
export function findNotANumber({ trace, steps }: ReadRequest): Statement[] {
  const withNaN = steps.filter(({ hasNaN }) => hasNaN !== undefined);
  if (withNaN.length === 0 || !(isFailed(trace) || isUsed(trace, steps))) return [];
  const [first] = withNaN.sort(
    (a, b) => a.startMicros + a.durationMicros - (b.startMicros + b.durationMicros),
  );
  if (first?.hasNaN === undefined) return [];
  const what =
    first.hasNaN === 'return value'
      ? `\`${first.name}\` returned NaN`
      : `\`${first.hasNaN}\` is NaN in \`${first.name}\``;
  return [
    {
      text: `${what}: a value that is not a number was used in a calculation`,
      stepId: first.stepId,
      weight: WEIGHT,
      opening: first.stepId,
    },
  ];
}

/**
 * True if NaN was passed on, as an argument, a result or part of the response. If code tests a variable for NaN and uses another value
 * instead, only that variable contains NaN. JSON has no NaN: it writes `null`. A body that was captured in part can contain NaN.
 */
function isUsed({ response_body: body }: ReadRequest['trace'], steps: readonly ExaminedStep[]): boolean {
  return (
    steps.some(({ passesNaN }) => passesNaN) ||
    /null|NaN|^\{"\$type"/.test(body) ||
    steps.some(({ inputs = null, outputs = null }) => mentionsNaN([inputs, outputs]))
  );
}
