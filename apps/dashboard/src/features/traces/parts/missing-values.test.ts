import type { CapturedValue, Step } from '@throughline/contract';
import { describe, expect, it } from 'vitest';
import { describeMissingValues } from './missing-values.ts';
import { aTrace } from './trace.fixture.ts';

const UNDEFINED = { $type: 'undefined' } as const;
const CALL = { parameters: {}, localVariables: {} };

function aStep(given: Partial<Step>): Step {
  return {
    stepId: '1',
    parentStepId: null,
    sequence: 0,
    stepName: 'load',
    stepType: 'function',
    startTime: '2026-11-23T00:00:00.000000Z',
    endTime: '2026-11-23T00:00:00.000000Z',
    duration: 0,
    functionName: 'load',
    filePath: 'src/load.ts',
    lineNumber: 1,
    error: null,
    ...given,
  };
}

interface GivenTrace {
  readonly headers?: Readonly<Record<string, string>>;
  readonly runtime?: string;
  readonly attributes?: Readonly<Record<string, CapturedValue>>;
  readonly flow?: readonly Step[];
}

/** Describes a step of a request that the SDK recorded with values. */
function describeStep(given: Partial<Step>, trace: GivenTrace = {}): string | undefined {
  const { headers = { host: 'shop.test' }, runtime = 'node 24.11.1', attributes = {}, flow = [] } = trace;
  return describeMissingValues(aStep(given), {
    ...aTrace({ headers }),
    runtime,
    attributes,
    flow: [...flow],
  });
}

describe('no value is reported as missing', () => {
  it.each<[string, Partial<Step>]>([
    ['metadata, outputs and `this` of a call', { variables: { ...CALL, returnValue: UNDEFINED } }],
    ['the inputs of a call without parameters', { variables: { ...CALL, returnValue: 1 } }],
    ['the variables of a query', { stepType: 'database', inputs: {}, outputs: {} }],
    ['the outputs of a log line', { stepType: 'log', inputs: ['saved'] }],
    ['the inputs of a step that the program defined', { stepType: 'custom', outputs: 3 }],
    ['the outputs of a message sent to a queue', { stepType: 'queue', inputs: {} }],
    ['the outputs of a span', { stepType: 'custom', metadata: { 'otel.scope.name': 'pg' } }],
  ])('for %s', (_name, given) => {
    expect(describeStep(given)).toBeUndefined();
  });
});

describe('a missing return value is explained', () => {
  const exit = { capturedAt: 'exit', ...CALL };

  it.each<[string, Partial<Step>, string]>([
    ['the function threw', { variables: { ...CALL, capturedAt: 'throw' } }, 'the function threw.'],
    [
      'the promise that the function returned was rejected',
      { variables: exit, error: { message: 'no' } },
      'the function threw.',
    ],
    ['the function returned nothing', { variables: exit }, 'the function returned nothing.'],
    [
      'the function was still running',
      { variables: exit, metadata: { unfinished: true } },
      'the function was still running when the request ended.',
    ],
  ])('if %s', (_name, given, reason) => {
    expect(describeStep(given)).toBe(`No return value: ${reason}`);
  });
});

describe('the missing inputs of a call that threw are explained', () => {
  const thrown = {
    error: { message: 'no' },
    variables: { capturedAt: 'throw', parameters: { id: 7 }, localVariables: {} },
  };
  const start = 'No return value: the function threw. Not captured: inputs';

  it('if the CPU budget left out the values of the function', () => {
    const attributes = { 'throughline.cpuBudget': { withoutValues: ['load in src/load.ts, line 1'] } };
    expect(describeStep(thrown, { attributes })).toBe(
      `${start} (recorded without values, to stay within the CPU budget, until the call threw).`,
    );
  });

  it('if the function was called so often that its calls were only counted', () => {
    const repeat = { count: 80, minMs: 0, sumMs: 8, maxMs: 1 };
    expect(describeStep(thrown, { flow: [aStep({ stepId: '2', repeat })] })).toBe(
      `${start} (the call was one of many that the SDK only counted, until it threw).`,
    );
  });

  it('without a reason if the trace shows none', () => {
    expect(describeStep(thrown)).toBe(`${start}.`);
  });
});

