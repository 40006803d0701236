import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { CapturedValue } from '../values.ts';
import { findValueAt, findValueDifferences } from './value-difference.ts';

const differ = (left: CapturedValue, right: CapturedValue) =>
  findValueDifferences(left, right).found.map(({ path, left: one, right: other }) => [path, one, other]);

const UNDEFINED = { $type: 'undefined' } as const;

const map = (...entries: [CapturedValue, CapturedValue][]): CapturedValue => ({
  $type: 'Map',
  size: entries.length,
  entries,
});

/** Keys of a Map that are easy to confuse, with their texts in a path. */
const KEYS: readonly (readonly [CapturedValue, string])[] = [
  ['1', '1'],
  [1, '1 (number)'],
  ['1 (number)', '1 (number) (string)'],
  [true, 'true (boolean)'],
  ['true', 'true'],
  [null, 'null (null)'],
  [UNDEFINED, 'undefined (undefined)'],
  [{ $type: 'bigint', value: '1' }, '1n (bigint)'],
  [{ id: 1 }, '{"id":1} (object)'],
  [{ id: 2 }, '{"id":2} (object)'],
  [[1], '[1] (list)'],
];
const NAMES = ['stack', 'cause', 'a', '0', '__proto__'];

/** A value to compare, and the facts that a comparison needs: its kind, its text, its parts. */
interface Compared {
  readonly value: CapturedValue;
  readonly kind: string;
  /** Text of the value; undefined if its content was not captured. */
  readonly text: string | undefined;
  readonly parts: readonly (readonly [string | number, Compared])[];
}
type Member = readonly [string, Compared];

const leaf = fc.constantFrom(
  ...[
    ['null', '', null],
    ['number', '1', 1],
    ['string', '1', '1'],
    ['undefined', '', UNDEFINED],
    ['bigint', '1', { $type: 'bigint', value: '1' }],
    ['Date', '', { $type: 'Date', value: '2026-01-05T00:00:00.000Z' }],
    ['object', undefined, { $type: 'cut', of: 'object', reason: 'depth' }],
    ['string', undefined, { $type: 'redacted', of: 'string' }],
    ['null', undefined, { $type: 'redacted', of: 'null' }],
    ['Buffer', '3 YWJj', { $type: 'Buffer', size: 3, base64: 'YWJj' }],
    ['Buffer', '3 YWJk', { $type: 'Buffer', size: 3, base64: 'YWJk' }],
  ].map(([kind, text, value]) => ({ kind, text, value, parts: [] }) as Compared),
);

/** Builds the properties of an object. As in JavaScript, keys that are indices come first. */
function buildProperties(members: readonly Member[]) {
  const parts = members.toSorted(([a], [b]) => Number(b === '0') - Number(a === '0'));
  return { parts, properties: Object.fromEntries(parts.map(([name, { value }]) => [name, value])) };
}

function buildError(message: string, stack: string) {
  return (members: readonly Member[]): Compared => {
    const { parts, properties } = buildProperties(members);
    const value = { $type: 'Error', class: 'Error', message, stack, properties } as const;
    return { value, kind: 'Error', text: message, parts };
  };
}

const wholes: readonly ((members: readonly Member[]) => Compared)[] = [
  (members) => {
    const items = members.map(([, item]) => item);
    return { value: items.map(({ value }) => value), kind: 'array', text: '', parts: [...items.entries()] };
  },
  (members) => {
    const { parts, properties } = buildProperties(members);
    return { value: properties, kind: 'object', text: '', parts };
  },
  (members) => {
    const { parts, properties } = buildProperties(members);
    return { value: { $type: 'object', class: 'Order', properties }, kind: 'Order', text: '', parts };
  },
  buildError('late', 'at a'),
  buildError('late', 'at b'),
  buildError('early', 'at b'),
];

function buildMap(entries: readonly (readonly [(typeof KEYS)[number], Compared])[]): Compared {
  return {
    value: map(...entries.map(([[key], { value }]): [CapturedValue, CapturedValue] => [key, value])),
    kind: 'Map',
    text: '',
    parts: entries.map(([[, text], part]) => [text, part] as const),
  };
}

