import { expect, test } from 'vitest';
import { instrument } from './instrument.ts';

function namesIn(source: string, language: 'js' | 'ts' = 'js', withAccessors = false): string[] {
  const result = instrument(source, {
    file: '/project/src/a.js',
    root: '/project',
    moduleKind: 'module',
    language,
    reserveSites: () => 0,
    withMap: false,
    withAccessors,
  });
  if ('skipped' in result) throw new Error(result.skipped);
  return result.sites.map(({ name }) => name);
}

test.each([
  ['function pay() {}', ['pay']],
  ['const pay = () => 1', ['pay']],
  ['let pay; pay = function () {}', ['pay']],
  ['exports.pay = function () {}', ['pay']],
  ['module.exports = { pay() {}, get x() { return 1 }, refund: () => 1 }', ['pay', 'refund']],
  ['module.exports = function () {}', ['module.exports']],
  ['export default function () {}', ['default']],
  ['const shop = { pay() {}, "and more": async () => 1 }', ['shop.pay', 'shop.and more']],
  ['shop.pay = () => 1', ['shop.pay']],
  ['Shop.prototype.pay = function () {}', ['Shop.pay']],
  [
    'class Shop { constructor() {} pay() {} static open() {} #secret() {} field = () => 1; [Symbol.iterator]() {} }',
    ['new Shop', 'Shop.pay', 'Shop.open', 'Shop.#secret', 'Shop.field', 'Shop.[Symbol.iterator]'],
  ],
  ['const Shop = class { pay() { this.done = () => 1 } }', ['Shop.pay', 'Shop.done']],
  ["router.post('/orders', check, async (req, res) => {})", ["router.post('/orders') handler"]],
  ['app.use((req, res, next) => next())', ['app.use() callback']],
  ['items.map((x) => x)', ['items.map() callback']],
  ['load(1).then((x) => x)', ['load().then() callback']],
  ['this.pool?.query(sql, () => {})', ['this.pool.query() callback']],
  ['new Promise((resolve) => resolve())', ['new Promise() callback']],
  ['function make() { return () => 1 }', ['make', 'anonymous in make']],
  ['(function () { (() => 1)() })()', ['anonymous', 'anonymous']],
  ['function f({ cb = () => 1 }) {}', ['f', 'cb']],
  [
    'class A { @on(() => 1) pay() {} [key(() => 2)] = () => 3 }',
    ['on() callback', 'A.pay', 'key() callback', 'A.[key()]'],
  ],
  ["fastify.get('/a', { onRequest: [async () => {}] }, function load() {})", ['anonymous', 'load']],
  ['new Queue("mail", async (job) => job)', ["new Queue('mail') handler"]],
  ['const { a = () => 1 } = {}; a ??= () => 2', ['a', 'a']],
  ['class A { static { this.x = () => 1 } static #p = async () => {} }', ['A.x', 'A.#p']],
  ['(0, exports.pay)(() => 1); emitter?.on?.("x", () => 2)', ['anonymous', "emitter.on('x') handler"]],
  ['const f = (function () {})', ['f']],
])('%s', (source, expected) => {
  expect(namesIn(source)).toEqual(expected);
});

test('accessors are left alone unless asked for', () => {
  const source =
    'class K { get a() { return this.#b } set a(v) {} static get s() { return 1 } get #b() { return 2 } } const o = { get x() { return 3 } }; export { K, o }';
  expect(namesIn(source)).toEqual([]);
  expect(namesIn(source, 'js', true)).toEqual(['get K.a', 'set K.a', 'get K.s', 'get K.#b', 'get o.x']);
});

test('TypeScript: types, overloads, abstract and declared members make no site', () => {
  const source = `
    type F = (a: number) => void
    interface I { m(): void }
    declare function nothing(): void
    function over(a: string): string
    function over(a: unknown): unknown { return a }
    abstract class A<T> { abstract m(): void; n?(this: A<T>, x: T = y as T): x is T { return (<T>x)! } declare z: () => void }
    const f = <T,>(x: T): T => x satisfies T
    export { type F }`;
  expect(namesIn(source, 'ts')).toEqual(['over', 'A.n', 'f']);
});
