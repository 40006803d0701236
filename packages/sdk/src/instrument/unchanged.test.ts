import vm from 'node:vm';
import { describe, expect, test } from 'vitest';
import { load, record, traced } from '../../test/traced.ts';
import { instrument } from './instrument.ts';

/** Runs `main` in the plain, the instrumented and the recorded program. Returns the result, which must be the same in all three. */
async function sameThrice(source: string, globals: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
  const outcome = async (run: (() => unknown) | undefined): Promise<unknown> => {
    if (run === undefined) throw new Error('no main');
    try {
      return await run();
    } catch (error) {
      return `threw ${String(error)}`;
    }
  };
  const plain = await outcome(load(source, globals).main);
  const { main } = traced(source, globals);
  expect(await outcome(main)).toEqual(plain);
  const recorded = await record(main);
  expect(recorded.thrown === undefined ? recorded.result : `threw ${String(recorded.thrown)}`).toEqual(plain);
  return plain;
}

describe('a return statement behaves as without instrumentation', () => {
  test.each([
    ['without a block or a semicolon', 'function main(n = 1) { if (n) return n\n else return\n}', 1],
    ['before else', 'function main(n = 0) { if (n) return 1; else return 2 }', 2],
    ['without a value', 'const f = () => { if (true) return }; const main = () => [f()]', [undefined]],
    ['without a value at the end', 'function f() { return\n} function main() { return [f()] }', [undefined]],
    ['in do', 'function main() { do return 3; while (true) }', 3],
    ['in a labelled statement', 'function main() { out: for (;;) { inner: return 4 } }', 4],
    ['in a switch', 'function main(n = 2) { switch (n) { case 1: return 0; case 2: return n * 3 } }', 6],
    ['of a parenthesized value on several lines', 'function main() { return(\n// why\n 5\n) }', 5],
    ['of a value directly after the keyword', 'function main() { return[1]\n}', [1]],
    [
      'before a finally block that runs afterwards',
      'const seen = []; function f() { try { return 1 } finally { seen.push(2) } } const main = () => ((seen.length = 0), [f(), [...seen]])',
      [1, [2]],
    ],
    ['that a finally block overrides', 'function main() { try { return 1 } finally { return 2 } }', 2],
    ['that overrides an error', 'function main() { try { throw 1 } finally { return 2 } }', 2],
    [
      'that closes an iterator',
      'const seen = []; const of = { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }), return: () => (seen.push("closed"), {}) }) }; function f() { for (const x of of) return x } const main = () => ((seen.length = 0), [f(), [...seen]])',
      [1, ['closed']],
    ],
    [
      'of a constructor',
      'class A { constructor(o) { this.a = 1; if (o) return o } } const main = () => [new A().a, new A({ a: 2 }).a]',
      [1, 2],
    ],
    [
      'of a derived constructor',
      'class A {} class B extends A { constructor() { super(); return } } const main = () => new B() instanceof B',
      true,
    ],
    [
      'of a call that throws',
      'function f() { return g() } function g() { throw new Error("no") } const main = () => f()',
      'threw Error: no',
    ],
    [
      'in a try block, of a call that throws undefined',
      'function f() { throw undefined } function main() { try { return f() } catch (e) { return [e] } }',
      [undefined],
    ],
  ])('%s', async (_, source, expected) => {
    expect(await sameThrice(`${source}\nexports.main = main`)).toEqual(expected);
  });
});

