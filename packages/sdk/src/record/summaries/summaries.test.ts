import { expect, test } from 'vitest';
import { plainSnapshotter } from '../../../test/plain-snapshotter.ts';
import { defaultLimits } from '../capture/limits.ts';
import { dataSummaries } from './data.ts';
import { frameworkSummaries } from './frameworks.ts';

function take(value: unknown) {
  const snapshotter = plainSnapshotter(defaultLimits);
  snapshotter.beginStep();
  return snapshotter.take(value, []);
}

/** Creates an object that inherits methods of these names and has the properties of `own`. */
function inheriting(names: readonly PropertyKey[], own: object): object {
  return Object.assign(Object.create(Object.fromEntries(names.map((name) => [name, () => {}]))), own);
}

const marked = [...frameworkSummaries, ...dataSummaries].flatMap(({ has = [], named, ...summary }) =>
  named === undefined ? [{ has, ...summary }] : [],
);

test.each(marked)(
  'an object is recognized by $has without running any of its code',
  ({ has, shows = [] }) => {
    let ran = 0;
    const run = () => {
      ran++;
      return undefined;
    };
    const guarded = new Proxy({}, { get: run, getOwnPropertyDescriptor: run, ownKeys: () => [`${run()}`] });
    for (const descriptor of [
      { get: run },
      { value: guarded },
      {
        value: {
          get inner() {
            return run();
          },
        },
      },
    ]) {
      const object = inheriting(has, { toJSON: run });
      for (const field of shows) {
        const first = field.split(': ').at(-1)?.split('.')[0] ?? '';
        Object.defineProperty(object, first, { ...descriptor, enumerable: true });
      }
      expect(take(object)).toMatchObject({ $type: 'object' });
    }
    expect(ran).toBe(0);
  },
);

test('the search in an endless or hostile prototype chain ends', () => {
  const guarded = new Proxy(
    {},
    {
      getPrototypeOf: () => {
        throw new Error('no');
      },
    },
  );
  expect(() => take(Object.create(guarded))).not.toThrow();
  let deep: object = {};
  for (let link = 0; link < 1000; link++) deep = Object.create(deep);
  expect(() => take(deep)).not.toThrow();
});

test('database documents show their fields, not their internal state', () => {
  const row = inheriting(['getDataValue', 'setDataValue'], {
    dataValues: { id: 1, title: 'Tea' },
    _previousDataValues: { id: 1, title: 'Cup' },
    isNewRecord: false,
  });
  expect(take(row)).toMatchObject({ properties: { id: 1, title: 'Tea' } });
  expect(JSON.stringify(take(row))).not.toContain('Cup');
  const document = inheriting(['$set', 'markModified', 'toObject'], {
    _doc: { id: 2, name: 'Ada' },
    $__: { big: 1 },
  });
  expect(take(document)).toMatchObject({ properties: { id: 2, name: 'Ada' } });
  const model = inheriting(['$query', '$toJson', '$set'], { id: 3, $beforeUpdate: {}, owner: { id: 4 } });
  expect(take(model)).toMatchObject({ properties: { id: 3, owner: { id: 4 } } });
});

test("the metadata of TypeORM and the modules of Nest show names, not the program's other classes", () => {
  class Post {}
  const entity = inheriting(['getEntityIdMap', 'findInheritanceMetadata'], {
    name: 'Post',
    tableName: 'posts',
    columns: [{ isPrimary: true }],
  });
  const members = ['getEntityValue', 'setEntityValue', 'buildPropertyPath'];
  const column = { propertyName: 'title', type: 'text', databaseName: 'title', isPrimary: false };
  const relation = { propertyName: 'author', type: 'Author', relationType: 'many-to-one' };
  const shown = take([
    entity,
    inheriting(members, { ...column, entityMetadata: entity }),
    inheriting(members, { ...relation, inverseEntityMetadata: { name: 'Author' } }),
    inheriting(['addCoreProviders', 'addProvider'], { _metatype: Post, _providers: new Map() }),
    inheriting(['introspect', 'instantiateClass'], { container: { modules: new Map() } }),
  ]);
  expect(shown).toMatchObject(
    [
      { name: 'Post', tableName: 'posts' },
      { propertyName: 'title', type: 'text', databaseName: 'title' },
      { ...relation, inverse: 'Author' },
      { class: { $type: 'function', name: 'Post' } },
      {},
    ].map((properties) => ({ $type: 'object', properties })),
  );
  expect(JSON.stringify(shown)).not.toMatch(/columns|isPrimary|_providers|container/);
});
