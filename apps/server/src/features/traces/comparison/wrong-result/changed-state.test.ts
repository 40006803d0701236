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

function traceDuty(owed: number, unfinished = false): ReadTrace {
  return handle({
    name: 'assessDuty',
    returns: owed,
    calls: [{ name: 'goods.forEach() callback', inputs: { origin: 'TR' }, unfinished }],
  });
}
const DUTIES = [traceDuty(10), traceDuty(20), traceDuty(30)];

test('a function that returned before one of its own calls was finished is described', () => {
  expect(say(traceDuty(3180, true), DUTIES)).toEqual({
    text: '`assessDuty` returned 3180 before its call of `goods.forEach() callback` was finished; in other requests this call was always finished',
    step: '2',
    other: null,
  });
});

test.each([
  ['the call was not finished in another request, too', [...DUTIES, traceDuty(40, true)]],
  ['there are only two other calls', DUTIES.slice(0, 2)],
])('an unfinished call is not described if %s', (_, goods) => {
  expect(say(traceDuty(3180, true), goods)).toBeUndefined();
});

const LAPS = [60, 58, 59].map((ms, at) => ({ lap: at + 1, ms }));
const SORTED = [...LAPS].sort((a, b) => a.ms - b.ms);

function traceHeat(best: boolean, laps: CapturedValue, flag: CapturedValue): ReadTrace {
  const podium: Call = {
    name: 'podium',
    inputs: { laps: LAPS },
    parameters: { laps: SORTED },
    returns: [58],
  };
  return handle(
    ...(best ? [podium] : []),
    { name: 'average', inputs: { laps }, returns: 59 },
    { name: 'flagLap', inputs: { laps }, returns: flag },
  );
}
const HEATS = [1, 2, 3].map((plus) => {
  const laps = LAPS.map(({ lap, ms }) => ({ lap, ms: ms + plus }));
  return traceHeat(false, laps, { lap: 3, ms: 59 + plus });
});

test('if a function changed the order of a list, this is described at the later call that received the list and returned one of its items', () => {
  expect(say(traceHeat(true, SORTED, { lap: 1, ms: 60 }), HEATS)).toEqual({
    text: '`podium` changed the order of `laps`, then `flagLap` received the list in this order and returned { lap: 1, ms: 60 }',
    step: '4',
    other: null,
  });
});

test.each([
  [
    'the function received a list in no order in another request, too',
    [...HEATS, traceHeat(false, [...LAPS].reverse(), { lap: 1, ms: 60 })],
  ],
  ['there are only two other calls', HEATS.slice(0, 2)],
])('a changed order is not described if %s', (_, goods) => {
  expect(say(traceHeat(true, SORTED, { lap: 1, ms: 60 }), goods)).toBeUndefined();
});

function traceLicense(reader: string, expiresAt: CapturedValue): ReadTrace {
  return handle({ name: reader, inputs: { key: 'k1' }, returns: { reader, expiresAt } });
}
const LICENSES = [
  traceLicense('fromStore', 1_956_528_000_000),
  traceLicense('fromShop', 1_940_630_400_000),
  traceLicense('fromShop', 1_995_926_399_999),
];

test('a time in seconds is described if other times of the same name are in milliseconds', () => {
  expect(say(traceLicense('fromReseller', 1_924_905_600), LICENSES)).toEqual({
    text: '`fromReseller` returned 1924905600 for `expiresAt`, a time in seconds; in other requests `expiresAt` is a time in milliseconds',
    step: '2',
    other: null,
  });
});

test.each([
  ['the time is in milliseconds, too', traceLicense('fromReseller', 1_924_905_600_000), LICENSES],
  ['the number is no time', traceLicense('fromReseller', 19_249), LICENSES],
  [
    'another request has a time in seconds',
    traceLicense('fromReseller', 1_924_905_600),
    [...LICENSES, traceLicense('fromPartner', 1_924_900_000)],
  ],
  ['there are only two other times', traceLicense('fromReseller', 1_924_905_600), LICENSES.slice(0, 2)],
])('the unit of a time is not described if %s', (_, request, goods) => {
  expect(say(request, goods)).toBeUndefined();
});

