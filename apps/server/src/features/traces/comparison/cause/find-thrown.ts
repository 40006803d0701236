import type { CapturedValue } from '@throughline/contract';
import { describeKind, listParts } from '@throughline/contract/captured';
import { readMembers } from '../compare-values.ts';
import type { Finding, PairedStep, ValueFinding } from '../walk-differences.ts';
import { isQuotedIn } from './failure-texts.ts';
import { type GivenValues, isGiven } from './given-values.ts';

/** Maximum number of functions through which a value is followed back. */
const MAX_HOPS = 10;

/** The step at which a request failed: the step that threw, or that built the text of an error response. */
interface Failure {
  readonly at: PairedStep;
  /** Texts that say why the request failed. */
  readonly texts: readonly string[];
}

/**
 * Finds the value that made a request fail. Tries in order: an unusual value in the function that threw; the boolean result that decided
 * about the error; a value that the error's text contains. The unusual value and the value from the error's text are followed back to the
 * function that returned the value first.
 */
export function findThrownValue(
  untilError: readonly Finding[],
  texts: readonly string[],
  given: GivenValues,
): ValueFinding | undefined {
  const values = untilError.filter((finding) => finding.kind === 'value');
  const thrown = findThrower(untilError);
  const failure = thrown ?? findWriter(values, texts);
  if (failure === undefined) return undefined;
  return (
    (thrown === undefined ? undefined : findOdd(thrown.at, values)) ??
    findDecision(failure.at, values) ??
    findQuoted(failure, values, given)
  );
}

function findThrower(untilError: readonly Finding[]): Failure | undefined {
  const error = untilError.at(-1);
  if (error?.kind !== 'value' || !isError(error)) return undefined;
  return { at: error.at, texts: [error.at.left.error?.message ?? ''] };
}

/** Finds the first step whose result or variables contain a text of the error response. */
function findWriter(values: readonly ValueFinding[], texts: readonly string[]): Failure | undefined {
  for (const { at, difference } of values) {
    if (difference.part !== 'returnValue' && difference.part !== 'localVariables') continue;
    const contained = texts.filter((text) => containsText(difference.value, text));
    if (contained.length > 0) return { at, texts: contained };
  }
  return undefined;
}

/** Maximum depth at which a value is searched for a text. */
const MAX_DEPTH = 4;

function containsText(value: CapturedValue | undefined, text: string, depth = 0): boolean {
  if (value === undefined || depth > MAX_DEPTH) return false;
  if (value === text) return true;
  return (
    typeof value === 'object' &&
    listParts(value).children.some((child) => containsText(child.value, text, depth + 1))
  );
}

function findOdd(at: PairedStep, values: readonly ValueFinding[]): ValueFinding | undefined {
  let found = values.find((each) => each.at === at && isOddValue(each));
  // The function that returned the odd value can have received another odd value.
  for (let hop = 0; found !== undefined && hop < MAX_HOPS; hop += 1) {
    const origin = findOrigin(found, values);
    const received = values.find(
      (each) =>
        each.at === origin.at &&
        each.difference.part === 'inputs' &&
        (isOddValue(each) || each.difference.judgement === 'unlike'),
    );
    if (received === undefined || received === found) return origin;
    found = received;
  }
  return found;
}

/** Finds a value of the failed function that the error's text contains, and that the client did not send. */
function findQuoted(
  { at, texts }: Failure,
  values: readonly ValueFinding[],
  given: GivenValues,
): ValueFinding | undefined {
  const quoted = values.find(
    (each) =>
      each.at === at &&
      each.difference.part !== 'error' &&
      !isGiven(each, given) &&
      texts.some((text) => isQuotedIn(each.difference.value, text)),
  );
  if (quoted === undefined) return undefined;
  // A variable of the failed function is reported directly. For an input, or for a member of an object, the function that returned the
  // value is reported instead.
  const { part, path } = quoted.difference;
  return part === 'localVariables' && path.length === 1 ? quoted : findOrigin(quoted, values);
}

/** Finds the last boolean result that differs from the successful request, among the calls that the failed function made. */
function findDecision(at: PairedStep, values: readonly ValueFinding[]): ValueFinding | undefined {
  return values.findLast(
    ({ at: each, difference: { part, path, value, otherValue } }) =>
      each.left.parentStepId === at.left.stepId &&
      part === 'returnValue' &&
      path.length === 0 &&
      typeof value === 'boolean' &&
      typeof otherValue === 'boolean',
  );
}

function isOddValue({ difference: { part, judgement } }: ValueFinding): boolean {
  return part !== 'error' && judgement === 'unusual';
}

export function isError(finding: Finding): boolean {
  return finding.kind === 'value' && finding.difference.part === 'error';
}

/**
 * Finds where a value came from: the first return value with the finding's `value` in this request and its `otherValue` in the other
 * request. Returns the finding itself if there is no such return value.
 */
function findOrigin(finding: ValueFinding, values: readonly ValueFinding[]): ValueFinding {
  const key = describeSides(finding);
  return (
    values.find((each) => each.difference.part === 'returnValue' && describeSides(each) === key) ?? finding
  );
}

function describeSides({ difference: { value, otherValue } }: ValueFinding): string {
  return JSON.stringify([value ?? null, otherValue ?? null]);
}

/** Values that make the result of a calculation NaN, in the order in which they are searched for. */
const NOT_NUMBERS = ['Promise', 'undefined', 'NaN'] as const;

/**
 * If a value is NaN, finds the variable or input of the same call that made it NaN, such as a promise that was not awaited. Returns the
 * finding itself if there is no such value.
 */
export function explainNaN(finding: ValueFinding): ValueFinding {
  const { at, difference } = finding;
  if (difference.value === undefined || describeKind(difference.value) !== 'NaN') return finding;
  const named = (['localVariables', 'inputs'] as const).flatMap((part) => {
    const holder = part === 'inputs' ? at.left.inputs : at.left.variables?.localVariables;
    return [...readMembers(holder)].map(([name, value]) => ({ part, name, value }));
  });
  for (const kind of NOT_NUMBERS) {
    const cause = named.find(
      ({ name, value }) => describeKind(value) === kind && name !== difference.path.at(-1),
    );
    if (cause === undefined || (kind === 'NaN' && cause.part === 'localVariables')) continue;
    return {
      kind: 'value',
      at,
      difference: {
        part: cause.part,
        path: [cause.name],
        value: cause.value,
        otherValue: undefined,
        judgement: 'unusual',
        goods: difference.goods,
      },
    };
  }
  return finding;
}
