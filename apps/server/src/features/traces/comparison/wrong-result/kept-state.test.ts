import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { findFirstDifference, findWrongValue, type ReadTrace } from '../comparison.ts';
import { type Call, readCalls } from '../read-calls.fixture.ts';

const say = (request: ReadTrace, [right, ...further]: readonly ReadTrace[]) => {
  if (right === undefined) throw new Error('there is a good request');
  return findWrongValue(request, right, further);
};

/** Moves all times of a request by a number of days. */
function moveBy(days: number, request: ReadTrace): ReadTrace {
  const move = (time: string) => time.replace(/-0(\d)T/, (_, day) => `-0${Number(day) + days}T`);
  return {
    ...request,
    steps: request.steps.map((step) => ({
      ...step,
      startTime: move(step.startTime),
      endTime: move(step.endTime),
    })),
  };
}

const handle = (calls: readonly Call[], body: CapturedValue = {}, throws?: string): ReadTrace =>
  readCalls({ name: 'handle', calls, ...(throws === undefined ? {} : { throws }) }, body);

const PROMISE = { $type: 'object', class: 'Promise', properties: {} };

function traceClaim({ awaited }: { readonly awaited: boolean }): ReadTrace {
  const covered: CapturedValue = awaited ? false : PROMISE;
  return handle([
    {
      name: 'assess',
      locals: { covered },
      returns: 'pay',
      calls: [
        { name: 'isCovered', returns: false, detached: !awaited },
        { name: 'settle', inputs: { covered }, returns: 'pay' },
      ],
    },
  ]);
}

test('a promise that a function passed on instead of the result is described, even if every request has this mistake', () => {
  const wrong = traceClaim({ awaited: false });
  expect(say(wrong, [wrong, wrong, wrong])?.text).toBe(
    '`covered` is Promise {} in `assess`, because no code awaited `isCovered`; `settle` received the promise',
  );
});

test('a promise that no function received is not described', () => {
  const started: Call = {
    name: 'assess',
    locals: { sent: PROMISE },
    returns: 'pay',
    calls: [
      { name: 'sendMail', detached: true },
      { name: 'settle', inputs: { covered: true } },
    ],
  };
  const request = handle([started]);
  expect(say(request, [request, request, request])).toBeUndefined();
});

function traceOptions(query: CapturedValue, kinds: CapturedValue, throws?: string): ReadTrace {
  const options = { weeks: 4, kinds };
  return handle([{ name: 'readOptions', inputs: { query }, returns: options }], query, throws);
}
const USUAL = [traceOptions({}, null), traceOptions({}, null)];
const SENDING = traceOptions({ kinds: 'glass,paper' }, ['glass', 'paper']);

test('a result that another request had sent is described, if the same inputs always gave another result before', () => {
  expect(say(moveBy(1, traceOptions({}, ['glass', 'paper'])), [...USUAL, SENDING])).toEqual({
    text: '`kinds` in the result of `readOptions` is ["glass", "paper"], as in an earlier request with other inputs; with these inputs `kinds` was always null before',
    step: '2',
    other: null,
  });
});

test('in a failed request, a result that another request had sent is described before other differences', () => {
  const failing = moveBy(1, traceOptions({}, ['glass', 'paper'], 'no rounds'));
  expect(findFirstDifference(failing, SENDING, USUAL)?.text).toMatch(/^`kinds` in the result of/);
});

test.each<[string, ReadTrace, readonly ReadTrace[]]>([
  ['no other request sent it', traceOptions({}, ['glass', 'paper']), USUAL],
  [
    'the results for these inputs differ',
    traceOptions({}, ['glass', 'paper']),
    [...USUAL, traceOptions({}, []), SENDING],
  ],
  [
    'the client of this request sent it, too',
    readCalls(
      {
        name: 'handle',
        calls: [{ name: 'readOptions', inputs: { query: {} }, returns: { weeks: 4, kinds: ['glass'] } }],
      },
      { kinds: 'glass' },
    ),
    [...USUAL, traceOptions({ kinds: 'glass' }, ['glass'])],
  ],
  [
    'this request sent it, too',
    traceOptions({ kinds: 'glass,paper' }, ['glass', 'paper']),
    [...USUAL, SENDING],
  ],
  ['the other request is later', traceOptions({}, ['glass', 'paper']), [...USUAL, moveBy(2, SENDING)]],
  [
    'only one earlier call had these inputs',
    traceOptions({}, ['glass', 'paper']),
    [...USUAL.slice(1), SENDING],
  ],
])('a result that another request had sent is not described if %s', (_, request, goods) => {
  expect(say(moveBy(1, request), goods)).toBeUndefined();
});

