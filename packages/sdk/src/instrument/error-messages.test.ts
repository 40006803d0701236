import vm from 'node:vm';
import { repetitions } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';
import { load, record, traced, tracedCode } from '../../test/traced.ts';
import { runtimeName } from '../internal/runtime-name.ts';

/** Expressions whose value is no function, not iterable or missing. V8's error messages print these expressions. */
const OPERANDS = [
  'x',
  'o.p',
  'o.q.r',
  'o[k]',
  'o["p"]',
  'this.p',
  'f(x)',
  'o.m()',
  'o.m().p',
  'o?.p',
  '(yes ? x : 0)',
  '(0, x)',
  '(x || x)',
  '(y = x)',
  '(local = x)',
  '(local ??= x)',
  'new Made(x).p',
  't`a`',
  'null',
  '1',
  '(() => x)()',
  '(() => 1)',
  '(() => { f(1); f(2); f(3); return x })()',
  '(function () { f(1); function g() {} ; return x })()',
  '(function () {})()',
  '(await x)',
  '(await f(x))',
  '(await o.p)',
  '(await o).p',
  '(await o).m()',
  '(await o)?.p',
  '(await (await x))',
  '(await (async () => { f(1); return x })())',
  'f(await x)',
  'o[await k]',
  'new (await Made)(x).p',
  '(yield x)',
  '(yield f(x))',
  '(yield o).p',
  'await x',
  'await f(x)',
  'await o.p',
  'yield x',
  'yield f(x)',
] as const;

/** Each function returns a statement that fails because of the operand's value. */
const USES: readonly ((operand: string) => string)[] = [
  (e) => `${e}()`,
  (e) => `${e}.foo()`,
  (e) => `${e}?.foo()`,
  (e) => `${e}.foo.bar`,
  (e) => `${e}.foo.bar()`,
  (e) => `${e}[k]()`,
  (e) => `new (${e})()`,
  (e) => `(${e})\`x\``,
  (e) => `const z = ${e}.foo()`,
  (e) => `let z; z = ${e}.foo()`,
  (e) => `return ${e}.foo()`,
  (e) => `throw ${e}()`,
  (e) => `if (${e}.foo()) f(1)`,
  (e) => `f(1, ${e}.foo(), 2)`,
  (e) => `await ${e}.foo()`,
  (e) => `yield ${e}.foo()`,
  (e) => `const { a } = ${e}`,
  (e) => `const { [k]: a } = ${e}`,
  (e) => `const { p: { a } = ${e} } = {}`,
  (e) => `const z = 1, { a } = ${e}`,
  (e) => `const [a] = ${e}`,
  (e) => `let a; ({ a } = ${e})`,
  (e) => `let a; [a] = ${e}`,
  (e) => `let a; f({ a } = ${e})`,
  (e) => `let a; f([a] = ${e})`,
  (e) => `for (const { a } of [${e}]) f(a)`,
  (e) => `for (const a of ${e}) f(a)`,
  (e) => `for await (const a of ${e}) f(a)`,
  (e) => `for await (const { a } of [${e}]) f(a)`,
  (e) => `[1, ...${e}]`,
  (e) => `f(...${e})`,
  (e) => `new Made(...${e})`,
  (e) => `yield* ${e}`,
  (e) => `const z = yield* ${e}; f(z); f(2)`,
  (e) => `if (yes) { yield* ${e}; f(1) } else f(2)`,
  (e) => `try { return yield* ${e} } finally { f(1) }`,
  (e) => `'k' in ${e}`,
  (e) => `({}) instanceof ${e}`,
  (e) => `${e}.foo = 1`,
  (e) => `using z = ${e}`,
  (e) => `await using z = ${e}`,
  (e) => `((a, { b }) => 1)(1, ${e})`,
  (e) => `await (async ([b]) => 1)(${e})`,
  (e) => `f(late); let late = ${e}`,
];

const KINDS: readonly ((body: string) => string)[] = [
  (body) => `function main() { ${body} }`,
  (body) => `async function main() { ${body} }`,
  (body) =>
    `function* inner() { ${body} }\nfunction main() { const g = inner.call(this); for (let r = g.next(), n = 0; !r.done && n < 5; n++) r = g.next(r.value) }`,
  (body) =>
    `async function* inner() { ${body} }\nasync function main() { const g = inner.call(this); for (let r = await g.next(), n = 0; !r.done && n < 5; n++) r = await g.next(r.value) }`,
];

const VALUES = ['undefined', 'null', '1', '({})'];

/**
 * By default, every twentieth program is tested. `npm run test:long` tests every fifth, and `ERROR_MESSAGES=all` tests each program.
 */
const step = process.env.ERROR_MESSAGES === 'all' ? 1 : repetitions({ usually: 20, thoroughly: 5 });

/** A program for each combination of {@link KINDS}, {@link USES} and {@link OPERANDS}. The operand's value is one of {@link VALUES}. */
const sources = KINDS.flatMap((kind, k) =>
  USES.flatMap((use, u) =>
    OPERANDS.map((operand, index) => {
      const value = VALUES[(k + u + index) % VALUES.length];
      const world = `let y; const x = ${value}, k = 'kk', yes = true, f = (a) => a, o = { p: x, q: { r: x }, kk: x, m() { return x } }, t = () => x; class Made { constructor(p) { this.p = p } };`;
      const body = kind(`let local; ${use(operand)}`);
      return { source: `${world}\n${body}\nexports.main = () => main.call({ p: x })`, body, value };
    }),
  ),
).filter((_, index) => index % step === 0);

