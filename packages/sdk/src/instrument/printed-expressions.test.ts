import { repetitions } from '@throughline/testkit/thorough';
import { describe, expect, test } from 'vitest';
import { load, traced } from '../../test/traced.ts';

/** Expressions of every form. In each program, their values are not iterable. V8's messages print each form in its own way. */
const EXPRESSIONS = [
  ...[
    'x',
    'this.p',
    '(x)',
    '0.5',
    'o[0.50]',
    'o[1e21]',
    'o[1_0]',
    'o[0x10]',
    'o[.5]',
    'o[1n]',
    'o[null]',
    'o[true]',
  ],
  ...[
    'o[undefined]',
    'o[this]',
    'o[new.target]',
    '1n.p',
    "'s'.p",
    '`a`.p',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the program has the template
    '`${x}`.p',
    '/r/.p',
    '(1).p',
    'o[/re/g]',
  ],
  ...[
    "o['a-b']",
    'o["a\'b"]',
    "o['1']",
    'o[1]',
    "o['']",
    "o['\\n']",
    "o['a\\u0062\\u{63}\\x64']",
    'o[`a`]',
    'o[`a\\n`]',
  ],
  ...[
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the program has the template
    'o[`t${x}u${y}`]',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the program has the template
    'o[`t${x}u${1n}`]',
    'o[o.p.q]',
    "o['p'].q",
    'o[x]?.q',
    'o.q?.[k].r',
    'o?.p',
    '(o?.p).q',
  ],
  ...['(null, x)', "('s', x)", '(void 0, x)', '(x, y, x)', '(x, (y, x))', '((x, y), x)', '(x, o?.p)'],
  ...['(x, y || x)', 'o[x, y]', 'o[(x, y, k)]', '(o, o).p', '(o, o, o).p', 'o[(x, 1) + 1]'],
  ...[
    'null ?? x',
    'null ?? null ?? x',
    'x ?? x',
    '(x ?? o).p',
    'o[x ?? y ?? k]',
    'x || x',
    '(x || y).p',
    'o[x || y || k]',
  ],
  ...['o[x || (y || k)]', '(x && y).p', 'o[x && y]', '(x ? o : x).p', 'o[x ? 1 : 2]', 'o[x ? 1 : x ? 2 : 3]'],
  ...['o[x ? 1 : (x ? 2 : 3)]', 'x ? x : x'],
  ...[
    '(1 + x)',
    '1 + 2',
    'o[1 + 2]',
    'o[1 + 2 + x]',
    'o[1 * 2 * x]',
    'o[x * 1 * 2]',
    'o[x + 1]',
    'o[n + 1 + x]',
  ],
  ...[
    'o[x - 1 - 2]',
    'o[(x - 1) - 2]',
    'o[x - (1 - x)]',
    'o[2 ** x]',
    'o[x ** x ** x]',
    'o[(x ** x) ** x]',
    "o['a' + 'b']",
  ],
  ...[
    'o[x * x % x]',
    'o[x & 1 | x]',
    'o[x >>> 1]',
    'o[x /* a + b */ + /* c */ 2]',
    '(n + 1).p',
    'o[[x] + 1]',
  ],
  ...[
    'o[x === 1]',
    'o[x !== 1]',
    'o[x != 1]',
    'o[x < 1]',
    'o[x < 1 < 2]',
    'o[x <= 1]',
    'o[x in o]',
    'o[x instanceof Object]',
  ],
  ...[
    'o[-1]',
    'o[- 1]',
    'o[+1]',
    'o[~1]',
    'o[!1]',
    "o[!'s']",
    'o[!null]',
    'o[-(-1)]',
    'o[-x]',
    'o[+x]',
    'o[~x]',
    'o[!x]',
  ],
  ...[
    'o[typeof x]',
    'o[typeof typeof x]',
    'o[void 0]',
    'o[void x]',
    'o[delete o.p]',
    '(-x).p',
    '(!x).p',
    'o[x++]',
    'o[--x]',
  ],
  ...[
    'o[x = 3]',
    'o[x += 1]',
    'o[y ||= x]',
    '(o.p = x)',
    '(y ??= x)',
    'o[[y] = [x]]',
    'o[[y, , ...z] = [x]]',
    'o[{ y } = o]',
  ],
  ...[
    'o[[1, , 2]]',
    'o[[, x]]',
    'o[[x, ]]',
    'o[[]]',
    '[x].p',
    '[, x].p',
    '[x, , x].p',
    '[...[]].p',
    '[...[], x].p',
  ],
  ...['o[{}]', 'o[{ a: x }]', 'o[{ a: x, b: 1, ...o }]', '({ a: 1 }).p', 'o[{ p: x }.p]'],
  ...[
    'f(x)',
    'f(...[x])',
    'o.f(x)',
    'o.f(x).p',
    'o[f(x)]',
    'ff`a`',
    'ff`a`.p',
    'o[Math.max(1, 2)]',
    'new Object()',
    'new Object',
  ],
  ...['new (class {})', 'new o.K(x)', 'o[new Date()]', 'new Object().p'],
  ...[
    '(() => x)()',
    '(() => {}).p',
    'o[() => 1]',
    'o[(a, b) => { a; b; return 1 }]',
    '(function () { return x })()',
  ],
  ...['(function () {}).p', 'function () {}', '(async () => x)()', 'o[async (a) => a]'],
  ...[
    'class {}',
    'class { static m() {} }',
    '(class {}).p',
    '(class extends Object { a() {} b = 1 }).p',
    'o[class { a = 1; m() {} }]',
  ],
  'o[class extends Object { static a = 1; static {} get x() { return 1 } #y = 1; #z() {} constructor() { super() } }]',
];

