import { expect, test } from 'vitest';
import { plainSnapshotter } from '../../../test/plain-snapshotter.ts';
import { defaultLimits } from '../capture/limits.ts';

function take(value: unknown) {
  const snapshotter = plainSnapshotter(defaultLimits);
  snapshotter.beginStep();
  return snapshotter.take(value, []);
}

test('generators and the iterators of collections are shown by class, and keep their items', () => {
  class Lines {
    *[Symbol.iterator]() {
      yield 'first line';
    }
  }
  async function* pages() {
    yield 1;
  }
  const lines = new Lines()[Symbol.iterator]();
  const values = new Map([['a', 1]]).values();
  const shown = [lines, pages(), values, [1][Symbol.iterator](), 'ab'.matchAll(/a/g)].map(take);
  expect(shown).toEqual(
    ['Generator', 'AsyncGenerator', 'Map Iterator', 'Array Iterator', 'RegExp String Iterator'].map(
      (name) => ({
        $type: 'object',
        class: name,
        properties: {},
      }),
    ),
  );
  expect([lines.next().value, values.next().value]).toEqual(['first line', 1]);
});

test('a generator with properties of its own shows the properties', () => {
  function* pages() {
    yield 1;
  }
  expect(take(Object.assign(pages(), { size: 3 }))).toEqual({
    $type: 'object',
    class: 'Generator',
    properties: { size: 3 },
  });
});
