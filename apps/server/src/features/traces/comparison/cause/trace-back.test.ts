import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { findFirstDifference, type ReadTrace } from '../comparison.ts';
import { type Call, readCalls } from '../read-calls.fixture.ts';

const UNDEFINED = { $type: 'undefined' };
const NAN = { $type: 'number', value: 'NaN' };

/** Returns the sentence about the cause of a failure. Compares the failed request with the first of the successful requests. */
function say(failed: ReadTrace, goods: readonly ReadTrace[]) {
  const [right, ...further] = goods;
  if (right === undefined) throw new Error('there is a good request');
  return findFirstDifference(failed, right, further);
}

function traceHandle(calls: readonly Call[], body: CapturedValue = {}): ReadTrace {
  const failed = calls.find((call) => call.throws !== undefined);
  return readCalls(
    {
      name: 'handle',
      calls,
      ...(failed?.throws === undefined ? { returns: 'done' } : { throws: failed.throws }),
    },
    body,
  );
}

function traceReport(raw: string, id: string, author: CapturedValue): ReadTrace {
  const message = author === UNDEFINED ? UNDEFINED : { id, author };
  return traceHandle(
    [
      { name: 'parseId', inputs: { raw }, returns: id },
      { name: 'findMessage', inputs: { id }, returns: message },
      {
        name: 'notify',
        inputs: { message },
        ...(author === UNDEFINED ? { throws: "reading 'author'" } : { returns: 'sent' }),
      },
    ],
    { raw },
  );
}
const REPORTS = [
  traceReport('48213', '48213', 'u1'),
  traceReport('60411', '60411', 'u2'),
  traceReport('51002', '51002', 'u3'),
];

test('a key that was not found is traced back to the function that computed the key', () => {
  expect(say(traceReport('1145298347652100097', '1145298347652100100', UNDEFINED), REPORTS)).toMatchObject({
    text: '`parseId` returned "1145298347652100100", but `raw` is "1145298347652100097"; in other calls both are always equal',
    step: '2',
  });
});

test('a key that the client sent is not traced back; the function that did not find the key is described', () => {
  expect(say(traceReport('99999', '99999', UNDEFINED), REPORTS)).toMatchObject({
    text: expect.stringContaining('`findMessage` returned undefined'),
    step: '3',
  });
});

function traceListPage(total: number, pages: number, offset: number, failed = false): ReadTrace {
  return traceHandle([
    { name: 'countBooks', inputs: { genre: 'crime' }, returns: total },
    { name: 'countPages', inputs: { total }, returns: pages },
    { name: 'offsetOf', inputs: { page: pages }, returns: offset },
    { name: 'fetchBooks', inputs: { offset }, returns: failed ? [] : ['a', 'b'] },
    {
      name: 'shelves',
      inputs: { books: failed ? [] : ['a', 'b'] },
      ...(failed ? { throws: 'no books' } : { returns: 'A' }),
    },
  ]);
}

test('a computed number is traced back through functions that only calculate, but not to the function that read the first number', () => {
  const goods = [traceListPage(21, 3, 17), traceListPage(27, 4, 25), traceListPage(35, 5, 33)];
  expect(say(traceListPage(16, 3, 17, true), goods)).toMatchObject({
    text: expect.stringContaining('`countPages` returned 3'),
    step: '3',
  });
});

function traceReadAll(pages: number, batches: readonly (readonly string[])[]): ReadTrace {
  const failed = batches.some((batch) => batch.length === 0);
  return readCalls({
    name: 'readAll',
    locals: { pages },
    ...(failed ? { throws: "reading 'id'" } : { returns: 'all' }),
    calls: [
      { name: 'pagesFor', inputs: { total: pages * 10 }, returns: pages },
      ...batches.flatMap((batch): Call[] => [
        { name: 'nextRows', inputs: { cursor: 40 }, returns: batch },
        {
          name: 'lastOf',
          inputs: { rows: batch },
          ...(batch.length === 0 ? { throws: "reading 'id'" } : { returns: 7 }),
        },
      ]),
    ],
  });
}

