import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReadRequest } from '../statements/read-request.ts';
import { inARow, type Planned, plan } from './plan-request.fixture.ts';
import { applyRules, chooseStatements } from './stands-out.ts';

const texts = (request: ReadRequest) =>
  chooseStatements(apply(request), { failed: false }).statements.map(({ text }) => text);
const apply = (request: ReadRequest) => [...applyRules(request)].flat();
const rules = (request: ReadRequest) => apply(request).map(({ rule }) => rule);

describe('a repeated call', () => {
  test('is described with its count, duration and share of the request', () => {
    expect(texts(plan(1200, inARow(120, 9.9)))).toEqual([
      '`SELECT orders` ran 120 times: 1.19 s, 99 % of the request',
    ]);
  });

  test.each<readonly [string, ReadRequest]>([
    ['seven calls', plan(100, inARow(7, 10))],
    ['a share of the request that is too small to be worth fixing', plan(10_000, inARow(20, 1))],
    [
      'calls with a different query each',
      plan(
        200,
        inARow(20, 10).map((step, at) => ({ ...step, name: `SELECT t${at}` })),
      ),
    ],
    ['19 calls of a function', plan(200, inARow(19, 10, { type: 'function' }))],
    [
      'many calls of a function with little self time',
      plan(200, inARow(40, 5, { type: 'function', self: 1 })),
    ],
  ])('is not reported for %s', (_, request) => {
    expect(rules(request)).not.toContain('repeated_call');
  });

  test('is also reported for a function whose self time is a large share of the request', () => {
    expect(texts(plan(1000, inARow(40, 20, { type: 'function', name: 'readBox' })))).toEqual([
      '`readBox` ran 40 times: 800 ms, 80 % of the request',
    ]);
  });

  test('includes all calls of a call aggregate', () => {
    expect(texts(plan(1000, [{ at: 0, ms: 900, calls: 500 }]))).toEqual([
      '`SELECT orders` ran 500 times: 900 ms, 90 % of the request',
    ]);
  });

  test('counts the duration of overlapping calls once', () => {
    const sideBySide = Array.from({ length: 10 }, () => ({ at: 0, ms: 50 }));
    expect(texts(plan(100, sideBySide))).toEqual([
      '`SELECT orders` ran 10 times: 50 ms, 50 % of the request',
    ]);
  });
});

describe('retries', () => {
  const call = { type: 'http', name: 'POST pay.example', inputs: {} };

  test('are several failed calls followed by one that succeeded', () => {
    const request = plan(300, [
      { ...call, at: 0, ms: 30, failed: true },
      { ...call, at: 100, ms: 30, failed: true },
      { ...call, at: 200, ms: 30 },
    ]);
    expect(texts(request)).toEqual(['`POST pay.example` was called 3 times in a row: 2 failed']);
  });

  test('of a function that wraps a call are described with both the function and the call', () => {
    const request = plan(
      900,
      [0, 1, 2].flatMap((at) => [
        {
          type: 'function',
          name: 'attempt',
          id: `a${at}`,
          parent: 'retry',
          at: at * 100,
          ms: 50,
          failed: true,
        },
        {
          type: 'function',
          name: 'loadUser',
          id: `b${at}`,
          parent: `a${at}`,
          at: at * 100,
          ms: 50,
          failed: true,
        },
        { ...call, id: `c${at}`, parent: `b${at}`, at: at * 100, ms: 40, failed: true },
      ]),
    );
    const [said] = apply(request);
    expect(said?.text).toBe('`POST pay.example` was called 3 times in a row by `loadUser`: each call failed');
    expect(said?.stepId).toBe('c0');
  });

  test.each<readonly [string, readonly Planned[]]>([
    [
      'one failure',
      [
        { ...call, at: 0, ms: 9, failed: true },
        { ...call, at: 10, ms: 9 },
        { ...call, at: 20, ms: 9 },
      ],
    ],
    ['concurrent failures', [0, 1, 2].map((at) => ({ ...call, at, ms: 50, failed: true }))],
    [
      'a loop that continues after a success',
      [true, false, true, false].map((failed, at) => ({ ...call, at: at * 10, ms: 9, failed })),
    ],
    [
      'calls with different callers',
      [0, 1, 2].map((at) => ({ ...call, at: at * 10, ms: 9, failed: true, parent: `p${at}` })),
    ],
  ])('are not reported for %s', (_, steps) => {
    expect(rules(plan(1000, steps))).not.toContain('retries');
  });
});

