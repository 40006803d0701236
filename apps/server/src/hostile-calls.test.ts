import { fillPath, type Route, routes } from '@throughline/contract';
import { type Person, signUp, startServer, type TestServer } from '@throughline/testkit';
import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let person: Person;
beforeAll(async () => {
  server = await startServer();
  person = await signUp(server);
});
afterAll(() => server.stop());

/**
 * The test leaves out these routes: streams, which do not end; the demo shop, which is a separate program; the ingest route, which takes an
 * API key instead of a session; and routes that would end the session or the account that the other routes need.
 */
const LEFT_OUT = ['traces.stream', 'demo.traffic', 'auth.logout', 'account.remove', 'ingest.traces'];
const CALLS = new Map(
  Object.entries<Readonly<Record<string, Route>>>(routes)
    .flatMap(([domain, group]) =>
      Object.entries(group).map(([name, route]): [string, Route] => [`${domain}.${name}`, route]),
    )
    .filter(([name]) => !LEFT_OUT.includes(name)),
);

const NASTY = [
  '',
  ' ',
  '\0',
  '\ud800',
  '../..',
  '%00',
  "'; drop table users; --",
  '__proto__',
  '💥'.repeat(300),
  'NaN',
  '-1',
  '1e999',
];
const text = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary', maxLength: 60 }), fc.uuid());
const value = fc.oneof(text, fc.jsonValue(), fc.double(), fc.constant(null));
const FIELDS = [
  'name',
  'email',
  'password',
  'description',
  'organizationId',
  'projectId',
  'graceHours',
  'limit',
];
const fields = fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS), text), value, { maxKeys: 5 });
const body = fc.oneof(
  fields.map((object) => JSON.stringify(object)),
  fc.json(),
  text,
);
const QUERY = [
  'projectId',
  'limit',
  'cursor',
  'search',
  'startDate',
  'endDate',
  'timeZone',
  'minDuration',
  'values',
  'sort',
];
const query = fc.dictionary(fc.constantFrom(...QUERY), text, { maxKeys: 4 });
const call = fc.record({ name: fc.constantFrom(...CALLS.keys()), id: text, stepId: text, query, body });

test('any request to any route gets a success or a clear refusal, never a server error', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(call, async ({ name, id, stepId, query: pairs, body: sent }) => {
      const route = CALLS.get(name) ?? routes.product.live;
      const path = fillPath(route.path, buildParams(route, wellFormed(id), wellFormed(stepId)));
      const answer = await fetch(`${server.url}${path}?${new URLSearchParams(pairs)}`, {
        method: route.method,
        headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
        ...(route.method === 'GET' ? {} : { body: sent }),
      });
      // A path outside /api that matches no route returns the dashboard.
      if (!route.path.startsWith('/api/') && answer.headers.get('content-type')?.startsWith('text/html'))
        return;
      const isLines = answer.headers.get('content-type')?.startsWith('application/x-ndjson') === true;
      const text = await answer.text();
      const [answered] = (isLines ? text.split('\n').filter((line) => line !== '') : [text]).map(parsed);
      expect(answer.status).toBeLessThan(500);
      if (answer.status >= 400) expect(answered).toMatchObject({ error: { requestId: expect.any(String) } });
    }),
    { numRuns: repetitions({ usually: 60, thoroughly: 2000 }) },
  );
});

function parsed(json: string): unknown {
  return JSON.parse(json);
}

/** Replaces unpaired surrogates, because a path can only contain valid UTF-8. */
function wellFormed(id: string): string {
  return id.toWellFormed();
}

/** Builds values for all of a route's parameters: `id` for the first, `other` for any further parameter. */
function buildParams(route: Route, id: string, other: string): Record<string, string> {
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name, index) => [name, index === 0 ? id : other]));
}