const traceCents = (price: number, cents: number): ReadTrace =>
  handle([{ name: 'toCents', inputs: { price }, returns: cents }]);
const EXACT = [traceCents(5, 500), traceCents(18.5, 1850), traceCents(0.25, 25)];

test('a product that was truncated to one below the exact product is described', () => {
  expect(say(traceCents(19.99, 1998), EXACT)).toEqual({
    text: '`toCents` returned 1998 for `price` 19.99, not 1999; in other calls the result is always 100 times `price`',
    step: '2',
    other: null,
  });
});

test.each<[string, ReadTrace, readonly ReadTrace[]]>([
  ['it is exact', traceCents(19.99, 1999), EXACT],
  ['it differs by more than one', traceCents(19.99, 1500), EXACT],
  ['the exact product is no whole number', traceCents(0.334, 34), EXACT],
  ['other calls have other factors', traceCents(19.99, 1998), [...EXACT, traceCents(10, 900)]],
  ['there are only two other calls', traceCents(19.99, 1998), EXACT.slice(1)],
])('a product is not described if %s', (_, request, goods) => {
  expect(say(request, goods)).toBeUndefined();
});

const traceNewest = (versions: readonly string[], newest: string): ReadTrace =>
  handle([
    {
      name: 'newest',
      inputs: { count: versions.length },
      locals: { versions: [...versions] },
      returns: newest,
    },
  ]);

test('versions that are sorted as texts are described', () => {
  const request = traceNewest(['1.10.0', '1.11.0', '1.8.0', '1.9.0'], '1.9.0');
  expect(say(request, [traceNewest(['1.2.0', '1.3.0'], '1.3.0')])?.text).toBe(
    '`versions` is ["1.10.0", "1.11.0", "1.8.0", "1.9.0"] in `newest`, sorted by text instead of by number, then `newest` returned "1.9.0"',
  );
});

test.each([
  ['in the order of their numbers', ['1.8.0', '1.9.0', '1.10.0', '1.11.0']],
  ['in no order', ['1.10.0', '1.8.0', '1.11.0', '1.9.0']],
  ['in an order that is the same for texts and numbers', ['1.2.0', '1.3.0', '1.4.0']],
  ['only two', ['1.10.0', '1.9.0']],
])('versions %s are not described', (_, versions) => {
  expect(say(traceNewest(versions, '1'), [traceNewest(['1.2.0', '1.3.0'], '1.3.0')])).toBeUndefined();
});

function traceReadings(readings: readonly number[]): ReadTrace {
  const sorted = [...readings].sort((a, b) => a - b);
  const isChanged = JSON.stringify(sorted) !== JSON.stringify(readings);
  return handle([
    {
      name: 'median',
      inputs: { values: [...readings] },
      ...(isChanged ? { parameters: { values: sorted } } : {}),
      returns: sorted[1] ?? 0,
    },
    { name: 'netChange', inputs: { values: sorted }, returns: (sorted.at(-1) ?? 0) - (sorted[0] ?? 0) },
  ]);
}
const RISING = [traceReadings([96, 100, 126]), traceReadings([10, 20, 30]), traceReadings([1, 2, 5])];

test('a function that changed the order of a list only in this request is described, if another function received the list', () => {
  expect(say(traceReadings([155, 148, 96]), RISING)).toEqual({
    text: '`median` changed the order of `values` to [96, 148, 155], then `netChange` received the list in this order; no other call of `median` changed an order',
    step: '2',
    other: null,
  });
});

test('a changed order is not described if another call changed it, too', () => {
  expect(say(traceReadings([155, 148, 96]), [...RISING, traceReadings([3, 2, 1])])).toBeUndefined();
});

test('a changed order is not described if no other function received the list', () => {
  const request = traceReadings([155, 148, 96]);
  const steps = request.steps.filter(({ stepName }) => stepName !== 'netChange');
  expect(say({ ...request, steps }, RISING)).toBeUndefined();
});

test('a function whose name means sorting is not described', () => {
  const rename = (request: ReadTrace): ReadTrace => ({
    ...request,
    steps: request.steps.map((step) =>
      step.stepName === 'median' ? { ...step, stepName: 'sortUp', functionName: 'sortUp' } : step,
    ),
  });
  expect(say(rename(traceReadings([155, 148, 96])), RISING.map(rename))).toBeUndefined();
});
