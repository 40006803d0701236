import { isPromise } from 'node:util/types';
import type { RequestTrace } from '../http/trace/request-trace.ts';
import { reportFault } from '../internal/report.ts';
import type { ActiveStep } from '../record/active-step.ts';
import { setParent } from '../record/async/async-parent.ts';
import { WatchedPromise } from '../record/async/watched-promise.ts';
import { enterWork, getCurrentWork } from '../record/async/work-context.ts';
import { hasFrame } from '../record/instrumented.ts';
import type { StartedWork } from '../record/links.ts';
import type { Recording } from '../record/recording.ts';
import { isFunction } from './framework.ts';
import { isPlumbing, type LayerUse } from './layer-use.ts';

export type Next = (...args: unknown[]) => unknown;

/**
 * How a framework runs its layers:
 * - `passing` (Express, Connect): a layer's step ends when the layer calls `next`. A layer that does not call `next` has responded or will
 *   respond.
 * - `hook` (Fastify): as `passing`, but the step also ends when the layer's promise settles. The stack does not show the parent of a hook,
 *   because `reply.send` in a handler runs later hooks.
 * - `onion` (Koa): the next layers run inside the call of `next`, so their steps are below the function of the layer that called it, or
 *   below the layer's step. A layer can ignore `next`'s promise.
 * - `returning` (Hono, Hapi): as `onion`, but the framework awaits each layer.
 *
 * A promise is observed only if the framework handles it immediately: otherwise an unhandled rejection would look handled.
 */
type Manner = 'passing' | 'hook' | 'onion' | 'returning';

export interface LayerCall {
  readonly trace: RequestTrace;
  readonly recording: Recording;
  readonly use: LayerUse;
  readonly manner: Manner;
  /** The number of mounts that the request had entered before this layer. */
  readonly mountsAbove?: number | undefined;
}

export interface Running extends LayerCall {
  /** The step that was active when the layer was called. */
  readonly outer: ActiveStep | null;
  /** The async context that was active when the layer was called. */
  readonly outerWork: StartedWork | undefined;
  readonly parent: ActiveStep | null;
  /** Null for layers that get no step (see {@link isPlumbing}), and if the trace can have no more steps. */
  readonly step: ActiveStep | null;
  readonly instrumented: boolean;
  /** True once the layer has called its `next`. */
  hasGoneOn: boolean;
}

export function endReturnedLayer(layer: Running, result: unknown): void {
  const { step } = layer;
  if (step !== null) endWithResult(layer, step, result);
}

export function endThrownLayer({ recording, step, instrumented }: Running, error: unknown): void {
  if (step !== null && !instrumented) endFailed(recording, step, error);
}

/** Restores the step and the async context that were active when the layer was called. */
export function leaveLayer({ recording, outer, outerWork }: Running): void {
  recording.current = outer;
  enterWork(outerWork);
}

/**
 * Opens the layer's step and makes it the active step. Returns undefined if nothing is recorded or if recording fails. The caller itself
 * then calls the host's function, followed by {@link endReturnedLayer} or {@link endThrownLayer}, and by {@link leaveLayer}: a shared
 * wrapper would push one more frame of the host out of the ten that a stack shows. An instrumented function adds its source position and
 * values to the step.
 */
export function beginLayer(find: () => LayerCall | undefined): Running | undefined {
  try {
    const layer = find();
    if (layer === undefined) return undefined;
    const { trace, recording, use, manner, mountsAbove } = layer;
    const outer = recording.current;
    recording.hasHandlers = true;
    if (trace.layerParent === undefined) trace.layerParent = outer;
    const parent = manner === 'hook' ? trace.layerParent : (outer ?? trace.layerParent);
    const transparent = isPlumbing(use);
    const instrumented = !transparent && hasFrame(use.fn);
    const step = transparent
      ? null
      : recording.open({ name: use.name, type: use.type, parent, adopts: instrumented });
    if (step !== null) {
      step.back = outer;
      step.named = use.named;
      recording.layers.add(step);
    }
    recording.current = step ?? parent;
    // An instrumented function sets its own async context.
    const outerWork = step === null || instrumented ? getCurrentWork() : setParent(recording, step);
    return {
      trace,
      recording,
      use,
      manner,
      mountsAbove,
      outer,
      outerWork,
      parent,
      step,
      instrumented,
      hasGoneOn: false,
    };
  } catch (error) {
    reportFault('Recording a middleware or handler', error);
    return undefined;
  }
}

