import { type CapturedValue, type Redaction, Trace } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findHiddenPlaces } from './hidden-places.ts';

const step = (given: object) => ({
  stepId: '1',
  parentStepId: null,
  sequence: 0,
  stepName: 'charge',
  stepType: 'function',
  startTime: '2026-01-01T00:00:00.000000Z',
  endTime: '2026-01-01T00:00:00.001000Z',
  duration: 1,
  functionName: 'charge',
  filePath: null,
  lineNumber: null,
  error: null,
  ...given,
});
const buildTrace = ({
  request = {},
  response = {},
  ...rest
}: Record<string, object | string | null>): Trace =>
  Trace.parse({
    _id: '01a1fe03-bb50-7231-9674-6d3e7bef65b1',
    traceId: 'a'.repeat(32),
    projectId: '01a1fe03-bb50-7231-9674-6d3e7bef65b1',
    spanId: null,
    parentSpanId: null,
    request: {
      method: 'POST',
      path: '/orders',
      route: '/orders',
      url: null,
      headers: {},
      ip: null,
      userAgent: null,
      ...Object(request),
    },
    response: { statusCode: 200, headers: {}, ...Object(response) },
    timing: { startTime: '2026-01-01T00:00:00.000000Z', duration: 1 },
    error: { hasError: false, errorMessage: null, errorCode: null },
    service: 'shop',
    environment: '',
    release: '',
    userId: null,
    sessionId: null,
    country: null,
    stepCount: 0,
    performance: { memoryUsage: null, cpuUsage: null, eventLoopDelay: null },
    serviceVersion: '',
    instance: '',
    runtime: '',
    user: null,
    attributes: {},
    flow: [],
    dropped: { steps: 0, values: 0, bytes: 0 },
    createdAt: '2026-01-01T00:00:00.000000Z',
    ...rest,
  });
const found = (trace: Trace, keys: string[], paths: string[] = []) =>
  findHiddenPlaces(trace, { keys, paths }, 100).places.map(
    (place) =>
      `${place.step === undefined ? '' : `${place.step.name}: `}${place.path.join('.')} ${place.extent}`,
  );

describe('redaction rules', () => {
  const trace = buildTrace({
    request: {
      url: 'http://shop/orders?customerRef=c-17&page=2',
      headers: { 'x-customer-ref': 'c-17', accept: 'json' },
      query: { customerRef: 'c-17' },
      body: { items: [{ note: 'a', id: 1 }, { note: 'b' }] },
    },
    response: { body: { ok: true } },
    user: { id: 'u-1', customerRef: 'c-17' },
    flow: [
      step({
        inputs: { order: { customerRef: 17 } },
        variables: { parameters: { order: { note: 'x' } }, returnValue: [{ customerRef: { deep: 1 } }] },
        error: { message: '{"customerRef":"c-17"}' },
        metadata: { customerRef: 'c' },
      }),
    ],
  });

  test("hide every field with one of the rules' names, in any part of the trace", () => {
    expect(found(trace, ['customerRef'])).toEqual([
      'request.url part',
      'request.headers.x-customer-ref value',
      'request.query.customerRef value',
      'user.customerRef value',
      'charge: inputs.order.customerRef value',
      'charge: variables.returnValue.0.customerRef value',
      'charge: error.message part',
      'charge: metadata.customerRef value',
    ]);
  });

  test('hide the values at the paths that the rules name', () => {
    const paths = ['request.body.items.*.note', 'variables.parameters.order', 'response.*'];
    expect(found(trace, [], paths)).toEqual([
      'request.body.items.0.note value',
      'request.body.items.1.note value',
      'response.body value',
      'charge: variables.parameters.order value',
    ]);
  });

  test('hide no value if there are no rules; values that are already redacted are not counted', () => {
    expect(found(trace, [])).toEqual([]);
    const hidden = buildTrace({ request: { body: { customerRef: { $type: 'redacted', of: 'string' } } } });
    expect(found(hidden, ['customerRef'])).toEqual([]);
  });

  test('can hide many fields; the preview counts all of them, but lists only a limited number', () => {
    const body = Object.fromEntries(Array.from({ length: 300 }, (_, place) => [`customerRef${place}`, 'x']));
    const { places, total } = findHiddenPlaces(
      buildTrace({ request: { body } }),
      { keys: ['customerRef'], paths: [] },
      50,
    );
    expect([places.length, total]).toEqual([50, 300]);
  });
});

/** Generates captured values with names that rules hide, names that only look similar, and values that are never hidden. */
const { captured } = fc.letrec<{ captured: CapturedValue }>((tie) => ({
  captured: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<CapturedValue>(null, true, 17, 0, 'x', '', { $type: 'redacted', of: 'string' }),
    fc.array(tie('captured'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('zzqx', 'my-Zzqx', 'zzqxy', 'yyqx', 'note'), tie('captured'), {
      maxKeys: 4,
    }),
  ),
}));

/** Lists the hidden fields below a path: fields whose name is hidden, and fields whose path is the path of a rule. */
function listHidden(
  value: CapturedValue,
  path: readonly string[],
  isHidden: boolean,
  rules: Redaction,
): string[] {
  if (value === null || value === true) return [];
  if (typeof value !== 'object') return isHidden ? [`${path.join('.')} value`] : [];
  if ('$type' in value) return [];
  if (isHidden) return [`${path.join('.')} value`];
  return Object.entries(value).flatMap(([name, part]: [string, CapturedValue]) => {
    const place = [...path, name];
    const isNamed = rules.keys.some((key) => name.toLowerCase().split('-').includes(key));
    const isAt = rules.paths.some((rule) => {
      const steps = rule.split('.');
      return steps.length === place.length && steps.every((step, at) => step === '*' || step === place[at]);
    });
    return listHidden(part, place, isNamed || isAt, rules);
  });
}

test('for any captured value, the preview lists each field that the rules hide, up to the limit', () => {
  const names = fc.subarray(['zzqx', 'yyqx']);
  const paths = fc.subarray(['request.body.plain.0', 'request.body.plain.*.note', 'request.body.plain.note']);
  fc.assert(
    fc.property(captured, names, paths, fc.integer({ min: 0, max: 12 }), (plain, keys, places, limit) => {
      const rules = { keys, paths: places };
      const found = findHiddenPlaces(buildTrace({ request: { body: { plain } as object } }), rules, limit);
      const expected = listHidden({ plain }, ['request', 'body'], false, rules);
      expect(found.total).toBe(expected.length);
      expect(found.places.map(({ path, extent }) => `${path.join('.')} ${extent}`)).toEqual(
        expected.slice(0, limit),
      );
    }),
    { numRuns: 500 },
  );
});