describe('the missing values of a call are explained', () => {
  const all = 'Not captured: parameters, local variables, return value, inputs';
  const budget = (...withoutValues: string[]) => ({ 'throughline.cpuBudget': { withoutValues } });

  it.each<[string, Partial<Step>, GivenTrace, string]>([
    [
      'the code belongs to a library',
      { filePath: 'node_modules/pg/lib/client.js' },
      {},
      'Values of library code are not recorded.',
    ],
    [
      'the step is a span',
      { metadata: { tracer: 'pg', spanId: 'a' } },
      {},
      'OpenTelemetry spans have no parameters, variables or return values.',
    ],
    [
      'the function was still running',
      { inputs: { id: 1 }, metadata: { unfinished: true } },
      {},
      'No variables and no return value: the function was still running when the request ended.',
    ],
    [
      'the CPU budget left its values out',
      {},
      { attributes: budget('load in src/load.ts, line 1') },
      `${all} (recorded without values, to stay within the CPU budget).`,
    ],
    [
      'the CPU budget left out the values of more functions than are named',
      {},
      { attributes: budget('save in src/save.ts, line 4', 'and 3 more') },
      `${all} (values of some functions were left out to stay within the CPU budget).`,
    ],
    [
      'too many requests were waiting',
      {},
      { headers: {}, attributes: { 'throughline.withoutValues': 'backlog' } },
      `${all} (sent without values, because too many requests were waiting to be sent).`,
    ],
    [
      'the values were too large',
      {},
      { headers: {}, attributes: { 'throughline.withoutValues': 'size' } },
      `${all} (sent without values, because they were too large for one request).`,
    ],
    [
      'the whole request has no values',
      {},
      { headers: {} },
      `${all} (the request was recorded without values, as in capture mode structure).`,
    ],
    [
      'its code was not instrumented',
      { filePath: null, lineNumber: null },
      {},
      `${all} (its code was not instrumented).`,
    ],
  ])('if %s', (_name, given, trace, text) => {
    expect(describeStep(given, trace)).toBe(text);
  });

  it('with a separate sentence about the return value if the call threw', () => {
    const error = { message: 'no' };
    const rest = 'Not captured: parameters, local variables';
    const threw = 'No return value: the function threw.';
    expect(describeStep({ error })).toBe(`${threw} ${rest}, inputs.`);
    expect(describeStep({ error, inputs: {} }, { attributes: budget('load in src/load.ts, line 1') })).toBe(
      `${threw} ${rest} (recorded without values, to stay within the CPU budget).`,
    );
    expect(describeStep({ error, inputs: {}, outputs: 1 })).toBe(`${rest}.`);
  });

  it('without a reason if the trace shows none', () => {
    expect(describeStep({})).toBe(`${all}.`);
    expect(describeStep({}, { attributes: budget('save in src/save.ts, line 4') })).toBe(`${all}.`);
    expect(describeStep({}, { headers: {}, flow: [aStep({ inputs: {} })] })).toBe(`${all}.`);
  });

  it('without a reason if the SDK did not send the trace', () => {
    expect(describeStep({}, { headers: {}, runtime: '' })).toBe(`${all}.`);
  });
});

describe('the missing outputs of a query are explained', () => {
  const query = { stepType: 'database', inputs: { statement: 'SELECT 1' } } as const;

  it.each<[string, Partial<Step>, string]>([
    ['the query failed', { error: { message: 'no' } }, 'No outputs: the call ended with an error.'],
    [
      'the query was still running',
      { metadata: { unfinished: true } },
      'No outputs: the call was still running when the request ended.',
    ],
  ])('if %s', (_name, given, text) => {
    expect(describeStep({ ...query, ...given })).toBe(text);
  });

  it('if the whole request has no values', () => {
    expect(describeStep({ stepType: 'database' }, { headers: {} })).toBe(
      'Not captured: inputs, outputs (the request was recorded without values, as in capture mode structure).',
    );
  });

  it('without a reason if the trace shows none', () => {
    expect(describeStep(query)).toBe('Not captured: outputs.');
  });
});
