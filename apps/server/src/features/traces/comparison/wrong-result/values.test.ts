import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { findWrongValue, type ReadTrace } from '../comparison.ts';
import { type Call, readCalls } from '../read-calls.fixture.ts';

/** Returns the sentence about a wrong result of a successful request. Compares the request with other successful requests. */
function say(request: ReadTrace, goods: readonly ReadTrace[]) {
  const [right, ...further] = goods;
  if (right === undefined) throw new Error('there is a good request');
  return findWrongValue(request, right, further);
}

const handle = (...calls: readonly Call[]): ReadTrace => readCalls({ name: 'handle', calls });

const greet = (name: CapturedValue, returns: string): ReadTrace =>
  handle({ name: 'greet', inputs: { name }, returns });

test.each([
  ['undefined', 'Dear undefined,'],
  ['NaN', 'Total: NaN €'],
  ['[object Object]', 'Dear [object Object],'],
  ['Invalid Date', 'Until Invalid Date'],
])('a text that contains %s is described with the function that returned the text', (word, text) => {
  expect(say(greet({ first: 'Ada' }, text), [greet('Bob', 'Dear Bob,')])).toMatchObject({
    text: `\`greet\` returned a text with “${word}”: "${text}"`,
    step: '2',
  });
});

test.each([
  [
    'an input contains it',
    greet('undefined behaviour', 'About undefined behaviour'),
    greet('Bob', 'Dear Bob,'),
  ],
  ['another call returned it, too', greet('Ada', 'x is undefined'), greet('Bob', 'y is undefined')],
  ['it is a part of a word', greet('Ada', 'undefinedness'), greet('Bob', 'Dear Bob,')],
])('a text with `undefined` is not described if %s', (_, request, good) => {
  expect(say(request, [good])).toBeUndefined();
});

const add = (returns: CapturedValue): ReadTrace => handle({ name: 'add', inputs: { a: 1 }, returns });

test('a function that returned a text instead of a number is described with the text', () => {
  expect(say(add('1020'), [add(30), add(40), add(50), add(60)])).toMatchObject({
    text: '`add` returned the text "1020"; in other calls it always returned a number',
    step: '2',
  });
});

test.each([
  ['another call returned a text, too', [add(30), add('40'), add(50), add(60)]],
  ['there are only three other calls', [add(30), add(40), add(50)]],
])('a text instead of a number is not described if %s', (_, goods) => {
  expect(say(add('1020'), goods)).toBeUndefined();
});

function traceConvert(error?: string): ReadTrace {
  const rate: Call = { name: 'loadRate', inputs: { code: 'EUR' } };
  const loaded = error === undefined ? { ...rate, returns: 1.1 } : { ...rate, throws: error };
  return handle({ name: 'convert', inputs: { cents: 100 }, returns: 100, calls: [loaded] });
}

test('an error that a function threw and the caller caught is described with the result of the caller, if the function never failed in other requests', () => {
  expect(say(traceConvert('no rate'), [traceConvert(), traceConvert(), traceConvert()])).toMatchObject({
    text: '`loadRate` threw “no rate”, then `convert` returned 100 nevertheless; in other requests `loadRate` never failed',
    step: '2',
  });
});

test.each([
  ['it failed in another request, too', [traceConvert(), traceConvert('no rate'), traceConvert()]],
  ['there are only two other requests', [traceConvert(), traceConvert()]],
])('an error that a function threw and the caller caught is not described if %s', (_, goods) => {
  expect(say(traceConvert('no rate'), goods)).toBeUndefined();
});

test('an error is not described if the caller made the failed call again', () => {
  const load: Call = { name: 'loadRate', inputs: { code: 'EUR' } };
  const retried = handle({
    name: 'convert',
    returns: 100,
    calls: [
      { ...load, throws: 'no rate' },
      { ...load, returns: 1.1 },
    ],
  });
  expect(say(retried, [traceConvert(), traceConvert(), traceConvert()])).toBeUndefined();
});

const render = (locale: string, language: string): ReadTrace =>
  handle({ name: 'render', inputs: { agent: { locale } }, locals: { language }, returns: 'a letter' });
const LETTERS = [render('fr', 'fr'), render('de', 'de'), render('en', 'en'), render('fr', 'fr')];

test('a variable of a successful request that was always a copy of an input is described if it has another text', () => {
  expect(say(render('fr', 'pl'), LETTERS)).toMatchObject({
    text: '`language` is "pl" in `render`, but `agent.locale` is "fr"; in other calls both are always equal',
    step: '2',
  });
});

test.each([
  ['the variable is a part of the input', render('fr-CH', 'fr'), LETTERS],
  ['the inputs had only two texts', render('fr', 'pl'), LETTERS.filter((_, at) => at !== 2)],
])('a variable that differs from its input is not described if %s', (_, request, goods) => {
  expect(say(request, goods)).toBeUndefined();
});