describe('a blocked event loop', () => {
  const render = { type: 'function', name: 'renderReport', inputs: {} };

  test('is described with the function that blocked the event loop', () => {
    const steps = [
      { ...render, name: 'handler', id: 'handler', parent: '', at: 0, ms: 1100, self: 100 },
      { ...render, at: 50, ms: 1000 },
    ];
    expect(texts(plan(1100, steps, { blockedMs: 950 }))).toEqual([
      'The event loop was blocked for 950 ms while `renderReport` ran',
    ]);
  });

  const handler = {
    type: 'handler',
    name: 'getReport',
    id: 'handler',
    parent: '',
    at: 0,
    ms: 1100,
    self: 100,
  };
  const report = { type: 'function', name: 'salesReport', id: 'report', at: 50, ms: 1000, self: 50 };
  const queries = inARow(7, 135, { parent: 'report' });

  test('is described with the deepest function that ran long enough with its calls, such as queries', () => {
    const [said] = apply(plan(1100, [handler, report, ...queries], { blockedMs: 950 })).filter(
      ({ rule }) => rule === 'blocked_event_loop',
    );
    expect(said?.text).toBe('The event loop was blocked for 950 ms while `salesReport` and its calls ran');
    expect(said?.stepId).toBe('report');
  });

  test('is described with the called function if the calling function took just as long', () => {
    const steps = [{ ...handler, ms: 1000, self: 0 }, { ...report, at: 0 }, ...queries];
    expect(apply(plan(1000, steps, { blockedMs: 950 }))).toContainEqual(
      expect.objectContaining({ rule: 'blocked_event_loop', stepId: 'report' }),
    );
  });

  test.each<readonly [string, readonly Planned[]]>([
    ['no function ran long enough', [{ ...render, at: 0, ms: 20 }]],
    ['no function ran for 80 % of the time with its calls', [{ ...report, ms: 750 }, ...queries]],
    [
      'all functions that ran long enough took more than twice the time',
      [{ ...handler, ms: 2500 }, { ...report, ms: 2000 }, ...queries],
    ],
    ['only a log message has the duration', [{ ...render, type: 'log', at: 0, ms: 950 }]],
  ])('is described without a function if %s', (_, steps) => {
    expect(apply(plan(2500, steps, { blockedMs: 950 }))).toContainEqual(
      expect.objectContaining({ text: 'The event loop was blocked for 950 ms', stepId: null }),
    );
  });

  test('is never attributed to a query, which only waits', () => {
    expect(texts(plan(2000, [{ at: 0, ms: 900 }], { blockedMs: 800 }))).toEqual([
      'The event loop was blocked for 800 ms',
    ]);
  });

  test('is not reported below 100 ms', () => {
    expect(rules(plan(120, [{ ...render, at: 0, ms: 100 }], { blockedMs: 99 }))).toEqual([]);
  });
});

