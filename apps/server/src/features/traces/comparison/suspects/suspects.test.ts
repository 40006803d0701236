import type { CapturedValue } from '@throughline/contract';
import { expect, test } from 'vitest';
import { compareTraces, findFirstDifference, type ReadTrace } from '../comparison.ts';
import { type Call, readCalls } from '../read-calls.fixture.ts';

/** Returns the sentence about the cause of a failure. Compares the failed request with the first of the successful requests. */
function say(failed: ReadTrace, goods: readonly ReadTrace[]) {
  const [right, ...further] = goods;
  if (right === undefined) throw new Error('there is a good request');
  return findFirstDifference(failed, right, further);
}

/** Returns the first sentence about a request that is compared with successful requests. */
function compare(request: ReadTrace, goods: readonly ReadTrace[]) {
  const [right, ...further] = goods;
  if (right === undefined) throw new Error('there is a good request');
  return compareTraces(request, right, further, null).statements[0];
}

function traceIssue(donor: string, recipient: string, din: string, fits = true): ReadTrace {
  const units = [{ din, type: donor }];
  const patient = { type: recipient };
  const suitable = fits ? units : [];
  const throws = 'no units are in stock';
  return readCalls(
    {
      name: 'issue',
      ...(fits ? { returns: din } : { throws }),
      calls: [
        { name: 'readStock', inputs: { site: `site of ${din}` }, returns: units },
        {
          name: 'listSuitable',
          inputs: { units, patient },
          returns: suitable,
          calls: [
            {
              name: 'units.filter() callback',
              inputs: { unit: units[0] ?? null },
              returns: fits,
              calls: [{ name: 'isCompatible', inputs: { donor, recipient }, returns: fits }],
            },
          ],
        },
        { name: 'choose', inputs: { units: suitable }, ...(fits ? { returns: din } : { throws }) },
      ],
    },
    patient,
  );
}

test('if a filter left a list empty, the function that rejected the items is described, not the items', () => {
  const goods = ['1', '2', '3'].map((id) => traceIssue('A+', 'A+', `N-88${id}`));
  expect(say(traceIssue('O-', 'A+', 'F-0071', false), goods)?.text).toBe(
    '`donor` is "O-" instead of "A+" in `isCompatible`, then `isCompatible` returned false instead of true',
  );
});

function traceRender(locale: string, language = locale): ReadTrace {
  const isForeign = language !== locale;
  const throws = `no text for deposit in ${language}`;
  return readCalls({
    name: 'render',
    inputs: { agent: { locale } },
    locals: { language },
    ...(isForeign ? { throws } : { returns: `letter in ${language}` }),
    calls: [
      {
        name: 'findCatalog',
        inputs: { language },
        returns: isForeign ? { language } : { language, deposit: 'deposit' },
      },
      { name: 'findPhrase', inputs: { language }, ...(isForeign ? { throws } : { returns: 'deposit' }) },
    ],
  });
}

test('a variable that was always a copy of an input is described if it has another text', () => {
  const goods = [traceRender('fr'), traceRender('de'), traceRender('fr')];
  expect(say(traceRender('fr', 'pl'), goods)).toMatchObject({
    text: '`language` is "pl" in `render`, but `agent.locale` is "fr"; in other calls both are always equal',
    step: '1',
  });
});

test('a variable with the same text in all calls does not count as a copy of an input', () => {
  const goods = [traceRender('fr'), traceRender('fr'), traceRender('fr')];
  expect(say(traceRender('fr', 'pl'), goods)?.text).not.toContain('both are always equal');
});

function traceRenew(day: string, until: string, open = true): ReadTrace {
  const month = until.slice(0, 7);
  const throws = `period ${month} is not open`;
  return readCalls(
    {
      name: 'renew',
      inputs: { number: `r-${day}` },
      ...(open ? { returns: until } : { throws }),
      calls: [
        {
          name: 'findRental',
          inputs: { number: `r-${day}` },
          returns: { number: `r-${day}`, paidUntil: day },
        },
        { name: 'addMonths', inputs: { day, months: 1 }, returns: until },
        { name: 'readMonth', inputs: { day: until }, returns: month },
        { name: 'openPeriod', inputs: { month }, ...(open ? { returns: 'open' } : { throws }) },
      ],
    },
    { number: `r-${day}` },
  );
}
const RENEWALS = [
  traceRenew('2024-12-11', '2025-01-11'),
  traceRenew('2024-12-31', '2025-01-31'),
  traceRenew('2025-01-14', '2025-02-14'),
];

