import fc from 'fast-check';

/** The calls of one function by a generated handler: how the function is called, how often, and which calls throw. */
export interface RandomCalls {
  readonly fn: 'sync' | 'later' | 'generate' | 'nested';
  readonly count: number;
  readonly overlap: boolean;
  /** The calls with an index from `failFrom` up to `failTo` throw. */
  readonly failFrom: number;
  readonly failTo: number;
  readonly value: unknown;
}

/** One thing that a generated handler does. */
export type RandomDeed =
  | ({ readonly deed: 'calls' } & RandomCalls)
  | { readonly deed: 'setUser' | 'annotate'; readonly value: unknown }
  | { readonly deed: 'capture'; readonly name: unknown; readonly value: unknown }
  | { readonly deed: 'step'; readonly name: unknown; readonly options: unknown; readonly value: unknown }
  | {
      readonly deed: 'span';
      readonly name: unknown;
      readonly options: unknown;
      readonly attribute: unknown;
      readonly exception: unknown;
      readonly end: unknown;
    }
  | { readonly deed: 'request'; readonly field: 'method' | 'headers' | 'url'; readonly value: unknown }
  | { readonly deed: 'header'; readonly name: string; readonly value: unknown }
  | { readonly deed: 'route'; readonly value: string };

export interface RandomRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly deeds: readonly RandomDeed[];
  readonly end: 'answer' | 'abort' | 'throw' | 'raw';
  readonly status: unknown;
  readonly type: string;
  readonly answer: string;
  readonly thrown: unknown;
}

const LONG = 70_000;
const texts = [
  '',
  'a',
  '\0',
  '\ud800x',
  'x\udfff',
  '\u2028\u0001\x7f"\\',
  'password=hunter2&token=t',
  '__proto__',
  'constructor',
  'toJSON',
  '$type',
  'x'.repeat(600),
  '😀'.repeat(1100),
  'pin=1 '.repeat(2000),
];
/**
 * Texts that are longer than the server's limits for an error's message and for a name. They are rare, because they take long to redact.
 */
const longTexts = ['é'.repeat(LONG), 'y'.repeat(530_000)];
const text = fc.oneof(
  { arbitrary: fc.constantFrom(...texts), weight: 40 },
  { arbitrary: fc.constantFrom(...longTexts), weight: 1 },
);

const number = fc.constantFrom(0, -0, 1, -1, 0.5, -3.7, 1e21, 1e-9, 1e300, NaN, Infinity, -Infinity, 2 ** 53);

/** Values that programs throw, return and pass. They are made when they are used, because fast-check inspects the values it generates. */
const makers: readonly (() => unknown)[] = [
  () => null,
  () => undefined,
  () => Symbol('s'),
  () => 10n ** 30n,
  () => new Proxy({}, {}),
  () => revoked(),
  () => Object.defineProperty(() => {}, 'name', { value: 'f'.repeat(12_000) }),
  () => Object.freeze(new Error('frozen')),
  () => new Error('m'.repeat(80_000)),
  () => Object.assign(new Error(''), { name: 5, code: Number.NaN }),
  () => Object.assign(new Error('n'), { name: 10n, code: 10n }),
  () => Object.assign(new Error('c'), { name: 'n'.repeat(2000), code: 'c'.repeat(2000) }),
  () => Object.assign(new Error('s'), { stack: 's'.repeat(5000), code: Symbol('c') }),
  () => Object.defineProperty(new Error('g'), 'message', { get: fail }),
  () => Object.defineProperty(new Error('g'), 'code', { get: fail }),
  () => Object.assign(new Error('e'), { message: { a: [1, { b: 'x'.repeat(3000) }] } }),
  () => Object.assign(new Error('e'), { extensions: { code: 'X'.repeat(2000) } }),
  () => withOwnCause(),
  () => new AggregateError([new Error('a'), null], 'all'),
  () => new DOMException('d', 'AbortError'),
  () => Object.create(null),
  () => ({
    toString: fail,
    toJSON: fail,
    get x() {
      return fail();
    },
  }),
  () => new Date(Number.NaN),
  () => new Map([[{}, new Set([1n])]]),
  () => Object.assign(new Array<unknown>(3), [Number.NaN, -0]),
  () => ({ $type: 'Map', size: -1 }),
  () => JSON.parse('{"__proto__":1,"constructor":2,"toJSON":3}'),
  () => Array.from({ length: 5000 }, (_, index) => index),
  () => Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index])),
];

