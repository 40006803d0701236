import type { Step } from '@throughline/contract';
import { describeKind } from '@throughline/contract/captured';
import { flatten } from '../call-history.ts';
import type { GivenValues } from '../cause/given-values.ts';
import { isOdd } from '../judge-difference.ts';
import type { Finding, ValueFinding } from '../walk-differences.ts';

/** Minimum number of other requests. With fewer, a missing result can be ordinary. */
const MIN_GOODS = 3;
const MISSING = new Set(['undefined', 'NaN', 'Promise']);

/**
 * Finds the first result or variable that is missing (such as `undefined`, NaN, a promise, an empty string, the position -1), if every
 * other request has a value in this position. Finds nothing if the function's inputs are unusual. Also finds nothing if the client sent an
 * input that no successful call had: the client probably asked for something that does not exist.
 */
export function findMissing(
  findings: readonly Finding[],
  { given, listCalls }: { readonly given: GivenValues; readonly listCalls: (step: Step) => readonly Step[] },
): ValueFinding | undefined {
  const values = findings.filter((finding) => finding.kind === 'value');
  const odd = new Set(
    values.flatMap(({ at, difference: { part, judgement } }) =>
      part === 'inputs' && judgement === 'unusual' ? [at.left.stepId] : [],
    ),
  );
  const isAsked = ({ at }: ValueFinding) => {
    const seen = new Set(
      listCalls(at.left).flatMap((call) => flatten(call.inputs).map(({ value }) => value)),
    );
    return flatten(at.left.inputs).some(({ value }) => !seen.has(value) && given.has(JSON.stringify(value)));
  };
  // If the first missing result follows from the function's inputs, so do later missing results.
  const first = values.find(({ difference }) => isMissing(difference));
  return first !== undefined &&
    !isAsked(first) &&
    first.difference.goods >= MIN_GOODS &&
    !odd.has(first.at.left.stepId)
    ? first
    : undefined;
}

function isMissing({ part, path, judgement, value, otherValue }: ValueFinding['difference']): boolean {
  const isVariable = part === 'localVariables' && path.length === 1;
  if (part !== 'returnValue' && !isVariable) return false;
  if (!isOdd(judgement) || value === undefined || otherValue === undefined) return false;
  const kind = describeKind(value);
  // A variable can be undefined or empty because it has no value yet.
  return (
    value === -1 ||
    (isVariable ? kind !== 'undefined' && MISSING.has(kind) : value === '' || MISSING.has(kind))
  );
}