test('the sentence about a failed request names the first computation of the value that a function refused, and the calls from there to the failure', () => {
  expect(say(traceRenew('2025-01-31', '2025-03-03', false), RENEWALS)).toMatchObject({
    text: '`day` is "2025-01-31" instead of "2024-12-11" in `addMonths`, then `addMonths` returned "2025-03-03" instead of "2025-01-11", then `readMonth` returned "2025-03"',
    step: '3',
  });
});

test('a computation with the same inputs and result as in a successful request is not described', () => {
  const said = say(traceRenew('2025-01-14', '2025-02-14', false), RENEWALS);
  expect(said?.text ?? '').not.toContain('addMonths` returned');
});

function traceRefund(fare: string, hours: number, share: number): ReadTrace {
  const reference = `K${hours}`;
  const booking = { reference, fare, show: `show ${hours}` };
  const calls: Call[] = [
    { name: 'load', inputs: { reference }, returns: booking },
    { name: 'findShare', inputs: { fare, hours }, returns: share },
  ];
  return readCalls({ name: 'handle', inputs: { reference }, returns: { refund: share * 100 }, calls });
}
const REFUNDS = [
  traceRefund('standard', 90, 0.5),
  traceRefund('promo', 12, 0),
  traceRefund('standard', 120, 0.25),
  traceRefund('promo', 200, 0),
];

test('if a request succeeded, the function that computed a value for a new kind of input is described, rather than the function that looked up the input', () => {
  expect(compare(traceRefund('flex', 100, 0.5), REFUNDS)?.text).toBe(
    '`fare` is "flex" instead of "standard" and `hours` is 100 instead of 90 in `findShare`, then `findShare` returned 0.5, as in the other request',
  );
});

test('if a request succeeded, a function that returned a number out of the usual range is described', () => {
  expect(compare(traceRefund('standard', 100, 0.75), REFUNDS)?.text).toContain('`findShare` returned 0.75');
});

test.each([
  [40, '`load` returned "b" instead of "a"'],
  [80, 'took 81 ms'],
])(
  'the first sentence about a request that took %d ms longer and returned another value contains %s',
  (addedMs, expected) => {
    const load = (returns: CapturedValue, ms: number) => {
      const read = readCalls({ name: 'load', inputs: { id: 1 }, returns });
      const steps = read.steps.map((step) => ({ ...step, duration: ms }));
      return { ...read, steps, trace: { ...read.trace, duration_micros: ms * 1000 } };
    };
    const goods = [load('a', 1), load('a', 1), load('a', 1), load('a', 1)];
    expect(compare(load('b', 1 + addedMs), goods)?.text).toContain(expected);
  },
);

function traceQuote(bleed: number, used: number, fits = true): ReadTrace {
  const throws = 'no sheet is large enough';
  return readCalls({
    name: 'quote',
    ...(fits ? { returns: used } : { throws }),
    calls: [
      { name: 'readJob', inputs: { body: { bleed } }, locals: { bleed: used }, returns: { bleed: used } },
      {
        name: 'chooseSheet',
        inputs: { long: 480 + 2 * used },
        ...(fits ? { returns: 'SRA3' } : { throws }),
      },
    ],
  });
}

test('a default value that replaced an input of 0 is described for failed requests, too', () => {
  const goods = [traceQuote(1, 1), traceQuote(2, 2), traceQuote(1, 1)];
  expect(say(traceQuote(0, 3, false), goods)?.text).toContain(
    '`body.bleed` is 0 in `readJob`, but `bleed` is 3',
  );
});

