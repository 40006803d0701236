import type { ActiveStep } from './active-step.ts';
import type { Snapshotter } from './snapshot/snapshot.ts';
import type { InstrumentedSite } from './types.ts';
import { CapturedText, UnreturnedText } from './writer/captured-text.ts';
import { buildFragment } from './writer/json-writer.ts';
import { writeSegments } from './writer/value-path.ts';
import { MIN_REFERRED } from './writer/written-objects.ts';

const exitParameters = buildFragment('{"capturedAt":"exit","parameters":{');
const throwParameters = buildFragment('{"capturedAt":"throw","parameters":{');
const localVariablesAre = buildFragment('"localVariables":{');
const returnValueIs = buildFragment('"returnValue":');
const thisContextIs = buildFragment('"thisContext":');
/** Name of the result among the seen objects. No binding can have this name, because `return` is a keyword. */
const returnName = buildFragment('"return":');
const thisName = buildFragment('"this":');
const OPEN = 0x7b;
const CLOSE = 0x7d;

const outputsPath = ['outputs'];
const sameAsOutputs = buildFragment('{"$type":"reference","path":["outputs"]},');
const sameAs = buildFragment('{"$type":"reference","path":[');
const closing = buildFragment('},');
const CLOSE_LIST = 0x5d;
const thisPath = ['thisContext'];

/** Captures the arguments at entry. */
export function captureInputs(
  snapshotter: Snapshotter,
  step: ActiveStep,
  site: InstrumentedSite,
  values: readonly unknown[],
): void {
  if (!snapshotter.beginStep(0, step.sequence)) return;
  try {
    const { writer } = snapshotter.budget;
    const start = writer.end;
    writer.byte(OPEN);
    writeNamed(snapshotter, step, 'inputs', site.inputs, values, 0, site.inputs.length);
    writer.close(CLOSE);
    step.inputs = snapshotter.textFrom(start);
    step.valueBytes = snapshotter.stepBytes;
    snapshotter.endStep();
  } finally {
    // The field is set directly, because after a stack overflow a method call would throw again.
    snapshotter.busy = false;
  }
}

/** Captures the bindings, the result and `this` when the function ends. */
export function captureBindings(
  snapshotter: Snapshotter,
  step: ActiveStep,
  site: InstrumentedSite,
  result: unknown,
  self: unknown,
  values: readonly unknown[],
  isFollowed: boolean,
): void {
  // The bindings of a failed step are written in full, without references to values of other steps.
  if (!snapshotter.beginStep(step.valueBytes, step.failed ? -1 : step.sequence)) return;
  if (step.failed) snapshotter.budget.lend();
  // A thenable that a synchronous function returned can be awaited later. The awaited value then replaces the outputs of the step.
  const isLate = isFollowed || step.recording?.lastReturned === step;
  try {
    writeBindings(snapshotter, step, site, result, self, values, isLate);
    step.valueBytes += snapshotter.stepBytes;
    snapshotter.endStep();
  } finally {
    snapshotter.busy = false;
  }
  if (isLate && !isFollowed) captureReturned(snapshotter, step, result, -1);
}

/** Captures the value with which a function's promise was fulfilled. The bindings were captured earlier. */
export function captureOutcome(snapshotter: Snapshotter, step: ActiveStep, value: unknown): void {
  captureReturned(snapshotter, step, value, step.sequence);
}

/**
 * Captures the outputs. `references` is the step's number, by which other steps refer to these outputs. It is -1 if the outputs can still
 * be replaced.
 */
function captureReturned(
  snapshotter: Snapshotter,
  step: ActiveStep,
  value: unknown,
  references: number,
): void {
  if (!snapshotter.beginStep(step.valueBytes, references)) return;
  try {
    const { seen, budget } = snapshotter;
    const { writer } = budget;
    const outputs = writeOutputs(snapshotter, value);
    step.outputs = outputs;
    seen.note(value, step.sequence, 'return', returnName);
    const { variables } = step;
    if (variables instanceof UnreturnedText) {
      const start = writer.end;
      writeOutputsAgain(snapshotter, outputs);
      // The variables can already contain `seenBefore`, which must not be written a second time.
      if (variables.hasSeen) seen.forgetFound();
      else seen.write(budget);
      variables.tail = snapshotter.textFrom(start);
    }
    snapshotter.endStep();
  } finally {
    snapshotter.busy = false;
  }
}