test('a last, unnecessary call of a loop is traced back to the function that returned too large a number of calls', () => {
  const goods = [
    traceReadAll(2, [['a'], ['b']]),
    traceReadAll(2, [['c'], ['d']]),
    traceReadAll(2, [['e'], ['f']]),
  ];
  expect(say(traceReadAll(3, [['a'], ['b'], []]), goods)).toMatchObject({
    text: expect.stringContaining('`pagesFor` returned 3 instead of 2'),
    step: '2',
  });
});

function tracePrice(text: string, tariff: CapturedValue): ReadTrace {
  const failed = tariff === UNDEFINED;
  return traceHandle([
    {
      name: 'loadTariff',
      inputs: { operator: 'north' },
      returns: tariff,
      calls: [
        {
          name: 'readNumber',
          inputs: { text },
          ...(failed ? { throws: `not a number: ${text}` } : { returns: Number(text) }),
        },
      ],
    },
    { name: 'priceOf', inputs: { kwh: 3 }, returns: failed ? NAN : 3 },
    {
      name: 'seal',
      inputs: { currency: 'EUR' },
      ...(failed ? { throws: 'a receipt needs an amount' } : { returns: 'sealed' }),
    },
  ]);
}

test('a function that caught an error and returned nothing is described with the error, rather than the function that failed later', () => {
  const goods = ['0.49', '0.57', '0.61'].map((text) => tracePrice(text, { kwh: Number(text) }));
  expect(say(tracePrice('0,54', UNDEFINED), goods)).toMatchObject({
    text: '`readNumber` threw “not a number: 0,54”, then `loadTariff` returned undefined instead of { kwh: 0.49 }',
    step: '2',
  });
});

function traceReadKit(slug: string, liftsAt: string | null, blocked: boolean): ReadTrace {
  const kit = { slug, liftsAt };
  return traceHandle(
    [
      { name: 'findKit', inputs: { slug }, returns: kit },
      { name: 'isUnderEmbargo', inputs: { kit }, returns: blocked },
      { name: 'send', inputs: { kit }, ...(blocked ? { throws: 'under embargo' } : { returns: 'sent' }) },
    ],
    { slug },
  );
}

test('an unusual result of a decision (true or false) is described rather than an unusual member of a record', () => {
  const goods = ['salt-marsh', 'night-ferry', 'orchard'].map((slug) => traceReadKit(slug, null, false));
  expect(say(traceReadKit('copper-hill', '2025-02-01T09:00:00Z', true), goods)).toMatchObject({
    text: expect.stringContaining('`isUnderEmbargo` returned true instead of false'),
    step: '3',
  });
});

function traceAddUp(amounts: readonly number[], total: number): ReadTrace {
  const failed = !Number.isInteger(total);
  return traceHandle([
    {
      name: 'addUp',
      inputs: { amounts },
      returns: total,
      calls: [{ name: 'amounts.reduce() callback', inputs: { sum: 0 }, returns: total }],
    },
    { name: 'post', inputs: { amounts }, ...(failed ? { throws: 'not balanced' } : { returns: 'posted' }) },
  ]);
}

test("a callback's unusual result is described at the function that passed the callback", () => {
  const goods = [traceAddUp([1, 2], 3), traceAddUp([4, 5], 9), traceAddUp([6, 7], 13)];
  expect(say(traceAddUp([0.1, 0.2], 0.30000000000000004), goods)).toMatchObject({
    text: expect.stringContaining('`addUp` returned 0.30000000000000004 instead of 3'),
    step: '2',
  });
});

