import type { CapturedValue } from '@throughline/contract';
import { listParts } from '@throughline/contract/captured';
import { type Judgement, looksUnique } from './judge-difference.ts';
import type { CallFinding, Finding, ValueFinding } from './walk-differences.ts';

/** The difference nearest to the cause, and an earlier call that only one of the requests made. */
export interface FirstDifference {
  readonly finding: Finding;
  readonly after: CallFinding | undefined;
}

/**
 * Chooses the difference nearest to the cause among those up to the error, in this order: a value of another kind in the function that
 * threw; a value of a kind or size that no successful request had; a value that all successful requests agree on, or a function's
 * different result for the same inputs; a call that only one of the requests made; the error; any other value. If `ordinary` is set, a
 * result that also differs among successful requests comes last. Values that the client sent with the request are expected to differ, so
 * other values are preferred.
 */
export function chooseFirst(
  findings: readonly Finding[],
  given: GivenValues,
  { ordinary }: { readonly ordinary: boolean },
): FirstDifference | undefined {
  const untilError = cutAfterError(findings);
  const thrown = findThrownValue(untilError);
  if (thrown !== undefined) return { finding: thrown, after: undefined };
  const choices: readonly ((finding: Finding) => boolean)[] = [
    isUnusual,
    (finding) => isUnseen(finding) && !isGiven(finding, given),
    isCall,
    isError,
    (finding) => isDifferent(finding) && !isGiven(finding, given),
    isDifferent,
    (finding) => ordinary && isResult(finding) && !isGiven(finding, given),
  ];
  for (const isChosen of choices) {
    const at = untilError.findIndex(isChosen);
    const finding = untilError[at];
    if (finding === undefined) continue;
    // A call that only one request made explains why the requests took different paths.
    const after = finding.kind === 'value' ? untilError.slice(0, at).findLast(isCall) : undefined;
    return { finding, after };
  }
  return undefined;
}

/**
 * Finds the value that made a function fail: a value of another kind in the function that threw, followed back to where the value came
 * from. Undefined if nothing was thrown or the function had no such value.
 */
function findThrownValue(untilError: readonly Finding[]): ValueFinding | undefined {
  const error = untilError.at(-1);
  if (error?.kind !== 'value' || !isError(error)) return undefined;
  const values = untilError.filter((finding) => finding.kind === 'value');
  let found = values.find((each) => each.at === error.at && isOddValue(each));
  // The function that returned the value can itself have received an odd value.
  for (let hop = 0; found !== undefined && hop < MAX_HOPS; hop += 1) {
    const origin = findOrigin(found, values);
    const given = values.find(
      (each) => each.at === origin.at && each.difference.part === 'inputs' && isOddValue(each),
    );
    if (given === undefined || given === found) return origin;
    found = given;
  }
  return found;
}

/** Maximum number of functions through which a value is followed back. */
const MAX_HOPS = 10;

function isOddValue({ difference: { part, judgement } }: ValueFinding): boolean {
  return part !== 'error' && judgement === 'unusual';
}

/** Finds the result in which a value first appeared: the first result with the same pair of values in both requests. */
function findOrigin(finding: ValueFinding, values: readonly ValueFinding[]): ValueFinding {
  const key = describeSides(finding);
  return (
    values.find((each) => each.difference.part === 'returnValue' && describeSides(each) === key) ?? finding
  );
}

function describeSides({ difference: { value, otherValue } }: ValueFinding): string {
  return JSON.stringify([value ?? null, otherValue ?? null]);
}

function isUnlike(judgement: Judgement): boolean {
  return judgement === 'unusual' || judgement === 'outlier';
}

/** If a function failed in only one request, all later differences follow from that failure. */
function cutAfterError(findings: readonly Finding[]): readonly Finding[] {
  const error = findings.findIndex(isError);
  return error < 0 ? findings : findings.slice(0, error + 1);
}

function isCall(finding: Finding): finding is CallFinding {
  return finding.kind !== 'value';
}

function isResult(finding: Finding): boolean {
  if (finding.kind !== 'value') return false;
  const { part, value } = finding.difference;
  return part === 'returnValue' && value !== undefined && !looksUnique(value);
}

export function isError(finding: Finding): boolean {
  return finding.kind === 'value' && finding.difference.part === 'error';
}

function isUnusual(finding: Finding): boolean {
  return finding.kind === 'value' && !isError(finding) && isUnlike(finding.difference.judgement);
}

function isUnseen(finding: Finding): boolean {
  return finding.kind === 'value' && !isError(finding) && finding.difference.judgement === 'unseen';
}

function isDifferent(finding: Finding): boolean {
  return finding.kind === 'value' && finding.difference.judgement !== 'ordinary';
}

function isGiven(finding: Finding, given: GivenValues): boolean {
  if (finding.kind !== 'value') return false;
  const { value } = finding.difference;
  return value !== undefined && given.has(JSON.stringify(value));
}

/** The values in a request's query, body and path, each as JSON. */
export type GivenValues = ReadonlySet<string>;

/** Maximum number of values that are collected: a body can contain millions. */
const MAX_GIVEN = 5_000;

export function collectGiven(parts: readonly (CapturedValue | undefined)[], path: string): GivenValues {
  const given = new Set<string>();
  for (const segment of path.split('/')) {
    if (segment === '') continue;
    given.add(JSON.stringify(segment));
    if (Number.isFinite(Number(segment))) given.add(segment);
  }
  const pending: CapturedValue[] = parts.filter((part) => part !== undefined);
  for (let count = 0; count < MAX_GIVEN; count += 1) {
    const value = pending.pop();
    if (value === undefined) break;
    const { children } = listParts(value);
    if (children.length === 0) given.add(JSON.stringify(value));
    for (const child of children) pending.push(child.value);
  }
  return given;
}
