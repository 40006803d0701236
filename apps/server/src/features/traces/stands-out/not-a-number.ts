import type { ReadRequest, Statement } from '../statements/read-request.ts';

/** The weight of this rule is below those of the rules that explain a failure, and above those of all rules about time. */
const WEIGHT = 1.2;

/**
 * Finds a calculation that resulted in NaN. Reports the first function that ended with NaN, because its callers received the NaN from it.
 */
export function findNotANumber({ steps }: ReadRequest): Statement[] {
  const [first] = steps
    .filter(({ hasNaN }) => hasNaN !== undefined)
    .sort((a, b) => a.startMicros + a.durationMicros - (b.startMicros + b.durationMicros));
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