test.each([
  ['a callback that is recorded as its own caller', ['2']],
  ['two callbacks that are recorded as the callers of each other', ['3', '2']],
])('the search for a cause ends at %s', (_, parents) => {
  const mapAll = (total: number): ReadTrace =>
    traceHandle([
      ...parents.map((): Call => ({ name: 'map callback', inputs: { sum: 0 }, returns: total })),
      {
        name: 'post',
        inputs: { sum: 0 },
        ...(Number.isInteger(total) ? { returns: 'posted' } : { throws: 'no' }),
      },
    ]);
  const failed = mapAll(0.30000000000000004);
  const steps = failed.steps.map((step, at) => ({
    ...step,
    parentStepId: parents[at - 1] ?? step.parentStepId,
  }));
  const goods = [3, 9, 13, 14].map(mapAll);
  expect(say({ ...failed, steps }, goods)?.text).toContain('`map callback` returned 0.30000000000000004');
});

test('values are not traced back if only two other requests show what is usual', () => {
  expect(
    say(traceReport('1145298347652100097', '1145298347652100100', UNDEFINED), REPORTS.slice(0, 2)),
  ).toMatchObject({ step: '3' });
});

function traceApprove(login: string, approver: string, owner: string): ReadTrace {
  return traceHandle(
    [
      {
        name: 'assertIndependent',
        inputs: { approver, owner },
        ...(approver === owner ? { throws: 'nobody approves their own timesheet' } : { returns: true }),
      },
    ],
    { login },
  );
}
const APPROVALS = [
  traceApprove('lind', 'lind', 'a'),
  traceApprove('kovacs', 'kovacs', 'b'),
  traceApprove('lind', 'lind', 'c'),
];

test('an input is described if it differs from a value of the request, but both are equal in all other requests', () => {
  expect(say(traceApprove('lind', 'ortega', 'ortega'), APPROVALS)).toMatchObject({
    text: '`approver` is "ortega" in `assertIndependent`, but body field `login` of the request is "lind"; in other requests both are always equal',
    step: '2',
  });
});

test.each([
  ['they are not equal in another request, too', 'lind', [...APPROVALS, traceApprove('lind', 'deputy', 'd')]],
  [
    'all other requests have the same value',
    'lind',
    [1, 2, 3].map(() => traceApprove('kovacs', 'kovacs', 'a')),
  ],
  ['they differ only in case', 'Ortega', APPROVALS],
  ['there are only two other requests', 'lind', APPROVALS.slice(0, 2)],
])('an input that differs from the value in the request is not described if %s', (_, login, goods) => {
  expect(say(traceApprove(login, 'ortega', 'ortega'), goods)?.text ?? '').not.toContain('of the request');
});

function traceShelf(region: string, slug: string, isFound = true): ReadTrace {
  const shelf = isFound ? { aisle: slug.length } : UNDEFINED;
  return traceHandle(
    [
      { name: 'findWines', inputs: { skus: [region] }, returns: [{ region, cents: 900 }] },
      {
        name: 'findShelf',
        inputs: { region },
        returns: shelf,
        calls: [{ name: 'toSlug', inputs: { region }, returns: slug }],
      },
      {
        name: 'printLabel',
        inputs: { shelf },
        ...(isFound ? { returns: 'printed' } : { throws: "reading 'aisle'" }),
      },
    ],
    { wine: 7 },
  );
}
const SHELVES = [
  traceShelf('Rioja', 'rioja'),
  traceShelf('Napa Valley', 'napa-valley'),
  traceShelf('Mosel', 'mosel'),
];

test('if a function that found nothing had called another function to compute the key, the key is described, rather than the data from which the key was computed', () => {
  expect(say(traceShelf('Saint-Émilion', 'saint-milion', false), SHELVES)).toMatchObject({
    text: expect.stringContaining('`toSlug` returned "saint-milion"'),
    step: '4',
  });
});

test('a text that contains an unchanged input is not described as the key for which nothing was found', () => {
  const difference = say(traceShelf('Saint-Émilion', 'de/Saint-Émilion', false), SHELVES);
  expect(difference?.step).not.toBe('4');
});
