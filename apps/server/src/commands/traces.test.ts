import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes, type TraceRow } from '@throughline/contract';
import {
  aTrace,
  createAccessToken,
  makeOrganization,
  makeProject,
  runCommand,
  sendTraces,
  signUp,
  startServer,
  type TestProject,
  type TestServer,
} from '@throughline/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
let folder: string;
let shop: TestProject;
let token: string;
/** An access token of the owner of an organization with two projects. */
let tokenOfTwo: string;
const DAY_MS = 86_400_000;

beforeAll(async () => {
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), 'throughline-traces-'));
  const person = await signUp(server);
  shop = await makeProject(person, 'shop');
  ({ token } = await createAccessToken(server, person));
  const { owner } = await makeOrganization(server);
  const [first] = [await makeProject(owner, 'first'), await makeProject(owner, 'se\u001b[31mcond')];
  ({ token: tokenOfTwo } = await createAccessToken(server, owner));
  await sendTraces(server, first.apiKey, [aTrace({ request: { method: 'GET', path: '/of-first' } })]);
  await sendTraces(server, shop.apiKey, [
    aTrace({
      request: { method: 'POST', path: '/checkout/17', route: '/checkout/:id' },
      response: { statusCode: 500 },
      timing: { startTime: new Date(Date.now() - 60_000).toISOString(), duration: 1500 },
      error: { hasError: true, errorMessage: 'out of \u001b]0;pwned\u0007stock\n\u009b2J\u202e' },
      user: { id: '19' },
    }),
    aTrace({
      request: { method: 'GET', path: '/cart' },
      response: { statusCode: 200 },
      timing: { startTime: new Date(Date.now() - 30 * 60_000).toISOString(), duration: 12 },
    }),
  ]);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runCommand(['traces', ...args], {
    dataDir: folder,
    env: { THROUGHLINE_URL: server.url, THROUGHLINE_TOKEN: token, TZ: 'UTC', ...env },
  });
const list = (projectId: string) => server.as(token).call(routes.traces.list, { query: { projectId } });

