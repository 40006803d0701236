import { REQUIRED, withTraces } from '../bodies/native-json.ts';
import { pack } from '../bodies/pack.ts';
import { listOfNumbered } from '../bodies/pieces.ts';
import { callOnce, post } from '../calls.ts';
import type { HostileForm, Outcome, Target } from '../form.ts';

const LONG_URL = 15_000;

/** Builds a hostile input that consists of one API request of a signed-in user. */
function call(
  name: string,
  method: string,
  path: (target: Target) => string,
  body?: () => string,
): HostileForm {
  return {
    way: 'API',
    name,
    async prepare() {
      const sent = body?.();
      const ofBody =
        sent === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) };
      return (target, signal) => {
        const headers = { authorization: `Bearer ${target.token}`, ...ofBody };
        return callOnce(
          target,
          { method, path: path(target), headers },
          (request) => request.end(sent),
          signal,
        );
      };
    },
  };
}

const get = (name: string, path: (target: Target) => string) => call(name, 'GET', path);
const list = (query: string) => (target: Target) => `/api/traces?projectId=${target.projectId}&${query}`;
const change = (name: string, body: () => object) =>
  call(
    name,
    'PATCH',
    ({ projectId }) => `/api/projects/${projectId}`,
    () => JSON.stringify(body()),
  );

/**
 * Builds a hostile input that reads from a project with many rows. Before the first read, it stores 9,900 traces with different routes,
 * users and attributes in the project. `members` returns further JSON members of each trace.
 */
function aboutRows(
  name: string,
  path: (target: Target) => string,
  members: (index: number) => string = () => '',
): HostileForm {
  return {
    way: 'API',
    name: `${name}, of 9,900 routes`,
    async prepare() {
      const body = await pack(
        withTraces(
          listOfNumbered(9900, (index) => {
            const required = REQUIRED.replace('"path":"/orders"', `"path":"/r${index}","route":"/r${index}"`);
            return `{${required},"user":{"id":"u${index}"},"attributes":{"k${index}":"v"}${members(index)}}`;
          }),
        ),
        'gzip',
      );
      const filled = new Map<string, Promise<Outcome>>();
      return async (target, signal) => {
        const sent = {
          'x-api-key': target.apiKey,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        };
        const filling =
          filled.get(target.projectId) ?? post(target, '/api/ingest/traces', sent, body, signal);
        filled.set(target.projectId, filling);
        const answered = await filling;
        if (answered.answer !== '200') return answered;
        const headers = { authorization: `Bearer ${target.token}` };
        return callOnce(
          target,
          { method: 'GET', path: path(target), headers },
          (request) => request.end(),
          signal,
        );
      };
    },
  };
}

const buildError = (index: number) =>
  `,"response":{"statusCode":500},"error":{"hasError":true,"errorMessage":"${letters(index)} is not a function"}`;

/** Encodes the index in letters, because numbers in messages do not count when errors are grouped. */
function letters(index: number): string {
  return String(index).replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
}

/** API requests that cost the server much work: long URLs, large bodies, and reads of a project with many rows. */
export const API: readonly HostileForm[] = [
  get('a search of 1,000 wildcards', list(`search=${'%25'.repeat(1000)}`)),
  get('a search of 15 kB', list(`search=${'a'.repeat(LONG_URL)}`)),
  get('a search of 1,000 backslashes', list(`search=${'%5C'.repeat(1000)}`)),
  get('1,500 attributes', list('attribute=a:b&'.repeat(1000))),
  get('2,500 names of a filter', list('service=a&'.repeat(1400))),
  get('a cursor of brackets', list(`cursor=${Buffer.from('['.repeat(300)).toString('base64url')}`)),
  get('a cursor of 15 kB', list(`cursor=${'A'.repeat(LONG_URL)}`)),
  get(
    'dates that are far away',
    list('startDate=0001-01-01T00:00:00Z&endDate=9999-12-31T00:00:00Z&limit=500'),
  ),
  get('an id of 15 kB', () => `/api/traces/${'a'.repeat(LONG_URL)}`),
  get('a path of 5,000 parts', () => `/api/${'a/'.repeat(7000)}`),
  get('a path of percent signs', () => `/api/traces/${'%25'.repeat(5000)}`),
  get('a query of 5,000 brackets', list(`a${'[a]'.repeat(4500)}=1`)),
  change('redaction rules of 50,000 names', () => ({
    redaction: { keys: Array.from({ length: 50_000 }, (_key, index) => `k${index}`), paths: [] },
  })),
  change('a redaction rule of 900 kB', () => ({ redaction: { keys: ['*'.repeat(900_000)], paths: [] } })),
  change('a name of 900 kB', () => ({ name: 'n'.repeat(900_000) })),
  call(
    '7 MB of lists',
    'PATCH',
    ({ projectId }) => `/api/projects/${projectId}`,
    () => '['.repeat(7_000_000),
  ),
  call(
    '500,000 keys',
    'POST',
    () => '/api/projects',
    () =>
      JSON.stringify(Object.fromEntries(Array.from({ length: 500_000 }, (_key, index) => [`k${index}`, 0]))),
  ),
  call(
    'a funnel of 20,000 endpoints',
    'PUT',
    ({ projectId }) => `/api/projects/${projectId}/funnel`,
    () =>
      JSON.stringify({
        steps: Array.from({ length: 20_000 }, (_step, index) => ({ method: 'GET', path: `/r${index}` })),
      }),
  ),
  aboutRows('the export', ({ projectId }) => `/api/traces/export?projectId=${projectId}`),
  aboutRows('the facets', ({ projectId }) => `/api/traces/facets?projectId=${projectId}`),
  aboutRows(
    '500 rows of the list',
    ({ projectId }) => `/api/traces?projectId=${projectId}&limit=500&sort=duration`,
  ),
  aboutRows(
    'the groups by user',
    ({ projectId }) => `/api/traces/groups?projectId=${projectId}&groupBy=user&sort=p95`,
  ),
  aboutRows('performance', ({ projectId }) => `/api/analytics/performance/${projectId}`),
  aboutRows('users', ({ projectId }) => `/api/analytics/users/${projectId}`),
  aboutRows('insights', ({ projectId }) => `/api/analytics/insights/${projectId}`),
  aboutRows('the figures', ({ projectId }) => `/api/traces/figures?projectId=${projectId}&pieces=48`),
  aboutRows(
    'errors of messages of their own',
    ({ projectId }) => `/api/projects/${projectId}/errors?state=all&days=30`,
    buildError,
  ),
  aboutRows('insights of errors', ({ projectId }) => `/api/analytics/insights/${projectId}`, buildError),
  aboutRows('the alerts', ({ projectId }) => `/api/projects/${projectId}/alerts`, buildError),
];
