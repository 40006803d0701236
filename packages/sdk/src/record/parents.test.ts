import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { outline, record, stepNamed, traced } from '../../test/traced.ts';

const globals = { setTimeout, setImmediate, EventEmitter, process, queueMicrotask };
const sleep =
  'function sleep(ms) { const done = (resolve) => setTimeout(resolve, ms); return new Promise(done) }';

async function recordOutline(source: string): Promise<string> {
  const { main } = traced(`${sleep}\n${source}\nexports.main = main`, globals);
  const { flow, thrown } = await record(main);
  if (thrown !== undefined) throw thrown;
  const kept = flow.filter(({ stepName }) => stepName !== 'sleep' && stepName !== 'done');
  return outline(kept);
}

describe('the parent of a step is the step that called it', () => {
  test.each([
    [
      'calls, recursion and methods',
      'class A { m() { return g(1) } }; function g(n) { return n ? g(n - 1) : 0 }; function main() { g(0); new A().m() }',
      'main\n  g\n  A.m\n    g\n      g',
    ],
    [
      'Promise.all of overlapping calls, each with calls before and after its awaits',
      'function s(n) {} async function one(ms) { s(); await sleep(ms); s(); await two(ms); s() } async function two(ms) { await sleep(ms); s() } async function main() { await Promise.all([one(4), one(1), one(2)]); s() }',
      `main\n${'  one\n    s\n    s\n    two\n      s\n    s\n'.repeat(3)}  s`,
    ],
    [
      'Promise.race, whose losers go on',
      'function s() {} async function one(ms) { await sleep(ms); s() } async function main() { await Promise.race([one(1), one(8)]); s(); await sleep(20) }',
      'main\n  one\n    s\n  one\n    s\n  s',
    ],
    [
      'rejected awaits, caught',
      'function s() {} async function bad() { await null; throw new Error("x") } async function main() { try { await bad() } catch { s() } finally { s() } try { await Promise.reject(1) } catch (e) { s() } s() }',
      'main\n  bad\n  s\n  s\n  s\n  s',
    ],
    [
      'timers and microtasks, after the function that set them has ended',
      // On a busy machine, both timers can be due at the same time. So after the sleep, the program also waits for the work that the first
      // timer starts.
      'function s() {} function later() { setTimeout(function tick() { s(); setImmediate(function deep() { s() }) }, 1); queueMicrotask(function micro() { s() }) } async function main() { later(); await sleep(15); await new Promise(setImmediate) }',
      'main\n  later\n    micro\n      s\n    tick\n      s\n      deep\n        s',
    ],
    [
      'listeners, called where the event is emitted',
      'function s() {} function wire(e) { e.on("x", function heard() { s() }) } function fire(e) { e.emit("x") } function main() { const e = new EventEmitter(); wire(e); fire(e) }',
      'main\n  wire\n  fire\n    heard\n      s',
    ],
    [
      'nested callbacks',
      'function s() {} function read(cb) { setTimeout(() => cb(null, 1), 1) } function main() { return new Promise(function run(done) { read(function first() { s(); read(function second() { s(); done() }) }) }) }',
      // A callback's parent is the step from which the callback is called; in this program, the step of the timer that `read` set.
      'main\n  run\n    read\n      setTimeout() callback\n        first\n          s\n          read\n            setTimeout() callback\n              second\n                s',
    ],
    [
      'generators: a function that asks for the next value does not become a child of the generator',
      'function s() {} function* g() { s(); yield 1; s(); yield 2 } function main() { for (const x of g()) t(x) } function t() {}',
      'main\n  g\n    s\n    s\n  t\n  t',
    ],
    [
      'yield* and generators left early',
      'function s() {} function* inner() { s(); yield 1; s() } function* g() { try { yield* inner(); s() } finally { s() } } function main() { for (const x of g()) { s(); break } s(); [...g()]; s() }',
      'main\n  g\n    inner\n      s\n    s\n  s\n  s\n  g\n    inner\n      s\n      s\n    s\n    s\n  s',
    ],
    [
      'a generator left at a `yield`, without a `finally` that would still run',
      'function s() {} function* g() { yield 1; yield 2 } function main() { for (const x of g()) break; s(); const it = g(); it.next(); it.return(); s(); const other = g(); other.next(); try { other.throw(1) } catch { s() } s() }',
      'main\n  g\n  s\n  g\n  s\n  g\n  s\n  s',
    ],
    [
      'async generators and for await',
      'function s() {} async function* inner() { await sleep(1); s(); yield 1; s() } async function* g() { s(); yield* inner(); await null; s() } async function main() { for await (const x of g()) { s(); await sleep(1); t() } t(); for await (const y of [1]) t(); t() } function t() {}',
      'main\n  g\n    s\n    inner\n      s\n      s\n    s\n  s\n  t\n  t\n  t\n  t',
    ],
    [
      'for await left by break and by an error',
      'function s() {} async function* g() { try { yield 1; yield 2 } finally { await null; s() } } async function main() { for await (const x of g()) { t(); break } t(); try { for await (const x of g()) throw new Error("x") } catch { t() } t() } function t() {}',
      'main\n  g\n    s\n  t\n  t\n  g\n    s\n  t\n  t',
    ],
    [
      'for await over a generator that is not async, and over one whose methods the program replaced',
      'function s() {} function* g() { try { s(); yield 1; s() } finally { s() } } async function main() { for await (const x of g()) { t(); break } t(); const it = g(), { next } = it; it.next = function () { t(); return next.call(it) }; it.return = undefined; for await (const x of it) { t(); break } t() } function t() {}',
      'main\n  g\n    s\n    s\n  t\n  t\n  it.next\n    t\n    g\n      s\n  t\n  t',
    ],
    [
      'a constructor and fields',
      'function s() { return 1 } class B { constructor() { s() } } class A extends B { f = s(); constructor() { super(); s() } } function main() { new A() }',
      'main\n  new A\n    new B\n      s\n    s\n    s',
    ],
    [
      'default parameters, run before the function has a frame',
      'function s() {} function f(a = s()) { s() } function main() { f() }',
      'main\n  s\n  f\n    s',
    ],
  ])('%s', async (_, source, expected) => {
    expect(await recordOutline(source)).toBe(expected);
  });

  test('a step that waits is not the parent of steps that begin while the step waits', async () => {
    const { main } = traced(
      `${sleep}\nasync function slow() { await sleep(5) }\nfunction quick() {}\nexports.main = async () => { const p = slow(); await null; await null; quick(); await p }`,
      globals,
    );
    const { flow } = await record(main);
    const parent = stepNamed(flow, 'main').stepId;
    expect(stepNamed(flow, 'quick').parentStepId).toBe(parent);
    expect(stepNamed(flow, 'slow').parentStepId).toBe(parent);
  });
});