describe('the command traces', () => {
  test('prints the matching traces in aligned columns, with a link to each', async () => {
    const { traces } = await list(shop.id);
    const result = await run([]);
    expect(result).toMatchObject({ code: 0, stderr: '2 traces.\n' });
    const [head = '', checkout = '', cart = ''] = result.stdout.split('\n');
    expect(head.split(/ +/)).toEqual(['TIME', 'STATUS', 'METHOD', 'ENDPOINT', 'DURATION', 'ERROR', 'LINK']);
    for (const [line, trace] of [
      [checkout, traces[0]],
      [cart, traces[1]],
    ] as const) {
      expect(line.slice(0, 19)).toBe(trace?.timing.startTime.slice(0, 19).replace('T', ' '));
      expect(line.slice(head.indexOf('LINK'))).toBe(`${server.url}/traces/${trace?._id}`);
    }
    const column = (name: string) => head.indexOf(name);
    expect(checkout.slice(column('STATUS'), column('DURATION'))).toBe('500     POST    /checkout/:id  ');
    expect(cart.slice(column('STATUS'), column('DURATION'))).toBe('200     GET     /cart          ');
    expect(checkout.slice(column('DURATION'))).toMatch(/^1\.50 s +out of/);
  });

  test('escapes control characters of captured texts, which could change the terminal', async () => {
    for (const args of [[], ['--json'], ['--project', 'nothing']]) {
      const { stdout, stderr } = await run(args, { THROUGHLINE_TOKEN: args[1] ? tokenOfTwo : token });
      expect(stdout.length + stderr.length).toBeGreaterThan(50);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be printed
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    expect((await run([])).stdout).toContain('out of \\u001b]0;pwned\\u0007stock\\n\\u009b2J\\u202e');
  });

  test("filters with the query language of the dashboard's lists, in one argument or in several", async () => {
    const endpoints = async (...args: string[]) => {
      const { code, stdout } = await run([...args, '--json']);
      expect(code).toBe(0);
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as TraceRow).request.path);
    };
    expect(await endpoints('status:5xx duration:>1s user:19')).toEqual(['/checkout/17']);
    expect(await endpoints('status:5xx', 'duration:>1s')).toEqual(['/checkout/17']);
    expect(await endpoints('-user:19')).toEqual(['/cart']);
    expect(await endpoints('--since', '5m')).toEqual(['/checkout/17']);
    expect(await endpoints('--since', '1h', '--limit', '1')).toEqual(['/checkout/17']);
    expect(await endpoints('value:"nowhere"')).toEqual([]);
    expect(await endpoints('status:404')).toEqual([]);
  });

  test('prints the rows of the API with --json, one per line', async () => {
    const { traces } = await list(shop.id);
    const { stdout, stderr } = await run(['--json']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(traces);
    expect(stderr).toBe('');
  });

  test('prints the number of matching traces if it lists only the first of them, and reports if no trace matches', async () => {
    const first = await run(['--limit', '1']);
    expect(first).toMatchObject({ code: 0, stderr: 'The first 1 of 2 traces. To list more, set --limit.\n' });
    expect(await run(['status:404'])).toEqual({ code: 0, stdout: '', stderr: 'No trace matches.\n' });
  });

  test('prints the traces of several pages of the list if --limit is above the size of a page', async () => {
    const person = await signUp(server);
    const { apiKey } = await makeProject(person);
    const nowMs = Date.now();
    const traces = Array.from({ length: 620 }, (_one, index) =>
      aTrace({
        request: { method: 'GET', path: `/${index}` },
        timing: { startTime: new Date(nowMs - index).toISOString(), duration: 1 },
      }),
    );
    await sendTraces(server, apiKey, traces);
    const env = { THROUGHLINE_TOKEN: (await createAccessToken(server, person)).token };
    const { stdout } = await run(['--json', '--limit', '610'], env);
    const paths = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as TraceRow).request.path);
    expect(paths).toEqual(Array.from({ length: 610 }, (_one, index) => `/${index}`));
  });

  test('reads a project by its name or id, and prints the names of the projects if no project is given', async () => {
    const env = { THROUGHLINE_TOKEN: tokenOfTwo };
    const byName = await run(['--project', 'first'], env);
    expect(byName).toMatchObject({ code: 0 });
    expect(byName.stdout).toContain('/of-first');
    const names = 'Projects:\n  first\n  se\\u001b[31mcond\n';
    expect(await run([], env)).toEqual({
      code: 1,
      stdout: '',
      stderr: `Choose a project with --project. ${names}`,
    });
    // The project exists, but another tenant owns it.
    for (const unknown of ['third', shop.id, 'shop']) {
      expect(await run(['--project', unknown], env)).toEqual({
        code: 1,
        stdout: '',
        stderr: `The access token can read no project with this name or id. ${names}`,
      });
    }
    expect((await run(['--project', shop.id.toUpperCase()])).code).toBe(0);
  });

  test("prints the server's error for an invalid filter, which contains the position of the mistake and a correction", async () => {
    expect(await run(['stauts:500'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'q: Characters 1 to 6: Unknown field “stauts”. Did you mean “status”?\n',
    });
  });

  test('refuses a missing, incomplete, unknown or revoked token with code 1, and never prints it', async () => {
    const person = await signUp(server);
    const { id, token: revoked } = await createAccessToken(server, person);
    await person.client.call(routes.accessTokens.revoke, { params: { id } });
    const refused = 'The access token is unknown, expired or revoked.\nCreate an access token in Settings';
    for (const [given, message] of [
      ['', 'Set THROUGHLINE_TOKEN to an access token. Create one in Settings › Security.\n'],
      [token.slice(0, -1), 'THROUGHLINE_TOKEN is not an access token: it must be tlr_ and 43 letters'],
      [person.token, 'THROUGHLINE_TOKEN is not an access token'],
      [`tlr_${'A'.repeat(43)}`, refused],
      [revoked, refused],
    ] as const) {
      const { code, stdout, stderr } = await run([], { THROUGHLINE_TOKEN: given });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(message);
      if (given !== '') expect(stderr).not.toContain(given);
    }
  });

  test('prefers --url to THROUGHLINE_URL, and THROUGHLINE_URL to PUBLIC_URL', async () => {
    const nowhere = 'http://127.0.0.1:9';
    expect((await run(['--url', `${server.url}/`], { THROUGHLINE_URL: nowhere })).code).toBe(0);
    expect((await run([], { PUBLIC_URL: nowhere })).code).toBe(0);
    expect((await run([], { THROUGHLINE_URL: '', PUBLIC_URL: server.url })).code).toBe(0);
    expect(await run([], { THROUGHLINE_URL: nowhere })).toEqual({
      code: 1,
      stdout: '',
      stderr: `The server at ${nowhere} cannot be reached. Is the URL correct?\n`,
    });
  });

  test('does not send the token to a server to which the given server redirects', async () => {
    const received: (string | undefined)[] = [];
    const target = await listen((request, response) => {
      received.push(request.headers.authorization);
      response.end('{}');
    });
    const redirecting = await listen((_request, response) => {
      response.writeHead(307, { location: `${target.url}/elsewhere` }).end();
    });
    const { code, stderr } = await run(['--url', redirecting.url]);
    expect(code).toBe(1);
    expect(stderr).toContain(`redirects to ${target.url}.`);
    expect(received).toEqual([]);
    await Promise.all([target.close(), redirecting.close()]);
  });

  test("escapes control characters of a server's message, and reports a server that is not Throughline", async () => {
    const hostile = await listen((_request, response) => {
      const error = { code: 'internal', message: 'a\u001b[2Jb', remedy: 'c\u009b2J', requestId: '' };
      response.writeHead(500).end(JSON.stringify({ error }));
    });
    const other = await listen((_request, response) => response.end('<html>'));
    expect(await run(['--url', hostile.url])).toMatchObject({
      code: 1,
      stderr: 'a\\u001b[2Jb\nc\\u009b2J\n',
    });
    const { code, stderr } = await run(['--url', other.url]);
    expect(code).toBe(1);
    expect(stderr).toContain(`There is no Throughline server at ${other.url}`);
    await Promise.all([hostile.close(), other.close()]);
  });

  test('continues a search over captured values until the search is complete or makes no progress', async () => {
    const { traces } = await list(shop.id);
    const search = (since: string) => ({ search: { since, limit: 'time' } });
    /**
     * Runs the command with a server that sends these responses one after the other to requests for the list, and then repeats the last
     * response.
     */
    const runWith = async (answers: readonly object[]) => {
      let requests = 0;
      const searching = await listen((request, response) => {
        if (request.url === routes.projects.list.path) {
          response.end(JSON.stringify({ projects: [{ id: shop.id, name: 'shop' }] }));
          return;
        }
        const answer = answers[Math.min(requests, answers.length - 1)];
        requests += 1;
        response.end(JSON.stringify({ traces: [], total: 0, nextCursor: null, ...answer }));
      });
      const { stdout, stderr } = await run(['value:ok=false', '--url', searching.url]);
      await searching.close();
      return { requests, rows: stdout.split('\n').filter((line) => line !== '').length, stderr };
    };
    const found = { traces, total: 2 };
    expect(
      await runWith([search('2026-01-02T00:00:00.000Z'), search('2026-01-01T00:00:00.000Z'), found]),
    ).toEqual({ requests: 3, rows: 3, stderr: '2 traces.\n' });
    expect(await runWith([search('2026-01-01T00:00:00.000Z')])).toEqual({
      requests: 2,
      rows: 0,
      stderr: 'No trace matches. Captured values were searched back to 2026-01-01T00:00:00.000Z.\n',
    });
  });

  test('lists all traces if --since is a time before the retention', async () => {
    const { code, stdout } = await run(['--since', '52w', '--json']);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(
      Date.parse((JSON.parse(stdout.split('\n')[0] ?? '') as TraceRow).timing.startTime),
    ).toBeGreaterThan(Date.now() - DAY_MS);
  });
});

async function listen(listener: RequestListener) {
  const http = createServer(listener);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
}