/** The step and the async context that are active when a layer calls `next`. */
interface Left {
  readonly step: ActiveStep | null;
  readonly work: StartedWork | undefined;
}

/** Called when a layer is about to call `next`, possibly with an error. Returns the step and the async context active until then. */
function goOn(layer: Running, error?: unknown): Left {
  const { recording, manner, parent, step } = layer;
  const running = recording.current;
  noteGoneOn(layer, error);
  const isInside = manner === 'onion' || manner === 'returning';
  const above = isInside ? recording.layers.findCaller(step ?? parent, recording.here) : parent;
  recording.current = above;
  return { step: running, work: setParent(recording, above) };
}

function resumeLayer({ recording }: Running, { step, work }: Left): void {
  recording.current = step;
  enterWork(work);
}

function noteGoneOn(layer: Running, error: unknown): void {
  const { trace, recording, manner, mountsAbove, step } = layer;
  try {
    layer.hasGoneOn = true;
    // Removes the mounts that were entered inside this layer.
    if (mountsAbove !== undefined) trace.mounts.length = Math.min(trace.mounts.length, mountsAbove);
    if (isError(error)) trace.reportError(error, step);
    if (step !== null && (manner === 'passing' || manner === 'hook')) recording.close(step);
  } catch (fault) {
    reportFault('Recording a middleware or handler', fault);
  }
}

function endWithResult(layer: Running, step: ActiveStep, result: unknown): void {
  try {
    settle(layer, step, result);
  } catch (fault) {
    reportFault('Recording a middleware or handler', fault);
  }
}

function settle(layer: Running, step: ActiveStep, result: unknown): void {
  const { trace, recording, manner } = layer;
  const handlesPromises = manner === 'hook' || manner === 'returning';
  if (step.adopted) {
    // `left` is false while a promise that the function returned is pending: the step is then still open.
    const answersLater = step.left && !layer.hasGoneOn && !trace.res.writableEnded;
    if (answersLater && (manner === 'passing' || manner === 'hook') && step.reopen())
      trace.untilAnswered.push(step);
    return;
  }
  if (step.endMicros >= 0) return;
  const ended = () => recording.close(step);
  if (handlesPromises && observePromise(result, ended, (error) => endFailed(recording, step, error))) return;
  if (manner === 'onion' && isPromise(result)) {
    WatchedPromise.watch(result).add(step);
    return;
  }
  if (manner === 'returning' || trace.res.writableEnded) recording.close(step);
  // The layer will call `next` or respond later.
  else trace.untilAnswered.push(step);
}

const promiseThen = Promise.prototype.then;

/**
 * Observes a promise without changing it. Returns false for other values, and for promises whose `then` is the host's own code. Must be
 * used only for promises whose rejection is handled anyway.
 */
export function observePromise(
  result: unknown,
  onValue: ((value: unknown) => void) | undefined,
  onError: (error: unknown) => void,
): boolean {
  if (!isPromise(result) || Object.getPrototypeOf(result) !== Promise.prototype) return false;
  void Reflect.apply(promiseThen, result, [onValue, onError]);
  return true;
}

function endFailed(recording: Recording, step: ActiveStep, error: unknown): void {
  try {
    recording.fail(step, error);
    recording.close(step);
  } catch (fault) {
    reportFault('Recording a middleware or handler', fault);
  }
}

/** Wraps a layer's `next` to detect when the layer calls `next`. The wrapper has the name and the parameters of a router's `next`. */
export function wrapNext(running: Running, original: Next): Next {
  return function next(error?: unknown, ...rest: unknown[]): unknown {
    const before = goOn(running, error);
    try {
      return original(error, ...rest);
    } finally {
      resumeLayer(running, before);
    }
  };
}

/**
 * Like {@link wrapNext}, for the `next` of an `onion` or `returning` layer, which has no name and no parameters. An argument is not an
 * error: koa-compose passes the context on.
 */
export function wrapOnionNext(running: Running, original: unknown): unknown {
  if (!isFunction(original)) return original;
  return (...args: unknown[]): unknown => {
    const before = goOn(running);
    try {
      return original(...args);
    } finally {
      resumeLayer(running, before);
    }
  };
}

/**
 * True for an error. False if there is no value, and for `next('route')` and `next('router')`, which only choose a path through a router.
 */
export function isError(error: unknown): boolean {
  return Boolean(error) && error !== 'route' && error !== 'router';
}
