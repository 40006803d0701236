import type { LookedAt, Statement } from './read-request.ts';

/** After the reasons for a failure, before all rules of time. */
const WEIGHT = 1.2;

/** A calculation that ended in NaN, in the first function to end with it: those that called it have it from there. */
export function findNotANumber({ steps }: LookedAt): Statement[] {
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
      text: `${what}: a calculation with a value that is not a number`,
      stepId: first.stepId,
      weight: WEIGHT,
    },
  ];
}
