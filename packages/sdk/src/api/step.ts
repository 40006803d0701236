import { isPromise } from 'node:util/types';
import { maxName } from '../internal/name-length.ts';
import { report, runGuarded } from '../internal/report.ts';
import type { ActiveStep } from '../record/active-step.ts';
import { watchResult } from '../record/async/async-end.ts';
import { getCurrentRecording } from '../record/async/current-recording.ts';
import { hasFrame } from '../record/instrumented.ts';
import type { Recording } from '../record/recording.ts';
import type { StepType } from '../record/types.ts';
import { isStepType, readId, readNamedValues, stepTypeNames, takeSnapshots } from './validate-arguments.ts';

export interface StepOptions {
  /** Step type; `custom` by default. */
  readonly type?: StepType;
  /** Values shown with the step. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * Runs `fn` as a step of the current request and returns its result. If the result is a promise, of Node or of Bluebird, the step ends when
 * the promise settles. If the result is a generator or another thenable, the step ends immediately. An error is shown on the step and thrown
 * again. If nothing is recorded, only runs `fn`.
 *
 * @example
 * const total = await step('price the cart', () => price(cart), { metadata: { items: cart.length } });
 */
export function step<T>(name: string, fn: () => T, options: StepOptions = {}): T {
  if (typeof fn !== 'function') {
    report(
      "step takes a name and a function, as in step('price the cart', () => price(cart)); the second argument is returned unchanged",
    );
    return fn;
  }
  const recording = getCurrentRecording();
  const opened = recording && runGuarded('Starting a step', () => openStep(recording, name, fn, options));
  if (!recording || !opened) return fn();
  let result: T;
  try {
    result = recording.within(opened, fn);
  } catch (error) {
    endStep(recording, opened, { error });
    throw error;
  }
  if (endsByItself(opened)) return result;
  if (isPlainPromise(result)) return settleAfter(recording, opened, result) as T;
  if (!endWith(recording, opened, result)) endStep(recording, opened, { result });
  return result;
}

const promises = Promise.prototype;
const { getPrototypeOf, keys } = Object;

/**
 * True for a promise that can be replaced by another promise with the same outcome. False for promises with methods of their own, such as
 * a database client's queries: a call of `then` can start the work of such a promise.
 */
function isPlainPromise(value: unknown): value is Promise<unknown> {
  return isPromise(value) && getPrototypeOf(value) === promises && keys(value).length === 0;
}

function openStep(
  recording: Recording,
  name: string,
  fn: () => unknown,
  options: StepOptions | null,
): ActiveStep | null {
  const { type = 'custom', metadata } = options ?? {};
  if (!isStepType(type)) report(`the type of a step must be one of ${stepTypeNames}; using custom`);
  const named = readNamedValues(metadata);
  return recording.open({
    name: recording.shorten(readId(name) || 'step', maxName),
    type: isStepType(type) ? type : 'custom',
    ...(named && { metadata: takeSnapshots(recording, named, 'the metadata of step') }),
    parent: recording.here,
    adopts: hasFrame(fn),
  });
}

function endStep(
  recording: Recording,
  opened: ActiveStep,
  outcome: { result?: unknown; error?: unknown },
): void {
  runGuarded('Ending a step', () => {
    if ('error' in outcome) recording.fail(opened, outcome.error);
    // If `fn` is instrumented, the code injected into `fn` has already captured the result.
    else if (recording.all && !opened.adopted) opened.outputs = recording.snapshot(outcome.result);
    recording.close(opened);
  });
}

/** True if `fn` is instrumented, and the code injected into `fn` ends the step when the returned promise settles. */
function endsByItself(opened: ActiveStep): boolean {
  if (!opened.adopted) return false;
  return (
    opened.endMicros < 0 || (opened.site !== null && 'kind' in opened.site && opened.site.kind === 'async')
  );
}

/**
 * Ends the step when the promise `value` settles, without a call of `then`. Returns false if `value` is no promise of Node or of Bluebird.
 */
function endWith(recording: Recording, opened: ActiveStep, value: unknown): boolean {
  const watched = runGuarded('Watching a promise', () => watchResult(value));
  if (!watched) return false;
  opened.all = recording.all;
  watched.add(opened);
  return true;
}

/**
 * Ends the step when `promise` settles, and returns a promise with the same outcome. A handler on `promise` whose result is not returned
 * would mark the host's unhandled rejections as handled.
 */
function settleAfter(recording: Recording, opened: ActiveStep, promise: Promise<unknown>): Promise<unknown> {
  // Keeps the step open until `promise` settles, although the function that returned `promise` has ended.
  opened.endMicros = -1;
  return promise.then(
    (result) => {
      runGuarded('Ending a step', () => {
        if (recording.all) opened.outputs = recording.snapshot(result);
        recording.close(opened);
      });
      return result;
    },
    (error: unknown) => {
      endStep(recording, opened, { error });
      throw error;
    },
  );
}