describe('instrumented code behaves as without instrumentation', () => {
  test.each([
    ['directives stay first', 'function main() { "use strict"\n return this === undefined }', true],
    [
      'an unknown directive',
      'function main() { "use nothing"; "use strict"; return (function () { return this })() }',
      undefined,
    ],
    [
      'a line that begins with an await',
      'async function main() { const f = (x) => x\n await f(1)\n await f(2); let n = 1\n n++\n n++\n return n }',
      3,
    ],
    [
      'a line that begins with `n++` in an expression',
      'function main() { let n = 1, m = [5]\n n++ + 1\n m\n [0]\n return n }',
      2,
    ],
    [
      'arrows that return objects, lists and arrows',
      'const o = () => ({ a: 1 }), l = () => (1, 2), c = (a) => (b) => a + b; function main() { return [o(), l(), c(1)(2)] }',
      [{ a: 1 }, 2, 3],
    ],
    [
      'an arrow followed by a line that could continue it',
      'const f = x => x + 1\nconst g = x => x\n;[1].map(g)\nfunction main() { return f(1) }',
      2,
    ],
    [
      'comments around an arrow’s body',
      'const f = (x) => // first\n x /* mid */ + 1 // last\nfunction main() { return f(1) }',
      2,
    ],
    [
      'names and lengths',
      'const a = (x, y = 1) => 1, o = { b(x) {}, c: function () {}, ["d" + 1]: () => 1 }; let e; e = () => 1; class K { static s() {} f = () => 1 } function ret() { return () => 1 } function main() { const n = [() => 1][0]; let z = function () {}; return [a, o.b, o.c, o.d1, e, K.s, new K().f, ret(), n, z, main].map((f) => f.name + f.length) }',
      ['a1', 'b1', 'c0', 'd10', 'e0', 's0', 'f0', '0', '0', 'z0', 'main0'],
    ],
    [
      'a returned or awaited anonymous function has no name',
      'async function main() { const r = (() => { return function () {} })(); const w = await (() => {}); const y = (function* () { yield class {} })().next().value; return [r.name, w.name, y.name] }',
      ['', '', ''],
    ],
    [
      'new.target, arguments and their aliasing',
      'function F(a) { arguments[0] = 9; return new.target ? { a, n: arguments.length } : a } function main() { return [F(1, 2), new F(1, 2, 3)] }',
      [9, { a: 9, n: 3 }],
    ],
    [
      'an argument that the body declares again as a function',
      'function F(a) { function a() { return 5 } return [arguments[0](), a()] } function main() { return F(1) }',
      [5, 5],
    ],
    [
      'hoisting: functions and vars used before they are declared',
      'function main() { const r = [g(), typeof v, typeof h]; var v = 1; function g() { return 1 } if (true) { function h() {} } return [...r, typeof h] }',
      [1, 'undefined', 'undefined', 'function'],
    ],
    [
      'a variable read too early still throws',
      'function main() { const f = () => late; try { f() } catch (e) { return e.name } const late = 1; return late }',
      'ReferenceError',
    ],
    [
      'assigning a constant still throws, after its value is computed',
      'function main() { const log = []; const c = 1; try { c = log.push("computed") } catch (e) { log.push(e.name) } return log }',
      ['computed', 'TypeError'],
    ],
    [
      'a derived constructor that never calls super',
      'class A extends Object { constructor() { } } function main() { new A() }',
      "threw ReferenceError: Must call super constructor in derived class before accessing 'this' or returning from derived constructor",
    ],
    [
      'constructors that return another object',
      'class B { constructor() { return { other: 1 } } } class A extends B { constructor() { const r = super(); return [r, this] } } function main() { return new A() }',
      [{ other: 1 }, { other: 1 }],
    ],
    [
      'super called in an arrow, in an expression',
      'class B { constructor() { this.b = 1 } } class A extends B { constructor() { const up = () => super(); up().c = 2 } } function main() { return { ...new A() } }',
      { b: 1, c: 2 },
    ],
    [
      'a finally block that overrides the outcome',
      'function main() { for (;;) { try { return 1 } finally { break } } try { throw 1 } catch { try { return 2 } finally { return 3 } } }',
      3,
    ],
    [
      'closures in loops with a variable of their own',
      'function main() { const fs = []; for (let i = 0; i < 3; i++) { fs.push(() => i++) } for (const f of fs) f(); return fs.map((f) => f()) }',
      [1, 2, 3],
    ],
    [
      'labels',
      'function main() { let n = 0; outer: for (const a of [1, 2, 3]) { for (const b of [1, 2, 3]) { if (b === 2) continue outer; if (a === 3) break outer; n += a * b } } block: { if (n) break block; n = 9 } return n }',
      3,
    ],
    [
      'switch falls through, with declarations',
      'function main() { const out = []; switch (1) { case 0: let x = 1; case 1: x = 2; out.push(x); default: let y = x; out.push(y) } return out }',
      "threw ReferenceError: Cannot access 'x' before initialization",
    ],
    [
      'generators: values sent in, errors thrown in, return',
      'function* g() { let got = []; try { got.push(yield 1); got.push(yield 2) } catch (e) { got.push(e); yield got } finally { yield "last" } return 5 } function main() { const a = g(), b = g(), c = [...g()]; return [a.next(), a.next("x"), a.throw("e"), a.next(), a.next(), b.next(), b.return(7), b.next(), c] }',
      undefined,
    ],
    [
      'yield* that passes on values, errors and results',
      'function* i() { try { const x = yield 1; return x } catch (e) { return "caught " + e } finally { } } function* g() { const r = yield* i(); yield r; yield* [8] } function main() { const a = g(), b = g(); return [a.next(), a.next(5), a.next(), a.next(), b.next(), b.throw("t"), b.return(3)] }',
      undefined,
    ],
    [
      'sloppy-mode this, and getters that are not read',
      'function s() { return typeof this } function main() { let reads = 0; const o = { get x() { reads++; return 1 }, m() { return this.x } }; o.m(); return [reads, s.call(5), s.call(null)] }',
      [1, 'object', 'object'],
    ],
    [
      'with and sloppy eval see the same names',
      'function main() { var has = []; with (new Proxy({}, { has(t, k) { has.push(String(k)); return false } })) { var q = 1 } eval("var made = 4"); return [has, made, typeof q] }',
      [['q'], 4, 'number'],
    ],
    [
      'two functions with one name, or a var with a function’s name',
      'function main() { function a() { return 1 } function a() { return 2 } var b = 5; function b() {} return [a(), b] }',
      [2, 5],
    ],
    [
      'a function in an inner block with the name of a function in the body',
      'function main() { function g() { return 1 } { function g() { return 2 } } switch (1) { case 1: function h() { return 3 } } function h() { return 4 } return [g(), h()] }',
      [2, 3],
    ],
    [
      'a labelled function, next to a var with its name, called before its declaration',
      'function main() { const before = g(); l: function g() { return 1 } var g; return [before, g()] } function other() { l: m: function g() { return 2 } return g() } exports.other = other',
      [1, 1],
    ],
    [
      'a function that replaces a parameter, also in `arguments`',
      'function f(a) { function a() {} return [typeof a, typeof arguments[0]] } function main() { return f(1) }',
      ['function', 'function'],
    ],
    [
      'for await after labels, and where only one statement is allowed',
      'async function* n() { yield* [1, 2, 3] } async function main() { const seen = []; for (const x of [0, 1]) { if (x) a: b: for await (const y of n()) { if (y === 2) continue a; if (y === 3) break b; seen.push(y) } else seen.push("else"); switch (x) { case 0: c: for await (const y of n()) for (;;) { seen.push(-y); continue c } } do d: for await (const y of n()) break d; while (false) } return seen }',
      ['else', -1, -2, -3, 1],
    ],
    [
      'getters, setters, private and static members',
      'class K { #p = 1; static n = 0; static { K.n = 5 } get p() { return this.#p } set p(v) { this.#p = v } #m() { return this.#p * 2 } m() { this.#p++; return this.#m() } async *[Symbol.asyncIterator]() { yield* [1] } } async function main() { const k = new K(); k.p = 4; const all = []; for await (const x of k) all.push(x); return [k.m(), k.p, K.n, all] }',
      [10, 5, 5, [1]],
    ],
    [
      'logical assignment does not assign needlessly',
      'function main() { let a = 1, b = null, log = []; a ??= log.push("a"); b ||= log.push("b"); a &&= 7; return [a, b, log] }',
      [7, 1, ['b']],
    ],
    [
      'increments of values that are not numbers',
      'function main() { let a = "5", b = 5n, o = { valueOf() { return 2 } }; const r = [a++, b++, o++]; return [r.map(String), String([a, b, o])] }',
      [['5', '5', '2'], '6,6,3'],
    ],
    [
      'await as an operand, in a template and as an argument',
      'async function main() { const f = async (x) => x; let t = 1; t += await f(2); return [-(await f(1)), [`t`, await f(2)].join(), Math.max(await f(3), await f(await f(4))), t] }',
      [-1, 't,2', 4, 3],
    ],
    [
      'an async generator that iterates over a synchronous one unwraps the yielded promises',
      'function* i() { const got = yield Promise.resolve(1); yield got } async function* g() { yield* i() } async function main() { const a = g(); return [await a.next(), await a.next("x"), await a.next()] }',
      [{ value: 1, done: false }, { value: 'x', done: false }, { done: true }],
    ],
    [
      'using and await using: disposed of in the same order, at the same microtask',
      'async function main() { const seen = []; let tick = 0, on = true; const ticking = (async () => { while (on) { tick++; await null } })(); const r = (n) => ({ [Symbol.dispose]() { seen.push([n, tick]) }, async [Symbol.asyncDispose]() { seen.push([n, tick]); await null; seen.push([n, tick]) } }); for (const n of [1, 2, 3]) { using a = r("a" + n)\nawait using b = n === 2 ? null : r("b" + n); using c = r("c" + n); if (n === 1) continue; seen.push(["in", tick]); if (n === 3) break } { await using z = r("z"); } try { await using y = r("y"); throw new Error("x") } catch (e) { seen.push([e.message, tick]) } on = false; await ticking; return seen }',
      undefined,
    ],
    [
      'several await using in one block',
      'async function main() { const seen = []; { await using a = null, b = { async [Symbol.asyncDispose]() { seen.push("b") } }; await using c = null } for (await using d of [null]) seen.push("d"); return seen }',
      ['b', 'd'],
    ],
    [
      'parameters cannot see the bindings of the body',
      'let x, seen; function main() { x = "outer"; seen = []; return inner() } function inner(a = () => x, b = (x += "!")) { let x = "inner"; seen.push(x); x = "changed"; return [a(), b, x, ...seen] }',
      ['outer!', 'outer!', 'changed', 'inner'],
    ],
    [
      'parenthesized comma lists as values',
      'async function main() { const log = (x) => (seen.push(x), x), seen = []; const a = (log(1), log(2)), f = (() => (0, 3)), g = (async () => (await (log(4), log(5)))); let b; for (const x of (log(6), [7])) b = (x, 8); for await (const y of (log(9), [10])) b += y; return [a, f(), await g(), b, (log(11), (12)), seen, f.name, g.name] }',
      [2, 3, 5, 18, 12, [1, 2, 6, 9, 4, 5, 11], 'f', 'g'],
    ],
    [
      'arrows with comments and parentheses around their bodies',
      'const f = (a /* => */ = "=>") /* = */ => /* => */ (/* ( */ { a } /* ) */), g = async (/* = */) => // =>\n (1), h = a => b => (c) => (a, b, c); async function main() { return [f(), await g(), h(1)(2)(3)] }',
      [{ a: '=>' }, 1, 3],
    ],
    [
      'decorators in the form that compilers emit',
      'const seen = [], decorate = (decorators, target, key) => { const desc = Object.getOwnPropertyDescriptor(target, key); for (const d of decorators) d(target, key, desc); Object.defineProperty(target, key, desc) }; const logged = (target, key, desc) => { seen.push(key); const inner = desc.value; desc.value = function (...args) { seen.push("call " + key); return inner.apply(this, args) } }; class Shop { pay(n) { const due = n * 2; return due } static open() { return new Shop() } } decorate([logged], Shop.prototype, "pay"); decorate([logged], Shop, "open"); function main() { const paid = Shop.open().pay(2); return [paid, Shop.name, seen.splice(2).join()] }',
      [4, 'Shop', 'call open,call pay'],
    ],
    [
      'names written with escapes',
      'function main() { let \\u0061b = 1; ab += 2; const caf\u00e9 = ab; \\u{61}b++; return [ab, café] }'.replaceAll(
        '\\\\',
        '\\',
      ),
      [4, 3],
    ],
    [
      'direct eval that declares a name of the function again',
      'function main() { function g() { return 1 } eval("var g = 2"); return g }',
      2,
    ],
  ])('%s', async (_, source, expected) => {
    const got = await sameThrice(`${source}\nexports.main = main`);
    if (expected !== undefined) expect(got).toEqual(expected);
  });

  test('a function can run from its source text in a context without the SDK', () => {
    const { main } = traced(
      'exports.main = async function main(a) { let t = 0; for (const x of a) { t += await x } return t }',
    );
    const elsewhere = vm.runInNewContext(`(${String(main)})`);
    return expect(elsewhere([1, 2])).resolves.toBe(3);
  });

  test("an inner function can run from its source text with the SDK's runtime but without the outer function", async () => {
    const { main } = traced('exports.main = function main() { return function inner(n) { return n + 1 } }');
    const inner = String(main?.());
    const { result } = await record(() => vm.runInThisContext(`(${inner})`)(1));
    expect(result).toBe(2);
  });

  test('the heads of functions are unchanged, so that parameter names can be read from the source text', () => {
    const { f } = traced('exports.f = async function f(db, { log } = {}, ...rest) { return 1 }');
    expect(String(f)).toMatch(/^async function f\(db, \{ log \} = \{\}, \.\.\.rest\) \{/);
  });

  test('microtasks run in the same order as without instrumentation', async () => {
    const source = `exports.main = async function main() { const seen = []; let tick = 0; let on = true;
      const ticking = (async () => { while (on) { tick++; await null } })();
      const step = async (n) => { seen.push([n, tick]); await null; seen.push([n, tick]); return new Promise((r) => r(n)) };
      async function* gen() { try { seen.push(['g', tick]); yield step(1); yield* inner(); return step(2) } finally { seen.push(['f', tick]) } }
      async function* inner() { yield 3; await null; yield 4 }
      for await (const x of gen()) { seen.push([x, tick]); if (x === 4) await null }
      await Promise.all([step(5), step(6)]); try { await Promise.reject(new Error('x')) } catch { seen.push(['c', tick]) } finally { seen.push(['d', tick]) }
      on = false; await ticking; return seen }`;
    const seen = await sameThrice(source);
    expect(seen).toHaveLength(15);
  });

  test.each([
    ['a syntax error', 'function ( {', /cannot be parsed/],
    ['too many characters', `${' '.repeat(33 * 1024 * 1024)}function f() {}`, /longer than/],
    [
      'a declaration as the body of a loop',
      'async function f(all) { for await (var x of all) let\n[a] = 0 }',
      /a declaration is the body of a loop/,
    ],
    ['names like the injected ones', 'const __tl_x = 1; function f() {}', /__tl_/],
  ])('a source with %s is not instrumented, and the result contains the reason', (_, source, reason) => {
    const result = instrument(source, {
      file: '/project/a.js',
      root: '/project',
      moduleKind: 'commonjs',
      language: 'js',
      reserveSites: () => 0,
      withMap: false,
    });
    expect('skipped' in result ? result.skipped : '').toMatch(reason);
  });

  test.each(['let', 'const', 'class'])(
    'a parameter that the body declares again with %s is a syntax error, as without instrumentation',
    (word) => {
      const declaration = word === 'class' ? 'class a {}' : `${word} a = 1`;
      expect(() => traced(`exports.main = function main(a) { ${declaration} }`)).toThrow(
        /'a' has already been declared/,
      );
    },
  );

  test('every line keeps its number, whatever its line ending', () => {
    const source =
      '#!/usr/bin/env node\r\nfunction f() {\r\n  return 1\r\n}\nconst s = "é😀漢"; const g = () => s\n';
    const result = instrument(source, {
      file: '/project/a.js',
      root: '/project',
      moduleKind: 'module',
      language: 'js',
      reserveSites: () => 0,
      withMap: false,
    });
    if ('skipped' in result) throw new Error(result.skipped);
    expect(result.code.split('\n')).toHaveLength(source.split('\n').length);
    expect(result.sites).toMatchObject([
      { name: 'f', line: 2 },
      { name: 'g', line: 5 },
    ]);
  });
});