function writeBindings(
  snapshotter: Snapshotter,
  step: ActiveStep,
  site: InstrumentedSite,
  result: unknown,
  self: unknown,
  values: readonly unknown[],
  isLate: boolean,
): void {
  const { writer } = snapshotter.budget;
  const { bindings, parameters } = site;
  const shows = !step.failed && site.returns && !isLate;
  const same = shows ? indexOfSame(values, result) : -1;
  if (shows && same < 0) step.outputs = writeOutputs(snapshotter, result);
  const start = writer.end;
  writer.fragment(step.failed ? throwParameters : exitParameters);
  let shared = writeNamed(snapshotter, step, 'parameters', bindings, values, 0, parameters, same);
  writer.close(CLOSE);
  writer.fragment(localVariablesAre);
  shared =
    writeNamed(snapshotter, step, 'localVariables', bindings, values, parameters, bindings.length, same) ??
    shared;
  writer.close(CLOSE);
  const { seen } = snapshotter;
  const number = step.sequence;
  noteNamed(snapshotter, step, bindings, values);
  if (shows) {
    if (shared !== undefined) step.outputs = shared;
    if (step.outputs instanceof CapturedText) writeResult(snapshotter, step.outputs, site, same);
    if (same < 0) seen.note(result, number, 'return', returnName);
  }
  if (self !== undefined && self !== null && self !== step && self !== globalThis) {
    writer.fragment(thisContextIs);
    snapshotter.writeSelf(self, thisPath);
    seen.note(self, number, 'this', thisName);
  }
  const hasSeen = seen.write(snapshotter.budget);
  writer.close(CLOSE);
  const text = snapshotter.textFrom(start);
  step.variables = isLate ? new UnreturnedText(text, hasSeen) : text;
}

function noteNamed(
  snapshotter: Snapshotter,
  step: ActiveStep,
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

/**
 * Finds the binding that contains the returned object, as in `return order`, so that the object is written only once. Returns -1 if there
 * is none.
 */
function indexOfSame(values: readonly unknown[], result: unknown): number {
  if (typeof result !== 'object' || result === null) return -1;
  for (let index = 0; index < values.length; index++) if (values[index] === result) return index;
  return -1;
}

function writeOutputs(snapshotter: Snapshotter, result: unknown): CapturedText {
  const start = snapshotter.budget.writer.end;
  snapshotter.write(result, outputsPath);
  return snapshotter.textFrom(start);
}

/**
 * Writes the result among the variables. A long result is written only as a reference, to the binding that contains it or to the step's
 * outputs.
 */
function writeResult(
  snapshotter: Snapshotter,
  outputs: CapturedText,
  { bindings, parameters }: InstrumentedSite,
  same: number,
): void {
  const { writer } = snapshotter.budget;
  writer.fragment(returnValueIs);
  if (same < 0 || outputs.end - outputs.start < MIN_REFERRED) writeOutputsAgain(snapshotter, outputs);
  else {
    writer.fragment(sameAs);
    writeSegments(writer, [same < parameters ? 'parameters' : 'localVariables', bindings[same] ?? '']);
    writer.close(CLOSE_LIST);
    writer.end--;
    writer.fragment(closing);
  }
}

/** Writes the outputs a second time, or a reference to the outputs if they are long. */
function writeOutputsAgain({ budget }: Snapshotter, { start, end }: CapturedText): void {
  const { writer } = budget;
  if (end - start >= MIN_REFERRED) writer.fragment(sameAsOutputs);
  else {
    writer.repeat(start, end);
    writer.comma();
    budget.allow(end - start);
  }
}

/** Writes the values under their names. Returns the text of the value at index `wanted`, if it was written. */
function writeNamed(
  snapshotter: Snapshotter,
  step: ActiveStep,
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
    // For a binding that was not initialized, injected code passes the step itself.
    if (name === undefined || value === step) continue;
    const start = snapshotter.writeNamed(name, value, [place, name]);
    if (index === wanted) found = snapshotter.textFrom(start);
  }
  return found;
}
