import { type ComparisonStatement, formatCount, formatDuration, type Step } from '@throughline/contract';
import { listParts } from '@throughline/contract/captured';
import type { FirstDifference } from '../cause/choose-first.ts';
import type { UnawaitedCallback } from '../cause/not-awaited.ts';
import { placeText, readResult, type StepDifference } from '../compare-values.ts';
import type { SlowerCalls } from '../find-slower.ts';
import type { CallFinding, Finding, PairedStep, ValueFinding } from '../walk-differences.ts';
import { nameStep, writeCallValue, writeSide, writeWhole } from './write-values.ts';

/** Maximum number of differing inputs that a sentence names before another difference of the same function. */
const MAX_GIVEN_NAMED = 2;

/** Describes the first difference in a sentence: first the preceding call or the inputs, then what is wrong. */
export function writeFirst(first: FirstDifference, findings: readonly Finding[]): ComparisonStatement {
  const { finding, after } = first;
  if (finding.kind !== 'value') return writeCall(finding, findings);
  const { at, difference } = finding;
  const text = writeValue(at, difference, findings);
  if (after === undefined) return { text, step: at.left.stepId, other: at.right.stepId };
  const caller = (after.kind === 'added' ? at.left : at.right).stepId;
  const isResultOfCaller = difference.part === 'returnValue' && findCaller(after) === caller;
  // Here the caller's result differs because of the call `after`. That call was made because of an earlier result, so the statement
  // starts with that result.
  const decided = isResultOfCaller ? findDecision(after, findings) : undefined;
  if (decided !== undefined) return writeDecided(after, decided, findings);
  const isNearer = isResultOfCaller && after.kind === 'added';
  return {
    text: `${describeCall(after)}, then ${text}`,
    step: isNearer ? after.at.left.stepId : at.left.stepId,
    other: at.right.stepId,
  };
}

/** Describes a call that only one request made. If a differing value of the caller decided about the call, describes that value first. */
function writeCall(finding: CallFinding, findings: readonly Finding[]): ComparisonStatement {
  const decided = findDecision(finding, findings);
  if (decided === undefined) {
    const { left, right } = finding.at;
    return { text: describeCall(finding), step: left?.stepId ?? null, other: right?.stepId ?? null };
  }
  return writeDecided(finding, decided, findings);
}

function writeDecided(
  finding: CallFinding,
  { at, difference }: ValueFinding,
  findings: readonly Finding[],
): ComparisonStatement {
  return {
    text: `${writeValue(at, difference, findings)}, then ${describeCall(finding)}`,
    step: at.left.stepId,
    other: at.right.stepId,
  };
}

/** Finds the last differing result before a call, among calls of the same caller: this result usually decides what is called next. */
function findDecision(finding: CallFinding, findings: readonly Finding[]): ValueFinding | undefined {
  const caller = findCaller(finding);
  const side = finding.kind === 'added' ? 'left' : 'right';
  const before = findings.slice(0, findings.indexOf(finding));
  return before.findLast(
    (each): each is ValueFinding =>
      each.kind === 'value' &&
      each.difference.part === 'returnValue' &&
      each.at[side].parentStepId === caller,
  );
}

function findCaller({ kind, at }: CallFinding): string | null {
  return (kind === 'added' ? at.left : at.right).parentStepId;
}

function describeCall(finding: CallFinding): string {
  if (finding.kind === 'missing')
    return `\`${nameStep(finding.at.right)}\` was not called; the other request called it`;
  const { left } = finding.at;
  const returned = readResult(left);
  const result = returned === undefined ? '' : ` and returned ${writeSide(returned)}`;
  return finding.insteadOf === undefined
    ? `\`${nameStep(left)}\` was called${result}; the other request did not call it`
    : `\`${nameStep(left)}\` was called instead of \`${nameStep(finding.insteadOf)}\`${result}`;
}

