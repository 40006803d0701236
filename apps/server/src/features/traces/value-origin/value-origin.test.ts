import type { CapturedValue, ValuePath, ValuePlace } from '@throughline/contract';
import { describe, expect, test } from 'vitest';
import { planTrace, writeLine } from './searched.fixture.ts';
import { type AskedPlace, findValueOrigin, type SearchedTrace } from './value-origin.ts';

async function follow(
  searched: SearchedTrace,
  stepId: string | undefined,
  place: ValuePlace,
  path: ValuePath = [],
) {
  const { origin } = (await findValueOrigin(searched, { stepId, place, path })) ?? {};
  if (origin === undefined) throw new Error('no value there');
  return { ...origin, came: origin.came.map(writeLine), went: origin.went.map(writeLine) };
}

const user = 'u-71b2';
const orders = planTrace(
  [
    {
      id: 'placeOrder',
      at: [0, 100],
      stepType: 'handler',
      variables: { localVariables: { buyer: user, order: 4711 } },
    },
    {
      id: 'saveOrder',
      parent: 'placeOrder',
      at: [10, 60],
      inputs: { buyer: user },
      variables: { parameters: { buyer: user }, returnValue: { id: 4711, buyer: user } },
    },
    {
      id: 'insert',
      parent: 'saveOrder',
      at: [20, 50],
      stepName: 'INSERT orders',
      stepType: 'database',
      inputs: { query: 'INSERT INTO orders VALUES ($1)', params: [user] },
      outputs: { rows: [{ id: 4711 }] },
    },
    {
      id: 'notify',
      parent: 'placeOrder',
      at: [70, 90],
      stepName: 'POST https://mail.test/send',
      stepType: 'http',
      inputs: { url: `https://mail.test/send?to=${user}`, body: { about: '4711' } },
    },
  ],
  { body: { customer: { id: user } }, answer: { order: 4711 } },
);

describe('a value of the request', () => {
  test('is followed from the body through parameters to a query and an outgoing request', async () => {
    const { came, went, origin, value } = await follow(orders, 'saveOrder', 'parameters', ['buyer']);
    expect(value).toBe('"u-71b2"');
    expect(origin).toBe("`buyer` came from the request's body, field `customer.id`");
    expect(came).toEqual([
      'request.body customer.id (equal-text)',
      'placeOrder localVariables buyer (equal-text)',
    ]);
    expect(went).toEqual([
      'insert inputs params[0] (equal-text)',
      'saveOrder returnValue buyer (equal-text)',
      'notify inputs url (in-text)',
    ]);
  });

  test("is also followed from the request's path if the value is one segment of the path", async () => {
    const trace = planTrace([{ id: 'load', at: [0, 9], inputs: { number: 48213 } }], {
      path: '/orders/48213',
    });
    const { came, origin } = await follow(trace, 'load', 'inputs', ['number']);
    expect(came).toEqual(['request.path (in-text)']);
    expect(origin).toBe("`number` came from the request's path");
  });
});

test('a member of a body that was captured as text is followed like a member of other bodies', async () => {
  const trace = planTrace(
    [{ id: 'load', at: [0, 9], inputs: { sku: 'tea-8171' }, outputs: { price: 1295.5 } }],
    { body: '{"items":[{"sku":"tea-8171"}]}', answer: ' {"total": 1295.5}' },
  );
  const { came, origin } = await follow(trace, undefined, 'response.body', ['total']);
  expect(came).toEqual(['load outputs price (equal-number)']);
  expect(origin).toBe('`total` is first seen as the field `price` in the return value of `load`');
  const { went } = await follow(trace, undefined, 'request.body', ['items', 0, 'sku']);
  expect(went).toEqual(['load inputs sku (equal-text)']);
});

test('a field of a database row is followed through a variable to the response', async () => {
  const { came, went, origin } = await follow(orders, 'placeOrder', 'localVariables', ['order']);
  expect(origin).toBe('`order` came from the result of `INSERT orders`, field `rows[0].id`');
  expect(came).toEqual([
    'insert outputs rows[0].id (equal-number)',
    'saveOrder returnValue id (equal-number)',
  ]);
  expect(went).toEqual(['notify inputs body.about (as-text)', 'response.body order (equal-number)']);
});

