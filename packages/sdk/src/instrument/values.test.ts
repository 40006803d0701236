import { describe, expect, test } from 'vitest';
import { record, stepNamed, traced } from '../../test/traced.ts';

/** Returns the variables of the only step named `f`, after calling `f(...args)`. */
async function recordVariables(source: string, ...args: unknown[]) {
  const { f } = traced(`${source}\nexports.f = f`);
  const { flow } = await record(() => f?.(...args));
  const step = stepNamed(flow, 'f');
  return { ...step.variables, inputs: step.inputs, error: step.error?.message };
}

describe('the variables of a step', () => {
  test('show the arguments at the start of the call, and the bindings at the end of the call', async () => {
    const seen = await recordVariables(
      'function f(order, n) { order.paid = true; n += 1; return n }',
      { id: 1 },
      2,
    );
    expect(seen).toMatchObject({
      inputs: { order: { id: 1 }, n: 2 },
      parameters: { order: { id: 1, paid: true }, n: 3 },
      returnValue: 3,
      capturedAt: 'exit',
    });
  });

  test('show default, destructured and rest parameters under the names of their bindings', async () => {
    const seen = await recordVariables(
      'function f(a, b = a + 1, { c, d: [e] = [9], ...others } = {}, ...rest) { return 0 }',
      1,
      undefined,
      { c: 3, x: 4 },
      5,
      6,
    );
    expect(seen.inputs).toEqual({ a: 1, b: 2, c: 3, e: 9, others: { x: 4 }, rest: [5, 6] });
  });

  test('include `arguments` if the function uses it', async () => {
    const seen = await recordVariables('function f() { return arguments.length }', 'x', 'y');
    expect(JSON.stringify(seen.inputs)).toContain('"x"');
    expect(seen.returnValue).toBe(2);
  });

  test.each([
    ['const, let and var', 'const a = 1; let b = 2; var c = 3', { a: 1, b: 2, c: 3 }],
    ['reassigned', 'let a = 1; a = 2; let b = 1; b += 4; let c; c ??= 7', { a: 2, b: 5, c: 7 }],
    ['counted', 'let a = 1; a++; ++a; const b = a++ + 1; let c = --a', { a: 3, b: 4, c: 3 }],
    [
      'destructured',
      'const { a, b: [c = 5] } = { a: 1, b: [] }; let d, e; [d, e] = [c, a]; ({ d = 8 } = {})',
      { a: 1, c: 5, d: 8, e: 1 },
    ],
    ['several in one declaration', 'const a = 1, b = a + 1, c = [b]', { a: 1, b: 2, c: [2] }],
    [
      'changed by a closure',
      'let a = 1; const add = () => { a += 5 }; add(); [1].forEach((x) => { a += x })',
      { a: 7 },
    ],
    [
      'undefined once reached',
      'let a; const b = undefined',
      { a: { $type: 'undefined' }, b: { $type: 'undefined' } },
    ],
    [
      'functions and classes',
      'function g() {}; class K {}; const h = () => 1',
      {
        g: { $type: 'function', name: 'g' },
        K: { $type: 'function', name: 'K' },
        h: { $type: 'function', name: 'h' },
      },
    ],
    ['assigned in a condition', 'let a; if ((a = 4) && a > 3) a = a * 2', { a: 8 }],
    ['assigned by a loop head', 'let a, b; for (a of [1, 2]) ; for ([b] of [[3]]) ;', { a: 2, b: 3 }],
    ['named __proto__', 'let __proto__ = 3', JSON.parse('{"__proto__": 3}')],
  ])('include local variables: %s', async (_, body, expected) => {
    const seen = await recordVariables(`function f() { ${body}; return }`);
    expect(seen.localVariables).toMatchObject(expected);
    expect(Object.keys(seen.localVariables ?? {})).toEqual(expect.arrayContaining(Object.keys(expected)));
  });

  test('do not include a binding that the call did not reach', async () => {
    const early = await recordVariables(
      'function f() { const a = 1; if (a) return a; const b = 2; return b }',
    );
    expect(early.localVariables).toEqual({ a: 1 });
  });

  test.each([
    ['a block', '{ const inner = 1; { let deep = 2; deep++ } }', { inner: 1, deep: 3 }],
    [
      'if and else',
      'if (n) { const yes = 1 } else { const no = 2 } if (!n) { let third = 3 }',
      { no: 2, third: 3 },
    ],
    [
      'try and catch',
      'try { const before = 1; null.x; const after = 2 } catch ({ name }) { let told = name }',
      { before: 1, name: 'TypeError', told: 'TypeError' },
    ],
    ['finally', 'try { const a = 1 } finally { const b = 2 }', { a: 1, b: 2 }],
    [
      'a for loop, as of its last iteration',
      'for (let i = 0; i < 3; i++) { const t = i; if (i === 1) { const only = i } }',
      { i: 3, t: 2 },
    ],
    [
      'a loop that is left',
      'for (const x of [1, 2, 3]) { const t = x * 2; if (x === 2) break; const late = x }',
      { x: 2, t: 4 },
    ],
    ['a loop with continue', 'for (const x of [1, 2]) { if (x === 2) continue; const late = x }', { x: 2 }],
    [
      'nested loops',
      'for (const x of [1, 2]) { const a = x; for (const y of [3]) { const b = a + y } }',
      { x: 2, a: 2, y: 3, b: 5 },
    ],
    [
      'for in, while and do',
      'for (const k in { p: 1 }) { let v = k } let i = 2; while (i-- > 0) { const w = i } do { const d = i } while (false)',
      { k: 'p', v: 'p', i: -1, w: 0, d: -1 },
    ],
    [
      'switch',
      'switch (n) { case 0: let s = 1; case 1: { const t = s + 1 } break; default: let u = 3 }',
      { s: 1, t: 2 },
    ],
    [
      'labels',
      'out: { const a = 1; for (const x of [1]) { const b = 2; break out } const c = 3 }',
      { a: 1, x: 1, b: 2 },
    ],
    [
      'blocks with functions and classes',
      '{ function g() {} class K {} }',
      { g: { $type: 'function' }, K: { $type: 'function' } },
    ],
  ])('show the last values of the bindings of every block: %s', async (_, body, expected) => {
    for (const [head, end] of [
      ['', ''],
      ['async ', ''],
      ['', '; return 1'],
      ['', '; throw new Error("x")'],
    ]) {
      const seen = await recordVariables(`${head}function f(n) { ${body}${end} }`, 0);
      expect(Object.keys(seen.localVariables ?? {}).sort()).toEqual(Object.keys(expected).sort());
      expect(seen.localVariables).toMatchObject(expected);
    }
  });

  test('of a function that catches an error include the error, and the bindings that were initialized before the failure', async () => {
    const { f } = traced(`exports.f = async function f(req, res, next) {
  try {
    const user = await find(req.id)
    const order = { user, total: user.missing.total }
    res.json(order)
  } catch (err) {
    next(err)
  }
}
async function find(id) { return { id } }`);
    const { flow } = await record(() => f?.({ id: 7 }, {}, () => {}));
    expect(stepNamed(flow, 'f').variables?.localVariables).toMatchObject({
      user: { id: 7 },
      err: { $type: 'Error' },
    });
  });

  test('include every variable if several blocks declare the same name; the name of each later variable ends with its line number', async () => {
    const seen = await recordVariables(
      'function f() {\n for (const x of [1]) {}\n for (const x of [2]) {}\n { { const x = 3 } }\n}',
    );
    expect(seen.localVariables).toEqual({ x: 1, 'x@3': 2, 'x@4': 3 });
  });

  test('include the bindings of the blocks around a return or throw; in a loop, they are the bindings of the current iteration', async () => {
    const seen = await recordVariables(
      'function f() { for (let i = 0; i < 3; i++) { if (i === 1) { const found = i; return found } const late = i } }',
    );
    expect(seen.localVariables).toEqual({ i: 1, found: 1 });
    const thrown = await recordVariables(
      'function f() { for (const x of [1, 2]) { if (x === 2) throw new Error("two"); const y = x } }',
    );
    expect(thrown).toMatchObject({ capturedAt: 'throw', localVariables: { x: 2 }, error: 'two' });
    expect(thrown.localVariables).not.toHaveProperty('y');
  });

  test('show the outermost variable under its plain name, and add the line number to the names of variables that shadow it', async () => {
    const seen = await recordVariables(
      'function f(a) {\n const b = 1;\n {\n  const b = 2;\n  const a = 3;\n  return b\n }\n}',
      0,
    );
    expect(seen.parameters).toEqual({ a: 0 });
    expect(seen.localVariables).toEqual({ b: 1, 'b@4': 2, 'a@5': 3 });
  });

  test('include `this` if the function uses it, but not before super(), and never the global object', async () => {
    const { Shop, plain, early, field } = traced(`
      class Base { constructor() { this.base = 1 } }
      class Shop extends Base { constructor(fail) { if (fail) throw new Error('early'); super(); this.name = 'x' } rename(n) { this.name = n; return () => this.name } field = (n) => this.base + n }
      exports.Shop = () => new Shop().rename('y')
      exports.early = () => new Shop(true)
      exports.field = () => new Shop().field(1)
      exports.plain = function plain() { return this === undefined || this === globalThis }`);
    const { flow } = await record(Shop);
    expect(stepNamed(flow, 'Shop.rename').variables?.thisContext).toMatchObject({
      class: 'Shop',
      properties: { base: 1, name: 'y' },
    });
    expect(stepNamed(flow, 'new Shop').variables?.thisContext).toMatchObject({
      properties: { base: 1, name: 'x' },
    });
    const failed = await record(early);
    expect(stepNamed(failed.flow, 'new Shop').variables).not.toHaveProperty('thisContext');
    expect(stepNamed(failed.flow, 'new Shop').error?.message).toBe('early');
    expect(stepNamed((await record(field)).flow, 'Shop.field').variables?.thisContext).toMatchObject({
      properties: { base: 1 },
    });
    const bare = await record(() => plain?.());
    expect(stepNamed(bare.flow, 'plain').variables).not.toHaveProperty('thisContext');
  });

  test('include undefined as a return value only if the function returns it', async () => {
    expect(await recordVariables('function f() { }')).not.toHaveProperty('returnValue');
    expect((await recordVariables('function f() { return undefined }')).returnValue).toEqual({
      $type: 'undefined',
    });
  });

  test('show a returned local in full both as local and as return value', async () => {
    const seen = await recordVariables('function f() { const order = { id: 7 }; return order }');
    expect(seen.localVariables).toEqual({ order: { id: 7 } });
    expect(seen.returnValue).toEqual({ id: 7 });
  });

  test('include only parameters if the function calls eval directly, since eval can change any binding', async () => {
    const seen = await recordVariables('function f(a) { let b = 1; eval("b = 2"); return b + a }', 1);
    expect(seen).toMatchObject({ parameters: { a: 1 }, localVariables: {}, returnValue: 3 });
  });

  test('are not captured in structure mode', async () => {
    const { f } = traced('exports.f = function f(a) { const b = a; return b }');
    const { flow } = await record(() => f?.(1), 'structure');
    const step = stepNamed(flow, 'f');
    expect(step).toMatchObject({ functionName: 'f', filePath: 'src/traced.js', lineNumber: 1 });
    expect(Object.keys(step)).not.toEqual(expect.arrayContaining(['inputs']));
    expect(step.variables).toBeUndefined();
    expect(step.outputs).toBeUndefined();
  });
});
