import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { compareTraces, findFirstDifference, type ReadTrace } from '../comparison.ts';
import { type Answer, type Call, readCalls } from '../read-calls.fixture.ts';

const UNDEFINED = { $type: 'undefined' };
const NAN = { $type: 'number', value: 'NaN' };
const PROMISE = { $type: 'object', class: 'Promise', properties: {} };

/** Returns the sentence about the cause of a failure. Compares the failed request with the first of the successful requests. */
function say(failed: ReadTrace, goods: readonly ReadTrace[]) {
  const [right, ...further] = goods;
  if (right === undefined) throw new Error('there is a good request');
  return findFirstDifference(failed, right, further);
}

test("a differing value that the error's message contains is described rather than other differing values", () => {
  const record = (line: string, size: number): ReadTrace =>
    readCalls(
      {
        name: 'buildFile',
        ...(size > 64 ? { throws: `record has ${size} bytes instead of 64` } : { returns: line }),
        calls: [
          { name: 'textField', inputs: { text: line.trim() }, returns: line },
          {
            name: 'encode',
            inputs: { line },
            locals: { size },
            ...(size > 64 ? { throws: `record has ${size} bytes instead of 64` } : { returns: size }),
          },
        ],
      },
      { line: line.trim() },
    );
  const goods = ['Ann ', 'Bob '].map((line) => record(line, 64));
  expect(say(record('Jörg ', 65), goods)).toMatchObject({
    text: '`textField` returned "Jörg ", then `line` is "Jörg " instead of "Ann " in `encode`, then `size` is 65 instead of 64',
    step: '3',
  });
});

test('a value that the message of the error response quotes is described at the function that returned the value, not at the function that wrote the message', () => {
  const book = (room: string, maxGuests: number, answer?: Answer): ReadTrace =>
    readCalls(
      {
        name: 'bookRoom',
        calls: [
          { name: 'rulesFor', inputs: { room }, returns: { maxGuests, opens: 7 } },
          {
            name: 'violations',
            inputs: { rules: { maxGuests, opens: 7 }, guests: 12 },
            returns: answer === undefined ? [] : ['at most 8 guests'],
          },
        ],
      },
      { room, guests: 12 },
      answer,
    );
  const goods = [book('deck', 12), book('hall', 40), book('loft', 16)];
  expect(say(book('forum', 8, { status: 422, body: { error: 'at most 8 guests' } }), goods)).toMatchObject({
    text: '`room` is "forum" instead of "deck" in `rulesFor`, then `rulesFor` returned { maxGuests: 8, opens: 7 }: `maxGuests` is 8 instead of 12',
    step: '2',
  });
});

test('a value that the client sent is not the cause, even if the message contains the value', () => {
  const draw = (count: number, available: number): ReadTrace =>
    readCalls(
      {
        name: 'draw',
        inputs: { count },
        locals: { available },
        ...(available < count ? { throws: `cannot draw ${count} from ${available}` } : { returns: 'drawn' }),
      },
      { count },
    );
  expect(say(draw(4, 2), [draw(3, 6), draw(5, 6)])).toMatchObject({
    text: '`count` is 4 instead of 3 in `draw`, then `available` is 2 instead of 6',
  });
});

test("the boolean result that led to an error is described rather than values that the error's message contains", () => {
  const check = (version: string, isOlder: boolean): ReadTrace =>
    readCalls({
      name: 'assertSupported',
      inputs: { version },
      ...(isOlder ? { throws: `version ${version} is too old` } : { returns: true }),
      calls: [{ name: 'isOlder', inputs: { version }, returns: isOlder }],
    });
  expect(say(check('3.10.1', true), [check('3.9.7', false), check('3.9.8', false)])).toMatchObject({
    text: '`version` is "3.10.1" instead of "3.9.7" in `isOlder`, then `isOlder` returned true instead of false',
    step: '2',
  });
});

test('a result that is not a number is explained by a promise that was not awaited', () => {
  const pay = (hours: number, more: Partial<Call>, gross: CapturedValue): ReadTrace =>
    readCalls(
      {
        name: 'createPayslip',
        ...(gross === NAN ? { throws: 'not an amount: NaN' } : { returns: 'payslip' }),
        calls: [
          { name: 'grossPay', inputs: { hours }, returns: gross, ...more },
          {
            name: 'formatEuro',
            inputs: { cents: gross },
            ...(gross === NAN ? { throws: 'not an amount: NaN' } : { returns: '1' }),
          },
        ],
      },
      { hours },
    );
  const goods = [140, 150, 160].map((hours) => pay(hours, { locals: { pay: hours * 28 } }, hours * 28));
  const late = pay(168, { locals: { overtime: 8, factor: PROMISE, pay: NAN } }, NAN);
  expect(say(late, goods)).toMatchObject({
    text: '`hours` is 168 instead of 140 in `grossPay`, then `factor` is Promise {} instead of nothing',
    step: '2',
  });
});

