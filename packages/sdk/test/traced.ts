import vm from 'node:vm';
import { withReferred } from '@throughline/contract/captured';
import { type InstrumentOptions, instrument } from '../src/instrument/instrument.ts';
import { runRecording } from '../src/record/async/work-context.ts';
import { CaptureRules } from '../src/record/capture/capture-rules.ts';
import { defaultLimits } from '../src/record/capture/limits.ts';
import { installRuntime } from '../src/record/frame.ts';
import type { RecordedStep } from '../src/record/recorded-step.ts';
import { Recording } from '../src/record/recording.ts';
import type { Dropped, StepError } from '../src/record/types.ts';
import type { WireStep } from '../src/send/encode/wire.ts';
import { toWireStep } from './wire-step.ts';

/** A step whose values are plain data. */
export type PlainStep = Omit<RecordedStep, 'site' | 'inputs' | 'outputs' | 'variables'> &
  Pick<WireStep, 'functionName' | 'filePath' | 'lineNumber' | 'inputs' | 'outputs' | 'variables'>;

export const tracedFile = '/project/src/traced.js';

/** Resolves the references between steps, as readers of a trace do. */
export function withAllReferred(flow: readonly PlainStep[]): PlainStep[] {
  const byId = new Map(flow.map((step) => [step.stepId, step]));
  return flow.map((step) => withReferred(step, (id) => byId.get(id)));
}

export interface Recorded {
  /** The result of the function, or the value of the promise that it returned; undefined if the function threw. */
  readonly result: unknown;
  readonly thrown: unknown;
  readonly flow: readonly PlainStep[];
  readonly dropped: Dropped;
  readonly failure: StepError | undefined;
}

/** Instruments a CommonJS source and runs it with `globals` in scope. Returns its exports. */
export function traced(
  source: string,
  globals: Readonly<Record<string, unknown>> = {},
  options: Partial<InstrumentOptions> = {},
): Record<string, (...args: unknown[]) => unknown> {
  return load(tracedCode(source, options), globals);
}

/** Instruments a source and registers its sites with this process's runtime. */
export function tracedCode(source: string, options: Partial<InstrumentOptions> = {}): string {
  const runtime = installRuntime();
  if (runtime === undefined) throw new Error('another runtime is installed');
  const result = instrument(source, {
    file: tracedFile,
    root: '/project',
    moduleKind: 'commonjs',
    language: 'js',
    reserveSites: (count) => runtime.reserveSites(count),
    withMap: false,
    ...options,
  });
  if ('skipped' in result) throw new Error(result.skipped);
  runtime.addSites(result.firstSite, result.sites, tracedFile, result.insertions);
  return result.code;
}

/** Runs a CommonJS source without instrumenting it. */
export function load(
  code: string,
  globals: Readonly<Record<string, unknown>> = {},
): Record<string, (...args: unknown[]) => unknown> {
  const names = ['exports', ...Object.keys(globals)];
  const wrapper: unknown = vm.runInThisContext(`(function (${names.join(', ')}) { ${code}\n})`, {
    filename: tracedFile,
  });
  if (typeof wrapper !== 'function') throw new Error('not a function');
  const exported = {};
  wrapper(exported, ...Object.values(globals));
  return exported;
}

/** Calls `fn` in a new recording, and finishes the recording when the result has settled. */
export async function record(
  fn: (() => unknown) | undefined,
  capture: 'all' | 'structure' = 'all',
  limits = defaultLimits,
): Promise<Recorded> {
  if (fn === undefined) throw new Error('nothing to record');
  const recording = new Recording({ capture, limits, rules: plainRules });
  let result: unknown;
  let thrown: unknown;
  try {
    result = await runRecording(recording, () => fn());
  } catch (error) {
    thrown = error;
  }
  const failure = recording.failure();
  const { flow, dropped } = recording.finish();
  return { result, thrown, failure, flow: withAllReferred(flow.map(asTaken)), dropped };
}

/** Rules that redact nothing. */
export const plainRules = new CaptureRules(null);

/** Returns the step with its values as plain data. */
export function asTaken(step: RecordedStep): PlainStep {
  const { site: _, ...times } = step;
  const { startTime, endTime, duration, ...plain } = toWireStep(step);
  const fields = Object.entries({ ...times, ...plain });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as PlainStep;
}

/** Formats the flow as an indented list of names. The children of each step are in start order. */
export function outline(flow: readonly PlainStep[]): string {
  const below = (parent: string | null, indent: string): string[] =>
    flow
      .filter(({ parentStepId }) => parentStepId === parent)
      .flatMap((step) => [`${indent}${step.stepName}`, ...below(step.stepId, `${indent}  `)]);
  return below(null, '').join('\n');
}

/** Returns the only step with this name. */
export function stepNamed(flow: readonly PlainStep[], name: string): PlainStep {
  const found = flow.filter(({ stepName }) => stepName === name);
  const [step] = found;
  if (step === undefined || found.length > 1) throw new Error(`${found.length} steps named ${name}`);
  return step;
}
