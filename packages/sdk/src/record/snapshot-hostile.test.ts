import type { CapturedValue } from '@throughline/contract/values';
import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainSnapshotter } from '../../test/plain-snapshotter.ts';
import { defaultLimits } from './capture/limits.ts';
import { describeError } from './snapshot/error.ts';
import { takeFirstUnits } from './snapshot/text.ts';

/** Number of times that code of the simulated host ran. */
let calls = 0;
const trap = (): never => {
  calls++;
  throw new Error('host code ran');
};

const traps: ProxyHandler<object> = Object.fromEntries(
  [
    'get',
    'has',
    'ownKeys',
    'getOwnPropertyDescriptor',
    'getPrototypeOf',
    'apply',
    'construct',
    'isExtensible',
  ].map((name) => [name, trap]),
);
const accessor: PropertyDescriptor = { get: trap, set: trap, enumerable: true, configurable: true };
const hostileClass = Object.defineProperty(class {}, 'name', accessor);
const nowhere = new Proxy({}, traps);

/** Ways to make an object run host code if it is inspected. */
const poison: { readonly [how: string]: (target: object) => object } = {
  getter: (target) => Object.defineProperty(target, 'danger', accessor),
  length: (target) => (Array.isArray(target) ? target : Object.defineProperty(target, 'length', accessor)),
  first: (target) => Object.defineProperty(target, 0, accessor),
  size: (target) => Object.defineProperty(target, 'size', accessor),
  toJSON: (target) =>
    Object.defineProperty(target, 'toJSON', { value: trap, enumerable: true, configurable: true }),
  toPrimitive: (target) => Object.defineProperty(target, Symbol.toPrimitive, accessor),
  tag: (target) => Object.defineProperty(target, Symbol.toStringTag, accessor),
  iterator: (target) => Object.defineProperty(target, Symbol.iterator, accessor),
  inspect: (target) =>
    Object.defineProperty(target, Symbol.for('nodejs.util.inspect.custom'), { value: trap }),
  constructor: (target: object) => Object.defineProperty(target, 'constructor', accessor),
  message: (target) => Object.defineProperty(target, 'message', accessor),
  stack: (target) => Object.defineProperty(target, 'stack', accessor),
  cause: (target) => Object.defineProperty(target, 'cause', accessor),
  flags: (target) => Object.defineProperty(target, 'flags', accessor),
  className: (target) => Object.setPrototypeOf(target, hostileClass.prototype),
  proxyParent: (target) => Object.setPrototypeOf(target, nowhere),
  nullParent: (target) => Object.setPrototypeOf(target, null),
  hostileParent: (target) =>
    Object.setPrototypeOf(target, Object.defineProperty({}, 'constructor', accessor)),
  wrapped: (target) => new Proxy(target, traps),
  inFunctionProxy: () => new Proxy(trap, traps),
  frozen: (target) => (ArrayBuffer.isView(target) ? target : Object.freeze(target)),
};

/**
 * A function that makes a value. The generated test data are functions, because fast-check inspects what it generates, and the values
 * themselves must not be inspected.
 */
type Make = () => unknown;
const make =
  <T>(made: (input: T) => unknown) =>
  (input: T): Make =>
  () =>
    made(input);
const makeAll = (makes: readonly Make[]): unknown[] => makes.map((one) => one());
const keys = fc.oneof(fc.string(), fc.constantFrom('$type', '__proto__', 'x'.repeat(400)));
const same = (value: unknown): unknown => value;