test('the search can begin at a part of the request, and finds no origin for a whole URL if only a part of it occurred before', async () => {
  const { came, went } = await follow(orders, undefined, 'request.body', ['customer', 'id']);
  expect(came).toEqual([]);
  expect(went).toHaveLength(5);
  const { came: all } = await follow(orders, 'notify', 'inputs', ['url']);
  expect(all).toEqual([]);
});

test('if no earlier step has the value, the path of the value begins in the selected step, and the query that this step called is named', async () => {
  const trace = planTrace([
    { id: 'findRate', at: [0, 50], variables: { localVariables: { rate: 0.1925 }, returnValue: 0.1925 } },
    { id: 'select', parent: 'findRate', at: [10, 20], stepName: 'SELECT rates', stepType: 'database' },
  ]);
  expect((await follow(trace, 'findRate', 'localVariables', ['rate'])).origin).toBe(
    '`rate` is first seen here, in `findRate`, which called `SELECT rates`',
  );
  expect((await follow(trace, 'findRate', 'returnValue')).origin).toBe(
    '`findRate()` is first seen as the variable `rate` of `findRate`, which called `SELECT rates`',
  );
});

describe('an object', () => {
  const order = { lines: [{ sku: 'tea-81', count: 2 }], total: 1999 };
  const same = (step: string, ...path: string[]): CapturedValue => ({ $type: 'reference', step, path });

  test('is followed through references, which lead to the same object', async () => {
    const trace = planTrace([
      { id: '1', at: [0, 100], variables: { localVariables: { order } } },
      { id: '2', parent: '1', at: [10, 20], inputs: { order: same('1', 'localVariables', 'order') } },
      { id: '3', parent: '1', at: [30, 40], inputs: { wrapped: { order: same('2', 'inputs', 'order') } } },
      { id: '4', parent: '1', at: [50, 60], inputs: { copy: order } },
    ]);
    const { came, went } = await follow(trace, '2', 'inputs', ['order']);
    expect(came).toEqual(['1 localVariables order (same-object)']);
    expect(went).toEqual(['3 inputs wrapped.order (same-object)', '4 inputs copy (equal-content)']);
    const line = await follow(trace, '3', 'inputs', ['wrapped', 'order', 'lines', 0, 'sku']);
    expect(line.came).toHaveLength(2);
    expect(line.came[1]).toBe('2 inputs order.lines[0].sku (equal-text)');
  });

  test('is the same object after a change, and the link is marked as changed', async () => {
    const trace = planTrace([
      { id: '1', at: [0, 10], variables: { parameters: { cart: { total: 1 } } } },
      {
        id: '2',
        at: [20, 30],
        variables: { parameters: { cart: { total: 2 } }, seenBefore: { cart: ['1', 'cart'] } },
      },
    ]);
    const found = await findValueOrigin(trace, { stepId: '2', place: 'parameters', path: ['cart'] });
    expect(found?.origin.came).toMatchObject([
      { stepId: '1', how: 'same-object', note: 'its content differs here' },
    ]);
  });

  test('with a redacted part is still recognized as the same object, and its origin is the caller that received the object first', async () => {
    const body = { email: 'ada@example.com', password: { $type: 'redacted', of: 'string' } } as const;
    const variables = { parameters: { body } };
    const trace = planTrace([
      {
        id: 'signIn',
        at: [0, 100],
        inputs: { body },
        variables: { ...variables, seenBefore: { body: ['readFields', 'body'] } },
      },
      { id: 'readFields', parent: 'signIn', at: [10, 20], inputs: { body }, variables },
    ]);
    const found = await findValueOrigin(trace, { stepId: 'readFields', place: 'parameters', path: ['body'] });
    expect(found?.origin.came).toMatchObject([{ stepId: 'signIn', how: 'same-object', note: null }]);
  });

  test('that is empty is too common to follow', async () => {
    const trace = planTrace([
      { id: '1', at: [0, 10], inputs: { options: {} } },
      { id: '2', at: [20, 30], inputs: { options: {} } },
    ]);
    expect((await follow(trace, '1', 'inputs', ['options'])).refusal?.reason).toBe('too_common');
  });

  test('that was truncated does not match another object that was truncated', async () => {
    const cut: CapturedValue = { $type: 'array', values: ['alpha-1', 'beta-2', 'gamma-3'], length: 40 };
    const trace = planTrace([
      { id: '1', at: [0, 10], inputs: { names: cut } },
      { id: '2', at: [20, 30], inputs: { names: cut } },
    ]);
    expect((await follow(trace, '1', 'inputs', ['names'])).went).toEqual([]);
  });
});

