import { type CapturedValue, isTagged } from '@throughline/contract';
import { Redactor } from '@throughline/contract/redaction';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { record, traced } from '../../../test/traced.ts';
import { CaptureRules } from '../capture/capture-rules.ts';
import { defaultLimits } from '../capture/limits.ts';
import { Snapshotter } from '../snapshot/snapshot.ts';

type Steps = readonly { readonly [name: string]: CapturedValue }[];

/** Replaces each reference by the value to which it refers. The values must not contain cycles. */
function expand(value: CapturedValue, steps: Steps, step: number): CapturedValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isTagged(value) && value.$type === 'reference') {
    const there = value.step === undefined ? step : Number(value.step) - 1;
    let found: CapturedValue | undefined = steps[there];
    for (const key of value.path) found = getChild(found, key);
    if (found === undefined) throw new Error(`nothing is at ${JSON.stringify(value)}`);
    return expand(found, steps, there);
  }
  if (Array.isArray(value)) return value.map((part: CapturedValue) => expand(part, steps, step));
  const entries = Object.entries(value).map(([key, part]: [string, CapturedValue]) => [
    key,
    expand(part, steps, step),
  ]);
  return Object.fromEntries(entries);
}

function getChild(value: CapturedValue | undefined, key: string | number): CapturedValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const tagged = isTagged(value) ? value : undefined;
  const inner: unknown =
    tagged?.$type === 'object' ? tagged.properties : tagged?.$type === 'array' ? tagged.values : value;
  return Object.entries(inner ?? {}).find(([name]) => name === String(key))?.[1];
}

interface Thing {
  id: number;
  text: string;
  parts: Thing[];
  /** A digit that comes after the parts in the JSON. Changing it does not change the size of the JSON. */
  last: number;
  more?: unknown;
}

/** Limits that the objects of the test do not reach, so that they are captured completely. */
const LARGE_LIMITS = {
  ...defaultLimits,
  ...{
    depth: 20,
    keys: 100,
    items: 1000,
    stringLength: 1000,
    stepBytes: 50_000_000,
    requestBytes: 500_000_000,
  },
};

const long = 'a text that is long enough to be referred to rather than written again, and a little more';

/**
 * Changes that are made before a step is captured: another string or digit, one part more or fewer (always an object with a smaller number,
 * so that there are no cycles), or more keys than are shown.
 */
const changes = fc.array(
  fc.tuple(fc.nat(5), fc.nat(5), fc.constantFrom('text', 'part', 'more', 'fewer', 'last')),
  {
    maxLength: 2,
  },
);

test('references lead to the values at the time of capture, whatever changes between the steps', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(changes, fc.array(fc.nat(5), { minLength: 1, maxLength: 4 })), {
        minLength: 1,
        maxLength: 12,
      }),
      (moments) => {
        const things: Thing[] = Array.from({ length: 6 }, (_, id) => ({
          id,
          text: id % 2 === 0 ? long : 'x',
          parts: [],
          last: 0,
        }));
        const sharing = new Snapshotter(defaultLimits, new CaptureRules(null));
        const whole = new Snapshotter(defaultLimits, new CaptureRules(null));
        const unlimited = new Snapshotter(LARGE_LIMITS, new CaptureRules(null));
        const shared: Record<string, CapturedValue>[] = [];
        const plain: Record<string, CapturedValue>[] = [];
        const complete: Record<string, CapturedValue>[] = [];
        const copies: unknown[] = [];
        moments.forEach(([changed, picks], step) => {
          for (const [a, b, how] of changed) change(things, Math.max(a, b), Math.min(a, b), how);
          shared.push(taken(sharing, step, things, picks));
          plain.push(taken(whole, -1, things, picks));
          complete.push(taken(unlimited, step, things, picks));
          const copy = Object.fromEntries(picks.map((pick, nth) => [`v${nth}`, things[pick]]));
          copies.push(JSON.parse(JSON.stringify(copy)));
        });
        moments.forEach((_, step) => {
          expect(expand(shared[step] ?? null, shared, step)).toEqual(
            expand(plain[step] ?? null, plain, step),
          );
          expect(expand(complete[step] ?? null, complete, step)).toEqual(copies[step]);
        });
      },
    ),
    { numRuns: 250 },
  );
});

