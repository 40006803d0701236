import { pickRows } from '@throughline/testkit/thorough';
import { afterEach, describe, expect, test } from 'vitest';
import { project, removeProjects, run } from '../../test/traced-project.ts';

afterEach(removeProjects);

/** Returns Node's crash report without the frames of Node's own code. */
const printed = (stderr: string): string =>
  stderr
    .split('\n')
    .filter((line) => !/\bat .*\bnode:|lines matching cause/.test(line))
    .join('\n');

/** Preloads a module, as a host with the SDK does, because Node then prints crash reports differently. */
const preloaded = ['--import', 'data:text/javascript,'];

const crashes: Readonly<Record<string, string>> = {
  'a thrown error': `function outer(x) {
  if (x) { inner(x); }
  return 3;
}
const inner = (x) => { const y = { a: 1 };
  for (const one of [1, 2]) { if (one > 1) throw new Error('wrong ' + x + y.a); }
};
outer(1);`,
  'a method that is missing': `function total(order) {
  const { lines } = order; const sum = lines.reduce((all, line) => all + line.price.amount(), 0);
  return sum;
}
total({ lines: [{ price: {} }] });`,
  'an unknown name': 'function f() {\n\tlet a = 1; a++; return a + unknown;\n}\nf();',
  'a rejection that nobody handles': `async function load(id) {
  await null; const row = await find(id); return row;
}
async function find(id) { await null;
  if (id > 0) { throw new TypeError('no row ' + id); } }
load(1);`,
  'an error with more than a message': `function f(code) { const cause = new RangeError('low'); 
  throw Object.assign(new Error('high', { cause }), { code }); }
f('E_HIGH');`,
  'a timer':
    'function tick() { let left = 0;\n  left--; if (left < 0) throw new Error("over") }\nsetTimeout(function later() { tick(); }, 1);',
  'an error from a library': `const { parse } = require('lib'); function read(text) { const value = parse(text); return value }
read('x');`,
};
const library =
  'exports.parse = (text) => {\n  if (text === "x") { throw new SyntaxError("bad " + text) }\n}';

describe('a crash', () => {
  test.each(pickRows(Object.entries(crashes), { usually: 3 }))(
    'is printed as without the SDK: %s',
    (_, source) => {
      const root = project({
        'package.json': '{}',
        'host.cjs': source,
        'node_modules/lib/index.js': library,
      });
      const plain = run(root, [...preloaded, 'host.cjs'], {}, false);
      const traced = run(root, ['host.cjs']);
      expect(plain.stderr).toContain('^');
      expect(printed(traced.stderr)).toBe(printed(plain.stderr));
      expect(traced.status).toBe(plain.status);
    },
  );

  test('is printed as without the SDK if it happens in an ES module', () => {
    const root = project({ 'host.mjs': crashes['a thrown error'] ?? '' });
    const plain = run(root, [...preloaded, 'host.mjs'], {}, false);
    expect(printed(run(root, ['host.mjs']).stderr)).toBe(printed(plain.stderr));
  });

  test('leaves the error unchanged if the host handles it', () => {
    const handles = `process.on('uncaughtException', (error) => { console.log(error.stack.split('\\n')[0]) });`;
    const root = project({ 'host.cjs': `${handles}\n${crashes['a thrown error']}` });
    expect(run(root, ['host.cjs']).output.trim()).toBe('Error: wrong 11');
  });
});