/** Statements that iterate over an expression, or that contain the expression after a `yield*` over a number. */
const PLACES: readonly (readonly [name: string, (e: string) => string])[] = [
  ['as the subject of `for await`', (e) => `async () => { for await (const a of ${e}) a }`],
  ['within the subject of `for await`', (e) => `async () => { for await (const a of o[(${e})]) a }`],
  ['as the operand of `yield*`', (e) => `() => (function* () { yield* ${e} }).call(o2).next()`],
  [
    'as the operand of an async `yield*`',
    (e) => `() => (async function* () { yield* ${e} }).call(o2).next()`,
  ],
  [
    'after a `yield*`, in a key',
    (e) => `() => (function* () { o[yield* 1 + x, (${e})]; f((${e})) })().next()`,
  ],
  [
    'after an async `yield*`, in a key',
    (e) => `() => (async function* () { f((yield* x + 1)[(${e})] + 1, ${e}) })().next()`,
  ],
  [
    'after a `yield*` that is called',
    (e) => `() => (async function* () { return (yield* x + 1)(${e}) || (${e}) })().next()`,
  ],
  [
    'after a `yield*`, in a list',
    (e) => `() => (function* () { [-(yield* x + 1), , ...[${e}], ${e}]; ({ a: 1 }) })().next()`,
  ],
  [
    'after a `yield*`, in a template',
    (e) => `() => (function* () { \`\${yield* x + 1} \${${e}}\`; ({ a: 1 }) })().next()`,
  ],
  [
    'after a `yield*`, in a condition',
    (e) => `() => (function* () { y = (yield* x + 1) ? ${e} : x ? 2 : 3; if (y) 1; else 2 })().next()`,
  ],
];

/** `npm test` tries every eighth expression in each place, and other expressions in the next place. */
const step = repetitions({ usually: 8, thoroughly: 1 });

/** Every property of `o` has a value that is not iterable. */
const WORLD =
  "let y, z, x = 1, k = 'kk', n = 1; const f = (v) => v, ff = () => 1, o2 = { p: 1, q: { r: 1 }, f }, o = new Proxy({}, { get: (_, key) => (key === 'f' ? f : key === 'K' ? class {} : typeof key === 'string' ? o2 : key === Symbol.toPrimitive ? () => 'z' : undefined) });";

async function readMessage(run: (() => unknown) | undefined): Promise<string> {
  try {
    await run?.();
    return 'nothing was thrown';
  } catch (error) {
    return error instanceof Error ? error.message : typeof error;
  }
}

describe.each(PLACES.map(([name, place], index) => [name, place, index] as const))(
  'V8’s error message about a value that is not iterable, with each expression %s,',
  (_, place, index) => {
    test('is the same with and without instrumentation', async () => {
      Object.defineProperty(Object.prototype, 'p', { value: 1, configurable: true });
      try {
        const expected: string[] = [];
        const found: string[] = [];
        for (const expression of EXPRESSIONS.filter((_, at) => at % step === index % step)) {
          const source = `${WORLD}\nconst main = ${place(expression)}; exports.main = main`;
          expected.push(`${expression}: ${await readMessage(load(source).main)}`);
          found.push(`${expression}: ${await readMessage(traced(source).main)}`);
        }
        expect(found).toEqual(expected);
        expect(expected.filter((message) => /iterable|not a function/.test(message)).length).toBeGreaterThan(
          expected.length * 0.8,
        );
      } finally {
        Reflect.deleteProperty(Object.prototype, 'p');
      }
    });
  },
);

test.each([
  ['an async generator', 'a()', 'async function* a() {}'],
  ['a variable with an async generator', 'b', 'async function* a() {} const b = a();'],
  [
    'a generator without its iterator method',
    'b',
    'function* a() {} const b = Object.setPrototypeOf(a(), { next() {} });',
  ],
])(
  'V8’s error message about %s as the operand of `yield*` is the same with and without instrumentation',
  async (_, operand, declared) => {
    const source = `${declared} exports.main = () => (function* () { yield* ${operand} })().next()`;
    const message = await readMessage(load(source).main);
    expect(message).toMatch(/is not iterable/);
    expect(await readMessage(traced(source).main)).toBe(message);
  },
);
