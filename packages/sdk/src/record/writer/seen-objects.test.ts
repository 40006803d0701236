import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PlainStep, record, stepNamed, traced } from '../../../test/traced.ts';
import { defaultLimits } from '../capture/limits.ts';

/** Returns the `seenBefore` of a step, with step names instead of ids. */
function seenIn(flow: readonly PlainStep[], name: string): unknown {
  const { seenBefore } = stepNamed(flow, name).variables ?? {};
  return (
    seenBefore &&
    Object.fromEntries(
      Object.entries(seenBefore).map(([here, [id, there]]) => [
        here,
        `${flow.find(({ stepId }) => stepId === id)?.stepName}.${there}`,
      ]),
    )
  );
}

test('the same object in a later step is marked as seen before, but an equal object is not', async () => {
  const { main } = traced(`
    class Cart { constructor() { this.lines = [] } add(line) { this.lines.push(line); return this } }
    function sum(cart, alike) { return cart.lines.length + alike.n }
    function pick(list) { return list[0] }
    exports.main = async function main() {
      const cart = new Cart();
      const line = { n: 1 };
      cart.add(line);
      await null;
      sum(cart, { n: 1 });
      const first = pick([line]);
      return cart;
    }`);
  const { flow } = await record(main);
  expect(seenIn(flow, 'new Cart')).toBeUndefined();
  expect(seenIn(flow, 'Cart.add')).toEqual({ this: 'new Cart.this', return: 'new Cart.this' });
  expect(seenIn(flow, 'sum')).toEqual({ cart: 'new Cart.this' });
  expect(seenIn(flow, 'pick')).toEqual({ return: 'Cart.add.line' });
  expect(seenIn(flow, 'main')).toEqual({
    cart: 'new Cart.this',
    line: 'Cart.add.line',
    first: 'Cart.add.line',
  });
});

test('the name of a shadowing variable ends with its line number, and proxies and getters are compared without running any of their code', async () => {
  let ran = 0;
  const guarded = new Proxy({}, { get: () => ran++, has: () => ran++ > 0, ownKeys: () => [`${ran++}`] });
  const { main } = traced(
    `function f(a) { return a }
     exports.main = function main() { const a = guarded; { const a = f(guarded)
       return 1 } }`,
    { guarded },
  );
  const { flow } = await record(main);
  expect(seenIn(flow, 'main')).toEqual({ a: 'f.a', 'a@2': 'f.a' });
  expect(ran).toBe(0);
});

test('exactly the arguments that an earlier step showed are marked as seen before, whatever objects are passed', async () => {
  const pool = [
    {},
    [],
    new Map(),
    Object.freeze({ a: 1 }),
    new Date(0),
    Object.create(null),
    Buffer.from('x'),
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(pool.length - 1), { minLength: 1, maxLength: 15 }), async (picks) => {
      const source = picks.map((_, nth) => `function f${nth}(x) {}`).join('\n');
      const calls = picks.map((pick, nth) => `f${nth}(pool[${pick}])`).join(';');
      const { main } = traced(`${source}\nexports.main = function main() { ${calls} }`, { pool });
      const { flow } = await record(main);
      for (const [nth, pick] of picks.entries()) {
        const first = picks.indexOf(pick);
        expect(seenIn(flow, `f${nth}`)).toEqual(first === nth ? undefined : { x: `f${first}.x` });
      }
    }),
  );
});

test('a step that has used up its byte limit marks no further objects as seen before', async () => {
  const { main } = traced(
    'function f(object) { return object } exports.main = function main() { const object = {}; f(object); return 1 }',
  );
  const { flow } = await record(main, 'all', { ...defaultLimits, stepBytes: 150 });
  expect(stepNamed(flow, 'main').variables?.seenBefore ?? {}).toEqual({});
});