function traceSum(cents: number, isLost = false): ReadTrace {
  const totals = { reduced: cents };
  const undefinedValue = { $type: 'undefined' };
  const returns = isLost ? undefinedValue : totals;
  return readCalls({
    name: 'report',
    ...(isLost ? { throws: 'totals is undefined' } : { returns: cents }),
    calls: [
      { name: 'countCents', inputs: { grams: cents * 2 }, returns: cents },
      { name: 'addLine', inputs: { totals, line: { rate: `rate ${cents}` } }, returns },
      {
        name: 'listRows',
        inputs: { totals: returns },
        ...(isLost ? { throws: 'totals is undefined' } : { returns: [cents] }),
      },
    ],
  });
}

test('a function that returned nothing for an object is described, not the function that computed a member of the object', () => {
  expect(say(traceSum(2830, true), [traceSum(100), traceSum(200), traceSum(300)])).toMatchObject({
    text: expect.stringContaining('`addLine` returned undefined instead of { reduced: 100 }'),
    step: '3',
  });
});

function traceOpen(name: string, family: string, isKnown = true): ReadTrace {
  const throws = `no family ${family}`;
  return readCalls(
    {
      name: 'search',
      ...(isKnown ? { returns: family } : { throws }),
      calls: [
        { name: 'slugOf', inputs: { name }, returns: family },
        {
          name: 'openVolume',
          inputs: { family },
          locals: { records: isKnown ? [1860] : { $type: 'undefined' } },
          ...(isKnown ? { returns: 1 } : { throws }),
        },
      ],
    },
    { name },
  );
}

test('if the function that threw found nothing for a key, the function that computed the key is described', () => {
  const goods = [traceOpen('Götz', 'goetz'), traceOpen('Jäger', 'jaeger'), traceOpen('Weiß', 'weiss')];
  expect(say(traceOpen('Mu\u0308ller', 'mu-ller', false), goods)).toMatchObject({
    text: expect.stringContaining('`slugOf` returned "mu-ller" instead of "goetz"'),
    step: '2',
  });
});

/** Builds a request that calls `load` and then the function `name`. The input `note` of `load` differs for different `inputs`. */
function calculate(name: string, inputs: { readonly [name: string]: CapturedValue }, returns: CapturedValue) {
  const note = JSON.stringify(inputs);
  const calls: Call[] = [
    { name: 'load', inputs: { note }, returns: { note, title: `title of ${note}` } },
    { name, inputs, returns },
  ];
  return readCalls({ name: 'handle', inputs: { note }, returns: 'done', calls });
}

test.each([
  [
    'a sum of a list',
    'addUp',
    [
      [10, 20],
      [5, 1],
      [7, 8],
    ],
    [30, 6, 15],
    [4, 9],
    14,
  ],
  ['a number of items', 'count', [[10, 20, 1], [5], [7, 8]], [3, 1, 2], [4, 9], 3],
])(
  'if a request succeeded, a function that usually returns %s is described if it returned another number',
  (_, name, lists, results, list, wrong) => {
    const goods = lists.map((values, at) => calculate(name, { values }, results[at] ?? 0));
    expect(compare(calculate(name, { values: list }, wrong), goods)?.text).toContain(
      `\`${name}\` returned ${wrong}`,
    );
  },
);

test('if a request succeeded, a function that usually returns the product of two inputs is described if it returned another number', () => {
  const line = (count: number, price: number, returns: number) =>
    calculate('priceOf', { count, price }, { total: returns });
  expect(compare(line(3, 7, 30), [line(2, 10, 20), line(4, 5, 20), line(1, 99, 99)])?.text).toContain(
    '`total` in its result is 30',
  );
});

test('if a request succeeded, a function that compared two equal numbers is described', () => {
  const check = (stock: number, wanted: number, returns: boolean) =>
    calculate('isAvailable', { stock, wanted }, returns);
  const goods = [check(20, 10, true), check(30, 12, true), check(40, 50, false)];
  expect(compare(check(25, 25, false), goods)?.text).toContain('`isAvailable` returned false');
});

