import { isPromise } from 'node:util/types';
import { hasFrame } from '../instrumented.ts';
import { guarded, report } from '../internal/report.ts';
import type { ActiveStep } from '../record/active-step.ts';
import { currentRecording } from '../record/async/work-context.ts';
import type { Recording } from '../record/recording.ts';
import type { StepType } from '../record/types.ts';
import {
  idText,
  isStepType,
  maxName,
  namedValues,
  stepTypeNames,
  takeSnapshots,
} from './validate-arguments.ts';

export interface StepOptions {
  /** The type of the step; the default is `custom`. */
  readonly type?: StepType;
  /** Shown with the step. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * Runs `fn` as a step of the current request and returns what it returns; the step of a promise ends when that settles. Outside a request, or
 * where nothing is recorded, `fn` just runs. What `fn` throws is shown on the step and thrown on. A generator, and a promise of a class of
 * its own, is handed back as it is, and the step ends there.
 *
 * @example
 * const total = await step('price the cart', () => price(cart), { metadata: { items: cart.length } });
 */
export function step<T>(name: string, fn: () => T, options: StepOptions = {}): T {
  if (typeof fn !== 'function') {
    report(
      "step takes a name and a function, as in step('price the cart', () => price(cart)); what came instead is returned",
    );
    return fn;
  }
  const recording = currentRecording();
  const opened = recording && guarded('Opening a step', () => openStep(recording, name, fn, options));
  if (!recording || !opened) return fn();
  let result: T;
  try {
    result = recording.within(opened, fn);
  } catch (error) {
    endStep(recording, opened, { error });
    throw error;
  }
  if (!isPlainPromise(result)) {
    endStep(recording, opened, { result });
    return result;
  }
  return endsByItself(opened) ? result : (settling(recording, opened, result) as T);
}

const promises = Promise.prototype;
const { getPrototypeOf, keys } = Object;

/**
 * A promise that another one with the same outcome can stand for. Not so where it has methods of its own, as those of database clients and child
 * processes have: some begin their work only when they are first waited for.
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
  if (!isStepType(type)) report(`the type of a step is one of ${stepTypeNames}; using custom`);
  const named = namedValues(metadata);
  return recording.open({
    name: (idText(name) || 'step').slice(0, maxName),
    type: isStepType(type) ? type : 'custom',
    ...(named && { metadata: takeSnapshots(recording, named) }),
    parent: recording.here,
    adopts: hasFrame(fn),
  });
}

function endStep(
  recording: Recording,
  opened: ActiveStep,
  outcome: { result?: unknown; error?: unknown },
): void {
  guarded('Ending a step', () => {
    if ('error' in outcome) recording.fail(opened, outcome.error);
    // A function that is instrumented has handed over its result already.
    else if (recording.all && !opened.adopted) opened.outputs = recording.snapshot(outcome.result);
    recording.close(opened);
  });
}

/** The step of an instrumented function ends when the promise that it returned settles. */
function endsByItself(opened: ActiveStep): boolean {
  if (!opened.adopted) return false;
  return (
    opened.endMicros < 0 || (opened.site !== null && 'kind' in opened.site && opened.site.kind === 'async')
  );
}

/** The same outcome, after the step was ended with it. Watched from the side, a rejection that the host never handles would look handled. */
function settling(recording: Recording, opened: ActiveStep, promise: Promise<unknown>): Promise<unknown> {
  // The function has returned, and its frame with it; what it began goes on.
  opened.endMicros = -1;
  return promise.then(
    (result) => {
      guarded('Ending a step', () => {
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