/** Stands for one of the {@link makers}, until {@link makeValues} makes its value. */
class Made {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/** Returns generated data with the values of the makers. */
export function makeValues<Type>(data: Type): Type {
  if (data instanceof Made) return makers[data.index]?.() as Type;
  if (Array.isArray(data)) return data.map(makeValues) as Type;
  if (typeof data !== 'object' || data === null || data instanceof Date) return data;
  return Object.fromEntries(Object.entries(data).map(([name, member]) => [name, makeValues(member)])) as Type;
}

function fail(): never {
  throw new Error('a getter of the host');
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function withOwnCause(): Error {
  const error = new Error('cyclic');
  error.cause = error;
  return error;
}

const value: fc.Arbitrary<unknown> = fc.oneof(
  text,
  number,
  fc.nat(makers.length - 1).map((index) => new Made(index)),
);

const fields = fc.oneof(
  value,
  fc.dictionary(fc.oneof(text, fc.constantFrom('id', 'sessionId', 'plan')), value, { maxKeys: 6 }),
  fc.record({ id: fc.oneof(text, number), sessionId: fc.oneof(text, number) }),
);

const time = fc.oneof(
  number,
  fc.constantFrom(
    undefined,
    new Date(Number.NaN),
    new Date(8.64e15),
    new Date(-8.64e15),
    new Date(0),
    [Number.NaN, 0],
    [1e12, 1e12],
    [-5, 0],
    ['x'],
    [],
    {},
    'x',
    Date.now(),
  ),
);

const calls = fc.record({
  deed: fc.constant('calls' as const),
  fn: fc.constantFrom('sync', 'later', 'generate', 'nested'),
  count: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 15, max: 45 })),
  overlap: fc.boolean(),
  failFrom: fc.constantFrom(0, 2, 20, 25, 1000),
  failTo: fc.constantFrom(3, 25, 30, 1000),
  value,
});

const deed: fc.Arbitrary<RandomDeed> = fc.oneof(
  { arbitrary: calls, weight: 3 },
  fc.record({ deed: fc.constantFrom('setUser', 'annotate'), value: fields }),
  fc.record({ deed: fc.constant('capture' as const), name: value, value }),
  fc.record({
    deed: fc.constant('step' as const),
    name: value,
    options: fc.oneof(fc.constantFrom(undefined, null, 5), fc.record({ type: value, metadata: fields })),
    value,
  }),
  fc.record({
    deed: fc.constant('span' as const),
    name: value,
    options: fc.oneof(
      fc.constantFrom(undefined, {}),
      fc.record({
        kind: fc.constantFrom(0, 2, 3, 4, -1, 'x'),
        startTime: time,
        attributes: fc.oneof(
          fields,
          fc.record({ 'db.system': text, 'db.statement': text, 'db.response.returned_rows': number }),
          fc.record({ 'http.request.method': text, 'url.full': text, 'http.response.status_code': number }),
          fc.record({ 'messaging.system': text, 'code.lineno': number, 'code.filepath': text }),
        ),
      }),
    ),
    attribute: value,
    exception: value,
    end: time,
  }),
  fc.record({
    deed: fc.constant('request' as const),
    field: fc.constantFrom('method', 'headers', 'url'),
    value: fc.oneof(
      value,
      fc.dictionary(
        fc.constantFrom('user-agent', 'host', 'content-type', 'content-encoding', 'traceparent', 'x'),
        value,
      ),
    ),
  }),
  fc.record({ deed: fc.constant('header' as const), name: fc.constantFrom('x-a', 'content-type'), value }),
  fc.record({ deed: fc.constant('route' as const), value: text }),
);

/** Text that a client can send in a request line or header. */
const sendable = fc.constantFrom(
  '',
  'a',
  '%',
  '%zz%00%ff',
  '?a=1&a=2&$type=x&__proto__=y&constructor=z',
  `?${'p=1&'.repeat(1500)}`,
  '/x'.repeat(3500),
  `/${'secret1/'.repeat(800)}?password=secret1`,
  '\xe9\xff',
);

export const randomRequest: fc.Arbitrary<RandomRequest> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PROPFIND', 'QUERY', 'M-SEARCH', 'HEAD', 'OPTIONS', 'PUT'),
  target: fc.oneof(
    sendable.map((end) => `/${end}`),
    sendable.map((end) => `http://user:pw@host:99999/${end}`),
    fc.constantFrom('*', '/', '//', 'http://'),
  ),
  headers: fc.array(
    fc.tuple(
      fc.constantFrom(
        'constructor',
        '__proto__',
        'toJSON',
        'hasOwnProperty',
        'user-agent',
        'cookie',
        'authorization',
        'traceparent',
        'x-forwarded-for',
        'content-encoding',
        'x',
      ),
      sendable,
    ),
    { maxLength: 4 },
  ),
  body: fc.constantFrom(
    '',
    '{"query":"{ a }","password":"secret1"}',
    '{"__proto__":1,"constructor":{"a":1},"toJSON":2,"$type":"Map"}',
    '['.repeat(20_000),
    `${'['.repeat(900)}${']'.repeat(900)}`,
    '{"a":"\\ud800\\u0000"}',
    `{"${'k'.repeat(30_000)}":1e400}`,
  ),
  deeds: fc.array(deed, { maxLength: 8 }),
  end: fc.constantFrom('answer', 'answer', 'answer', 'abort', 'throw', 'raw'),
  status: fc.constantFrom(
    200,
    100,
    101,
    199,
    204,
    304,
    404,
    500,
    599,
    600,
    999,
    0,
    99,
    1000,
    '201',
    'x',
    200.7,
    null,
  ),
  type: fc.constantFrom(
    'application/json',
    'text/plain; charset=latin1',
    'x',
    '',
    'application/json; charset=x',
  ),
  answer: fc.constantFrom(
    '',
    'text',
    `{"errors":[{"message":"${'m'.repeat(40_000)}","extensions":{"code":"c"}}]}`,
    `{"errors":[{"message":"m","extensions":{"code":"${'C'.repeat(5000)}"},"path":["a",1]}]}`,
    `{"errors":[{"message":"m","extensions":{"code":5},"path":{}}]}`,
  ),
  thrown: value,
});