test('if a request succeeded, a value that a function computed is described rather than data that the request looked up', () => {
  const show = (id: string, name: string, title: string): ReadTrace =>
    readCalls({
      name: 'show',
      calls: [
        { name: 'findDoctor', inputs: { id }, returns: { id, name, room: name.length } },
        { name: 'writeTitle', inputs: { name }, returns: title },
      ],
    });
  const goods = [
    show('young', 'Young', 'Dr. Young'),
    show('silva', 'Silva', 'Dr. Silva'),
    show('ek', 'Ek', 'Dr. Ek'),
  ];
  expect(compare(show('okoro', 'Okoro', 'Prof. Okoro'), goods)).toMatchObject({
    text: expect.stringContaining('`writeTitle` returned "Prof. Okoro"'),
    step: '3',
  });
  // Without a computed value, the data is described.
  expect(compare(show('okoro', 'Okoro', 'Okoro'), goods)?.text).toContain('in `findDoctor`');
});

test('the comparison of a slow request adds up the time of one function over all calls of the function that called it', () => {
  const list = (items: number, ms: number): ReadTrace => {
    const read = readCalls({
      name: 'list',
      calls: Array.from({ length: items }, () => ({
        name: 'rateOf',
        calls: [{ name: 'fetchRate', returns: 2 }],
      })),
    });
    const steps = read.steps.map((step) =>
      step.stepName === 'fetchRate' ? { ...step, duration: 20 } : step,
    );
    return { ...read, steps, trace: { ...read.trace, duration_micros: ms * 1000 } };
  };
  expect(compare(list(30, 650), [list(2, 50), list(1, 30)])?.text).toBe(
    '`fetchRate` ran 30 times (600 ms) instead of 2 times (40 ms) below `rateOf`',
  );
});

test('the sentence about a slow call links to the step of this request if the other request made the call elsewhere', () => {
  const query = { name: 'load', calls: [{ name: 'query', returns: 2 }] };
  const run = (stages: readonly Call[], ms: number): ReadTrace => {
    const read = readCalls({ name: 'run', calls: stages });
    const steps = read.steps.map((step) => ({ ...step, duration: step.stepName === 'query' ? ms : 0 }));
    return { ...read, steps, trace: { ...read.trace, duration_micros: ms * 1000 } };
  };
  const slow = run([{ name: 'prepare' }, { name: 'stage2', calls: [query] }], 850);
  const fast = run([{ name: 'stage1', calls: [query] }, { name: 'prepare' }], 20);
  const { statements } = compareTraces(slow, fast, [], null);
  const { stepId } = slow.steps.find(({ stepName }) => stepName === 'query') ?? { stepId: 'none' };
  expect(statements).toContainEqual(
    expect.objectContaining({
      text: expect.stringContaining('`query` took 850 ms'),
      step: stepId,
      other: '4',
    }),
  );
});

const stay = (arrival: string, departure: string, nights: number) =>
  calculate('countNights', { arrival, departure }, nights);

test('if a request succeeded, a function that calculated with times between which clocks change is described', () => {
  const goods = [
    stay('2025-03-07', '2025-03-11', 4),
    stay('2025-03-21', '2025-03-24', 3),
    stay('2025-06-01', '2025-06-03', 2),
  ];
  expect(compare(stay('2025-03-28', '2025-03-31', 2), goods)).toMatchObject({
    text: expect.stringMatching(/`countNights` returned 2 .*; clocks change between these times$/),
  });
  const more = [stay('2025-03-29', '2025-04-02', 4), ...goods];
  expect(compare(stay('2025-03-28', '2025-03-31', 2), more)?.text).not.toContain('clocks');
  expect(compare(stay('2025-07-28', '2025-07-31', 2), goods)?.text).not.toContain('clocks');
});

test('a result that the error quotes is traced back to a function that returns different results for the same inputs', () => {
  const register = (number: number, throws?: string): ReadTrace => {
    const deed = `2025/${number}`;
    const outcome = throws === undefined ? { returns: deed } : { throws };
    return readCalls({
      name: 'register',
      ...outcome,
      calls: [
        { name: 'nextNumber', inputs: { office: 'north' }, returns: number },
        { name: 'format', inputs: { year: 2025, number }, returns: deed },
        { name: 'insert', inputs: { deed }, ...outcome },
      ],
    });
  };
  const goods = [register(415), register(416), register(417)];
  expect(say(register(417, 'deed 2025/417 already exists'), goods)).toMatchObject({
    text: expect.stringContaining('`nextNumber` returned 417'),
    step: '2',
  });
});
