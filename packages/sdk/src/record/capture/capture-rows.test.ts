import { Redactor } from '@throughline/contract/redaction';
import { describe, expect, it } from 'vitest';
import type { ActiveStep } from '../active-step.ts';
import { Recording, type RecordingOptions } from '../recording.ts';
import type { InstrumentedSite } from '../types.ts';
import { CapturedText } from '../writer/captured-text.ts';
import { captureRows } from './capture-rows.ts';
import { CaptureRules } from './capture-rules.ts';
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

interface Query {
  readonly recording: Recording;
  readonly caller: ActiveStep;
  readonly step: ActiveStep;
}

/** Begins a query of an instrumented function. */
function beginQuery(options: Partial<RecordingOptions> = {}): Query {
  const recording = new Recording({ capture: 'all', limits: defaultLimits, ...options });
  const caller = recording.enter(site, null, undefined);
  const step = recording.open({ name: 'SELECT customers', type: 'database', parent: caller });
  if (caller === null || step === null) throw new Error('no step');
  return { recording, caller, step };
}

function readOutputs({ outputs }: ActiveStep): unknown {
  return outputs instanceof CapturedText ? outputs.read() : outputs;
}

function capture(rows: unknown, query = beginQuery()): unknown {
  const isCaptured = captureRows(query.recording, query.step, rows);
  const outputs = readOutputs(query.step);
  query.recording.drop();
  return isCaptured ? outputs : undefined;
}

const customer = { id: 4711, name: 'Grace Hopper', note: 'n'.repeat(100) };

describe('the rows of a query', () => {
  it('are the outputs of its step, without the values of columns with the name of a secret', () => {
    expect(capture([{ ...customer, password: 'hunter2-hunter2' }])).toEqual({
      rows: [{ ...customer, password: { $type: 'redacted', of: 'string' } }],
    });
  });

  it('are referred to by the function that returns them', () => {
    const query = beginQuery();
    const { recording, caller, step } = query;
    const rows = [customer];
    captureRows(recording, step, rows);
    const row = { $type: 'reference', step: `${step.sequence + 1}`, path: ['outputs', 'rows', 0] };
    caller.exit([rows, customer], rows);
    expect(readOutputs(caller)).toEqual([row]);
    const { variables } = caller;
    expect(variables instanceof CapturedText && variables.read()).toMatchObject({
      localVariables: { rows: [row], first: row },
    });
    recording.drop();
  });

  it('are cut after 8 kB, so that they leave room for the values of functions', () => {
    const rows = Array.from({ length: 5000 }, (_, id) => ({ ...customer, id }));
    const outputs = capture(rows);
    expect(outputs).toMatchObject({ rows: { $type: 'array', length: 5000 } });
    expect(JSON.stringify(outputs).length).toBeLessThan(8300);
  });

  it.each<[string, unknown]>([
    ['no list', customer],
    ['an empty list', []],
    ['cells without the names of their columns', [[4711, 'hunter2']]],
    ['the values of one column', ['hunter2']],
    ['a proxy', new Proxy([customer], {})],
  ])('are left out if they are %s', (_, rows) => {
    expect(capture(rows)).toBeUndefined();
  });

  it.each<[string, Partial<RecordingOptions>]>([
    ['the mode is structure', { capture: 'structure' }],
    ['all values are redacted', { rules: new CaptureRules(new Redactor(), true) }],
    ['no bytes are left', { limits: { ...defaultLimits, requestBytes: 400 } }],
  ])('are left out if %s', (_, options) => {
    expect(capture([customer], beginQuery(options))).toBeUndefined();
  });

  it('are left out if the values of the calling function are left out', () => {
    const query = beginQuery();
    query.caller.all = false;
    expect(capture([customer], query)).toBeUndefined();
  });

  it('are left out if no instrumented function is above the query', () => {
    const recording = new Recording({ capture: 'all', limits: defaultLimits });
    const step = recording.open({ name: 'SELECT sessions', type: 'database' });
    if (step === null) throw new Error('no step');
    expect(captureRows(recording, step, [customer])).toBe(false);
    recording.drop();
  });

  it('are read without running code of the host, and stay as they are', () => {
    let calls = 0;
    const row = Object.defineProperty({ id: 1 }, 'name', {
      enumerable: true,
      get: () => {
        calls++;
        return 'Grace';
      },
    });
    const rows = [Object.freeze(row), new Proxy(customer, {}), Object.create(null)];
    Object.defineProperty(rows, Symbol.iterator, { get: () => calls++ });
    Object.freeze(rows);
    expect(capture(rows)).toEqual({
      rows: [{ id: 1, name: { $type: 'accessor' } }, { $type: 'proxy' }, {}],
    });
    expect(calls).toBe(0);
  });
});