function change(things: readonly Thing[], from: number, to: number, how: string): void {
  const [thing, part] = [things[from], things[to]];
  if (thing === undefined || part === undefined) return;
  if (how === 'text') thing.text = `${long} ${thing.text.length}`;
  if (how === 'part' && part !== thing) thing.parts.push(part);
  if (how === 'more')
    thing.more = Object.fromEntries(
      Array.from({ length: 25 }, (_, nth) => [`key${nth}`, part === thing ? nth : part]),
    );
  if (how === 'fewer') thing.parts.pop();
  if (how === 'last') thing.last = (thing.last + 1) % 10;
}

function taken(snapshotter: Snapshotter, step: number, things: readonly object[], picks: readonly number[]) {
  snapshotter.busy = false;
  snapshotter.beginStep(0, step);
  const values: Record<string, CapturedValue> = {};
  for (const [nth, pick] of picks.entries()) {
    const name = `v${nth}`;
    values[name] = snapshotter.take(things[pick], [name]).read();
  }
  snapshotter.endStep();
  return values;
}

test('an object that is captured very often is written once, together with the objects inside', () => {
  const order = { id: 7, note: long, lines: [{ sku: 'tea', text: long }] };
  const snapshotter = new Snapshotter(LARGE_LIMITS, new CaptureRules(null));
  for (let step = 0; step < 3000; step++) {
    const fresh = { step };
    expect(taken(snapshotter, step, [order, fresh], [0, 1])).toEqual({
      v0: step === 0 ? order : { $type: 'reference', step: '1', path: ['v0'] },
      v1: fresh,
    });
  }
});

test('an object that is passed between functions is written once, and again after a change', () => {
  const order = { id: 7, note: long, lines: [{ sku: 'tea', text: long }] };
  const snapshotter = new Snapshotter(defaultLimits, new CaptureRules(null));
  const take = (step: number) => {
    snapshotter.busy = false;
    snapshotter.beginStep(0, step);
    return snapshotter.take({ order }, ['inputs']).read();
  };
  expect(take(0)).toEqual({ order });
  expect(take(1)).toEqual({ order: { $type: 'reference', step: '1', path: ['inputs', 'order'] } });
  order.id = 8;
  expect(take(2)).toEqual({
    order: { ...order, lines: [{ $type: 'reference', step: '1', path: ['inputs', 'order', 'lines', 0] }] },
  });
  expect(take(3)).toEqual({ order: { $type: 'reference', step: '3', path: ['inputs', 'order'] } });
});

test('an object redacted under a secret name is shown in full under another name', () => {
  const value = { city: 'Paris', street: long, house: 12 };
  const hiding = new Snapshotter(defaultLimits, new CaptureRules(new Redactor()));
  hiding.beginStep(0, 0);
  hiding.take({ secret: value }, ['inputs']);
  hiding.busy = false;
  hiding.beginStep(0, 1);
  expect(hiding.take({ place: value }, ['inputs']).read()).toEqual({ place: value });
});

test('a step is not marked as clean if its own JSON contains a value whose redaction needs a second pass; a reference to such a value is clean', () => {
  const auth = { user: 'ada', role: 'admin', opaque: '7fK2mQ9xT4bW8nR1', note: long };
  const snapshotter = new Snapshotter(defaultLimits, new CaptureRules(new Redactor()));
  const take = (step: number, value: unknown) => {
    snapshotter.busy = false;
    snapshotter.beginStep(0, step);
    return snapshotter.take(value, ['inputs']);
  };
  expect(take(0, { auth }).clean).toBe(false);
  const again = take(1, { auth });
  expect(again.read()).toEqual({ auth: { $type: 'reference', step: '1', path: ['inputs', 'auth'] } });
  expect(again.clean).toBe(true);
  expect(take(2, { auth, session: { other: 1 } }).clean).toBe(false);
  expect(take(3, { session: { other: 1 }, auth }).clean).toBe(false);
});

test('a failed step shows its values in full, even if an earlier step contains the same object', async () => {
  const { main } = traced(`
    function check(order) { throw new Error('no stock') }
    function hand(order) { return order }
    exports.main = function main() { const order = { note: '${long}${long}' }; hand(order); check(order); }`);
  const { flow } = await record(main);
  const failed = flow.find(({ functionName }) => functionName === 'check');
  expect(failed?.variables?.parameters).toEqual({ order: { note: `${long}${long}` } });
});
