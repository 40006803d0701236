import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IngestStep, IngestTrace } from './ingest.ts';
import { isPlainStep, readPlainHead } from './plain-trace.ts';

const Head = IngestTrace.omit({ flow: true });

const STEP = {
  stepId: '2',
  parentStepId: '1',
  sequence: 1,
  stepName: 'checkout',
  stepType: 'function',
  startTime: '2026-01-01T00:00:00.000001Z',
  endTime: '2026-01-01T00:00:00.250000Z',
  duration: 249.999,
  repeat: null,
  functionName: 'checkout',
  filePath: 'src/checkout.ts',
  lineNumber: 12,
  inputs: { order: 7 },
  outputs: null,
  variables: { capturedAt: 'exit' },
  error: null,
  metadata: { attempts: 1 },
};

const HEAD = {
  _id: '019b76da-8400-7123-8456-0123456789ab',
  traceId: '0123456789abcdef0123456789abcdef',
  spanId: '0123456789abcdef',
  parentSpanId: null,
  request: {
    method: 'POST',
    path: '/orders/7',
    route: '/orders/:id',
    url: 'http://shop.example/orders/7',
    headers: { host: 'shop.example' },
    query: {},
    body: { sku: 'A1' },
    ip: '203.0.113.9',
    userAgent: 'node',
  },
  response: { statusCode: 201, headers: {}, body: { id: 7 } },
  timing: { startTime: '2026-01-01T00:00:00.000000Z', duration: 260 },
  performance: { memoryUsage: { heapUsed: 40_000_000 }, cpuUsage: 12.5, eventLoopDelay: 0.4 },
  error: { hasError: false, errorMessage: null, errorCode: 'E1' },
  user: { id: '17', name: 'Ada' },
  sessionId: 's-1',
  attributes: { tier: 'gold' },
  dropped: { steps: 0, values: 1, bytes: 200 },
};

/** JSON values for a member: valid values of other members, and values that a schema would reject or change. */
const json = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, true, '', [], {}, -0, -1, 0.5, 1e308, Number.POSITIVE_INFINITY),
  fc.constantFrom<unknown>(2 ** 53, 2 ** 32, 99, 999, 1000, 3.2e10, 3.3e10, 'custom', 'x'.repeat(129)),
  fc.constantFrom<unknown>('x'.repeat(513), 'x'.repeat(10_001), '0123456789ABCDEF', '٣'.repeat(32)),
  fc.constantFrom<unknown>(
    '2026-02-29T00:00:00.000000Z',
    '2026-01-01T24:00:00.000000Z',
    '2026-01-01T00:00:00.00000ßZ',
    '2026-01-01T00:00:00,000000Z',
    '2026-01-01T00:00:00.000000+02:00',
    '1900-01-01T00:00:00Z',
    '2026-01-01T00:00:00.0000001Z',
  ),
  fc.constantFrom<unknown>({ id: 17 }, { id: null }, { constructor: 1 }, { count: 1 }, { message: 'no' }),
  fc.anything({ maxDepth: 2, withNullPrototype: false }).map((value) => asJson(value)),
);

function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null');
  } catch {
    return null;
  }
}

/** Generates copies in which some members, at any depth, are changed, removed or added. */
function spoilt(good: object): fc.Arbitrary<unknown> {
  const paths = listPaths(good);
  const change = fc.tuple(fc.constantFrom(...paths, ['unknown'], ['request', 'unknown']), json);
  return fc.array(change, { maxLength: 3 }).map((changes) => {
    const copy = structuredClone(good);
    for (const [path, value] of changes) setAt(copy, path, value);
    return copy;
  });
}

function listPaths(value: object): string[][] {
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = typeof member === 'object' && member !== null ? listPaths(member) : [];
    return [[name], ...inner.map((path) => [name, ...path])];
  });
}

function setAt(target: object, [name = '', ...rest]: readonly string[], value: unknown): void {
  const member: unknown = Reflect.get(target, name);
  if (rest.length === 0) {
    if (value === undefined) Reflect.deleteProperty(target, name);
    else Reflect.set(target, name, value);
  } else if (typeof member === 'object' && member !== null) setAt(member, rest, value);
}

describe('a step', () => {
  it('counts as plain if it has the form that senders use, even if it has unknown members', () => {
    expect(isPlainStep(STEP)).toBe(true);
    expect(isPlainStep({ ...STEP, parentStepId: null, endTime: undefined, unknown: 1 })).toBe(true);
  });

  it('never counts as plain if the schema rejects or changes it', () => {
    fc.assert(
      fc.property(spoilt(STEP), (step) => {
        if (!isPlainStep(step)) return;
        const { unknown: _unknown, ...known }: typeof step & { unknown?: unknown } = step;
        expect(IngestStep.parse(step)).toEqual(known);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("a trace's head", () => {
  it('counts as plain if it has the form that senders use', () => {
    expect(readPlainHead({ ...HEAD, flow: [STEP] })).toEqual(HEAD);
    const { timing, request } = HEAD;
    const { method, path } = request;
    expect(readPlainHead({ request: { method, path }, timing })).toEqual({
      request: { method, path },
      timing,
    });
  });

  it('never counts as plain if the schema rejects or changes it', () => {
    fc.assert(
      fc.property(spoilt(HEAD), (head) => {
        const plain = readPlainHead(head);
        if (plain !== undefined) expect(plain).toEqual(Head.parse(head));
      }),
      { numRuns: 3000 },
    );
  });
});