/** Generates pairs of values that are often equal in most of their parts. */
const { pair } = fc.letrec<{ pair: [Compared, Compared] }>((tie) => {
  /**
   * Generates members with unique names. The number at the end of each tuple says which of the two values has the member: 0 (only the left
   * value), 1 (only the right value) or 2 (both values).
   */
  const members = <Name>(names: readonly Name[]) =>
    fc.uniqueArray(fc.tuple(fc.constantFrom(...names), tie('pair'), fc.constantFrom(0, 1, 2, 2, 2)), {
      selector: ([name]) => name,
      maxLength: 4,
    });
  const side = <Name>(drawn: readonly [Name, [Compared, Compared], number][], at: 0 | 1) =>
    drawn.flatMap(([name, parts, on]) => (on === 1 - at ? [] : [[name, parts[at]] as const]));
  return {
    pair: fc.oneof(
      { maxDepth: 3 },
      leaf.map((same): [Compared, Compared] => [same, same]),
      fc.tuple(leaf, leaf),
      fc
        .tuple(members(NAMES), fc.constantFrom(...wholes), fc.constantFrom(...wholes), fc.boolean())
        .map(([drawn, left, other, same]): [Compared, Compared] => [
          left(side(drawn, 0)),
          (same ? left : other)(side(drawn, 1)),
        ]),
      members(KEYS).map((drawn): [Compared, Compared] => [
        buildMap(side(drawn, 0)),
        buildMap(side(drawn, 1).toReversed()),
      ]),
    ),
  };
});

/** Lists the differences of two values by a simple comparison of all parts, as the reference for the tests. */
function compareSlowly(left: Compared, right: Compared, path: readonly (string | number)[] = []): unknown[] {
  const different = [[path, left.value, right.value]];
  if (left.text === undefined || right.text === undefined) {
    const isAbsent = [left, right].some(({ kind }) => kind === 'null' || kind === 'undefined');
    return isAbsent && left.kind !== right.kind ? different : [];
  }
  if (left.kind !== right.kind || left.text !== right.text) return different;
  const differences: unknown[] = [];
  for (const [key, part] of left.parts) {
    const other = right.parts.find(([name]) => name === key)?.[1];
    if (other === undefined) differences.push([[...path, key], part.value, undefined]);
    else differences.push(...compareSlowly(part, other, [...path, key]));
  }
  for (const [key, part] of right.parts)
    if (!left.parts.some(([name]) => name === key)) differences.push([[...path, key], undefined, part.value]);
  return differences;
}

