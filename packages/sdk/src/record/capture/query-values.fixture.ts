import type { ActiveStep } from '../active-step.ts';
import { Recording, type RecordingOptions } from '../recording.ts';
import type { InstrumentedSite } from '../types.ts';
import { CapturedText, type StepValue } from '../writer/captured-text.ts';
import { defaultLimits } from './limits.ts';

const site: InstrumentedSite = {
  name: 'findCustomers',
  file: 'src/customers.ts',
  line: 1,
  kind: 'async',
  inputs: [],
  bindings: ['rows', 'first'],
  parameters: 0,
  returns: true,
};
export const SELECT = 'SELECT id, name FROM customers WHERE region = $1';
export const customer = { id: 4711, name: 'Grace Hopper' };

export interface Query {
  readonly recording: Recording;
  readonly caller: ActiveStep;
  readonly step: ActiveStep;
}

/** Begins a query of an instrumented function. */
export function beginQuery(options: Partial<RecordingOptions> = {}): Query {
  const recording = new Recording({ capture: 'all', limits: defaultLimits, ...options });
  const caller = recording.enter(site, null, undefined);
  const step = recording.open({ name: 'SELECT customers', type: 'database', parent: caller });
  if (caller === null || step === null) throw new Error('no step');
  return { recording, caller, step };
}

export function capture(
  { statement = SELECT, values = ['EU'], rows }: { statement?: string; values?: unknown; rows?: unknown },
  { recording, step }: Query = beginQuery(),
): { readonly bound: unknown; readonly rows: unknown } {
  const query = recording.queries.begin(step, statement, values);
  const bound = read(query.bound);
  return { bound, rows: read(recording.queries.captureFirstRows(step, query, rows)) };
}

export function read(value: StepValue | undefined): unknown {
  return value instanceof CapturedText ? value.read() : value;
}

export const FIND = 'SELECT id FROM customers WHERE region = $1 AND age > $2';
