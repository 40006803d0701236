import fc from 'fast-check';

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
const names = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    ...'password token apiKey api_key shippingPin card nickname note id $type __proto__ rawHeaders rawTrailers constructor name path Name Value value'.split(
      ' ',
    ),
    'émile',
    'a "quoted" name',
  ),
);
const texts = fc.oneof(
  fc.string({ maxLength: 20, unit: 'binary' }),
  fc.string({ maxLength: 60 }),
  fc.constantFrom(
    ...[jwt, `got ${jwt}.`, 'Bearer abc123456', 'a Basic dXNlcjpwYXNz', 'postgres://app:hunter2@db/shop'],
    ...['?token=abc&page=2', 'theme=dark; session=abc', '{"pin":1234}', '"{\\"token\\":\\"a\\"}"'],
    ...['4111111111111111', 'card 4111 1111 1111 1111.', 'correct-horse', 'hunter2', 'visa', '‹redacted›'],
    ...['Cookie: a=b', 'GET / HTTP/1.1\r\nCookie: a=b', '12:30', 'x=1', 'Bearing no secret', '1234567890123'],
    ...['password', '/prod/db/password', '/orders/7'],
  ),
);
/** Long strings in which a secret is before, across or after the position at which the string is truncated. */
const longTexts = fc
  .tuple(fc.nat(300), texts, fc.nat(300))
  .map(([before, text, behind]) => `${'x'.repeat(before)} ${text} ${'y'.repeat(behind)}`);

/** Any value of a host, with many secrets and many values that look like secrets. */
export const randomValue = fc.letrec<{ value: unknown; key: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    texts,
    longTexts,
    fc.double(),
    fc.integer(),
    fc.constantFrom(
      4111111111111111,
      378282246310005,
      -0,
      Number.NaN,
      Infinity,
      null,
      undefined,
      true,
      false,
    ),
    fc.bigInt(),
    fc.constantFrom(4111111111111111n, 10n ** 400n, Symbol('?token=abc'), Symbol('plain'), () => {}),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(names, tie('value'), { maxKeys: 5 }),
    fc
      .array(fc.tuple(tie('key'), tie('value')), { maxLength: 3 })
      .map((entries) => new Map<unknown, unknown>(entries)),
    fc.array(tie('value'), { maxLength: 3 }).map((list) => new Set(list)),
    fc
      .tuple(texts, tie('value'), fc.dictionary(names, tie('value'), { maxKeys: 2 }))
      .map(([message, cause, more]) => errorWith(message, cause, more)),
    fc.tuple(names, tie('value')).map(([name, value]) => Object.assign(new Account(), { [name]: value })),
    texts.map((text) => Buffer.from(text)),
    texts.map((text) => new URL(`http://host/?q=${encodeURIComponent(text)}`)),
    texts.map((text) => new String(text)),
    fc.constantFrom(new Date(1.5e12), /token=(\w+)/g, new Float64Array([4111111111111111, 1.5]), {}),
    fc.tuple(texts, tie('value')).map(([text, value]) => sharing(text, value)),
    fc.array(fc.tuple(names, texts), { maxLength: 4 }).map((pairs) => ({ rawHeaders: pairs.flat() })),
  ),
  key: fc.oneof(names, texts, tie('value')),
})).value;

class Account {
  id = 7;
}

function errorWith(message: string, cause: unknown, more: object): Error {
  const error = new Error(message, { cause });
  // The real stack contains positions in this file, which are irrelevant to the comparison.
  error.stack = `Error: ${message}\n    at f`;
  for (const [name, value] of Object.entries(more))
    Object.defineProperty(error, name, { value, enumerable: true, configurable: true });
  return error;
}

/** Builds an object that contains the same object several times: under the name of a secret and under plain names. */
function sharing(text: string, value: unknown): object {
  const shared = { text, value };
  return { before: [shared], password: shared, inside: { token: [shared] }, after: shared };
}
