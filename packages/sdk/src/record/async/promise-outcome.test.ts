import { expect, test } from 'vitest';
import { readOutcomes } from './promise-outcome.ts';

const trap = (): never => {
  throw new Error('the host was asked');
};

/** A class whose instances call `trap` if they are inspected in any way. */
class Shy {
  static get [Symbol.hasInstance](): never {
    return trap();
  }
  get [Symbol.toStringTag](): never {
    return trap();
  }
  get secret(): never {
    return trap();
  }
  [Symbol.for('nodejs.util.inspect.custom')](): never {
    return trap();
  }
}

const values: readonly unknown[] = [
  { a: 1 },
  [1, [2]],
  new Error('reason'),
  new Map([[1, 2]]),
  new Shy(),
  () => 1,
  class K {},
  null,
  undefined,
  true,
  false,
  0,
  -0,
  1.5,
  Number.NaN,
  -Infinity,
  10n,
  -3n,
  '',
  'plain',
  `it's "quoted" \`so\``,
  `line\none\t\\two\x00\x1b\x7f\u{1f600}\ud800`,
  "\\'",
  'x'.repeat(100_000),
  `${'a line\n'.repeat(200)}`,
  Promise.resolve(1),
];

test.each(['fulfilled', 'rejected'] as const)(
  'the value of a promise that is %s is read exactly',
  (state) => {
    const promises = values.map(
      (value) =>
        new Promise<unknown>((resolve, reject) => {
          // A promise cannot be fulfilled with another promise.
          if (state === 'fulfilled') resolve(value instanceof Promise ? 7 : value);
          else reject(value);
        }),
    );
    for (const promise of promises) promise.catch(() => {});
    const expected = values.map((value) => (state === 'fulfilled' && value instanceof Promise ? 7 : value));
    const outcomes = readOutcomes(promises);
    expect(outcomes.length).toBe(values.length);
    outcomes.forEach((outcome, index) => {
      if (outcome?.state !== state) throw new Error(`${index} is ${outcome?.state}`);
      expect(Object.is(outcome.value, expected[index]), `value ${index}`).toBe(true);
    });
    for (const [index, promise] of promises.entries()) {
      const [outcome] = readOutcomes([promise]);
      if (outcome?.state !== state) throw new Error(`${index} is ${outcome?.state}`);
      expect(Object.is(outcome.value, expected[index]), `value ${index} alone`).toBe(true);
    }
  },
);

test('a pending promise, a symbol as a result and a proxy as a rejection are recognized, and properties of a promise are not read as its value', () => {
  const next = Promise.resolve('next');
  const withProperties = Object.assign(Promise.resolve({ own: 1 }), { then2: next, text: 'no value', next });
  const thing = Symbol('thing');
  const proxy = new Proxy({}, { get: trap, getPrototypeOf: trap, ownKeys: trap });
  const rejected = Promise.reject(proxy);
  rejected.catch(() => {});
  const pending = new Promise(() => {});
  const [first, second, third, symbol, proxied] = readOutcomes([
    pending,
    withProperties,
    next,
    Promise.resolve(thing),
    rejected,
  ]);
  expect(first).toEqual({ state: 'pending' });
  expect(second).toEqual({ state: 'fulfilled', value: { own: 1 } });
  expect(third).toEqual({ state: 'fulfilled', value: 'next' });
  expect(symbol?.state === 'fulfilled' && String(symbol.value)).toBe('Symbol(thing)');
  expect(proxied?.state).toBe('rejected');
});

test('a rejected promise whose outcome the SDK reads stays unhandled', async () => {
  const seen: unknown[] = [];
  const note = (reason: unknown) => seen.push(reason);
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', note);
  try {
    const promise = Promise.reject('nobody');
    expect(readOutcomes([promise])).toEqual([{ state: 'rejected', value: 'nobody' }]);
    await new Promise(setImmediate);
    expect(seen).toEqual(['nobody']);
  } finally {
    process.off('unhandledRejection', note);
    for (const listener of others) process.on('unhandledRejection', listener);
  }
});
