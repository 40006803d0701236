import {
  type CapturedValue,
  type ComparedStep,
  type ComparedValue,
  type ComparisonStatement,
  MAX_COMPARED_TEXT,
  MAX_COMPARED_VALUES,
  type Step,
  type TraceComparison,
} from '@throughline/contract';
import { formatPath, withReferred } from '@throughline/contract/captured';
import { hideQueryCopies } from '@throughline/contract/redaction';
import { runInSlices } from '../../../platform/queues/run-in-slices.ts';
import type { WholeTrace } from '../detail/steps.ts';
import { examineSteps } from '../statements/read-request.ts';
import { findRetries } from '../statements/retries.ts';
import { isFailed, toTraceRow } from '../store.ts';
import { type AlignedStep, alignSteps, listAligned } from './align-steps.ts';
import type { ComparedFailure } from './cause/choose-first.ts';
import { listFailureTexts } from './cause/failure-texts.ts';
import { collectGiven } from './cause/given-values.ts';
import { indexRequests } from './cause/value-before-call.ts';
import { describeFirst } from './describe-first.ts';
import { findSlower } from './find-slower.ts';
import { parseValue } from './good-request/choose-good-request.ts';
import { isOdd } from './judge-difference.ts';
import { KnownResults } from './known-results.ts';
import { writeSlower } from './texts/write-statements.ts';
import { writeSide } from './texts/write-values.ts';
import { type Finding, isPaired, listFindings, type ValueFinding } from './walk-differences.ts';
import { findWrongResult } from './wrong-result/find-wrong-result.ts';

/** Maximum number of value pairs that one comparison reads in all steps. */
const MAX_VALUES = 300_000;
/**
 * Maximum number of further successful requests whose steps are paired with the steps of the inspected request, to compare values in the
 * same position.
 */
const MAX_ALIKE = 4;
/**
 * Minimum ratio of the inspected request's duration to the other request's duration. From this ratio on, new retries are reported instead
 * of the duration. A request that also took at least `MIN_ADDED_MS` longer is slow. The slowness is reported first if the slow request did
 * not fail and has no wrong result.
 */
const SLOW_RATIO = 2;
/**
 * Minimum time in milliseconds by which a slow request must have taken longer than the other request. Users do not notice a smaller
 * difference, and a busy machine can cause such a difference.
 */
const MIN_ADDED_MS = 50;

/** A trace to compare, with its steps in start order. */
export interface ReadTrace {
  readonly trace: WholeTrace['trace'];
  readonly steps: readonly Step[];
  /** False if the steps were read without values. */
  readonly values: boolean;
}

/** A successful request besides the request that was chosen for the comparison. */
export interface FurtherTrace extends ReadTrace {
  /**
   * True if this request has other inputs than the inspected request, although the request chosen for the comparison has exactly the inputs
   * of the inspected request. This request then only shows what its functions usually return; its values are not compared position by
   * position.
   */
  readonly otherInputs?: boolean;
}

/**
 * Parses stored steps and replaces references with the values that they refer to. Hides the bound values and rows of queries, which are
 * copies of values of functions. A difference in the functions says more, since a query for another customer always returns other rows.
 */
export async function readSteps(texts: readonly string[]): Promise<readonly Step[]> {
  const byId = new Map<string, Step>();
  const sent: Step[] = [];
  await runInSlices(texts, (text) => {
    const step = hideQueryCopies<Step>(JSON.parse(text));
    sent.push(step);
    byId.set(step.stepId, step);
  });
  const steps: Step[] = [];
  await runInSlices(sent, (step) => steps.push(withReferred(step, (id) => byId.get(id))));
  return steps;
}

/**
 * Compares two traces. `goods` are further successful requests to the endpoint. A value that differs among successful requests is reported
 * as a cause only if no other difference is found.
 */
export function compareTraces(
  left: ReadTrace,
  right: ReadTrace,
  goods: readonly FurtherTrace[],
  reason: string | null,
): TraceComparison {
  const roots = alignSteps(left.steps, right.steps);
  const values = left.values && right.values;
  const findings = findAll(roots, [left, right, ...goods], values ? MAX_VALUES : 0);
  const differing = findings.flatMap((finding) => (finding.kind === 'value' ? [finding] : []));
  return {
    other: toTraceRow({ ...right.trace, step_count: right.steps.length }),
    reason,
    learnedFrom: 1 + goods.length,
    statements: writeStatements({ left, right, goods, roots, findings }),
    steps: listSteps(roots, differing),
    values: differing.slice(0, MAX_COMPARED_VALUES).map(describeValue),
    valuesRead: values ? 'compared' : 'too_large',
    more: differing.length > MAX_COMPARED_VALUES,
  };
}

/**
 * Describes the difference that most likely led to a failure. Returns undefined if no difference explains the failure, or if a request's
 * values were not read.
 */
export function findFirstDifference(
  left: ReadTrace,
  right: ReadTrace,
  goods: readonly FurtherTrace[],
): ComparisonStatement | undefined {
  if (!left.values || !right.values) return undefined;
  const findings = findAll(alignSteps(left.steps, right.steps), [left, right, ...goods], MAX_VALUES);
  const failure = describeFailure(left.trace);
  return describeFirst(left, [right, ...goods], { failure, findings, ordinary: false, errors: false });
}

/** Describes a function's result that is wrong although the request succeeded; undefined if no rule applies. */
export function findWrongValue(
  left: ReadTrace,
  right: ReadTrace,
  goods: readonly FurtherTrace[],
): ComparisonStatement | undefined {
  if (!left.values || !right.values) return undefined;
  const roots = alignSteps(left.steps, right.steps);
  const findings = findAll(roots, [left, right, ...goods], MAX_VALUES);
  const { given } = describeFailure(left.trace);
  return findWrongResult(roots, [right, ...goods], { trace: left.trace, findings, given });
}