describe('a value is not followed', () => {
  test.each<readonly [string, CapturedValue]>([
    ['a flag', true],
    ['null', null],
    ['a small number', 7],
    ['a round number', 2000],
    ['a status', 404],
    ['a common word', 'Pending'],
    ['a string with one digit', '7'],
    ['an empty string', ''],
    ['not a number', { $type: 'number', value: 'NaN' }],
  ])('if it is too common: %s', async (_, value) => {
    const { refusal, origin, came } = await follow(
      planTrace([{ id: '1', at: [0, 1], inputs: { value } }]),
      '1',
      'inputs',
      ['value'],
    );
    expect(refusal?.reason).toBe('too_common');
    expect([origin, came]).toEqual([null, []]);
  });

  test.each<readonly [string, CapturedValue, string]>([
    [
      'redacted',
      { $type: 'redacted', of: 'string' },
      'This value was redacted. Its origin cannot be traced.',
    ],
    [
      'truncated',
      { $type: 'cut', of: 'object', reason: 'depth' },
      'This value was not recorded. Its origin cannot be traced.',
    ],
    [
      'a part of a string',
      { $type: 'string', value: 'lorem ipsum', length: 5000 },
      'Only the beginning of this text was recorded. Its origin cannot be traced.',
    ],
  ])('if it is %s', async (_, value, text) => {
    const { refusal } = await follow(planTrace([{ id: '1', at: [0, 1], inputs: { value } }]), '1', 'inputs', [
      'value',
    ]);
    expect(refusal).toEqual({ reason: 'not_captured', text });
  });
});

test('an object with a key named __proto__ does not match an object without this key', async () => {
  const odd: CapturedValue = JSON.parse('{"__proto__":{}}');
  const searched = planTrace([
    { id: 'first', at: [0, 10], variables: { localVariables: { order: odd } } },
    { id: 'second', at: [20, 30], outputs: { lines: { items: ['order-5512'], id: 'order-5512' } } },
  ]);
  const { came } = await follow(searched, 'second', 'outputs');
  expect(came.filter((line) => line.startsWith('first'))).toEqual([]);
});

test('a short string is followed only under its own name', async () => {
  const trace = planTrace(
    [
      { id: 'taxFor', at: [0, 9], inputs: { country: 'UK', language: 'UK' } },
      { id: 'other', at: [10, 19], inputs: { region: 'UK' } },
    ],
    { body: { address: { country: 'UK' }, code: 'UK' } },
  );
  const { came, went, origin } = await follow(trace, 'taxFor', 'inputs', ['country']);
  expect(came).toEqual(['request.body address.country (same-name)']);
  expect(went).toEqual([]);
  expect(origin).toBe("`country` came from the request's body, field `address.country`");
});

test('a small number is followed to the same name only if the name shows what the id identifies: productId, but not id or quantity', async () => {
  const trace = planTrace([{ id: 'addItem', at: [0, 9], inputs: { productId: 20, quantity: 20, id: 20 } }], {
    body: { productId: '20', quantity: 20, id: 20 },
  });
  expect((await follow(trace, 'addItem', 'inputs', ['productId'])).came).toEqual([
    'request.body productId (same-name)',
  ]);
  for (const name of ['quantity', 'id'])
    expect((await follow(trace, 'addItem', 'inputs', [name])).refusal?.reason).toBe('too_common');
});

test('in the list of origins, a local variable comes directly after the call that returned its value, although a later call received the same value', async () => {
  const email = 'ada@example.com';
  const trace = planTrace([
    { id: 'signIn', at: [0, 100], variables: { localVariables: { email, fields: { email } } } },
    { id: 'readFields', parent: 'signIn', at: [10, 20], inputs: { body: { email } }, outputs: { email } },
    { id: 'readEmail', parent: 'signIn', at: [30, 40], inputs: { value: email }, outputs: email },
    { id: 'findUser', parent: 'signIn', at: [50, 60], inputs: { email } },
  ]);
  const { came, went } = await follow(trace, 'signIn', 'localVariables', ['email']);
  expect(came.map((line) => line.replace(' (equal-text)', ''))).toEqual([
    'readFields inputs body.email',
    'readFields outputs email',
    'signIn localVariables fields.email',
    'readEmail inputs value',
    'readEmail outputs',
  ]);
  expect(went).toEqual(['findUser inputs email (equal-text)']);
});

