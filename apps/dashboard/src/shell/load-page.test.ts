import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadPage, ScriptLoadError } from './load-page.ts';

const server = createServer((request, answer) =>
  answer.writeHead(request.url === '/here.js' ? 200 : 404).end(),
);
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  url = `http://127.0.0.1:${address.port}`;
});
afterAll(() => {
  server.close();
});

/** Fails like a browser's import: only the error's message contains the URL. */
const failing = (message: string) => () => Promise.reject(new TypeError(message));
const catchFailure = (load: () => Promise<Record<string, never>>, timeoutMs?: number) =>
  loadPage(load, timeoutMs).then(
    () => undefined,
    (error: unknown) => error,
  );

const Page = () => null;

it('loading a page returns its module', async () => {
  expect(await loadPage(async () => ({ Page }))).toEqual({ Page });
});

it('a missing script is reported with its URL', async () => {
  const address = `${url}/gone.js`;
  const error = await catchFailure(failing(`Failed to fetch dynamically imported module: ${address}`));
  expect(error).toBeInstanceOf(ScriptLoadError);
  expect(error).toMatchObject({ failure: 'missing', address });
  expect(String(error)).toContain(`missing: ${address}`);
});

it('a script that exists but does not load is reported with its URL', async () => {
  const error = await catchFailure(failing(`error loading dynamically imported module: ${url}/here.js`));
  expect(error).toMatchObject({ failure: 'error', address: `${url}/here.js` });
});

it('a script that fails to load is reported as unnamed if its URL is unknown', async () => {
  const error = await catchFailure(failing('Importing a module script failed.'));
  expect(error).toMatchObject({ failure: 'error', address: 'an unnamed script' });
});

it('an error that the script of a page throws while it loads is rethrown unchanged', async () => {
  const thrown = new RangeError('Invalid language tag: C');
  expect(await catchFailure(() => Promise.reject(thrown))).toBe(thrown);
});

it('a script that does not arrive times out', async () => {
  const error = await catchFailure(() => new Promise(() => undefined), 20);
  expect(error).toMatchObject({ failure: 'timeout', address: 'an unnamed script' });
});

it("the URL of a script comes from the import's source code if the browser does not report the URL", async () => {
  // The function's source code looks like an import in a built script; the test imports nothing.
  const load = (outcome: Promise<never>) =>
    Object.assign(() => outcome, { toString: () => '()=>e(()=>import(`./overview-tab-B7x_.js`),[])' });
  const address = new URL('./overview-tab-B7x_.js', new URL('./load-page.ts', import.meta.url)).href;
  expect(await catchFailure(load(new Promise(() => undefined)), 20)).toMatchObject({
    failure: 'timeout',
    address,
  });
  const unnamed = Promise.reject(new TypeError('Importing a module script failed.'));
  expect(await catchFailure(load(unnamed))).toMatchObject({ failure: 'error', address });
});