describe('sequential awaits', () => {
  const user = {
    name: 'SELECT users',
    at: 0,
    ms: 100,
    inputs: { id: 'ada-1' },
    outputs: [{ plan: 'team-9' }],
  };
  const rates = {
    name: 'SELECT rates',
    at: 100,
    ms: 120,
    inputs: { currency: 'EUR' },
    outputs: [{ rate: 1.08 }],
  };

  test('are described with the time that concurrent calls would save', () => {
    expect(texts(plan(250, [user, rates]))).toEqual([
      '`SELECT users`, then `SELECT rates`: none uses a result of another; in parallel they would save 100 ms',
    ]);
  });

  test.each<readonly [string, ReadRequest]>([
    [
      'a call that uses the result of the previous call',
      plan(250, [user, { ...rates, inputs: { plan: 'team-9' } }]),
    ],
    ['concurrent calls', plan(250, [user, { ...rates, at: 10 }])],
    ['a write after a read', plan(250, [user, { ...rates, name: 'UPDATE rates' }])],
    ['calls whose values were not captured', plan(250, [user, { ...rates, inputs: undefined }])],
    ['a saving of a few milliseconds', plan(250, [{ ...user, ms: 10 }, rates])],
  ])('are not reported for %s', (_, request) => {
    expect(rules(request)).not.toContain('sequential_awaits');
  });
});

describe('a value that is not a number', () => {
  test('is reported for the first function that ended with NaN', () => {
    const steps = [
      { type: 'handler', name: 'postOrder', at: 0, ms: 20, hasNaN: 'return value' },
      { type: 'function', name: 'totalOf', at: 2, ms: 5, hasNaN: 'sum' },
    ];
    expect(texts(plan(20, steps))).toEqual([
      '`sum` is NaN in `totalOf`: a value that is not a number was used in a calculation',
    ]);
  });

  test('is reported as a return value if no variable contains NaN', () => {
    expect(
      texts(plan(20, [{ type: 'function', name: 'perDay', at: 0, ms: 5, hasNaN: 'return value' }])),
    ).toEqual(['`perDay` returned NaN: a value that is not a number was used in a calculation']);
  });

  const parsed = { type: 'function', name: 'parseLimit', at: 0, ms: 5, hasNaN: 'wanted', outputs: 20 };
  const checked = [
    { ...parsed, inputs: { text: 'all' } },
    { type: 'function', name: 'listOrders', at: 6, ms: 5, inputs: { limit: 20 }, outputs: [] },
  ];

  test('is not reported for a variable that the code tested and did not use, if the request succeeded', () => {
    expect(rules(plan(20, checked, { response: '{"orders":[]}' }))).toEqual([]);
  });

  test.each<readonly [string, ReadRequest]>([
    ['the request failed', plan(20, checked, { status: 422 })],
    [
      'the response contains null, which JSON writes for NaN',
      plan(20, checked, { response: '{"total":null}' }),
    ],
    ['the response was captured in part', plan(20, checked, { response: '{"$type":"cut","of":"body"}' })],
    ['another value of the function contains NaN', plan(20, [{ ...parsed, passesNaN: true }])],
    [
      'another function received NaN',
      plan(20, [
        ...checked,
        { name: 'SELECT orders', at: 12, ms: 2, inputs: [{ $type: 'number', value: 'NaN' }] },
      ]),
    ],
    [
      'another function returned a text with NaN',
      plan(20, [...checked, { type: 'function', name: 'format', at: 12, ms: 2, outputs: 'NaN €' }]),
    ],
  ])('is reported if %s', (_, request) => {
    expect(rules(request)).toEqual(['not_a_number']);
  });
});

describe('a slow dependency', () => {
  const call = { type: 'http', name: 'GET rates.example/eur' };

  test("is described if one call took most of the request's time", () => {
    expect(texts(plan(1000, [{ ...call, at: 0, ms: 930 }]))).toEqual([
      '`GET rates.example/eur` took 930 ms, 93 % of the request',
    ]);
  });

  test.each([
    ['a quick call', plan(100, [{ ...call, at: 0, ms: 95 }])],
    ['less than half of the request', plan(1000, [{ ...call, at: 0, ms: 450 }])],
  ])('is not reported for %s', (_, request) => {
    expect(rules(request)).toEqual([]);
  });
});

