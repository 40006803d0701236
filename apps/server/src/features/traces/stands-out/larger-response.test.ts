import type { CapturedValue, Step } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Call, readCalls } from '../comparison/read-calls.fixture.ts';
import { findGrownList } from './grown-list.ts';
import { findLargerResponse } from './larger-response.ts';
import { plan } from './plan-request.fixture.ts';

const STEPS = [
  { name: 'checkBadge', type: 'handler', id: 'first', at: 0, ms: 1 },
  { name: 'listOrders', type: 'handler', id: 'handler', at: 1, ms: 20 },
  { name: 'findOrders', type: 'function', id: 'find', at: 2, ms: 15 },
];
const usual = (requests: number, median: number, largest = median) => ({ requests, median, largest });
const find = (bytes: number, others: ReturnType<typeof usual>, more: Parameters<typeof plan>[2] = {}) =>
  findLargerResponse(plan(20, STEPS, { ...more, size: { bytes, usual: others } }));

describe('a response larger than usual', () => {
  test('is described with its size and the median, and links to the handler', () => {
    expect(find(4_200_000, usual(40, 31_000, 90_000))).toMatchObject([
      {
        text: 'The response has 4.2 MB; the median of 40 requests to this endpoint is 31 kB',
        stepId: 'handler',
      },
    ]);
  });

  test('is described with the list that makes it large, and links to the function that returned the list', () => {
    const grown = { stepId: 'find', name: 'findOrders', items: 12_000, longest: 40 };
    expect(find(4_200_000, usual(40, 31_000), { grown })).toMatchObject([
      {
        text: 'The response has 4.2 MB; the median of 40 requests to this endpoint is 31 kB. `findOrders` returned 12,000 items, in other requests at most 40',
        stepId: 'find',
      },
    ]);
  });

  test('links to no step if the request has no handler', () => {
    const request = plan(20, [], { size: { bytes: 4_200_000, usual: usual(40, 31_000) } });
    expect(findLargerResponse(request)).toMatchObject([{ stepId: null }]);
  });

  test.each([
    ['few other requests', 4_200_000, usual(4, 31_000)],
    ['less than ten times the median', 309_000, usual(40, 31_000)],
    ['less than 100 kB', 99_999, usual(40, 20)],
    ['an endpoint with a response of the same size', 4_200_000, usual(40, 31_000, 4_200_000)],
    ['an endpoint whose largest response is 20 times the median', 4_200_000, usual(40, 31_000, 620_000)],
  ])('is not reported for %s', (_, bytes, others) => {
    expect(find(bytes, others)).toEqual([]);
  });
});

/** Summarizes the sizes of other responses, as the server does. */
function summarize(sizes: readonly number[]) {
  const sorted = [...sizes].sort((a, b) => a - b);
  return usual(sizes.length, sorted[Math.ceil(sizes.length / 2) - 1] ?? 0, sorted.at(-1));
}

test('a response at least 50 times as large as all other responses is reported, if the sizes of the others differ by a factor of at most two', () => {
  const size = fc.integer({ min: 2000, max: 40_000 });
  fc.assert(
    fc.property(
      size,
      fc.array(fc.double({ min: 1, max: 2, noNaN: true }), { minLength: 5 }),
      (bytes, factors) => {
        const others = factors.map((factor) => Math.round(bytes * factor));
        expect(find(bytes * 2 * 50, summarize(others))).toHaveLength(1);
      },
    ),
  );
});

test('a response that is not larger than all other responses is never reported', () => {
  const power = fc.integer({ min: 0, max: 9 });
  const sizes = fc.array(
    power.map((digits) => 10 ** digits),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(sizes, fc.nat(), (others, at) => {
      expect(find(others[at % others.length] ?? 0, summarize(others))).toEqual([]);
    }),
  );
});

test('of 2,000 responses from endpoints whose response sizes vary by powers of ten, fewer than 1 in 100 are reported', () => {
  // The sizes of each endpoint have a heavy tail: one in n responses is n times as large as the smallest.
  const share = fc.double({ min: 0.0001, max: 1, noNaN: true });
  const endpoints = fc.sample(fc.array(share, { minLength: 6, maxLength: 60 }), { seed: 1, numRuns: 2000 });
  const reported = endpoints.filter((shares) => {
    const [bytes = 0, ...others] = shares.map((each) => Math.round(20_000 / each));
    return find(bytes, summarize(others)).length > 0;
  });
  expect(reported.length).toBeLessThan(20);
});

const items = (count: number): CapturedValue => Array.from({ length: count }, (_, at) => ({ id: at }));
const cutList = (length: number): CapturedValue => ({ $type: 'array', values: [{ id: 1 }], length });
const steps = (call: Call): readonly Step[] => readCalls(call).steps;
const listing = (found: CapturedValue, name = 'findOrders') =>
  steps({ name: 'listOrders', returns: found, calls: [{ name, returns: found }] });

describe('the list that makes a response large', () => {
  const others = [4, 12, 9].map((count) => listing(items(count)));

  test('is attributed to the function that returned the list first, and its length includes the items that were not captured', () => {
    const found = findGrownList(listing(cutList(12_000)), others);
    expect(found).toMatchObject({ name: 'findOrders', items: 12_000, longest: 12 });
  });

  test.each<readonly [string, readonly Step[], readonly (readonly Step[])[]]>([
    ['a list that is four times as long', listing(items(48)), others],
    ['a short list', listing(items(19)), [1, 1, 1].map((count) => listing(items(count)))],
    ['two other calls', listing(cutList(12_000)), others.slice(1)],
    ['a result that is no list', listing({ total: 12_000 }), others],
  ])('is unknown for %s', (_, request, goods) => {
    expect(findGrownList(request, goods)).toBeNull();
  });
});