test('an error that the caller caught is described together with the result that the caller returned instead', () => {
  const quote = (from: string, isBroken: boolean): ReadTrace =>
    readCalls(
      {
        name: 'quote',
        ...(isBroken ? { throws: 'of null' } : { returns: 1 }),
        calls: [
          {
            name: 'fetchRates',
            inputs: { from },
            returns: isBroken ? null : [{ mid: 1.2 }],
            calls: [
              {
                name: 'readSheet',
                inputs: { from },
                ...(isBroken ? { throws: 'not valid JSON' } : { returns: [{ mid: 1.2 }] }),
              },
            ],
          },
          {
            name: 'midRate',
            inputs: { rates: isBroken ? null : [{ mid: 1.2 }] },
            ...(isBroken ? { throws: 'of null' } : { returns: 1.2 }),
          },
        ],
      },
      { from },
    );
  const goods = ['EUR', 'GBP', 'USD'].map((from) => quote(from, false));
  expect(say(quote('CHF', true), goods)).toMatchObject({
    text: '`readSheet` threw “not valid JSON”, then `fetchRates` returned null instead of [{ mid: 1.2 }]',
    step: '2',
  });
});

test.each(['find', 'filter', 'some', 'every'])(
  'an asynchronous callback of %s is described, because its promise always counts as true',
  (method) => {
    const pick = (height: number, isTooHigh: boolean): ReadTrace =>
      readCalls({
        name: 'book',
        ...(isTooHigh ? { throws: 'no deck' } : { returns: 'ok' }),
        calls: [
          {
            name: 'firstSuitable',
            inputs: { height },
            returns: { id: 'puffin' },
            calls: [{ name: `ferries.${method}() callback`, detached: true, returns: !isTooHigh }],
          },
        ],
      });
    const goods = [1, 2, 2.5].map((height) => pick(height, false));
    expect(say(pick(3.2, true), goods)).toMatchObject({
      text: `\`ferries.${method}() callback\` is asynchronous, so its promise was used instead of its result, then \`firstSuitable\` returned { id: "puffin" }`,
      step: '2',
    });
    // The callback is also asynchronous in a request that succeeded.
    expect(say(pick(2, false), goods)).toBeUndefined();
  },
);

test('a look-up without result is explained by capital letters in the value if the values of other requests have only small letters', () => {
  const claim = (email: string, isKnown: boolean): ReadTrace =>
    readCalls(
      {
        name: 'fileClaim',
        locals: { policy: isKnown ? { number: 'H-1' } : UNDEFINED },
        ...(isKnown ? { returns: 'filed' } : { throws: 'no policy' }),
        calls: [
          { name: 'cleanClaim', inputs: { body: { email } }, returns: { email } },
          { name: 'policyOf', inputs: { email }, returns: isKnown ? { number: 'H-1' } : UNDEFINED },
        ],
      },
      { email },
    );
  const goods = ['eva@x.org', 'max@x.org', 'ida@x.org'].map((email) => claim(email, true));
  expect(say(claim('Eva@x.org', false), goods)).toMatchObject({ step: '2' });
  const mixed = ['Eva@x.org', 'max@x.org', 'ida@x.org'].map((email) => claim(email, true));
  expect(say(claim('Zoe@x.org', false), mixed)).toMatchObject({ step: '3' });
});

test('retries are described rather than the pauses between them', () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const quote = (attempts: number): ReadTrace => {
    const calls = Array.from({ length: attempts }, (_, index) => ({
      name: 'requestMember',
      ...(attempts > 1 ? { throws: 'loyalty service failed' } : { returns: 'Ida' }),
      ms: [index * 200, 10] as const,
    }));
    const pauses = calls
      .slice(1)
      .map((_, index) => ({ name: 'pause', ms: [index * 200 + 10, 190] as const }));
    const request = readCalls({ name: 'quote', returns: 1, calls: [...calls, ...pauses] });
    const times = [...calls, ...pauses].map(({ ms }) => ms);
    const steps = request.steps.map((step, index) => {
      const [from, ms] = times[index - 1] ?? [0, attempts * 200];
      return { ...step, startTime: at(from), endTime: at(from + ms), duration: ms };
    });
    return { ...request, trace: { ...request.trace, id: 't', duration_micros: attempts * 200_000 }, steps };
  };
  const { statements } = compareTraces(quote(6), quote(1), [], null);
  expect(statements[0]?.text).toBe('`requestMember` was called 6 times in a row: each call failed');
});

test('a function that found nothing for a key is described rather than the functions that computed an unusual number', () => {
  const checkOut = (country: string, unitCents: number, quantity: number): ReadTrace => {
    const entry = country === 'UK' ? undefined : { rate: 0.2 };
    const outcome: Partial<Call> =
      entry === undefined ? { throws: "of undefined (reading 'rate')" } : { returns: entry.rate };
    const items = [
      { unitCents, quantity },
      { unitCents: 26_575, quantity: 1 },
    ];
    const lines = items.map((item) => ({ priceCents: Math.round(item.unitCents * item.quantity * 0.95) }));
    const netCents = lines.reduce((sum, line) => sum + line.priceCents, 0);
    return readCalls(
      {
        name: 'checkOut',
        ...outcome,
        calls: [
          { name: 'loadCart', returns: items },
          { name: 'priceLines', inputs: { items }, returns: lines },
          { name: 'sumLines', inputs: { lines }, returns: netCents },
          {
            name: 'taxFor',
            inputs: { country, netCents },
            locals: { entry: entry ?? UNDEFINED },
            ...outcome,
          },
        ],
      },
      {},
    );
  };
  const goods = [checkOut('GB', 2490, 1), checkOut('PL', 3990, 2), checkOut('FR', 5990, 3)];
  expect(say(checkOut('UK', 2340, 5), goods)).toMatchObject({
    text: '`country` is "UK" instead of "GB" and `netCents` is 36361 instead of 27612 in `taxFor`, then `entry` is undefined instead of { rate: 0.2 }',
    step: '5',
  });
});