/** Describes a differing value. Names differing inputs of the same function first. */
export function writeValue(at: PairedStep, difference: StepDifference, findings: readonly Finding[]): string {
  const name = nameStep(at.left);
  if (difference.part === 'error') {
    const { error } = at.left;
    return error === null
      ? `\`${name}\` did not fail; in the other request it threw “${at.right.error?.message ?? ''}”`
      : `\`${name}\` threw “${error.message}”; in the other request it did not`;
  }
  const given = findings
    .flatMap((finding) => (finding.kind === 'value' && finding.at === at ? [finding.difference] : []))
    .filter((other) => other.part === 'inputs' && other !== difference)
    .slice(0, MAX_GIVEN_NAMED);
  const isReturned = difference.part === 'returnValue' && difference.path.length === 0;
  const caught = difference.part === 'returnValue' ? findCaught(at) : undefined;
  if (caught !== undefined)
    return `\`${nameStep(caught)}\` threw “${caught.error?.message ?? ''}”, then \`${name}\` returned ${writeSides(difference)}`;
  const whole = isReturned || difference.part !== 'returnValue' ? undefined : writeResult(at.left);
  const isNamed = difference.part !== 'inputs' && given.length > 0;
  const said =
    whole === undefined
      ? writeDifference(name, difference, isNamed)
      : `\`${name}\` returned ${whole}: \`${placeText(difference)}\` is ${writeSides(difference)}`;
  return isNamed ? `${writeGiven(given)} in \`${name}\`, then ${said}` : said;
}

function writeDifference(call: string, difference: StepDifference, isNamed: boolean): string {
  const isResult = difference.part === 'returnValue';
  const place = isResult && difference.path.length === 0 ? undefined : placeText(difference);
  return writeCallValue({ call, isResult, place, value: writeSides(difference) }, isNamed);
}

function writeGiven(given: readonly StepDifference[]): string {
  return given.map((one) => `\`${placeText(one)}\` is ${writeSides(one)}`).join(' and ');
}

/**
 * Writes a step's whole result, to show a differing member among the other members. Returns undefined if the result has fewer than two
 * members, or is too long.
 */
function writeResult(step: Step): string | undefined {
  const result = readResult(step);
  return result === undefined || listParts(result).children.length < 2 ? undefined : writeWhole(result);
}

/** Finds a call that threw in this request only, and whose error its caller caught. */
function findCaught({ left, children }: PairedStep): Step | undefined {
  if (left.error !== null) return undefined;
  const thrown = children.find((child) => child.left !== undefined && child.left.error !== null);
  return thrown?.right !== undefined && thrown.right.error === null ? thrown.left : undefined;
}

/** Describes a callback whose promise was used instead of its result. */
export function writeNotAwaited({ step, callback }: UnawaitedCallback): ComparisonStatement {
  const returned = readResult(step);
  const result = returned === undefined ? '' : `, then \`${nameStep(step)}\` returned ${writeSide(returned)}`;
  return {
    text: `\`${nameStep(callback)}\` is asynchronous, so its promise was used instead of its result${result}`,
    step: step.stepId,
    other: null,
  };
}

function writeSides({ value, otherValue }: StepDifference): string {
  const [said, other] = [writeSide(value), writeSide(otherValue)];
  return said === other ? `${said}, as in the other request` : `${said} instead of ${other}`;
}

/** Describes which calls took longer or were made more often. */
export function writeSlower(slower: SlowerCalls): ComparisonStatement {
  const { step, other, caller, count, otherCount, ms, otherMs } = slower;
  const name = `\`${nameStep(step)}\``;
  const below = caller === undefined ? '' : ` below \`${nameStep(caller)}\``;
  const often = count >= otherCount * 2 && count > 2;
  const text = often
    ? `${name} ran ${formatTimes(count)} (${formatDuration(ms)}) instead of ${formatTimes(otherCount)} (${formatDuration(otherMs)})${below}`
    : `${name} took ${formatDuration(ms)} instead of ${formatDuration(otherMs)}${below}`;
  return { text, step: step.stepId, other: other?.stepId ?? null };
}

function formatTimes(count: number): string {
  if (count === 0) return 'not at all';
  return count === 1 ? 'once' : `${formatCount(count)} times`;
}
