import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { compareTraces, findFirstDifference, type ReadTrace } from './comparison.ts';
import { type Call, readCalls as read } from './read-calls.fixture.ts';

const say = (left: ReadTrace, right: ReadTrace, ...goods: readonly ReadTrace[]) =>
  findFirstDifference(left, right, goods);

test('the sentence about a call that replaced another call names both calls, and links to the step of the new call', () => {
  const order = (card: Call, balance: number, throws?: string): ReadTrace =>
    read({
      name: 'checkout',
      ...(throws === undefined ? { returns: 'paid' } : { throws }),
      calls: [{ name: 'findCard', returns: { balance }, calls: [card] }],
    });
  const own = (balance: number) => order({ name: 'fromOwn', returns: { balance } }, balance);
  const failed = order({ name: 'fromPartner', returns: { balance: 150 } }, 150, 'insufficient balance');
  expect(say(failed, own(15_000), own(9000), own(20_000))).toMatchObject({
    text: '`fromPartner` was called instead of `fromOwn` and returned { balance: 150 }, then `balance` in the result of `findCard` is 150 instead of 15000',
    step: '3',
  });
});

test('the result that led to a missing call is described before the missing call', () => {
  const visit = (day: string, isRecorded: boolean): ReadTrace =>
    read({
      name: 'checkIn',
      returns: isRecorded ? { visit: day } : { error: `not valid on ${day}` },
      calls: [
        { name: 'findPass', inputs: { id: 'P1' }, returns: { day: '2024-06-11' } },
        { name: 'dayOf', inputs: { at: `${day}T12:00` }, returns: day },
        ...(isRecorded ? [{ name: 'recordVisit', returns: true }] : []),
      ],
    });
  const goods = ['2024-06-11', '2024-06-12', '2024-06-13'].map((day) => visit(day, true));
  const [right, ...further] = goods;
  if (right === undefined) throw new Error('there is a good request');
  expect(say(visit('2024-06-10', false), right, ...further)).toMatchObject({
    text: '`at` is "2024-06-10T12:00" instead of "2024-06-11T12:00" in `dayOf`, then `dayOf` returned "2024-06-10" instead of "2024-06-11", then `recordVisit` was not called; the other request called it',
    step: '3',
  });
});

test('a result is a difference if successful requests only have other results for the same inputs', () => {
  const quote = (vehicle: string, rate: number, throws?: string): ReadTrace =>
    read(
      {
        name: 'quote',
        ...(throws === undefined ? { returns: rate * 2 } : { throws }),
        calls: [{ name: 'rateOf', inputs: { vehicle }, returns: rate }],
      },
      { vehicle },
    );
  const goods = [quote('van', 79), quote('estate', 52), quote('compact', 38)] as const;
  const difference = say(quote('estate', 79, 'rate too high'), goods[0], goods[1], goods[2]);
  // The most similar successful request has the same rate but another vehicle. The stale result only shows in comparison with the second
  // successful request.
  expect(difference).toBeUndefined();
  expect(say(quote('estate', 79, 'rate too high'), goods[1], goods[0], goods[2])?.text).toBe(
    '`rateOf` returned 79 instead of 52',
  );
});

test('variables that are unset because the function threw early, and additional list items, are not differences', () => {
  const list = (items: number, more: Partial<Call>): ReadTrace =>
    read({
      name: 'list',
      locals: items > 1 ? { items: Array.from({ length: items }, (_, at) => at), sum: 1 } : { items: [0] },
      ...more,
    });
  expect(say(list(1, { throws: 'no' }), list(3, {}), list(3, {}), list(3, {}))).toBeUndefined();
});

test('strings that look the same are described so that composed and decomposed characters can be distinguished', () => {
  const tidy = (name: string, throws?: string): ReadTrace =>
    read({ name: 'tidyName', inputs: { name }, ...(throws === undefined ? { returns: name } : { throws }) });
  const goods = ['José', 'Anna', 'Chloé'].map((name) => tidy(name));
  const [right, ...further] = goods;
  if (right === undefined) throw new Error('there is a good request');
  expect(say(tidy('Zoe\u0308', 'unknown pupil'), right, ...further)?.text).toBe(
    '`name` is "Zoe\\u0308" instead of "José" in `tidyName`',
  );
});

