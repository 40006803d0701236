import { pickRows } from '@throughline/testkit/thorough';
import { describe, expect, test } from 'vitest';
import { load, record, traced } from '../../test/traced.ts';

type Log = (...values: unknown[]) => void;
type Change = (it: object, key: PropertyKey, log: Log) => PropertyDescriptor;
type Method = (...given: unknown[]) => unknown;

const value = (replacement: unknown): PropertyDescriptor => ({ value: replacement, configurable: true });

function failing(message: string): Method {
  return () => {
    throw new Error(message);
  };
}

/** Changes that a program can make to a method of a generator. */
const CHANGES: Readonly<Record<string, Change>> = {
  undefined: () => value(undefined),
  null: () => value(null),
  'a number': () => value(5),
  'a function of its own': (it, key, log) => {
    const native: unknown = Reflect.get(it, key);
    return value(function (this: unknown, ...given: unknown[]) {
      log(key, this === it, given);
      return typeof native === 'function' ? Reflect.apply(native, it, given) : native;
    });
  },
  'a function that throws': () => value(failing('own')),
  'a function that returns a number': (_, key, log) =>
    value((...given: unknown[]) => {
      log(key, given);
      return 5;
    }),
  'a function that returns another iterator': (_, key, log) =>
    value(() => {
      let count = 0;
      const next: Method = (...given) => {
        log(key, given);
        return { value: count++, done: count > 2 };
      };
      return { next };
    }),
  'an accessor': (it, key, log) => {
    const native: unknown = Reflect.get(it, key);
    return {
      configurable: true,
      get(this: unknown) {
        log('get', key, this === it);
        return native;
      },
    };
  },
  'an accessor that throws': () => ({ configurable: true, get: failing('none') }),
};

const KEYS = ['next', 'return', 'throw', Symbol.iterator, Symbol.asyncIterator];

/** The object that gets the changed method: the generator itself, or its prototype. */
const HOLDERS = ['own', 'inherited'] as const;

/** The moment at which the program changes the method: before the iteration, or during it. */
const MOMENTS = ['at first', 'meanwhile'] as const;

/** The method calls that the outer generator receives while it consumes the inner one. */
const CALLS = [
  ['next', 'next', 'next', 'next'],
  ['next', 'throw', 'next'],
  ['next', 'return', 'next'],
  ['return', 'next'],
];

const REST = 'catch (e) { log("caught", said(e)) } finally { log("left") }';
const CONSUMERS = {
  'yield*': `function* outer(it) { try { log("returned", yield* it) } ${REST} }`,
  'yield* of yield*': `function* outer(it) { try { log("returned", yield* (function* () { return yield* it })()) } ${REST} }`,
  'an async yield*': `async function* outer(it) { try { log("returned", yield* it) } ${REST} }`,
  'for await': `async function* outer(it) { try { for await (const one of it) { log("one", one); yield one } } ${REST} }`,
  'for await with break': `async function* outer(it) { try { for await (const one of it) { log("one", one); yield one; break } } ${REST} }`,
  'for await with return': `async function* outer(it) { for await (const one of it) { log("one", one); yield one; return 4 } }`,
  'for await with throw': `async function* outer(it) { try { for await (const one of it) { yield one; throw new Error("body") } } ${REST} }`,
  'for of': `function* outer(it) { try { for (const one of it) { log("one", one); yield one; break } } ${REST} }`,
};

/** Only the class of a TypeError is compared. Another test compares V8's messages for values that cannot be called or iterated. */
const said = (error: unknown): unknown => (error instanceof TypeError ? error.name : String(error));

const shown = (one: unknown): string =>
  typeof one === 'symbol' ? String(one) : (JSON.stringify(one) ?? typeof one);

interface Case {
  readonly key: PropertyKey;
  readonly change: Change;
  readonly holder: (typeof HOLDERS)[number];
  readonly moment: (typeof MOMENTS)[number];
  readonly calls: readonly string[];
}

interface Program {
  readonly outer?: (it: unknown) => unknown;
  readonly inner?: () => unknown;
}

/** Iterates over a changed generator and logs everything that the program observes. */
async function observe({ outer, inner }: Program, log: Log, one: Case): Promise<void> {
  const it = inner?.();
  const running = outer?.(it);
  if (!isObject(it) || !isObject(running)) throw new Error('no generators');
  // Each `inner` object has a prototype of its own, so changing the prototype affects only this object.
  const target: unknown = one.holder === 'own' ? it : Object.getPrototypeOf(it);
  const change = () =>
    isObject(target) && Object.defineProperty(target, one.key, one.change(it, one.key, log));
  if (one.moment === 'at first') change();
  const call = async (from: object, name: string, ...given: unknown[]): Promise<void> => {
    try {
      const method: unknown = Reflect.get(from, name);
      const result: unknown =
        typeof method === 'function' ? await Reflect.apply(method, from, given) : method;
      log(name, result);
    } catch (error) {
      log(name, 'failed', said(error));
    }
  };
  for (const [index, name] of one.calls.entries()) {
    await call(running, name, index);
    if (index === 0 && one.moment === 'meanwhile') change();
  }
  await call(it, 'next');
  log(Reflect.ownKeys(it).map(String));
}

function isObject(candidate: unknown): candidate is object {
  return typeof candidate === 'object' && candidate !== null;
}

function cases(): (Case & { readonly label: string })[] {
  return KEYS.flatMap((key) =>
    Object.entries(CHANGES).flatMap(([name, change]) =>
      HOLDERS.flatMap((holder) =>
        MOMENTS.flatMap((moment) =>
          CALLS.map((calls) => ({
            key,
            change,
            holder,
            moment,
            calls,
            label: `${holder} ${String(key)} is ${name} ${moment}: ${calls.join()}`,
          })),
        ),
      ),
    ),
  );
}

describe('a generator whose methods the program changed behaves as without instrumentation', () => {
  test.each(
    pickRows(
      Object.entries(CONSUMERS).flatMap(([name, consumer]) =>
        [true, false]
          .filter((isAsync) => !isAsync || /async|await/.test(name))
          .map((isAsync) => ({ name, consumer, kind: isAsync ? 'async' : 'sync' })),
      ),
      { usually: 4 },
    ),
  )('if consumed by $name over $kind generators', async ({ consumer, kind }) => {
    const source = `exports.inner = () => (${kind === 'async' ? 'async ' : ''}function* inner() {
        try { log('sent', yield 'a'); log('sent', yield 'b'); return 'end' }
        catch (e) { log('thrown in', said(e)); yield 'rescued'; return 'after' }
        finally { log('inner left') }
      })()
      exports.outer = ${consumer}`;
    let seen: string[] = [];
    const log: Log = (...values) => void seen.push(values.map(shown).join(' '));
    const world = { log, said };
    const plain = load(source, world);
    const loaded = traced(source, world);
    for (const one of cases()) {
      const run = async (program: Program): Promise<string[]> => {
        seen = [one.label];
        await observe(program, log, one);
        return seen;
      };
      const expected = await run(plain);
      expect(await run(loaded)).toEqual(expected);
      const { result, flow } = await record(() => run(loaded));
      expect(result).toEqual(expected);
      expect(flow.length).toBeGreaterThan(0);
    }
  });
});
