import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { findWrongValue, type ReadTrace } from '../comparison.ts';
import { type Call, readCalls } from '../read-calls.fixture.ts';

const UNDEFINED = { $type: 'undefined' };

/** Returns the sentence about a wrong result of a successful request. Compares the request with other successful requests. */
function say(request: ReadTrace, goods: readonly ReadTrace[]) {
  const [right, ...further] = goods;
  if (right === undefined) throw new Error('there is a good request');
  return findWrongValue(request, right, further);
}

const handle = (...calls: readonly Call[]): ReadTrace => readCalls({ name: 'handle', calls });

function traceDiscount(returns: number, locals: CapturedValue): ReadTrace {
  return handle({ name: 'discountFor', locals, returns });
}

test('a function that returned the outer one of two variables with the same name is described with both variables', () => {
  const bill = traceDiscount(0, { discount: 0, 'discount@20': 19.4 });
  expect(say(bill, [traceDiscount(0, { discount: 0 })])).toEqual({
    text: '`discountFor` returned 0, the value of its variable `discount`; another variable `discount` in line 20 is 19.4',
    step: '2',
    other: null,
  });
});

test.each<[string, number, CapturedValue]>([
  ['the outer variable has a result of its own', 5, { discount: 5, 'discount@20': 19.4 }],
  ['the variable of the block has no result', 0, { discount: 0, 'discount@20': 0 }],
  ['the function returned another value', 0, { discount: 3, 'discount@20': 19.4 }],
])('a shadowed variable is not described if %s', (_, returns, locals) => {
  expect(say(traceDiscount(returns, locals), [traceDiscount(0, { discount: 0 })])).toBeUndefined();
});

function traceVat(given: number, rate: number): ReadTrace {
  return handle({
    name: 'vatOn',
    inputs: { client: { vatRate: given } },
    locals: { rate },
    returns: rate * 10,
  });
}

test('a default value that replaced an input of 0 is described if the variable has the value of the input in other calls', () => {
  expect(
    say(traceVat(0, 0.23), [traceVat(0.23, 0.23), traceVat(0.2, 0.2), traceVat(0.2, 0.2)]),
  ).toMatchObject({
    text: '`client.vatRate` is 0 in `vatOn`, but `rate` is 0.23; in other calls `rate` always has the value of `client.vatRate`',
    step: '2',
  });
});

test.each([
  ['the input is not 0', traceVat(0.1, 0.23), [traceVat(0.23, 0.23), traceVat(0.2, 0.2), traceVat(0.2, 0.2)]],
  [
    'the variable differs in another call, too',
    traceVat(0, 0.23),
    [traceVat(0.3, 0.2), traceVat(0.2, 0.2), traceVat(0.1, 0.1)],
  ],
  [
    'all other calls have the same value',
    traceVat(0, 0.23),
    [traceVat(0.2, 0.2), traceVat(0.2, 0.2), traceVat(0.2, 0.2)],
  ],
  ['there are only two other calls', traceVat(0, 0.23), [traceVat(0.23, 0.23), traceVat(0.2, 0.2)]],
])('a default is not described if %s', (_, request, goods) => {
  expect(say(request, goods)).toBeUndefined();
});

function ordered(
  values: readonly number[],
  returns: readonly number[],
  calls: readonly Call[] = [],
): ReadTrace {
  return handle({ name: 'ordered', inputs: { values: [...values] }, returns: [...returns], calls });
}
const SORTED = [ordered([3, 1, 2], [1, 2, 3]), ordered([5, 4], [4, 5]), ordered([7, 9, 8], [7, 8, 9])];

test('a list that is not in order is described if a function that sorts returns lists in order in all other calls', () => {
  expect(say(ordered([12, 110, 8], [110, 12, 8]), SORTED)).toMatchObject({
    text: '`ordered` returned [110, 12, 8], which is not in order; in other calls the result is always in order',
    step: '2',
  });
});

test('a returned list of objects that is not sorted by a property is described if a callback of `sort` shows that the function sorts', () => {
  const pallets = (...days: readonly number[]): ReadTrace => {
    const list = days.map((day) => ({
      id: `P${day}`,
      bestBefore: { $type: 'Date', value: `2025-06-0${day}T00:00:00.000Z` },
    }));
    return handle({
      name: 'oldestFirst',
      inputs: { list },
      returns: list,
      calls: [{ name: 'sort() callback', returns: true }],
    });
  };
  expect(say(pallets(7, 1, 9), [pallets(1, 2, 3), pallets(4, 5), pallets(3, 8)])?.text).toBe(
    '`oldestFirst` returned { id: "P7", bestBefore: 2025-06-07T00:00:00.000Z } before { id: "P1", bestBefore: 2025-06-01T00:00:00.000Z }, which is not in order by `bestBefore`; in other calls the result is always in order',
  );
});

test.each([
  [
    'other calls only return the list that they got',
    ordered([3, 1], [3, 1]),
    [
      [1, 2, 3],
      [4, 5],
      [7, 9],
    ].map((list) => ordered(list, list)),
  ],
  [
    'another call returned a list without order, too',
    ordered([3, 1], [3, 1]),
    [...SORTED, ordered([1, 5, 2], [1, 5, 2])],
  ],
  [
    'all other lists are short',
    ordered([3, 1], [3, 1]),
    [ordered([2, 1], [1, 2]), ordered([5, 4], [4, 5]), ordered([9, 6], [6, 9])],
  ],
])('a list that is not in order is not described if %s', (_, request, goods) => {
  expect(say(request, goods)).toBeUndefined();
});