function traceProfile(own: CapturedValue, site: CapturedValue, merged: CapturedValue): ReadTrace {
  return handle({ name: 'profile', inputs: { own, site }, returns: merged });
}
const SITE = { language: 'sv', cut: true };
const PROFILES = [
  traceProfile({ dpi: 300 }, SITE, { ...SITE, dpi: 300 }),
  traceProfile({ dpi: 200, media: '62x29' }, SITE, { ...SITE, dpi: 200, media: '62x29' }),
  traceProfile({ speed: 3 }, SITE, { ...SITE, speed: 3 }),
];

test('if the result always had the members of one input, a member that comes from another input is described', () => {
  const site = { ...SITE, media: '105x148' };
  expect(say(traceProfile({ media: '62x29' }, site, site), PROFILES)).toEqual({
    text: '`profile` received "62x29" as `own.media`, but returned "105x148" as `media`, which is the value of `site.media`; in other calls the returned members always have the values of `own`',
    step: '2',
    other: null,
  });
});

test.each([
  [
    'the input is the same in all calls, as defaults are',
    traceProfile(SITE, { language: 'de' }, { ...SITE, language: 'de' }),
    [1, 2, 3].map((dpi) => traceProfile(SITE, { dpi }, { ...SITE, dpi })),
  ],
  [
    'the value is from no other input',
    traceProfile({ media: '62x29' }, SITE, { ...SITE, media: '62 x 29' }),
    PROFILES,
  ],
  [
    'another call replaced a member, too',
    traceProfile({ media: '62x29' }, { media: '105x148' }, { media: '105x148' }),
    [...PROFILES, traceProfile({ dpi: 300 }, { dpi: 200 }, { dpi: 200 })],
  ],
])('a member that comes from another input is not described if %s', (_, request, goods) => {
  expect(say(request, goods)).toBeUndefined();
});

function credit(returns: number, reference: string, amountCents = 2500, id = 'w1'): Call {
  return { name: 'credit', inputs: { id, amountCents, reference }, returns };
}
const CAPTURE: Call = { name: 'capture', throws: 'no answer' };

function traceTopUp([first = 0, ...further]: readonly number[], failed = false, amount = 2500): ReadTrace {
  return handle(
    credit(first, 'c0'),
    ...(failed ? [CAPTURE] : []),
    ...further.map((balance, at) => credit(balance, `c${at + 1}`, amount)),
  );
}
const TOP_UPS = [traceTopUp([1000]), traceTopUp([2000]), traceTopUp([3000])];

test('a function that a retry called again with the same inputs and that returned another result is described', () => {
  expect(say(traceTopUp([3650, 6150], true), TOP_UPS)).toEqual({
    text: '`credit` was called 2 times with the same `id` and `amountCents` and returned 3650, then 6150. `capture` had failed before; in other requests `credit` was called once',
    step: '4',
    other: null,
  });
});

test('only calls with the same inputs count as repeated calls', () => {
  const request = handle(credit(900, 'c0', 700, 'w2'), credit(3650, 'c1'), CAPTURE, credit(6150, 'c2'));
  expect(say(request, TOP_UPS)?.text).toContain('was called 2 times with the same `id` and `amountCents`');
});

test.each([
  [
    'both calls were made after the failure',
    handle(CAPTURE, credit(3650, 'c0'), credit(6150, 'c1')),
    TOP_UPS,
  ],
  ['no call had failed before', traceTopUp([3650, 6150]), TOP_UPS],
  ['both results are equal', traceTopUp([3650, 3650], true), TOP_UPS],
  ['the amounts differ', traceTopUp([3650, 6150], true, 900), TOP_UPS],
  ['another request called it twice, too', traceTopUp([3650, 6150], true), [...TOP_UPS, traceTopUp([1, 2])]],
  ['there are only two other requests', traceTopUp([3650, 6150], true), TOP_UPS.slice(0, 2)],
])('a function that was called twice is not described if %s', (_, request, goods) => {
  expect(say(request, goods)).toBeUndefined();
});

