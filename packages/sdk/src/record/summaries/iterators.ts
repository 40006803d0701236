import type { Summary } from './summary.ts';

const { getPrototypeOf } = Object;
const generator: object = getPrototypeOf(function* () {}).prototype;
const asyncGenerator: object = getPrototypeOf(async function* () {}).prototype;
const builtIn: readonly object[] = [
  [].values(),
  new Map().values(),
  new Set().values(),
  ''[Symbol.iterator](),
  ''.matchAll(/./g),
].map(getPrototypeOf);

/**
 * Generators and the iterators of collections have no class that JavaScript names, and no properties: without a summary, they would be
 * shown as empty objects. Reading their items would use the items up.
 */
export const iteratorSummaries: readonly Summary[] = [
  { is: generator, as: 'Generator', but: '' },
  { is: asyncGenerator, as: 'AsyncGenerator', but: '' },
  ...builtIn.map((prototype) => ({
    is: prototype,
    as: String(Reflect.get(prototype, Symbol.toStringTag)),
    but: '',
  })),
];