function traceLookUp(field: CapturedValue, value: CapturedValue): ReadTrace {
  return handle({ name: 'lookUp', inputs: { field }, returns: value });
}
const FOUND = [traceLookUp('date', '9 May'), traceLookUp('time', '10:00'), traceLookUp('name', 'Ida')];

test.each<[CapturedValue, string]>([
  [UNDEFINED, 'undefined'],
  ['', '""'],
])('a missing result %j is described if all other requests had a result', (value, shown) => {
  expect(say(traceLookUp('date}} at {{time', value), FOUND)).toMatchObject({
    text: `\`field\` is "date}} at {{time" instead of "date" in \`lookUp\`, then \`lookUp\` returned ${shown} instead of "9 May"`,
    step: '2',
  });
});

test.each([
  ['the function got no value either', traceLookUp(UNDEFINED, UNDEFINED), FOUND],
  [
    'another request had no result, too',
    traceLookUp('code', UNDEFINED),
    [...FOUND, traceLookUp('none', UNDEFINED)],
  ],
  ['there are only two other requests', traceLookUp('code', UNDEFINED), FOUND.slice(0, 2)],
  ['the function returned null, which is often an answer', traceLookUp('code', null), FOUND],
])('a missing result is not described if %s', (_, request, goods) => {
  expect(say(request, goods)).toBeUndefined();
});

test('a missing result is not described if the client asked for something that does not exist', () => {
  const find = (code: string, returns: CapturedValue) =>
    readCalls({ name: 'handle', calls: [{ name: 'findVoucher', inputs: { code }, returns }] }, { code });
  const goods = ['A1', 'B2', 'C3'].map((code) => find(code, { percent: 20 }));
  expect(say(find('SPRING', UNDEFINED), goods)).toBeUndefined();
});

test('a variable that has no value yet is not a missing result', () => {
  const create = (locals: CapturedValue): ReadTrace => handle({ name: 'create', locals, returns: 'created' });
  const goods = [1, 2, 3].map((number) => create({ episode: { number } }));
  expect(say(create({ episode: UNDEFINED }), goods)).toBeUndefined();
});

const percentile = (sorted: readonly number[], returns: number): ReadTrace =>
  handle({ name: 'percentile', inputs: { levels: [returns] }, locals: { sorted: [...sorted] }, returns });

test('numbers that a function sorted by their texts are described with the result', () => {
  expect(say(percentile([102, 110, 12, 80, 801, 9], 9), [percentile([70, 80], 80)])).toMatchObject({
    text: expect.stringMatching(
      /^`sorted` is \[.*\] in `percentile`, sorted by text instead of by number, then `percentile` returned 9$/,
    ),
    step: '2',
  });
});

test.each([
  ['are sorted by number, too', [10, 20, 30, 40]],
  ['are in descending order', [9, 8, 7, 6]],
  ['are in no order', [110, 9, 102, 80]],
  ['are only five', [10, 100, 11, 8, 9]],
])('numbers that %s are not described as sorted by text', (_, sorted) => {
  expect(say(percentile(sorted, 9), [percentile([70, 80], 80)])).toBeUndefined();
});

test('a list that a function received in the order of texts is not described as sorted by this function', () => {
  const levels = [102, 110, 80, 9];
  const read = (list: readonly number[]) =>
    handle({ name: 'loudest', inputs: { levels: [...list] }, locals: { levels: [...list] }, returns: 110 });
  expect(say(read(levels), [read([70, 80])])).toBeUndefined();
});

const kilos = (cell: string, returns: number): ReadTrace =>
  handle({ name: 'parseKilos', inputs: { cell }, returns });
const WEIGHTS = [kilos('840', 840), kilos('35', 35), kilos('12.5', 12.5)];

test('a function that received a number as text and returned another number is described if it returned the received number in all other calls', () => {
  expect(say(kilos('1.2E+4', 1), WEIGHTS)).toMatchObject({
    text: '`parseKilos` returned 1 for `cell` "1.2E+4"; in other calls the return value is always the number in `cell`',
    step: '2',
  });
});

test.each([
  ['the text is no number', kilos('12 kg', 12), WEIGHTS],
  ['the number differs in another call, too', kilos('1.2E+4', 1), [...WEIGHTS, kilos('7', 70)]],
  ['there are only two other calls', kilos('1.2E+4', 1), WEIGHTS.slice(1)],
])('a number that differs from the text is not described if %s', (_, request, goods) => {
  expect(say(request, goods)).toBeUndefined();
});

const hour = (time: string, returns: number): ReadTrace =>
  handle({ name: 'toHour', inputs: { time }, returns });
const FULL_HOURS = [hour('09:00', 9), hour('17:00', 17), hour('22:00', 22)];

test('a function that returned only the number at the start of a text is described if this number was always followed by zeros in other calls', () => {
  expect(say(hour('08:30', 8), FULL_HOURS)).toMatchObject({
    text: '`toHour` returned 8 for `time` "08:30" and ignored 30; in other calls the ignored digits are always zeros',
    step: '2',
  });
});

test.each([
  ['another call ignored digits, too', hour('08:30', 8), [...FULL_HOURS, hour('11:45', 11)]],
  ['another call did not ignore them', hour('08:30', 8), [...FULL_HOURS, hour('06:00', 6.5)]],
  ['the number is not the result', hour('08:30', 8.5), FULL_HOURS],
  ['only zeros were ignored', hour('08:00', 8), FULL_HOURS],
  ['there are only two other calls', hour('08:30', 8), FULL_HOURS.slice(1)],
  ['all other calls had the same result', hour('08:30', 8), FULL_HOURS.map(() => hour('09:00', 9))],
])('ignored digits of a text are not described if %s', (_, request, goods) => {
  expect(say(request, goods)).toBeUndefined();
});
