import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nextTrace, serve, watch } from '../../test/watched.ts';
import { honoFiles } from '../frameworks/hono.ts';
import { nestFiles } from '../frameworks/nest.ts';
import { appendExportsHook, needsExportsHook } from '../loaders/expose-exports.ts';
import { patchFrameworks } from './patch-frameworks.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'throughline-frameworks-'));
  patchFrameworks();
  watch();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Installs a package under the name `alias` and requires one of its files. */
function load(alias: string, name: string, file: string, source: string): unknown {
  const path = join(folder, 'node_modules', alias, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(join(folder, 'node_modules', alias, 'package.json'), JSON.stringify({ name }));
  writeFileSync(path, source);
  return createRequire(join(folder, 'app.js'))(path);
}

const composeSource = `module.exports = function compose(list) {
  return (context) => {
    const run = (at) => Promise.resolve(list[at] && list[at](context, () => run(at + 1)));
    return run(0);
  };
}`;

test('a framework is identified by the name in its own package.json, whatever alias it is installed under', async () => {
  const compose = load('my-alias', 'koa-compose', 'index.js', composeSource);
  if (typeof compose !== 'function') throw new Error('no function');
  const running = await serve(async (req, res) => {
    const first = (_context: unknown, next: () => unknown) => next();
    await compose([first, (context: { res: typeof res }) => void context.res.end('ok')])({ req, res });
  });
  expect(await (await fetch(running.url)).text()).toBe('ok');
  expect((await nextTrace()).flow.map(({ stepName }) => stepName)).toEqual(['first', 'middleware']);
  await running.close();
});

test.each([
  ['koa-compose', 'index.js', "module.exports = function compose(list) { return 'as it was' }"],
  ['connect', 'index.js', "module.exports = function createServer() { return 'as it was' }"],
  ['@hapi/hapi', 'lib/server.js', "module.exports = function () { return 'as it was' }"],
  [
    '@hapi/hapi',
    'lib/server.js',
    "module.exports = () => Object.freeze({ ext: 1, toString: () => 'as it was' })",
  ],
])('an unknown future version of %s runs as without the SDK', (name, file, source) => {
  const exported = load(`changed-${Math.random()}`, name, file, source);
  if (typeof exported !== 'function') throw new Error('no function');
  expect(String(exported([]))).toBe('as it was');
});

test.each([
  ['router', 'layer.js', 'module.exports = class Layer { match() {} }'],
  ['hono', 'router.js', 'exports.Router = class { add = 1 }; exports.more = null'],
  ['@nestjs/core', 'guards-consumer.js', 'exports.GuardsConsumer = { prototype: null }'],
])('exports of %s with an unexpected shape stay unchanged', (name, file, source) => {
  const looks = (packageName: string) =>
    inspect(load(`shape-${Math.random()}`, packageName, file, source), { showHidden: true, depth: 5 });
  expect(looks(name)).toBe(looks('somebody-elses'));
});

test("the exports of a host's own file are not read, even if the file has the name of a framework's file", () => {
  const source = `
    const touched = [];
    const look = new Proxy({}, { get: (_, name) => touched.push(name), getPrototypeOf: () => (touched.push('prototype'), null),
      getOwnPropertyDescriptor: (_, name) => void touched.push(name), has: (_, name) => touched.push(name), ownKeys: () => (touched.push('keys'), []) });
    module.exports = look;
    setTouched(touched);`;
  for (const file of ['router.js', 'server.js', 'layer.js', 'index.js', 'guards-consumer.js']) {
    let touched: unknown;
    Reflect.set(globalThis, 'setTouched', (list: unknown) => {
      touched = list;
    });
    load(`own-${file}`, 'my-service', file, source);
    expect(touched, file).toEqual([]);
  }
});

test('only ES modules of frameworks get appended code that exposes their exports', () => {
  for (const { packages, file } of [...honoFiles, ...nestFiles]) {
    for (const name of [...packages, 'my-service']) {
      load(`package-${name}`, name, file, '');
      const url = pathToFileURL(join(folder, 'node_modules', `package-${name}`, file)).href;
      expect(needsExportsHook(url), url).toBe(name !== 'my-service');
    }
  }
});

test("the code that exposes the exports of an ES module does not change the module's line numbers", () => {
  const source = 'export class A {}\nexport const line = 2; // end';
  const lines = appendExportsHook(source, 'file:///a/router.js').split('\n');
  expect(lines.slice(0, 2)).toEqual(source.split('\n'));
  expect(lines.length).toBe(4);
});

test("code that imports a GraphQL executor gets the SDK's wrapper of the executor", async () => {
  const source = 'let calls = 0;\nexport function execute() {\n  return ++calls;\n}\nexport const other = 1;';
  const path = join(folder, 'node_modules', 'graphql', 'execution', 'execute.mjs');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(join(folder, 'node_modules', 'graphql', 'package.json'), JSON.stringify({ name: 'graphql' }));
  const url = pathToFileURL(path).href;
  expect(needsExportsHook(url)).toBe(true);
  const opened = appendExportsHook(source, url);
  expect(opened.split('\n').slice(0, 5)).toEqual(source.split('\n'));
  writeFileSync(path, opened);
  const { execute, other } = await import(url);
  expect(execute({ document: {} })).toBe(1);
  expect(String(execute)).not.toContain('++calls');
  expect(other).toBe(1);
});
