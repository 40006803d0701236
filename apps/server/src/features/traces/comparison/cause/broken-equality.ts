import type { ComparisonStatement, Step } from '@throughline/contract';
import { listParts } from '@throughline/contract/captured';
import { identifyCall } from '../align-steps.ts';
import { isMissing } from '../call-history.ts';
import { readResult } from '../compare-values.ts';
import { nameStep, writeSide } from '../texts/write-values.ts';

/** Minimum number of other requests, and of different results in them. With fewer, two functions could have equal results by chance. */
const MIN = { requests: 3, results: 2 } as const;
/** Maximum number of functions whose results are compared with each other. */
const MAX_FUNCTIONS = 200;

/** The results of the functions that a request called once, as JSON. */
type Results = ReadonlyMap<string, string>;

/**
 * Finds the first function whose result differs from the result of an earlier function, although the two results were equal in every other
 * request that called each of the two functions once. State that requests share, such as the current user, was probably replaced between
 * the two calls.
 */
export function findBrokenEquality(
  steps: readonly Step[],
  goods: readonly (readonly Step[])[],
): ComparisonStatement | undefined {
  const own = listOnce(steps);
  const results = goods.map((good) => toResults(listOnce(good)));
  const texts = toResults(own);
  for (const [at, [key, step]] of own.entries()) {
    for (const [other, earlier] of own.slice(0, at)) {
      if (texts.get(key) === texts.get(other) || !areEqualIn(results, key, other)) continue;
      // A caller often returns, with changes, the object that it received from a function that it called.
      if (step.parentStepId === earlier.stepId || earlier.parentStepId === step.stepId) continue;
      return {
        text: `\`${nameStep(step)}\` returned ${writeSide(readResult(step))}, but \`${nameStep(earlier)}\` returned ${writeSide(readResult(earlier))}; in other requests both always returned the same`,
        step: step.stepId,
        other: null,
      };
    }
  }
  return undefined;
}

function areEqualIn(requests: readonly Results[], key: string, other: string): boolean {
  const both = requests.flatMap((results) => {
    const [one, two] = [results.get(key), results.get(other)];
    return one === undefined || two === undefined ? [] : [{ one, two }];
  });
  return (
    both.length >= MIN.requests &&
    both.every(({ one, two }) => one === two) &&
    new Set(both.map(({ one }) => one)).size >= MIN.results
  );
}

/**
 * Lists the functions that a request called once and that returned an object or list with at least two members, in the order of the steps.
 */
function listOnce(steps: readonly Step[]): (readonly [string, Step])[] {
  return [...Map.groupBy(steps, identifyCall)]
    .flatMap(([key, [step, ...more]]) =>
      step !== undefined && more.length === 0 && isObjectResult(step) ? [[key, step] as const] : [],
    )
    .slice(0, MAX_FUNCTIONS);
}

function isObjectResult(step: Step): boolean {
  const result = readResult(step);
  if (step.stepType !== 'function' || step.error !== null || result === undefined || isMissing(result))
    return false;
  return typeof result === 'object' && listParts(result).children.length > 1;
}

function toResults(once: readonly (readonly [string, Step])[]): Results {
  return new Map(once.map(([key, step]) => [key, JSON.stringify(readResult(step))]));
}