describe('the differences between two values', () => {
  it.each<[string, CapturedValue, CapturedValue, unknown]>([
    ['a member', { a: 1, b: 2 }, { a: 1, b: 3 }, [[['b'], 2, 3]]],
    ['a member that one side alone has', { a: 1 }, {}, [[['a'], 1, undefined]]],
    [
      'undefined against an object, as a whole',
      { entry: UNDEFINED },
      { entry: { rate: 1 } },
      [[['entry'], UNDEFINED, { rate: 1 }]],
    ],
    ['an item more', [1, 2], [1], [[[1], 2, undefined]]],
    ['a number against a text', { n: 1 }, { n: '1' }, [[['n'], 1, '1']]],
    [
      'an entry of a map, by its key',
      {
        $type: 'Map',
        size: 2,
        entries: [
          ['b', 2],
          ['a', 1],
        ],
      },
      {
        $type: 'Map',
        size: 2,
        entries: [
          ['a', 1],
          ['b', 3],
        ],
      },
      [[['b'], 2, 3]],
    ],
    [
      'nothing where a limit cut one side',
      { a: { $type: 'cut', of: 'object', reason: 'depth' } },
      { a: { b: 1 } },
      [],
    ],
    [
      'nothing between hidden texts',
      { $type: 'redacted', of: 'string' },
      { $type: 'redacted', of: 'string' },
      [],
    ],
    [
      'undefined where the other side was cut',
      UNDEFINED,
      { $type: 'cut', of: 'object', reason: 'depth' },
      [[[], UNDEFINED, { $type: 'cut', of: 'object', reason: 'depth' }]],
    ],
    [
      'texts of which only the beginnings were captured, by length',
      { $type: 'string', value: 'abc', length: 900 },
      { $type: 'string', value: 'abc', length: 901 },
      [[[], { $type: 'string', value: 'abc', length: 900 }, { $type: 'string', value: 'abc', length: 901 }]],
    ],
  ])('are found by their paths: %s', (_, left, right, expected) => {
    expect(differ(left, right)).toEqual(expected);
  });

  it('include a member named stack, except the stack of an error', () => {
    expect(differ({ stack: 'web' }, { stack: 'mobile' })).toEqual([[['stack'], 'web', 'mobile']]);
    const error = (stack: string, depth: number): CapturedValue => ({
      $type: 'Error',
      class: 'Error',
      message: 'late',
      stack,
      properties: { stack: depth },
    });
    expect(differ(error('at one', 1), error('at other', 1))).toEqual([]);
    expect(differ(error('at one', 1), error('at other', 2))).toEqual([[['stack'], 1, 2]]);
  });

  it('keep entries of a map apart if their keys have the same text', () => {
    const left = map([1, 'number'], ['1', 'text'], [{ id: 1 }, 'first'], [{ id: 2 }, 'second']);
    const right = map(['1', 'text'], [1, 'changed'], [{ id: 2 }, 'second'], [{ id: 1 }, 'first']);
    expect(differ(left, right)).toEqual([[['1 (number)'], 'number', 'changed']]);
    expect(differ(left, map(['1', 'text'], [{ id: 1 }, 'first'], [{ id: 2 }, 'other']))).toEqual([
      [['1 (number)'], 'number', undefined],
      [['{"id":2} (object)'], 'second', 'other'],
    ]);
    const symbol = { $type: 'symbol', description: 'id' } as const;
    expect(differ(map([symbol, 1], [symbol, 2]), map([symbol, 1], [symbol, 3]))).toEqual([
      [['Symbol(id) (symbol) (2)'], 2, 3],
    ]);
    expect(findValueAt(left, ['1 (number)'])).toBe('number');
    expect(findValueAt(left, ['1'])).toBe('text');
  });

  it('include the bytes of buffers and the class of typed arrays', () => {
    const buffer = (size: number, base64: string): CapturedValue => ({ $type: 'Buffer', size, base64 });
    expect(differ(buffer(3, 'YWJj'), buffer(3, 'YWJk'))).toHaveLength(1);
    expect(differ(buffer(15_000, 'YWJj'), buffer(15_001, 'YWJj'))).toHaveLength(1);
    const typed = (name: string): CapturedValue => ({
      $type: 'TypedArray',
      class: name,
      length: 1,
      values: [1],
    });
    expect(differ(typed('Uint8Array'), typed('Float32Array'))).toHaveLength(1);
  });

  it('are exactly the differences that a comparison of all members finds', () => {
    fc.assert(
      fc.property(pair, ([left, right]) => {
        expect(differ(left.value, right.value)).toEqual(compareSlowly(left, right));
        expect(differ(left.value, structuredClone(left.value))).toEqual([]);
      }),
    );
  });

  it('have paths that lead to the difference in both of the compared values', () => {
    fc.assert(
      fc.property(pair, ([{ value: left }, { value: right }]) => {
        for (const difference of findValueDifferences(left, right).found) {
          expect(findValueAt(left, difference.path)).toEqual(difference.left);
          expect(findValueAt(right, difference.path)).toEqual(difference.right);
        }
      }),
    );
  });

  it('are limited in number, and so is the number of compared values', () => {
    const [left, right] = [1, 2].map((seed) => Array.from({ length: 1000 }, (_, at) => at * seed + 1));
    expect(findValueDifferences(left ?? [], right ?? [], { differences: 7, values: 500 }).found).toHaveLength(
      7,
    );
    expect(findValueDifferences(left ?? [], left?.slice() ?? [], { differences: 7, values: 5 }).looked).toBe(
      5,
    );
  });
});

test('finding one member of an object reads no other member, and finding one item of a list reads no other item', () => {
  const read: (string | symbol)[] = [];
  const watch = <Value extends object>(value: Value): Value =>
    new Proxy(value, {
      get(target, key) {
        read.push(key);
        return Reflect.get(target, key);
      },
    });
  const members = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`key${at}`, at]));
  expect(findValueAt(watch(members), ['key500'])).toBe(500);
  expect(findValueAt(watch(Object.values(members)), [500])).toBe(500);
  expect(read.filter((key) => key !== '$type')).toEqual(['key500', '500']);
});
