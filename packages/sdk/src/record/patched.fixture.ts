/**
 * A host application that has replaced and frozen built-ins after the SDK was loaded. Prints, as JSON, which of its replacements ran during
 * a snapshot, and the snapshot. Runs in its own process.
 */

import { CaptureRules } from './capture/capture-rules.ts';
import { defaultLimits } from './capture/limits.ts';
import { describeError, formatStackWithCauses } from './snapshot/error.ts';
import { Snapshotter } from './snapshot/snapshot.ts';
import { takeFirstUnits } from './snapshot/text.ts';

const shared = { a: 1 };
const value = {
  list: [1, 'two', shared, shared],
  map: new Map<unknown, unknown>([['k', { deep: true }]]),
  set: new Set([1]),
  date: new Date(0),
  regexp: /x/gi,
  bytes: Buffer.from('hello'),
  floats: new Float64Array([0.5]),
  view: new DataView(new ArrayBuffer(1)),
  error: new TypeError('bad', { cause: 'why' }),
  big: 5n,
  symbol: Symbol('s'),
  long: 'é'.repeat(5000),
  boxed: Object(1),
  url: new URL('http://h/'),
  many: Array.from({ length: 40 }, (_, n) => ({ n })),
  work() {},
};
const snapshotter = new Snapshotter({ ...defaultLimits, stringLength: 20 }, new CaptureRules(null));
const ran = new Set<string>();
const { add } = Set.prototype;
let isCounting = false;

const classes = [
  Object,
  Array,
  Map,
  Set,
  WeakMap,
  Date,
  RegExp,
  String,
  Number,
  BigInt,
  Symbol,
  Error,
  Buffer,
  URL,
];
const prototypes: (readonly [name: string, target: object])[] = [
  ...classes.map((owner) => [owner.name, owner.prototype] as const),
  ...classes.map((owner) => [`static ${owner.name}`, owner] as const),
  ['Function', Function.prototype],
  ['TypedArray', Object.getPrototypeOf(Uint8Array.prototype)],
  ['ArrayBuffer', ArrayBuffer.prototype],
  ['DataView', DataView.prototype],
  ['MapIterator', Object.getPrototypeOf(new Map().entries())],
  ['SetIterator', Object.getPrototypeOf(new Set().values())],
  ['Reflect', Reflect],
];
const { apply, ownKeys, defineProperty, getOwnPropertyDescriptor } = Reflect;
const { freeze, prototype: objectPrototype } = Object;

for (const [owner, target] of prototypes) {
  for (const key of ownKeys(target)) {
    const old = getOwnPropertyDescriptor(target, key);
    if (key === 'constructor' || key === '__proto__' || old?.configurable !== true) continue;
    const note = (): void => {
      if (isCounting) apply(add, ran, [`${owner} ${typeof key === 'string' ? key : 'symbol'}`]);
    };
    const counted = (fn: unknown) =>
      function (this: unknown, ...args: unknown[]): unknown {
        note();
        return typeof fn === 'function' ? apply(fn, this, args) : undefined;
      };
    if (old.get !== undefined) defineProperty(target, key, { ...old, get: counted(old.get) });
    else if (typeof old.value === 'function')
      defineProperty(target, key, { ...old, value: counted(old.value) });
  }
}
for (const key of ['a', 'value', 'get', 'list', 'n', 'toJSON', 'done', 'size', '$type', 'properties']) {
  const note = (): void => {
    if (isCounting) apply(add, ran, [`polluted ${key}`]);
  };
  // The descriptor has no prototype, since it would otherwise inherit the property that is being defined.
  defineProperty(objectPrototype, key, Object.assign(Object.create(null), { get: note, set: note }));
}
freeze(Array.prototype);
freeze(objectPrototype);

snapshotter.beginStep();
isCounting = true;
const taken = snapshotter.take(value, ['v']);
const error = describeError(value.error, takeFirstUnits);
const stack = formatStackWithCauses(value.error, takeFirstUnits);
isCounting = false;
snapshotter.deferred.readAll();
process.stdout.write(
  `{"ran":${JSON.stringify([...ran])},"taken":${taken.json},"message":${JSON.stringify(error.message)},"stack":${JSON.stringify(stack)}}`,
);