const formatThrown = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : `threw ${String(error)}`;

async function outcome(run: (() => unknown) | undefined): Promise<string> {
  try {
    await run?.();
    return 'nothing was thrown';
  } catch (error) {
    return formatThrown(error);
  }
}

function isValid(source: string): boolean {
  try {
    load(source);
    return true;
  } catch {
    return false;
  }
}

test('V8’s error messages are the same with and without instrumentation', {
  timeout: 600_000,
}, async () => {
  const tried = sources.filter(({ source }) => isValid(source));
  expect(tried.length).toBeGreaterThan(4000 / step);
  let failures = 0;
  for (const { source, body, value } of tried) {
    const plain = [body, value, await outcome(load(source).main)];
    if (plain[2] !== 'nothing was thrown') failures++;
    const { main } = traced(source);
    expect([body, value, await outcome(main)]).toEqual(plain);
    const { thrown } = await record(main);
    expect([body, value, thrown === undefined ? 'nothing was thrown' : formatThrown(thrown)]).toEqual(plain);
  }
  expect(failures).toBeGreaterThan(3000 / step);
});

test.each([
  '1',
  '(1)',
  '1.50',
  '0x10',
  '1_000',
  '1n',
  '-1',
  '- 1',
  '+1',
  '!1',
  '!true',
  '~5',
  'void 0',
  'null',
  'undefined',
  'NaN',
  'true',
  '/x/',
  '({})',
  '({ a: 1 })',
  '({ a: 1, b: "s" })',
  '- -1.50',
  '(() => 1)',
  '(class {})',
  '(1, 2)',
])(
  'V8’s error message for `for await` over %s is the same with and without instrumentation',
  async (literal) => {
    const source = `const x = 1; exports.main = async () => { for await (const a of ${literal}) a }`;
    const plain = await outcome(load(source).main);
    expect(await outcome(traced(source).main)).toBe(plain);
  },
);

test.each([
  ['{ [Symbol.asyncIterator]: "no" }'],
  ['{ [Symbol.asyncIterator]: 7 }'],
  ['{ [Symbol.asyncIterator]: true }'],
  ['{ [Symbol.asyncIterator]: {} }'],
  ['{ [Symbol.asyncIterator]: null, [Symbol.iterator]: "no" }'],
  ['{ [Symbol.iterator]: 1n }'],
])(
  'V8’s error message for a loop over %s, whose iterator method is not a function, is the same with and without instrumentation',
  async (value) => {
    for (const body of [
      `async () => { for await (const a of x) a }`,
      `async () => { for await (const a of [x][0]) a }`,
      `async () => { for await (const a of [1, x][1]) a }`,
      `async () => { for await (const a of [...[f, x]][1]) a }`,
      `async () => { for await (const a of ({ p: x }).p) a }`,
      `async () => { for await (const a of (() => x)()) a }`,
      `async () => { for await (const a of ((b) => b)(x)) a }`,
      `async () => { for (const a of await x) a }`,
      `async () => { const it = (async function* () { yield* x })(); await it.next() }`,
      `async () => { const it = (async function* () { yield* (yield* x) })(); await it.next() }`,
    ]) {
      const source = `const x = ${value}, f = 1; exports.main = ${body}`;
      const plain = await outcome(load(source).main);
      expect(plain).toMatch(/^TypeError: /);
      expect([body, await outcome(traced(source).main)]).toEqual([body, plain]);
    }
  },
);

test('an error that the SDK throws in place of V8’s has a stack that begins where the program failed', async () => {
  const { prepareStackTrace } = Error;
  Reflect.deleteProperty(Error, 'prepareStackTrace');
  try {
    const source =
      'async function go() {\n for await (const a of 5) a\n}\nfunction* all() {\n yield* 5\n}\nasync function each() {\n for (const a of await 5) a\n}\nexports.go = go; exports.all = () => [...all()]; exports.each = each';
    const places = async (program: ReturnType<typeof load>) => {
      const found: unknown[] = [];
      for (const name of ['go', 'all', 'each']) {
        const error: unknown = await Promise.resolve()
          .then(program[name])
          .catch((thrown: unknown) => thrown);
        if (error instanceof TypeError) found.push(/at (.*?traced\.js:\d+)/.exec(error.stack ?? '')?.[1]);
      }
      return found;
    };
    const expected = await places(load(source));
    expect(expected).toHaveLength(3);
    expect(await places(traced(source))).toEqual(expected);
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
});

test('an error that the SDK throws in place of V8’s is an instance of the TypeError of the program’s own context', async () => {
  const source =
    'exports.main = async () => { const found = []; for (const run of [async () => { for await (const a of 5) a }, function* () { yield* 5 }, async () => { for (const a of await 5) a }, async () => { for await (const a of {}) a }, function* () { yield* {} }, async () => { for (const a of await {}) a }]) try { const it = run(); await (it.next ? it.next() : it) } catch (e) { found.push(e.constructor === TypeError) } return found }';
  const world = vm.createContext({ exports: {}, [runtimeName]: Reflect.get(globalThis, runtimeName) });
  vm.runInContext(tracedCode(source), world);
  expect(await vm.runInContext('exports.main()', world)).toEqual(Array(6).fill(true));
});
