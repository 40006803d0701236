import { createContext, runInContext } from 'node:vm';
import type { CapturedValue } from '@throughline/contract/values';
import { describe, expect, it } from 'vitest';
import { plainSnapshotter } from '../../../test/plain-snapshotter.ts';
import { CaptureRules } from '../capture/capture-rules.ts';
import { type CaptureLimits, defaultLimits } from '../capture/limits.ts';
import { Snapshotter } from './snapshot.ts';

/** Returns the value as it is sent: takes a snapshot and converts it to JSON and back. */
function sent(value: unknown, limits: Partial<CaptureLimits> = {}): CapturedValue {
  const snapshotter = plainSnapshotter({ ...defaultLimits, ...limits });
  snapshotter.beginStep();
  return JSON.parse(JSON.stringify(snapshotter.take(value, ['v'])));
}

class Order {
  id = 7;
  #secret = 1;
  get total(): number {
    return this.#secret;
  }
}
class Sub extends Order {}
const detached = (): { buffer: ArrayBuffer; view: DataView; bytes: Uint8Array } => {
  const buffer = new ArrayBuffer(8);
  const views = { buffer, view: new DataView(buffer, 2), bytes: new Uint8Array(buffer) };
  structuredClone(buffer, { transfer: [buffer] });
  return views;
};
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