function traceBoard(at: string, wheelchair: boolean, isCached: boolean, startedAt = '2026-01-01'): ReadTrace {
  const trips = [{ line: '7' }];
  const query = { at, wheelchair };
  const read = handle(
    { name: 'readQuery', inputs: { query }, returns: query },
    { name: 'writeKey', inputs: { query }, returns: `KLI@${at}` },
    {
      name: 'getOrLoad',
      inputs: { key: `KLI@${at}` },
      returns: trips,
      calls: isCached ? [] : [{ name: 'buildBoard', inputs: { at, wheelchair }, returns: trips }],
    },
  );
  const move = (time: string | null | undefined) => time?.replace('2026-01-01', startedAt) ?? '';
  const steps = read.steps.map((step) => ({
    ...step,
    startTime: move(step.startTime),
    endTime: move(step.endTime),
  }));
  return { ...read, steps };
}

test('a cached value that another request computed with another input is described together with the key of the cache', () => {
  const cached = traceBoard('08:10', true, true, '2026-01-02');
  expect(say(cached, [traceBoard('08:10', false, false)])).toMatchObject({
    text: '`writeKey` returned "KLI@08:10", then `getOrLoad` returned a value that `buildBoard` had computed in another request, for `wheelchair` false instead of true',
    step: '3',
  });
});

test.each([
  ['the other request had the same inputs', traceBoard('08:10', false, true, '2026-01-02')],
  ['the other request was later', traceBoard('08:10', true, true, '2025-12-31')],
  ['the key is another one', traceBoard('08:20', true, true, '2026-01-02')],
])('a cached value is not described if %s', (_, request) => {
  expect(say(request, [traceBoard('08:10', false, false)])).toBeUndefined();
});

function traceLabel(billed: string, shipped: string | null, sent = shipped ?? billed): ReadTrace {
  const row = { billed, shipped };
  return handle({ name: 'readRecipient', inputs: { row }, returns: { name: sent } });
}

test.each([
  [{ text: 'a text of no input', name: 'Lee Brook', says: true }],
  [{ text: 'another member of the same input', name: 'Amara Osei', says: false }],
])('if a result always copied a member of an input and now is $text, it is described: $says', (given) => {
  const goods = ['Ada Holm', 'Ben Archer', 'Cleo Dahl', 'Dora Voss'].map((name) => traceLabel(name, null));
  const text = say(traceLabel('Tariq Osei', 'Amara Osei', given.name), goods)?.text ?? '';
  expect(text.includes('both are always equal')).toBe(given.says);
});

const leadHours = (hours: number, returns: number): ReadTrace =>
  handle({ name: 'leadHours', inputs: { doctor: { hours } }, returns });

test('a return value that replaced an input of 0 is described', () => {
  const goods = [leadHours(48, 48), leadHours(2, 2), leadHours(1, 1)];
  expect(say(leadHours(0, 24), goods)).toMatchObject({
    text: '`doctor.hours` is 0, but `leadHours` returned 24; in other calls it always returned the value of `doctor.hours`',
    step: '2',
  });
  expect(say(leadHours(0, 24), [leadHours(48, 50), ...goods])).toBeUndefined();
  expect(say(leadHours(0, 0), goods)).toBeUndefined();
});

const pay = (paid: number, fare: number, isPaid: boolean): ReadTrace =>
  handle(
    { name: 'sumOf', inputs: { coins: [fare, 0] }, returns: paid },
    { name: 'isPaid', inputs: { paid, fare }, returns: isPaid },
  );

test('an inexact sum is described if a function that compared the sum with the exact number returned another result than for two equal numbers', () => {
  const goods = [pay(1, 1, true), pay(0.5, 0.8, false)];
  expect(say(pay(0.7999999999999999, 0.8, false), goods)).toMatchObject({
    text: '`sumOf` returned 0.7999999999999999, then `paid` is 0.7999999999999999 in `isPaid`, slightly different from `fare` 0.8: sums of decimals are not exact',
    step: '2',
  });
});

test.each([
  ['the function decided as about equal numbers', pay(1.2000000000000002, 1.2, true), [pay(1, 1, true)]],
  ['no other call received equal numbers', pay(0.7999999999999999, 0.8, false), [pay(0.5, 0.8, false)]],
  ['the difference is larger', pay(0.799, 0.8, false), [pay(1, 1, true)]],
  ['no sum has such a difference', pay(0.8000000000001, 0.8, false), [pay(1, 1, true)]],
])('an inexact sum is not described if %s', (_, request, goods) => {
  expect(say(request, goods)).toBeUndefined();
});
