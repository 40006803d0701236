import { expect, test } from 'vitest';
import { defaultLimits } from '../capture/limits.ts';
import { Recording } from '../recording.ts';

const count = 300_000;

function large(): Record<PropertyKey, unknown> {
  const entries = Array.from({ length: count }, (_, index) => [`key${index}`, index] as const);
  return Object.assign(Object.fromEntries(entries), { [Symbol('tag')]: 'symbol' });
}

function took(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

test('the keys of an object with very many keys are listed only once, even if the object is captured often and at any depth', () => {
  const object = large();
  const deep = { a: { b: { c: { d: { e: { f: { g: { h: object } } } } } } } };
  const recording = new Recording({ capture: 'all', limits: defaultLimits });
  const listing = took(() => Object.getOwnPropertySymbols(object));
  const captured = took(() => {
    for (let times = 0; times < 200; times++) {
      recording.snapshot(object);
      recording.snapshot(deep);
    }
  });
  // Listing keys and symbols takes several times as long as listing only symbols, which is measured here.
  expect(captured).toBeLessThan(80 * listing + 300);
  recording.finish();
});

test('an object with very many keys shows its first keys, its size, and values that changed since the keys were listed', () => {
  const object = large();
  const recording = new Recording({ capture: 'all', limits: { ...defaultLimits, keys: 2 } });
  const shown = () => recording.snapshot(object);
  expect(shown()).toEqual({ $type: 'object', properties: { key0: 0, key1: 1 }, size: count + 1 });
  object.key1 = 'changed';
  expect(shown()).toMatchObject({ properties: { key0: 0, key1: 'changed' } });
  recording.finish();
});