describe('a value is shown with its type', () => {
  it.each<[string, unknown, unknown]>([
    ['undefined', undefined, { $type: 'undefined' }],
    ['NaN', Number.NaN, { $type: 'number', value: 'NaN' }],
    ['-Infinity', -Infinity, { $type: 'number', value: '-Infinity' }],
    ['-0', -0, { $type: 'number', value: '-0' }],
    ['0', 0, 0],
    ['a fraction', 1e-7, 1e-7],
    ['the largest number', Number.MAX_VALUE, Number.MAX_VALUE],
    ['bigint', -(2n ** 70n), { $type: 'bigint', value: '-1180591620717411303424' }],
    ['a huge bigint', 2n ** 1_000_000n, { $type: 'cut', of: 'bigint', reason: 'bytes' }],
    ['symbol', Symbol('s'), { $type: 'symbol', description: 's' }],
    ['symbol without a name', Symbol(), { $type: 'symbol', description: '' }],
    ['function', function work() {}, { $type: 'function', name: 'work' }],
    ['class', Order, { $type: 'function', name: 'Order', isClass: true }],
    ['date', new Date(1.5e12), { $type: 'Date', value: '2017-07-14T02:40:00.000Z' }],
    ['invalid date', new Date(Number.NaN), { $type: 'Date', value: null }],
    ['regexp', /a\/b/dgimsuy, { $type: 'RegExp', source: 'a\\/b', flags: 'dgimsuy' }],
    ['map', new Map<unknown, unknown>([['k', 1]]), { $type: 'Map', size: 1, entries: [['k', 1]] }],
    ['set', new Set(['a']), { $type: 'Set', size: 1, values: ['a'] }],
    ['buffer', Buffer.from('hello'), { $type: 'Buffer', size: 5, base64: 'aGVsbG8=' }],
    ['empty buffer', Buffer.alloc(0), { $type: 'Buffer', size: 0, base64: '' }],
    [
      'typed array',
      new Float32Array([0.5]),
      { $type: 'TypedArray', class: 'Float32Array', length: 1, values: [0.5] },
    ],
    [
      'big typed array',
      new BigUint64Array(1),
      { $type: 'TypedArray', class: 'BigUint64Array', length: 1, values: [{ $type: 'bigint', value: '0' }] },
    ],
    [
      'array buffer',
      new Uint8Array([7]).buffer,
      { $type: 'TypedArray', class: 'ArrayBuffer', length: 1, values: [7] },
    ],
    [
      'shared array buffer',
      new SharedArrayBuffer(1),
      { $type: 'TypedArray', class: 'SharedArrayBuffer', length: 1, values: [0] },
    ],
    [
      'data view',
      new DataView(new Uint8Array([1, 2, 3]).buffer, 1),
      { $type: 'TypedArray', class: 'DataView', length: 2, values: [2, 3] },
    ],
    [
      'detached buffer',
      detached().buffer,
      { $type: 'TypedArray', class: 'ArrayBuffer', length: 0, values: [] },
    ],
    ['detached view', detached().view, { $type: 'TypedArray', class: 'DataView', length: 0, values: [] }],
    ['instance', new Order(), { $type: 'object', class: 'Order', properties: { id: 7 } }],
    ['instance of a subclass', new Sub(), { $type: 'object', class: 'Sub', properties: { id: 7 } }],
    [
      'nameless class',
      new (class extends Order {})(),
      { $type: 'object', class: 'Order', properties: { id: 7 } },
    ],
    ['promise', Promise.resolve(1), { $type: 'object', class: 'Promise', properties: {} }],
    ['weak map', new WeakMap(), { $type: 'object', class: 'WeakMap', properties: {} }],
    ['boxed', Object('x'), { $type: 'object', class: 'String', properties: { value: 'x' } }],
    [
      'url',
      new URL('http://h/p?q=1'),
      { $type: 'object', class: 'URL', properties: { href: 'http://h/p?q=1' } },
    ],
    ['null prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['proxy', new Proxy([], {}), { $type: 'proxy' }],
    ['function proxy', new Proxy(() => {}, {}), { $type: 'proxy' }],
    ['revoked proxy', revoked(), { $type: 'proxy' }],
    [
      'accessor',
      Object.defineProperty({}, 'x', { get: () => 1, enumerable: true }),
      { x: { $type: 'accessor' } },
    ],
    ['hidden property', Object.defineProperty({ a: 1 }, 'x', { value: 1 }), { a: 1 }],
    [
      'symbol keys',
      { a: 1, [Symbol('b')]: 2, [Symbol('b')]: 3, 'Symbol(c)': 4, [Symbol('c')]: 5 },
      { a: 1, 'Symbol(c)': 4, 'Symbol(b)': 2, 'Symbol(b) 2': 3, 'Symbol(c) 2': 5 },
    ],
    [
      'a $type of its own',
      { $type: 'Date', value: 1 },
      { $type: 'object', properties: { $type: 'Date', value: 1 } },
    ],
    ['a __proto__ of its own', JSON.parse('{"__proto__":{"x":1}}'), JSON.parse('{"__proto__":{"x":1}}')],
    [
      'holes',
      Object.assign(new Array(3), { 0: 1, 2: 3 }),
      { $type: 'array', length: 3, values: [1, { $type: 'hole' }, 3] },
    ],
  ])('%s', (_, value, expected) => {
    expect(sent(value)).toEqual(expected);
  });

  it('if it comes from another realm', () => {
    const other = runInContext(
      `({ list: [1], map: new Map([[1, { a: 1 }]]), date: new Date(0), error: new TypeError('far'), plain: { a: [] }, re: /x/g, bytes: new Uint8Array(1) })`,
      createContext({}),
    );
    expect(sent(other)).toMatchObject({
      list: [1],
      map: { $type: 'Map', entries: [[1, { a: 1 }]] },
      date: { $type: 'Date', value: '1970-01-01T00:00:00.000Z' },
      error: { $type: 'Error', class: 'TypeError', message: 'far' },
      plain: { a: [] },
      re: { $type: 'RegExp', flags: 'g' },
      bytes: { $type: 'TypedArray', class: 'Uint8Array', values: [0] },
    });
  });

  it('if it is an error, with its cause and other properties', () => {
    const error = Object.assign(new RangeError('too much', { cause: new Error('why') }), { code: 'E_MUCH' });
    expect(sent(error)).toMatchObject({
      $type: 'Error',
      class: 'RangeError',
      message: 'too much',
      cause: { $type: 'Error', message: 'why' },
      properties: { code: 'E_MUCH' },
    });
    expect(sent(new AggregateError([new Error('one')], 'all'))).toMatchObject({
      message: 'all',
      properties: { errors: [{ message: 'one' }] },
    });
    expect(sent(new DOMException('stop', 'AbortError'))).toMatchObject({
      class: 'DOMException',
      message: 'stop',
    });
  });
});

describe('a value is shown as it was when captured', () => {
  it('even if it changes later', () => {
    const snapshotter = new Snapshotter(defaultLimits, new CaptureRules(null));
    snapshotter.beginStep();
    const value = { list: [1], map: new Map([['a', 1]]), bytes: Buffer.from('a') };
    const taken = snapshotter.take(value, ['v']);
    value.list.push(2);
    value.map.set('a', 2);
    value.bytes[0] = 0;
    expect(taken.read()).toMatchObject({
      list: [1],
      map: { entries: [['a', 1]] },
      bytes: { base64: 'YQ==' },
    });
  });
});

describe('objects that occur more than once', () => {
  it('are shown once, and then as references to the path of the first occurrence in the step', () => {
    const snapshotter = plainSnapshotter(defaultLimits);
    snapshotter.beginStep();
    const shared = { n: 1 };
    const cycle: Record<string, unknown> = { map: new Map([[shared, shared]]) };
    cycle.self = cycle;
    expect(snapshotter.take(cycle, ['parameters', 'cycle'])).toEqual({
      map: {
        $type: 'Map',
        size: 1,
        entries: [[{ n: 1 }, { $type: 'reference', path: ['parameters', 'cycle', 'map', 0, 'key'] }]],
      },
      self: { $type: 'reference', path: ['parameters', 'cycle'] },
    });
    expect(snapshotter.take([shared], ['returnValue'])).toEqual([
      { $type: 'reference', path: ['parameters', 'cycle', 'map', 0, 'key'] },
    ]);
    snapshotter.beginStep();
    expect(snapshotter.take([shared], ['returnValue'])).toEqual([{ n: 1 }]);
  });

  it('are shown again if the depth limit cut the first occurrence', () => {
    const deep = { a: { b: { c: 1 } } };
    const snapshotter = plainSnapshotter({ ...defaultLimits, depth: 2 });
    snapshotter.beginStep();
    snapshotter.take({ x: { deep } }, ['first']);
    expect(snapshotter.take(deep, ['second'])).toEqual({ a: { b: { c: 1 } } });
    expect(snapshotter.take(deep, ['third'])).toEqual({ $type: 'reference', path: ['second'] });
  });

  it('are recognized among many objects', () => {
    const objects = Array.from({ length: 80 }, (_, n) => ({ n }));
    expect(sent([...objects, objects[79]])).toHaveProperty('80', { $type: 'reference', path: ['v', 79] });
  });
});

describe('a value cut by a limit is marked', () => {
  it.each<[string, unknown, Partial<CaptureLimits>, unknown]>([
    ['strings', 'abcdef', { stringLength: 4 }, { $type: 'string', value: 'abcd', length: 6 }],
    ['never within a pair', 'ab🎉', { stringLength: 3 }, { $type: 'string', value: 'ab', length: 4 }],
    ['arrays', [1, 2, 3], { items: 2 }, { $type: 'array', values: [1, 2], length: 3 }],
    [
      'maps',
      new Map([
        [1, 1],
        [2, 2],
      ]),
      { items: 1 },
      { $type: 'Map', size: 2, entries: [[1, 1]] },
    ],
    ['sets', new Set([1, 2]), { items: 1 }, { $type: 'Set', size: 2, values: [1] }],
    [
      'typed arrays',
      new Uint8Array(3),
      { items: 2 },
      { $type: 'TypedArray', class: 'Uint8Array', length: 3, values: [0, 0] },
    ],
    ['buffers', Buffer.alloc(9), { stringLength: 8 }, { $type: 'Buffer', size: 9, base64: 'AAAAAAAA' }],
    ['keys', { a: 1, b: 2, c: 3 }, { keys: 2 }, { $type: 'object', size: 3, properties: { a: 1, b: 2 } }],
    ['long keys', { abcdef: 1 }, { stringLength: 3 }, { 'abc… (6 characters)': 1 }],
    [
      'depth',
      { a: { b: [1, 2] } },
      { depth: 1 },
      { a: { b: { $type: 'cut', of: 'array', size: 2, reason: 'depth' } } },
    ],
    ['depth, but for what is empty', { a: { b: [], c: {} } }, { depth: 1 }, { a: { b: [], c: {} } }],
    [
      'depth of an instance',
      [new Order()],
      { depth: 0 },
      [{ $type: 'cut', of: 'Order', size: 1, reason: 'depth' }],
    ],
    ['no room at all', 'abc', { stepBytes: 0 }, { $type: 'cut', of: 'string', reason: 'bytes' }],
  ])('%s', (_, value, limits, expected) => {
    expect(sent(value, limits)).toEqual(expected);
  });

  it('and its omitted parts are counted', () => {
    const snapshotter = plainSnapshotter(defaultLimits);
    snapshotter.beginStep();
    snapshotter.take(['x'.repeat(1255), Buffer.alloc(1189)], ['v']);
    expect(snapshotter.cutValues).toBe(2);
    expect(snapshotter.cutBytes).toBe(1000 + 1000);
  });

  it('if the limit is for a step or for a whole request', () => {
    const snapshotter = plainSnapshotter({ ...defaultLimits, stepBytes: 5000, requestBytes: 12_000 });
    let bytes = 0;
    for (let step = 0; step < 10; step++) {
      snapshotter.beginStep();
      const size = Buffer.byteLength(
        JSON.stringify(snapshotter.take(Array(100).fill('y'.repeat(200)), ['v'])),
      );
      expect(size).toBeLessThan(5000);
      bytes += size;
    }
    expect(bytes).toBeGreaterThan(9000);
    expect(bytes).toBeLessThan(12_000 + 10 * 128);
  });

  it("if the values at the start and at the end of a step together exceed the step's limit", () => {
    const snapshotter = plainSnapshotter(defaultLimits);
    snapshotter.beginStep();
    snapshotter.take('x'.repeat(200), ['inputs', 0]);
    const spent = snapshotter.stepBytes;
    expect(spent).toBeGreaterThan(200);
    snapshotter.beginStep(defaultLimits.stepBytes);
    expect(snapshotter.take(['x'], ['returnValue'])).toMatchObject({ $type: 'cut', reason: 'bytes' });
  });
});

describe('a value that is too large to be read completely takes bounded time', () => {
  it('if it is a deep cycle, a long string, a wide object or a sparse array', () => {
    type Link = { next?: Link; back?: Link };
    const deep: Link = {};
    let link = deep;
    for (let n = 0; n < 100_000; n++) {
      const next: Link = { back: link };
      link.next = next;
      link = next;
    }
    link.next = deep;
    expect(JSON.stringify(sent(deep)).length).toBeLessThan(1000);
    expect(JSON.stringify(sent(deep, { depth: 20 })).length).toBeLessThan(5000);
    expect(sent('z'.repeat(10_000_000))).toMatchObject({ $type: 'string', length: 10_000_000 });
    const sparse = new Array(2 ** 32 - 1);
    expect(sent(sparse)).toMatchObject({ $type: 'array', length: 2 ** 32 - 1 });
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, n]));
    for (let round = 0; round < 3; round++) {
      expect(sent(wide)).toMatchObject({ $type: 'object', size: 5000, properties: { k0: 0, k19: 19 } });
    }
    wide.k3 = -1;
    expect(sent(wide)).toMatchObject({ properties: { k3: -1 } });
  });

  it('even if the call stack is almost full', () => {
    const snapshotter = plainSnapshotter({ ...defaultLimits, requestBytes: 1e9 });
    const shown = new Set<string>();
    const recurse = (): void => {
      snapshotter.beginStep();
      shown.add(JSON.stringify(snapshotter.take({ a: { b: [new Map([[1, { c: 1 }]])] } }, ['v'])));
      recurse();
    };
    expect(recurse).toThrow(RangeError);
    snapshotter.beginStep();
    expect(snapshotter.take([{ a: 1 }], ['v'])).toEqual([{ a: 1 }]);
  });
});
