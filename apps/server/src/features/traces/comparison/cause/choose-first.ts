import { isOdd, looksUnique } from '../judge-difference.ts';
import type { CallFinding, Finding } from '../walk-differences.ts';
import { explainNaN, findThrownValue, isError } from './find-thrown.ts';
import { type GivenValues, isGiven } from './given-values.ts';

/** The difference that most likely led to the failure. `after` is the last earlier call that only one of the two requests made. */
export interface FirstDifference {
  readonly finding: Finding;
  readonly after: CallFinding | undefined;
}

/** The facts about a request that its steps do not contain. */
export interface ComparedFailure {
  readonly failed: boolean;
  readonly given: GivenValues;
  /** Texts that say why the request failed. */
  readonly failureTexts: readonly string[];
}

/**
 * Chooses the difference that most likely led to the failure, among the differences up to the error. Tries these kinds in order: the result
 * of {@link findThrownValue}; a value of a kind or size that no successful request had; a value on which all successful requests agree, or
 * a function's new result for known inputs; a call that only one request made; the error; any other value. With `ordinary`, a result that
 * also differs among successful requests comes last. Values that the client sent are expected to differ, so other values are preferred.
 */
export function chooseFirst(
  findings: readonly Finding[],
  { given, failureTexts }: ComparedFailure,
  { ordinary }: { readonly ordinary: boolean },
): FirstDifference | undefined {
  const untilError = cutAfterError(findings);
  const thrown = findThrownValue(untilError, failureTexts, given);
  if (thrown !== undefined) return { finding: explainNaN(thrown), after: undefined };
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
    return { finding: finding.kind === 'value' ? explainNaN(finding) : finding, after };
  }
  return undefined;
}

/**
 * Leaves out the differences after the first error that differs between the requests, because they follow from this error. An error that
 * its caller caught does not count if another error followed.
 */
function cutAfterError(findings: readonly Finding[]): readonly Finding[] {
  const error = findings.findIndex(
    (finding, at) =>
      isError(finding) && !(isCaught(finding, findings) && findings.slice(at + 1).some(isError)),
  );
  return error < 0 ? findings : findings.slice(0, error + 1);
}

/** True if the function that made the failed call did not fail. */
function isCaught(finding: Finding, findings: readonly Finding[]): boolean {
  const parent = finding.at.left?.parentStepId;
  return !findings.some((each) => isError(each) && each.at.left?.stepId === parent);
}

function isCall(finding: Finding): finding is CallFinding {
  return finding.kind !== 'value';
}

function isResult(finding: Finding): boolean {
  if (finding.kind !== 'value') return false;
  const { part, value } = finding.difference;
  return part === 'returnValue' && value !== undefined && !looksUnique(value);
}

function isUnusual(finding: Finding): boolean {
  return finding.kind === 'value' && !isError(finding) && isOdd(finding.difference.judgement);
}

function isUnseen(finding: Finding): boolean {
  if (finding.kind !== 'value' || isError(finding)) return false;
  return finding.difference.judgement === 'unseen' || finding.difference.judgement === 'unlike';
}

function isDifferent(finding: Finding): boolean {
  return finding.kind === 'value' && finding.difference.judgement !== 'ordinary';
}
