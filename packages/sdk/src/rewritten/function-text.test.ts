import { pickRows } from '@throughline/testkit/thorough';
import { afterEach, describe, expect, test } from 'vitest';
import { project, removeProjects, run } from '../../test/traced-project.ts';

afterEach(removeProjects);

const program = `
const texts = [];
const show = (...all) => { texts.push(...all.map(String)); };
function plain(a, b = () => { return 'default' }) { let sum = a; for (const x of [1]) { sum += x } return sum++ }
const arrow = (x) => x + 1, tuple = async x => (await x, { x });
async function waits(list) { for await (const one of list) { try { await one } catch { return null } } }
function* yields() { const got = yield* [1]; return yield got }
class Account { #n = 0; constructor(n) { this.#n = n } get balance() { return this.#n } static of = (n) => new Account(n); async pay(x) { return await x } }
class Saving extends Account { constructor() { super(1); this.rate = 2 } }
const methods = { short() { return 1 }, ['comp' + 'uted']: function () { return 2 }, get it() { return 3 } };
function directive() { 'use strict'
  return this }
function Outer() { let n = 0; return [function inner() { n++; return n }, () => { n = 5 }] }
show(plain, arrow, tuple, waits, yields, Account, Saving, Account.of, Account.prototype.pay, methods.short, methods.computed, directive, Outer, ...Outer());
show(function () { return 1 }, function () { return 1 });
const pair = [() => { return 7 }, () => { return 7 }];
show(pair[0].toString() === pair[1].toString(), plain + '', \`\${arrow}\`, Math.max, show.bind(null), class {}, () => {});
const { toString } = Function.prototype;
show(toString, toString.name, toString.length, Object.keys(Object.getOwnPropertyDescriptor(Function.prototype, 'toString')), 'prototype' in toString, Object.getOwnPropertyNames(toString));
for (const wrong of [{}, null, 1, Object.create(plain)]) {
  try { toString.call(wrong) } catch (error) { show(error, /function-text/.test(error.stack)) }
}
try { new toString() } catch (error) { show(error) }
show(Object.keys({ [function () { return 1 }]: 1, [function () { return 1 }]: 2 }).length);
show(new Function('a', 'return a'), eval('(function evaluated() { return 1 })'), new Proxy(plain, {}));
const isOf = Reflect.ownKeys(Function.prototype).indexOf('toString');
console.log(JSON.stringify([texts, isOf], null, 1));
`;

describe('the text of functions', () => {
  test.each(pickRows(['host.cjs', 'host.mjs', 'host.cts'], { usually: 1 }))(
    'is what the author wrote, in %s',
    (name) => {
      const root = project({ 'package.json': '{}', [name]: program });
      const plain = run(root, [name], {}, false);
      expect(plain).toMatchObject({ status: 0, stderr: '' });
      const traced = run(root, [name]);
      expect(traced.reports).toEqual([]);
      expect(traced.output.trim()).toBe(plain.output.trim());
    },
  );

  test("is the author's text even if the instrumented code was cached by an earlier process", () => {
    const files = {
      'package.json': '{}',
      'node_modules/.keep': '',
      'host.cjs': `${program};setTimeout(() => {}, 300)`,
    };
    const root = project(files);
    const plain = run(root, ['host.cjs'], {}, false);
    const starts = [1, 2].map(() => run(root, ['host.cjs'], { TRACED_KEEP: '1' }).output.trim());
    expect(starts).toEqual([plain.output.trim(), plain.output.trim()]);
  });
});