const arbitrary = fc.letrec<{ value: Make; object: Make }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'large' },
    fc.string({ unit: 'binary' }).map(make(same)),
    fc.string().map(make((text) => text.repeat(300))),
    fc.double().map(make(same)),
    fc.bigInt().map(make(same)),
    fc.boolean().map(make(same)),
    fc
      .constantFrom(null, undefined, Symbol('s'), 10n ** 5000n, '\ud800', '"\\\u0000')
      .map(make<unknown>(same)),
    tie('object'),
    tie('object'),
  ),
  object: fc
    .tuple(
      fc.oneof(
        fc.array(tie('value'), { maxLength: 120 }).map(make(makeAll)),
        fc
          .array(fc.tuple(keys, tie('value')), { maxLength: 25 })
          .map(make((entries) => Object.fromEntries(entries.map(([key, value]) => [key, value()])))),
        fc
          .array(fc.tuple(tie('value'), tie('value')), { maxLength: 5 })
          .map(make((entries) => new Map(entries.map(([key, value]) => [key(), value()])))),
        fc.array(tie('value'), { maxLength: 5 }).map(make((values) => new Set(makeAll(values)))),
        tie('value').map(make((cause) => new Error('oops', { cause: cause() }))),
        fc.array(tie('value'), { maxLength: 3 }).map(make((errors) => new AggregateError(makeAll(errors)))),
        fc.uint8Array().map(make((bytes) => Buffer.from(bytes))),
        fc.float32Array().map(make((floats) => floats.slice())),
        fc.nat(200).map(make((length) => new BigInt64Array(length))),
        fc.nat(500).map(make((size) => new DataView(new ArrayBuffer(size)))),
        fc.date({ noInvalidDate: false }).map(make((date) => new Date(date))),
        fc.string().map(make((text) => new RegExp(text.replace(/\W/g, ''), 'gi'))),
        fc.constant(null).map(make(() => () => {})),
        fc.constantFrom<unknown>(1, 'x', true, 1n, Symbol('b')).map(make((value) => Object(value))),
        fc.constant(null).map(make(() => new Array(4_294_967_295))),
        fc.constant(null).map(make(() => new WeakRef({}))),
      ),
      fc.array(fc.constantFrom(...Object.keys(poison)), { maxLength: 2 }),
    )
    .map(
      ([target, hows]): Make =>
        () =>
          hows.reduce(poisoned, target()),
    ),
}));

function poisoned(target: unknown, how: string): unknown {
  try {
    return typeof target === 'object' && target !== null ? (poison[how]?.(target) ?? target) : target;
  } catch {
    // An object that cannot be changed in one of these ways stays as it is.
    return target;
  }
}

describe('any value', () => {
  it('is copied without running host code, as JSON, within the byte limit', () => {
    fc.assert(
      fc.property(
        fc.array(arbitrary.value, { minLength: 1, maxLength: 3 }),
        fc.record({
          depth: fc.nat(6),
          items: fc.nat(120),
          keys: fc.nat(25),
          stringLength: fc.nat(300),
          stepBytes: fc.oneof(fc.nat(3000), fc.constant(65_536)),
        }),
        (makes, limits) => {
          const values = makeAll(makes);
          calls = 0;
          const snapshotter = plainSnapshotter({ ...defaultLimits, ...limits });
          snapshotter.beginStep();
          const taken = values.map((value, index) => snapshotter.take(value, ['inputs', index]));
          const again = snapshotter.take(values, ['again']);
          const error = describeError(values[0], takeFirstUnits);
          expect(calls).toBe(0);
          const json = JSON.stringify([...taken, again]);
          expect(JSON.parse(json)).toHaveLength(values.length + 1);
          expect(Buffer.byteLength(json)).toBeLessThanOrEqual(
            limits.stepBytes + 130 * (values.length + 1) + 2,
          );
          expect(snapshotter.stepBytes).toBeGreaterThanOrEqual(
            Math.min(limits.stepBytes, Buffer.byteLength(json) - 130 * values.length - 2),
          );
          expect(JSON.parse(JSON.stringify(error)).message).toBe(error.message);
        },
      ),
      { numRuns: repetitions({ usually: 500, thoroughly: 1500 }) },
    );
  });

  it('is shown unchanged if it is plain JSON within the limits, except that a $type is escaped', () => {
    const json = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.string({ maxLength: 200, unit: 'binary' }),
        fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 6 }),
        fc.dictionary(
          fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('$type', '__proto__', 'toString')),
          tie('value'),
          { maxKeys: 6 },
        ),
      ),
    })).value;
    const limits = { ...defaultLimits, depth: 8, stepBytes: 4_000_000, requestBytes: 4_000_000 };
    fc.assert(
      fc.property(json, (value) => {
        const snapshotter = plainSnapshotter(limits);
        snapshotter.beginStep();
        const taken: CapturedValue = JSON.parse(JSON.stringify(snapshotter.take(value, [])));
        expect(JSON.stringify(unescaped(taken))).toBe(JSON.stringify(value));
        expect(snapshotter.cutValues).toBe(0);
      }),
      { numRuns: 500 },
    );
  });
});

/** Replaces each value in the tagged form `object` by its properties. */
function unescaped(value: CapturedValue): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(unescaped);
  const form = '$type' in value && value.$type === 'object' ? value.properties : value;
  return Object.fromEntries(Object.entries(form ?? {}).map(([key, field]) => [key, unescaped(field)]));
}
