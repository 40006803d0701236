import type { CapturedValue } from '@throughline/contract/values';
import type { InstrumentedSite, OpenStep } from './open-step.ts';
import type { Snapshotter } from './snapshot.ts';

/** The arguments as they are at entry. */
export function captureInputs(
  snapshotter: Snapshotter,
  step: OpenStep,
  site: InstrumentedSite,
  values: readonly unknown[],
): void {
  snapshotter.beginStep();
  step.inputs = takeNamed(snapshotter, step, ['inputs'], site.inputs, values, 0, site.inputs.length);
  step.valueBytes = snapshotter.stepBytes;
}

/** The bindings, the result and `this` as they are when the function ends. */
export function captureBindings(
  snapshotter: Snapshotter,
  step: OpenStep,
  site: InstrumentedSite,
  result: unknown,
  self: unknown,
  values: readonly unknown[],
): void {
  snapshotter.beginStep(step.valueBytes);
  const names = site.bindings;
  const parameters = takeNamed(snapshotter, step, ['parameters'], names, values, 0, site.parameters);
  const localVariables = takeNamed(
    snapshotter,
    step,
    ['localVariables'],
    names,
    values,
    site.parameters,
    names.length,
  );
  const returned =
    step.failed || !site.returns
      ? undefined
      : (sameValue(site, values, result, parameters, localVariables) ??
        snapshotter.take(result, ['returnValue']));
  const thisContext =
    self === undefined || self === null || self === step || self === globalThis
      ? undefined
      : snapshotter.take(self, ['thisContext']);
  if (returned !== undefined) step.outputs = returned;
  step.variables = {
    capturedAt: step.failed ? 'throw' : 'exit',
    parameters,
    localVariables,
    ...(returned !== undefined && { returnValue: returned }),
    ...(thisContext !== undefined && { thisContext }),
  };
}

/** `return order` shows the order, not a reference to the local: one copy serves both. */
function sameValue(
  site: InstrumentedSite,
  values: readonly unknown[],
  result: unknown,
  parameters: Readonly<Record<string, CapturedValue>>,
  locals: Readonly<Record<string, CapturedValue>>,
): CapturedValue | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  const index = values.indexOf(result);
  const name = site.bindings[index];
  if (name === undefined) return undefined;
  return index < site.parameters ? parameters[name] : locals[name];
}

function takeNamed(
  snapshotter: Snapshotter,
  step: OpenStep,
  place: readonly [string],
  names: readonly string[],
  values: readonly unknown[],
  from: number,
  to: number,
): Readonly<Record<string, CapturedValue>> {
  const taken: Record<string, CapturedValue> = {};
  for (let index = from; index < to; index++) {
    const name = names[index];
    const value = values[index];
    // The step itself stands for a binding that the code has not reached.
    if (name === undefined || value === step) continue;
    const captured = snapshotter.take(value, [place[0], name]);
    if (name === '__proto__') Object.defineProperty(taken, name, { value: captured, enumerable: true });
    else taken[name] = captured;
  }
  return taken;
}
