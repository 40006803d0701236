import { isPromise } from 'node:util/types';
import type { RequestTrace } from '../http/trace/request-trace.ts';
import { hasFrame } from '../instrumented.ts';
import { reportFault } from '../internal/report.ts';
import type { ActiveStep } from '../record/active-step.ts';
import { carryOn } from '../record/async/async-parent.ts';
import { WatchedPromise } from '../record/async/watched-promise.ts';
import { currentWork, enterWork, type WorkContext } from '../record/async/work-context.ts';
import type { Recording } from '../record/recording.ts';
import { isFunction } from './framework.ts';
import { isPlumbing, type LayerUse } from './layer-use.ts';

export type Next = (...args: unknown[]) => unknown;

/**
 * How a framework runs its layers:
 * - `passing` (Express, Connect): a layer is behind us when it calls `next`; one that does not has answered, or will.
 * - `hook` (Fastify): the same, or the promise that it returns settles. The stack says nothing: `reply.send` in a handler runs the hooks after it.
 * - `onion` (Koa): what follows runs inside the layer's call, below its step, and the layer goes on after it. Its promise may be left alone by the layer around it.
 * - `returning` (Hono, Hapi): the same, where the framework awaits each layer.
 *
 * A promise is watched only where the framework itself handles it at once: else a rejection that nobody handles would look handled.
 */
type Manner = 'passing' | 'hook' | 'onion' | 'returning';

export interface LayerCall {
  readonly trace: RequestTrace;
  readonly recording: Recording;
  readonly use: LayerUse;
  readonly manner: Manner;
  /** The number of mounts around the request before this layer. */
  readonly mountsAbove?: number | undefined;
}

/** A layer that is running. */
export interface Running extends LayerCall {
  /** The step in progress at the call. */
  readonly outer: ActiveStep | null;
  /** The work context of that step. */
  readonly outerWork: WorkContext | undefined;
  /** The parent of the layer's step. */
  readonly parent: ActiveStep | null;
  /** Null for plumbing, and where there is no room for more steps. */
  readonly step: ActiveStep | null;
  readonly instrumented: boolean;
  /** True once the layer has called its `next`. */
  hasGoneOn: boolean;
}

export function layerReturned(layer: Running, result: unknown): void {
  const { step } = layer;
  if (step !== null) returned(layer, step, result);
}

export function layerThrew({ recording, step, instrumented }: Running, error: unknown): void {
  if (step !== null && !instrumented) endFailed(recording, step, error);
}

/** Makes what ran when the layer was called the current step, and its work, again. */
export function layerLeft({ recording, outer, outerWork }: Running): void {
  recording.current = outer;
  enterWork(outerWork);
}

/**
 * Opens the layer's step, and makes it the current one. Undefined where the layer is no step. Callers stand around the host's function themselves, since each
 * frame of ours on the stack pushes one of the host's out of the ten shown: `beginLayer`, the call, then {@link layerReturned} or {@link layerThrew}, and
 * {@link layerLeft}. Whatever fails here, the host's function runs once and its outcome stays what it is. What follows a layer is its sibling, not its child. A function that is instrumented adds
 * its place in the source and its values to the same step.
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
    // An instrumented function says itself whose work it begins.
    const outerWork = step === null || instrumented ? currentWork() : carryOn(recording, step);
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
    reportFault('Watching a layer', error);
    return undefined;
  }
}

/** The steps in progress when a layer calls `next`. */
interface Left {
  readonly step: ActiveStep | null;
  readonly work: WorkContext | undefined;
}

/** The layer is about to call `next`, with an error perhaps. Returns what runs until then. */
function goOn(layer: Running, error: unknown): Left {
  const { recording, manner, parent } = layer;
  const running = recording.current;
  noteGoneOn(layer, error);
  const isInside = manner === 'onion' || manner === 'returning';
  const above = isInside ? (layer.step ?? parent) : parent;
  recording.current = above;
  return { step: running, work: carryOn(recording, above) };
}

/** Its `next` has returned. */
function comeBack({ recording }: Running, { step, work }: Left): void {
  recording.current = step;
  enterWork(work);
}

function noteGoneOn(layer: Running, error: unknown): void {
  const { trace, recording, manner, mountsAbove, step } = layer;
  try {
    layer.hasGoneOn = true;
    // Leaves the mounts inside this layer.
    if (mountsAbove !== undefined) trace.mounts.length = Math.min(trace.mounts.length, mountsAbove);
    if (isError(error)) trace.reportError(error, step);
    if (step !== null && (manner === 'passing' || manner === 'hook')) recording.close(step);
  } catch (fault) {
    reportFault('Watching a layer', fault);
  }
}

function returned(layer: Running, step: ActiveStep, result: unknown): void {
  try {
    settle(layer, step, result);
  } catch (fault) {
    reportFault('Watching a layer', fault);
  }
}

function settle(layer: Running, step: ActiveStep, result: unknown): void {
  const { trace, recording, manner } = layer;
  const handlesPromises = manner === 'hook' || manner === 'returning';
  if (step.adopted) {
    // The step of a function that returned a promise is open.
    const answersLater = step.left && !layer.hasGoneOn && !trace.res.writableEnded;
    if (answersLater && (manner === 'passing' || manner === 'hook') && step.reopen())
      trace.untilAnswered.push(step);
    return;
  }
  if (step.endMicros >= 0) return;
  const ended = () => recording.close(step);
  if (handlesPromises && watchPromise(result, ended, (error) => endFailed(recording, step, error))) return;
  if (manner === 'onion' && isPromise(result)) {
    WatchedPromise.watch(result).add(step);
    return;
  }
  if (manner === 'returning' || trace.res.writableEnded) recording.close(step);
  // It will call `next` or answer later.
  else trace.untilAnswered.push(step);
}

const promiseThen = Promise.prototype.then;

/** Watches a promise from the side, if it is one, and a plain one: of others `then` is the host's own code. Only for promises that somebody handles in any case. */
export function watchPromise(
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
    reportFault('Watching a layer', fault);
  }
}

/** A layer's `next`, under which the layer goes on. It has the name and the parameters of the function that routers pass. */
export function ownNext(running: Running, original: Next): Next {
  return function next(error?: unknown, ...rest: unknown[]): unknown {
    const before = goOn(running, error);
    try {
      return original(error, ...rest);
    } finally {
      comeBack(running, before);
    }
  };
}

/** The same for an onion's `next`, which takes nothing and has no name. */
export function innerNext(running: Running, original: unknown): unknown {
  if (!isFunction(original)) return original;
  return (...args: unknown[]): unknown => {
    const before = goOn(running, args[0]);
    try {
      return original(...args);
    } finally {
      comeBack(running, before);
    }
  };
}

/** `next('route')` and `next('router')` are ways through a router, not errors. */
export function isError(error: unknown): boolean {
  return Boolean(error) && error !== 'route' && error !== 'router';
}
