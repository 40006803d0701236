import { API_LIMITS, type ErrorAnswer, fillPath, MAX_REPORTED_FIELDS, routes } from '@throughline/contract';
import { sceneOfFile } from '@throughline/testkit/scene';
import { describe, expect, test } from 'vitest';

const scene = sceneOfFile();

async function send(method: string, path: string, body?: string) {
  const answer = await fetch(scene.server.url + path, {
    method,
    headers: { authorization: `Bearer ${scene.person.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    bytes: text.length,
    error: (JSON.parse(text) as Partial<ErrorAnswer>).error,
  };
}

const repeated = (text: string, count: number) => Array.from({ length: count }, () => text).join(',');
const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;

const STRUCTURES = [
  ['lists inside each other', nested('[', ']', 100_000), 'bodyDepth'],
  ['objects inside each other', nested('{"a":', '}', 40_000), 'bodyDepth'],
  [
    'objects inside each other, by a name that JavaScript knows',
    nested('{"__proto__":', '}', 15_000),
    'bodyDepth',
  ],
  ['lists that are never closed', '['.repeat(250_000), 'bodyDepth'],
  ['a list of numbers', `[${repeated('1', 100_000)}]`, 'bodyValues'],
  ['a list of empty objects', `[${repeated('{}', 80_000)}]`, 'bodyValues'],
  [
    'many members',
    JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 0]))),
    'bodyKeys',
  ],
  ['a long number', '1'.repeat(250_000), 'bodyDigits'],
  ['a huge exponent', `1e${'9'.repeat(250_000)}`, 'bodyDigits'],
] as const;

describe('a request body', () => {
  const project = () => fillPath(routes.projects.update.path, { id: scene.project.id });

  test.each(STRUCTURES)(
    'is rejected for %s before it is parsed, and the error names the limit',
    async (_what, body, limitName) => {
      const { status, error } = await send('PATCH', project(), body);
      expect(status).toBe(413);
      expect(error).toMatchObject({
        code: 'payload_too_large',
        message: expect.stringContaining(`(limit ${limitName})`),
        details: { limit: API_LIMITS[limitName].max, limitName },
      });
    },
  );

  test.each([
    ['with a session, 256 kB', () => project(), 'PATCH', API_LIMITS.bodyBytes.max, 'bodyBytes'],
    [
      'without one, 16 kB',
      () => routes.auth.login.path,
      'POST',
      API_LIMITS.openBodyBytes.max,
      'openBodyBytes',
    ],
  ] as const)('has a limit on its size: %s', async (_what, path, method, bytes, limitName) => {
    const body = (length: number) => JSON.stringify({ name: 'x'.repeat(length - 11) });
    expect(await send(method, path(), body(bytes))).toMatchObject({ status: 400 });
    expect(await send(method, path(), body(bytes + 1))).toMatchObject({
      status: 413,
      error: { code: 'payload_too_large', details: { limit: bytes, limitName } },
    });
  });

  test('can contain the maximum number of redaction rules at their maximum length', async () => {
    const part = 'é'.repeat(48);
    const redaction = {
      keys: Array.from({ length: 100 }, (_, at) => `${'é'.repeat(96)}${at}`),
      paths: Array.from({ length: 100 }, (_, at) => `inputs.${`${part}.`.repeat(9)}${at}x`),
    };
    expect(await send('PATCH', project(), JSON.stringify({ redaction }))).toMatchObject({ status: 200 });
  });

  test('with many invalid fields gets an error that names the first fields and counts the others', async () => {
    const keys = Array.from({ length: 90 }, () => 1);
    const { status, error, bytes } = await send(
      'PATCH',
      project(),
      JSON.stringify({ redaction: { keys, paths: [] } }),
    );
    expect(status).toBe(400);
    expect(error?.details?.fields).toHaveLength(MAX_REPORTED_FIELDS);
    expect(error?.details?.fields?.[0]).toEqual({
      path: 'redaction.keys.0',
      message: 'a key must be a text',
    });
    expect(error?.details?.moreFields).toBe(70);
    expect(bytes).toBeLessThan(5_000);
  });

  test('with many long unknown names gets an error that does not repeat all of these names', async () => {
    const members = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [`${'n'.repeat(500)}${at}`, 1]),
    );
    const { status, bytes } = await send('PATCH', project(), JSON.stringify(members));
    expect(status).toBe(400);
    expect(bytes).toBeLessThan(5_000);
  });
});

describe('a URL', () => {
  test.each([
    ['of the same name', 'attribute=a&'.repeat(API_LIMITS.queryParameters.max + 1)],
    [
      'of different names',
      Array.from({ length: API_LIMITS.queryParameters.max + 1 }, (_, at) => `p${at}=1`).join('&'),
    ],
  ])('with over a hundred parameters %s is rejected, and the error names the limit', async (_what, query) => {
    expect(await send('GET', `${routes.traces.list.path}?${query}`)).toMatchObject({
      status: 400,
      error: { code: 'validation_failed', message: expect.stringContaining('(limit queryParameters)') },
    });
  });
});
