import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { instrument } from '../instrument.ts';

function namesIn(source: string, language: 'js' | 'ts' = 'js', withAccessors = false): string[] {
  const result = instrument(source, {
    file: '/project/src/auth.js',
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
  ['module.exports = function () { return () => 1 }', ['auth', 'anonymous in auth']],
  ['export default function () {}', ['auth']],
  ['export default async (req) => {}', ['auth']],
  ['module.exports = class { constructor() {} pay() {} }', ['new auth', 'auth.pay']],
  ['const auth_default = () => 1; export { auth_default as default }', ['auth']],
  ["cache.wrap('users', async () => 1)", ["cache.wrap('users') callback"]],
  [
    'const pay_1 = require("./pay"), own_1 = {}; (0, pay_1.pay)(() => 1); (0, pay_1.default)(() => 2); own_1.pay(() => 3)',
    ['pay() callback', 'pay() callback', 'own_1.pay() callback'],
  ],
  [
    'var import_koa = __toESM(require("koa")), import_pay = require("./pay"); (0, import_koa.default)().use(() => 1); (0, import_pay.refund)(() => 2)',
    ['koa().use() callback', 'refund() callback'],
  ],
  [
    'var _koa = _interopRequireDefault(require("koa")), _pay = require("./pay"); _koa.default.use(() => 1); (0, _pay.refund)(() => 2)',
    ['koa.use() callback', 'refund() callback'],
  ],
  ['const shop = { pay() {}, "and more": async () => 1 }', ['shop.pay', 'shop.and more']],
  ['shop.pay = () => 1', ['shop.pay']],
  ['Shop.prototype.pay = function () {}', ['Shop.pay']],
  ['res.report = res.report || function (error) {}', ['res.report']],
  ['const pay = own ?? ((cart) => 1), tax = isFree ? () => 0 : (cart) => cart.tax', ['pay', 'tax', 'tax']],
  [
    'class Shop { constructor() {} pay() {} static open() {} #secret() {} field = () => 1; [Symbol.iterator]() {} }',
    ['new Shop', 'Shop.pay', 'Shop.open', 'Shop.#secret', 'Shop.field', 'Shop.[Symbol.iterator]'],
  ],
  ['const Shop = class { pay() { this.done = () => 1 } }', ['Shop.pay', 'Shop.done']],
  ["router.post('/orders', check, async (req, res) => {})", ["router.post('/orders') callback"]],
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
  ['new Queue("mail", async (job) => job)', ["new Queue('mail') callback"]],
  ['const { a = () => 1 } = {}; a ??= () => 2', ['a', 'a']],
  ['class A { static { this.x = () => 1 } static #p = async () => {} }', ['A.x', 'A.#p']],
  ['(0, exports.pay)(() => 1); emitter?.on?.("x", () => 2)', ['pay() callback', "emitter.on('x') callback"]],
  ['const f = (function () {})', ['f']],
])('functions have the names that the code gives them: %s', (source, expected) => {
  expect(namesIn(source)).toEqual(expected);
});

test('getters and setters are instrumented only if the option for accessors is on', () => {
  const source =
    'class K { get a() { return this.#b } set a(v) {} static get s() { return 1 } get #b() { return 2 } } const o = { get x() { return 3 } }; export { K, o }';
  expect(namesIn(source)).toEqual([]);
  expect(namesIn(source, 'js', true)).toEqual(['get K.a', 'set K.a', 'get K.s', 'get K.#b', 'get o.x']);
});

test('types, overloads, and abstract and declared members of TypeScript are not instrumented', () => {
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

test.each([
  ['/project/src/middleware/auth.ts', 'auth'],
  ['/project/src/routes/index.js', 'routes'],
  ['/project/src/is-admin.middleware.js', 'is-admin.middleware'],
])('the function that %s exports is named %s', (file, expected) => {
  expect(namesInFile('module.exports = () => 1', file)).toEqual([expected]);
});

test.each([
  ['Babel and SWC', 'var _default = () => 1; exports.default = _default;'],
  ['TypeScript', 'exports.default = default_1; function default_1() { return 1 }'],
  ['webpack', 'const __WEBPACK_DEFAULT_EXPORT__ = () => 1;'],
])('a default export compiled by %s is named after its file', (_compiler, source) => {
  expect(namesInFile(source, '/project/src/shop.js')).toEqual(['shop']);
});

test('an anonymous function expression gets the author’s name from the source map if a minifier removed the name', () => {
  const { code } = transformSync(
    'createServer(async function answer(req) {\n  await req;\n  other(() => 1);\n});',
    {
      minify: true,
      sourcemap: 'inline',
      sourcefile: 'shop.ts',
    },
  );
  expect(code).not.toContain('answer(');
  expect(namesInFile(code, '/project/shop.js')).toEqual(['answer', 'other() callback']);
});

function namesInFile(source: string, file: string): readonly string[] {
  const result = instrument(source, {
    file,
    root: '/project',
    moduleKind: 'commonjs',
    language: 'js',
    reserveSites: () => 0,
    withMap: false,
  });
  return 'sites' in result ? result.sites.map(({ name }) => name) : [];
}

test('names that Parcel generated, in code or in a source map, are replaced by names from the source text in the map', () => {
  const source = 'class Realm {\n  find() {}\n}\nexport const total = (items) => items.length;\n';
  const generated = (name: string, other: string) =>
    `class ${name} {\n  find() {}\n}\nconst ${other} = (items) => items.length;\n`;
  const named = (names: readonly string[], mappings: string) => ({
    version: 3 as const,
    sources: ['../src/realm.ts'],
    sourcesContent: [source],
    names: [...names],
    mappings,
  });
  const hoisted = ['$0a339ca52e0451c9$export$3ee29d34e33d9116', '$0a339ca52e0451c9$var$total'];
  const expected = ['Realm.find', 'total'];
  const read = (code: string, map: ReturnType<typeof named>) => {
    const result = instrument(code, {
      file: '/project/dist/realm.js',
      root: '/project',
      moduleKind: 'module',
      language: 'js',
      reserveSites: () => 0,
      withMap: false,
      authorsMap: map,
    });
    return 'sites' in result ? result.sites.map(({ name }) => name) : [];
  };
  // Each mapped line has one segment for the declaration and one for the declared name. In the author's source of the last line, the name
  // begins further right than in the code.
  expect(read(generated('m', 't'), named(hoisted, 'AAAA,MAAMA;EACJ;;AAEF,MAAaC'))).toEqual(expected);
  expect(read(generated(hoisted[0] ?? '', hoisted[1] ?? ''), named([], 'AAAA,MAAM;EACJ;;AAEF,MAAa'))).toEqual(
    expected,
  );
});