function traceMail(text: string, orders: readonly string[]): ReadTrace {
  return handle({ name: 'findOrders', inputs: { text }, returns: { orders } });
}
const MAILS = [
  traceMail('Order RX-204117 is late', ['RX-204117']),
  traceMail('Where is rx-204302?', ['RX-204302']),
  traceMail('Lost: RX-204388', ['RX-204388']),
  traceMail('Hello, are you open?', []),
];

test('a function that found nothing in a text is described if the text contains a part of the form that other calls found', () => {
  expect(say(traceMail('Order RX-204455 is broken', []), MAILS)).toEqual({
    text: '`text` contains "RX-204455", but `findOrders` returned { orders: [] }; in other calls the return value contains a part of `text` with this form',
    step: '2',
    other: null,
  });
});

test.each([
  ['the text has no part of this form', traceMail('Order AB-1234 is broken', []), MAILS],
  [
    'another call did not return such a part, too',
    traceMail('Order RX-204455 is broken', []),
    [...MAILS, traceMail('RX-204999 is fine', [])],
  ],
  ['only two other calls returned such a part', traceMail('Order RX-204455 is broken', []), MAILS.slice(1)],
])('a part that was not found in a text is not described if %s', (_, request, goods) => {
  expect(say(request, goods)).toBeUndefined();
});

const plot = (holder: string) => ({ id: 7, size: 210, holder });

function traceChange(
  read: CapturedValue,
  { forgotten = false, given = {} }: { forgotten?: boolean; given?: CapturedValue } = {},
): ReadTrace {
  return handle(
    {
      name: 'update',
      inputs: { id: 7, holder: 'Berg' },
      returns: plot('Berg'),
      calls: [{ name: 'find', inputs: { id: 7 }, returns: plot('Jansen') }],
    },
    { name: 'forget', inputs: { id: 7 }, returns: forgotten },
    { name: 'recall', inputs: { given }, returns: read },
  );
}
const CHANGE = traceChange(plot('Berg'));

test('an object that is returned without an earlier change is described, and so is the function that failed to remove the object from the cache', () => {
  expect(say(traceChange(plot('Jansen')), [CHANGE])).toMatchObject({
    text: '`forget` returned false, then `recall` returned { id: 7, size: 210, holder: "Jansen" }, as before `update` changed `holder` to "Berg"',
    step: '4',
  });
  expect(say(traceChange(plot('Jansen'), { forgotten: true }), [CHANGE])).toMatchObject({
    text: expect.stringMatching(/^`recall` returned/),
    step: '5',
  });
});

test.each([
  ['another request has such a result, too', traceChange(plot('Jansen')), traceChange(plot('Jansen'))],
  [
    'the function received the earlier object',
    traceChange(plot('Jansen'), { given: plot('Jansen') }),
    CHANGE,
  ],
  ['the returned object is another one', traceChange({ id: 8, size: 150, holder: 'Kaya' }), CHANGE],
])('an object without an earlier change is not described if %s', (_, request, good) => {
  expect(say(request, [good])).toBeUndefined();
});

const cart = (n: number) => ({ id: 1, n });

function traceCart(...calls: readonly Call[]): ReadTrace {
  return handle(
    { name: 'getCart', returns: cart(0) },
    { name: 'add', inputs: { n: 1 }, returns: cart(1) },
    ...calls,
  );
}
const CART = traceCart({ name: 'getCart', returns: cart(1) });

test.each<[string, readonly Call[]]>([
  ['the function clears the object', [{ name: 'clear', returns: cart(0) }]],
  [
    'a function that was called in it undid the change',
    [{ name: 'tap', returns: cart(0), calls: [{ name: 'undo' }] }],
  ],
  ['a function reset the object before', [{ name: 'resetCart' }, { name: 'getCart', returns: cart(0) }]],
  ['the function received the earlier value', [{ name: 'put', inputs: { n: 0 }, returns: cart(0) }]],
])('an object without an earlier change is not described if %s', (_, calls) => {
  expect(say(traceCart(...calls), [CART])).toBeUndefined();
  expect(say(traceCart({ name: 'getCart', returns: cart(0) }), [CART])).toMatchObject({ step: '4' });
});