test('if values differ only as they do among successful requests, a comparison describes the first result that the client did not send', () => {
  const price = (weight: number, free: boolean): ReadTrace =>
    read(
      {
        name: 'quote',
        inputs: { weight },
        calls: [{ name: 'shipsFree', inputs: { weight }, returns: free }],
      },
      { weight },
    );
  const { statements } = compareTraces(
    price(2, true),
    price(3, false),
    [price(4, true), price(5, false)],
    null,
  );
  expect(statements[0]?.text).toBe(
    '`weight` is 2 instead of 3 in `shipsFree`, then `shipsFree` returned true instead of false',
  );
});

test('the value that made a function fail is described at the function that returned the value, rather than other unusual values', () => {
  const stay = (guest: number, preferences: CapturedValue, price: number): ReadTrace =>
    read({
      name: 'summarize',
      ...(preferences === null ? { throws: 'null' } : { returns: 'summary' }),
      calls: [
        { name: 'priceOf', inputs: { guest }, returns: price },
        { name: 'findGuest', inputs: { id: guest }, returns: { name: `guest ${guest}`, preferences } },
        {
          name: 'greet',
          inputs: { guest: { preferences } },
          ...(preferences === null ? { throws: 'of null' } : { returns: 'hello' }),
        },
      ],
    });
  const goods = [
    stay(1, { pillow: 'foam' }, 90),
    stay(2, { pillow: 'down' }, 120),
    stay(3, { pillow: 'down' }, 80),
  ];
  const [right, ...further] = goods;
  if (right === undefined) throw new Error('there is a good request');
  expect(say(stay(104, null, 9000), right, ...further)).toMatchObject({
    text: '`id` is 104 instead of 1 in `findGuest`, then `findGuest` returned { name: "guest 104", preferences: null }: `preferences` is null instead of { pillow: "foam" }',
    step: '3',
  });
});

test('a value is traced back through functions that received an unusual value', () => {
  const report = (typed: string, isKnown: boolean): ReadTrace =>
    read({
      name: 'report',
      ...(isKnown ? { returns: 'ok' } : { throws: 'of undefined' }),
      locals: { pupil: isKnown ? { class: '5a' } : { $type: 'undefined' } },
      calls: [
        { name: 'tidyName', inputs: { text: ` ${typed} ` }, returns: typed },
        {
          name: 'pupilOf',
          inputs: { name: typed },
          returns: isKnown ? { class: '5a' } : { $type: 'undefined' },
        },
      ],
    });
  const goods = ['Jos\u00e9', 'Anna', 'Chlo\u00e9'].map((name) => report(name, true));
  const [right, ...further] = goods;
  if (right === undefined) throw new Error('there is a good request');
  expect(say(report('Zoe\u0308', false), right, ...further)).toMatchObject({ step: '2' });
});

test('a differing member of a short result is described with the whole result', () => {
  const panel = (tests: readonly string[], throws?: string): ReadTrace =>
    read({
      name: 'order',
      ...(throws === undefined ? { returns: 'ok' } : { throws }),
      calls: [
        {
          name: 'findPanel',
          inputs: { code: 'blood' },
          returns: { code: 'blood', tests: [...tests], hours: 4 },
        },
      ],
    });
  const good = panel(['hb', 'wbc']);
  expect(say(panel(['hb', 'wbc', 'iron'], 'no tube'), good, good, good)?.text).toBe(
    '`findPanel` returned { code: "blood", tests: ["hb", "wbc", "iron"], hours: 4 }: `tests[2]` is "iron" instead of nothing',
  );
  const long = Array.from({ length: 40 }, (_, at) => `test ${at}`);
  expect(say(panel([...long, 'iron'], 'no tube'), panel(long), panel(long), panel(long))?.text).toContain(
    '` in the result of `findPanel` is ',
  );
});

test('a text with capital letters is marked as unusual if other texts have none', () => {
  const find = (name: string): ReadTrace => read({ name: 'find', inputs: { name }, returns: name.length });
  const goods = ['ida', 'max', 'zoe'].map(find);
  const [right, ...further] = goods;
  if (right === undefined) throw new Error('there is a good request');
  const { values } = compareTraces(find('Eva'), right, further, null);
  expect(values).toEqual([expect.objectContaining({ part: 'inputs', path: 'name', unusual: true })]);
});