test('unchanged parameters are listed at the start of their call, and changed parameters at the end of the call', async () => {
  const trace = planTrace([
    {
      id: 'pay',
      at: [0, 100],
      inputs: { sum: 4242, fee: 31.5 },
      variables: { parameters: { sum: 4242, fee: 4242 } },
    },
    { id: 'charge', parent: 'pay', at: [10, 20], inputs: { amount: 4242 } },
  ]);
  const { came, went } = await follow(trace, 'charge', 'inputs', ['amount']);
  expect(came).toEqual(['pay parameters sum (equal-number)']);
  expect(went).toEqual(['pay parameters fee (equal-number)']);
});

test('circular values and values that are nested thousands of levels deep do not break the search', async () => {
  const ring: CapturedValue = {
    name: 'Zoë 🦊 naïve',
    self: { $type: 'reference', path: ['inputs', 'ring'] },
  };
  let deep: CapturedValue = { label: 'Zoë 🦊 naïve' };
  for (let level = 0; level < 3000; level += 1) deep = { deep };
  const trace = planTrace([
    { id: '1', at: [0, 1], inputs: { ring } },
    { id: '2', at: [2, 3], inputs: { deep, text: 'said Zoë 🦊 naïve!' } },
    { id: '3', at: [4, 5], inputs: { a: { $type: 'reference', step: '3', path: ['inputs', 'a'] } } },
  ]);
  expect((await follow(trace, '1', 'inputs', ['ring', 'self', 'name'])).went).toEqual([
    '2 inputs text (in-text)',
  ]);
  expect((await follow(trace, '1', 'inputs', ['ring'])).refusal).not.toBeNull();
});

test('a part, value or step that does not exist gives no links', async () => {
  const nowhere: readonly AskedPlace[] = [
    { stepId: 'none', place: 'inputs', path: [] },
    { stepId: 'insert', place: 'localVariables', path: [] },
    { stepId: 'insert', place: 'inputs', path: ['params', 9] },
    { stepId: undefined, place: 'inputs', path: [] },
  ];
  for (const asked of nowhere) expect(await findValueOrigin(orders, asked)).toBeUndefined();
});

test('if a value has many positions, the first, the last and the positions nearest to the selected position are listed', async () => {
  const steps = Array.from({ length: 200 }, (_, at) => ({
    id: `s${at}`,
    at: [at * 10, at * 10 + 5] as const,
    inputs: { token: 'order-5512' },
  }));
  const trace = planTrace(steps, { body: { token: 'order-5512' }, answer: { token: 'order-5512' } });
  const { came, cameMore, went, wentMore } = await follow(trace, 's100', 'inputs', ['token']);
  expect([came.length, cameMore, went.length, wentMore]).toEqual([20, 81, 50, 50]);
  expect([came[0], came[1], came.at(-1)]).toEqual([
    'request.body token (equal-text)',
    's81 inputs token (equal-text)',
    's99 inputs token (equal-text)',
  ]);
  expect(went.at(-1)).toBe('response.body token (equal-text)');
});

test('a value is followed through 10,000 calls', async () => {
  const steps = Array.from({ length: 10_000 }, (_, at) => ({
    id: String(at),
    ...(at === 0 ? {} : { parent: String(at % 10 === 1 ? 0 : Math.floor((at - 1) / 10) * 10 + 1) }),
    at: [at * 10, at * 10 + 9] as const,
    inputs: { item: { id: at, name: `item ${at % 97}`, quantity: at % 7, category: 'books' } },
    variables: { returnValue: { price: (at % 31) * 1.5, currency: 'EUR' } },
  }));
  const trace = planTrace(steps);
  const { went, wentMore } = await follow(trace, '5000', 'inputs', ['item', 'name']);
  const objects = await follow(trace, '5000', 'inputs', ['item']);
  expect([went.length, wentMore]).toEqual([50, 1]);
  expect(objects.refusal ?? objects.went).toEqual([]);
});