function findAll(
  roots: readonly AlignedStep[],
  [left, right, ...goods]: readonly [ReadTrace, ReadTrace, ...FurtherTrace[]],
  values: number,
): readonly Finding[] {
  const alike = goods.filter(({ otherInputs }) => otherInputs !== true).slice(0, MAX_ALIKE);
  return listFindings(roots, {
    goods: alike.map((good) => mapSteps(alignSteps(left.steps, good.steps))),
    budget: { values },
    results: new KnownResults(values === 0 ? [] : [right, ...alike].map(({ steps }) => steps)),
    findOf: indexRequests(values === 0 ? [] : [left.steps, right.steps]),
  });
}

function describeFailure(trace: ReadTrace['trace']): ComparedFailure {
  return {
    failed: isFailed(trace),
    given: collectGiven(
      [trace.request_query, trace.request_body, trace.request_headers].map((json) => parseValue(json ?? '')),
      trace.path,
    ),
    failureTexts: listFailureTexts(trace),
  };
}

/** Maps the `stepId` of each paired step of the left request to its partner in the right request. */
function mapSteps(roots: readonly AlignedStep[]): ReadonlyMap<string, Step> {
  return new Map(listAligned(roots).flatMap((at) => (isPaired(at) ? [[at.left.stepId, at.right]] : [])));
}

function writeStatements({
  left,
  right,
  goods,
  roots,
  findings,
}: {
  readonly left: ReadTrace;
  readonly right: ReadTrace;
  readonly goods: readonly FurtherTrace[];
  readonly roots: readonly AlignedStep[];
  readonly findings: readonly Finding[];
}): ComparisonStatement[] {
  const { trace } = left;
  const failure = describeFailure(trace);
  const wrong = failure.failed
    ? undefined
    : findWrongResult(roots, [right, ...goods], { trace, findings, given: failure.given });
  const first =
    wrong ?? describeFirst(left, [right, ...goods], { failure, findings, ordinary: true, errors: true });
  const [ms, otherMs] = [trace.duration_micros / 1000, right.trace.duration_micros / 1000];
  const slower = findSlower(roots, ms - otherMs);
  const said = first === undefined ? [] : [first];
  const retried = ms >= otherMs * SLOW_RATIO ? findNewRetries(left, right) : undefined;
  const slow = retried !== undefined ? [retried] : slower === undefined ? [] : [writeSlower(slower)];
  const failed = trace.has_error || (trace.status_code ?? 0) >= 500;
  const isSlow = ms >= otherMs * SLOW_RATIO && ms - otherMs >= MIN_ADDED_MS;
  return !failed && wrong === undefined && isSlow ? [...slow, ...said] : [...said, ...slow];
}

/** Finds retries, if the other request made none. Retries explain a slow request better than the pauses between them. */
function findNewRetries(left: ReadTrace, right: ReadTrace): ComparisonStatement | undefined {
  const find = ({ trace, steps }: ReadTrace) =>
    findRetries({ trace, steps: examineSteps(trace.id, steps), usual: null, size: null, grown: null });
  const [retries] = find(left);
  if (retries === undefined || find(right).length > 0) return undefined;
  return { text: retries.text, step: retries.opening ?? retries.stepId, other: null };
}

function listSteps(roots: readonly AlignedStep[], differing: readonly ValueFinding[]): ComparedStep[] {
  const counts = new Map<string, { differences: number; unusual: number }>();
  for (const { at, difference } of differing) {
    const count = counts.get(at.left.stepId) ?? { differences: 0, unusual: 0 };
    count.differences += 1;
    if (isUnusual(difference)) count.unusual += 1;
    counts.set(at.left.stepId, count);
  }
  return listAligned(roots).map(({ left, right, depth, moved, times }) => ({
    step: left?.stepId ?? null,
    other: right?.stepId ?? null,
    name: left?.stepName ?? right?.stepName ?? '',
    type: left?.stepType ?? right?.stepType ?? 'function',
    duration: left?.duration ?? null,
    otherDuration: right?.duration ?? null,
    failed: left !== undefined && left.error !== null,
    otherFailed: right !== undefined && right.error !== null,
    depth,
    moved,
    calls: times.left,
    otherCalls: times.right,
    ...(counts.get(left?.stepId ?? '') ?? { differences: 0, unusual: 0 }),
  }));
}

function describeValue({ at, difference }: ValueFinding): ComparedValue {
  const { part, path, value, otherValue } = difference;
  return {
    step: at.left.stepId,
    other: at.right.stepId,
    part,
    path: formatPath(path),
    keys: [...path],
    value: isAbsent(value, part) ? null : shorten(writeSide(value)),
    otherValue: isAbsent(otherValue, part) ? null : shorten(writeSide(otherValue)),
    unusual: isUnusual(difference),
  };
}

/** True for an undefined value. Also true if `part` is the error of a call and the value is `null`: the call did not fail. */
function isAbsent(value: CapturedValue | undefined, part: string): value is undefined {
  return value === undefined || (part === 'error' && value === null);
}

function isUnusual({ judgement, part }: ValueFinding['difference']): boolean {
  return isOdd(judgement) || judgement === 'unlike' || judgement === 'unseen' || part === 'error';
}

function shorten(text: string): string {
  return text.length > MAX_COMPARED_TEXT ? `${text.slice(0, MAX_COMPARED_TEXT - 1)}…` : text;
}
