import type { RequestTrace } from '../http/request-trace.ts';
import { hasFrame } from '../instrumented.ts';
import type { OpenStep } from '../record/open-step.ts';
import type { Recording } from '../record/recording.ts';
import type { Next } from './layer-shape.ts';
import type { LayerUse } from './layer-use.ts';

/**
 * Runs one layer's function as a step of the request. `call` runs it with the `next` that it is to be given: from the moment that is called the
 * layer is behind us, so what follows is its sibling, not its child, and its own time is over.
 *
 * A function that is instrumented adds its place in the source and its values to the same step. `mountsAbove` is how many mounts the
 * request was in before it came to this layer.
 */
export function callLayer(
  trace: RequestTrace,
  recording: Recording,
  use: LayerUse,
  next: Next,
  call: (next: Next) => unknown,
  mountsAbove = trace.mounts.length,
): unknown {
  const outer = recording.current;
  if (trace.layerParent === undefined) trace.layerParent = outer;
  const parent = outer ?? trace.layerParent;
  const instrumented = !use.transparent && hasFrame(use.fn);
  const step = use.transparent
    ? null
    : recording.open({ name: use.name, type: use.type, parent, adopts: instrumented });
  if (step !== null) step.back = outer;
  recording.current = step ?? parent;
  try {
    return call((...args) => {
      // What was mounted in this layer is left.
      trace.mounts.length = Math.min(trace.mounts.length, mountsAbove);
      return goOn(trace, recording, step, parent, next, args);
    });
  } finally {
    recording.current = outer;
    if (step !== null && !instrumented) endOrAwaitAnswer(trace, recording, step);
  }
}

/** The host calls `next`. */
function goOn(
  trace: RequestTrace,
  recording: Recording,
  step: OpenStep | null,
  parent: OpenStep | null,
  next: Next,
  args: unknown[],
): unknown {
  const running = recording.current;
  const [error] = args;
  if (isError(error)) {
    trace.reportError(error);
    if (step !== null) recording.fail(step, error);
  }
  if (step !== null) recording.close(step);
  recording.current = parent;
  try {
    return next(...args);
  } finally {
    recording.current = running;
  }
}

/** A function that is not instrumented and has not called `next` yet: it has answered, or will call or answer later. */
function endOrAwaitAnswer(trace: RequestTrace, recording: Recording, step: OpenStep): void {
  if (step.endMicros >= 0) return;
  if (trace.res.writableEnded) recording.close(step);
  else trace.untilAnswered.push(step);
}

/** `next('route')` and `next('router')` are ways through a router, not errors. */
export function isError(error: unknown): boolean {
  return Boolean(error) && error !== 'route' && error !== 'router';
}