describe('a request slower than usual', () => {
  const usual = (requests: number, median: number) => ({
    usual: { requests, median, quartile: median, quicker: requests },
  });

  test('is compared with the median duration of its endpoint', () => {
    const [said] = apply(
      plan(10_400, [{ type: 'function', name: 'report', id: 'report', at: 0, ms: 10_400 }], usual(40, 520)),
    );
    expect(said?.text).toBe(
      '20 times slower than usual: 10.40 s; the median of 40 requests to this endpoint is 520 ms',
    );
    expect(said?.stepId).toBe('report');
  });

  test.each([
    ['few other requests', plan(10_000, [], usual(4, 10))],
    ['twice the median', plan(1000, [], usual(40, 500))],
    ['a difference that nobody notices', plan(40, [], usual(40, 2))],
    ['no other request', plan(10_000, [])],
  ])('is not reported for %s', (_, request) => {
    expect(rules(request)).toEqual([]);
  });
});

test('at most three sentences are returned; the sentence that explains the most time is first', () => {
  const steps = [
    ...inARow(10, 20, { name: 'SELECT a' }),
    ...[0, 1, 2].map((at) => ({
      type: 'http',
      name: 'GET b.example',
      at: 200 + at * 10,
      ms: 9,
      failed: at < 2,
      inputs: {},
    })),
    { type: 'http', name: 'GET c.example', at: 300, ms: 1000 },
  ];
  const usual = { requests: 30, median: 20, quartile: 10, quicker: 30 };
  const said = chooseStatements(apply(plan(1400, steps, { usual, blockedMs: 150 })), { failed: false });
  expect(said.statements.map(({ rule }) => rule)).toEqual([
    'slow_dependency',
    'retries',
    'slower_than_usual',
  ]);
});

const ordinaryStep = fc.record({
  name: fc.constantFrom('SELECT a', 'SELECT b', 'GET c.example', 'save', 'render'),
  type: fc.constantFrom('database', 'http', 'function', 'handler', 'log', 'cache'),
  at: fc.integer({ min: 0, max: 1000 }),
  ms: fc.integer({ min: 0, max: 90 }),
});

test('nothing stands out in a request with a few quick, successful calls', () => {
  fc.assert(
    fc.property(fc.array(ordinaryStep, { maxLength: 7 }), (steps) => {
      // Without values, nothing shows that the calls are independent.
      expect(rules(plan(1100, steps))).toEqual([]);
    }),
  );
});

test("a loop of queries among any other steps is found if, and only if, the loop takes at least a tenth of the request's time", () => {
  fc.assert(
    fc.property(
      fc.array(ordinaryStep, { maxLength: 7 }),
      fc.integer({ min: 8, max: 200 }),
      (steps, count) => {
        const loop = inARow(count, 5, { name: 'SELECT planted' });
        const said = apply(plan(1100, [...steps, ...loop])).filter(({ rule }) => rule === 'repeated_call');
        expect(said.map(({ stepId }) => stepId)).toEqual(count * 5 >= 110 ? [`s${steps.length}`] : []);
      },
    ),
  );
});

test('the page of a successful request with retries opens on the function that made the failing calls; the page of a failed request does not', () => {
  const attempts = [0, 1, 2].flatMap((at) => [
    { type: 'function', name: 'requestMember', id: `f${at}`, at: at * 100, ms: 90, failed: true },
    {
      type: 'http',
      name: 'GET b.example',
      id: `g${at}`,
      parent: `f${at}`,
      at: at * 100,
      ms: 80,
      failed: true,
    },
  ]);
  const said = apply(plan(400, attempts));
  expect(chooseStatements(said, { failed: false })).toMatchObject({
    statements: [{ rule: 'retries', stepId: 'g0' }],
    opening: 'f0',
  });
  expect(chooseStatements(said, { failed: true }).opening).toBeNull();
});

test('the page of a request whose calculation resulted in NaN opens on the first function that ended with NaN', () => {
  const steps = [
    { type: 'function', name: 'total', at: 0, ms: 20, hasNaN: 'return value' },
    { type: 'function', name: 'priceOf', at: 1, ms: 3, hasNaN: 'return value' },
  ];
  expect(chooseStatements(apply(plan(100, steps)), { failed: false }).opening).toBe('s1');
});
