import type { CapturedText } from './captured-text.ts';
import { fragment } from './json-tape.ts';
import type { InstrumentedSite, OpenStep } from './open-step.ts';
import type { Snapshotter } from './snapshot.ts';

const exitParameters = fragment('{"capturedAt":"exit","parameters":{');
const throwParameters = fragment('{"capturedAt":"throw","parameters":{');
const localVariablesAre = fragment('"localVariables":{');
const returnValueIs = fragment('"returnValue":');
const thisContextIs = fragment('"thisContext":');
/** No binding is called so. */
const returnName = fragment('"return":');
const thisName = fragment('"this":');
const OPEN = 0x7b;
const CLOSE = 0x7d;

const returnPath = ['returnValue'];
const thisPath = ['thisContext'];

/** The arguments as they are at entry. */
export function captureInputs(
  snapshotter: Snapshotter,
  step: OpenStep,
  site: InstrumentedSite,
  values: readonly unknown[],
): void {
  if (!snapshotter.beginStep()) return;
  try {
    const { tape } = snapshotter.budget;
    const start = tape.end;
    tape.byte(OPEN);
    writeNamed(snapshotter, step, 'inputs', site.inputs, values, 0, site.inputs.length);
    tape.close(CLOSE);
    step.inputs = snapshotter.textFrom(start);
    step.valueBytes = snapshotter.stepBytes;
    snapshotter.endStep();
  } finally {
    // Nothing is called here: on a full stack that would fail.
    snapshotter.busy = false;
  }
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
  if (!snapshotter.beginStep(step.valueBytes)) return;
  try {
    writeBindings(snapshotter, step, site, result, self, values);
    snapshotter.endStep();
  } finally {
    snapshotter.busy = false;
  }
}

function writeBindings(
  snapshotter: Snapshotter,
  step: OpenStep,
  site: InstrumentedSite,
  result: unknown,
  self: unknown,
  values: readonly unknown[],
): void {
  const { tape } = snapshotter.budget;
  const { bindings, parameters } = site;
  const start = tape.end;
  tape.fragment(step.failed ? throwParameters : exitParameters);
  const shows = !step.failed && site.returns;
  const same = shows ? indexOfSame(values, result) : -1;
  let shared = writeNamed(snapshotter, step, 'parameters', bindings, values, 0, parameters, same);
  tape.close(CLOSE);
  tape.fragment(localVariablesAre);
  shared =
    writeNamed(snapshotter, step, 'localVariables', bindings, values, parameters, bindings.length, same) ??
    shared;
  tape.close(CLOSE);
  const { seen } = snapshotter;
  const number = step.sequence;
  noteNamed(snapshotter, step, bindings, values);
  if (shows) {
    step.outputs = writeResult(snapshotter, result, shared);
    if (same < 0) seen.note(result, number, 'return', returnName);
  }
  if (self !== undefined && self !== null && self !== step && self !== globalThis) {
    tape.fragment(thisContextIs);
    snapshotter.write(self, thisPath);
    seen.note(self, number, 'this', thisName);
  }
  seen.write(snapshotter.budget);
  tape.close(CLOSE);
  step.variables = snapshotter.textFrom(start);
}

function noteNamed(
  snapshotter: Snapshotter,
  step: OpenStep,
  names: readonly string[],
  values: readonly unknown[],
): void {
  const { seen } = snapshotter;
  for (let index = 0; index < names.length; index++) {
    const value = values[index];
    if (typeof value !== 'object' || value === null || value === step) continue;
    const name = names[index] ?? '';
    seen.note(value, step.sequence, name, snapshotter.names.of(name).json);
  }
}

/** `return order` shows the order, not a reference to the local: one copy serves both. -1 where there is none. */
function indexOfSame(values: readonly unknown[], result: unknown): number {
  if (typeof result !== 'object' || result === null) return -1;
  for (let index = 0; index < values.length; index++) if (values[index] === result) return index;
  return -1;
}

function writeResult(
  snapshotter: Snapshotter,
  result: unknown,
  shared: CapturedText | undefined,
): CapturedText {
  const { budget } = snapshotter;
  const { tape } = budget;
  tape.fragment(returnValueIs);
  if (shared === undefined) {
    const start = tape.end;
    snapshotter.write(result, returnPath);
    return snapshotter.textFrom(start);
  }
  tape.repeat(shared.start, shared.end);
  tape.comma();
  budget.allow(shared.end - shared.start);
  return shared;
}

/** Writes the values under their names. Returns the one at position `wanted`, if it is among them. */
function writeNamed(
  snapshotter: Snapshotter,
  step: OpenStep,
  place: string,
  names: readonly string[],
  values: readonly unknown[],
  from: number,
  to: number,
  wanted = -1,
): CapturedText | undefined {
  let found: CapturedText | undefined;
  for (let index = from; index < to; index++) {
    const name = names[index];
    const value = values[index];
    // The step itself stands for a binding that the code has not reached.
    if (name === undefined || value === step) continue;
    const start = snapshotter.writeNamed(name, value, [place, name]);
    if (index === wanted) found = snapshotter.textFrom(start);
  }
  return found;
}
