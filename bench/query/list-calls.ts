import type { TraceFilters } from '@throughline/contract';
import { STEPS_PER_TRACE } from '../lib/trace-generator.ts';
import { DEEP, dayAgo, findKnown, hashError, type Known, List, type ListRow } from './known.ts';
import { type Loaded, RARE_STEP, SESSIONS } from './load.ts';
import { type Get, type MeasuredCall, pick, type Row } from './rows.ts';

const LIST = 'newest 50 of a project, any filter of the dashboard';
const SEARCH = 'search by path part or attribute';
const VALUES = 'search over captured values, a day';
const FIRST_VALUES = 'search over captured values, the first page of 30 days';
const PAGE = 50;
type Filters = { readonly [Name in Exclude<keyof TraceFilters, 'projectId'>]?: string };
type Query = Filters & {
  readonly startDate?: string;
  readonly endDate?: string;
  readonly sort?: string;
  readonly cursor?: string;
};

/** A list request to measure. */
interface Asked {
  readonly name: string;
  readonly query: (turn: number) => Query;
  /** Checks a row of the response. Undefined if nothing is known about single rows. */
  readonly holds?: (row: ListRow) => boolean;
  /** `nothing`: the list must be empty. `everything`: the list must contain all traces. */
  readonly finds?: 'nothing' | 'everything';
  readonly row?: Row;
  /** True if the search must cover the whole range. The check fails if the search stopped at the maximum of matches. */
  readonly isWhole?: boolean;
}

/** Builds requests that each use one filter. */
function filters({ rows, users, references }: Known): {
  readonly [Name in Exclude<keyof TraceFilters, 'projectId'>]: readonly Asked[];
} {
  const duration = ({ timing }: ListRow) => timing.duration;
  const byAttribute = (name: string, attribute: (turn: number) => string): Asked => ({
    name: `by ${name}`,
    query: (turn) => ({ attribute: attribute(turn) }),
    row: SEARCH,
  });
  const byValue = (name: string, value: (turn: number) => string): Asked => ({
    name: `by value, ${name}`,
    query: (turn) => ({
      value: value(turn),
      startDate: dayAgo(3 + (turn % 20)),
      endDate: dayAgo(2 + (turn % 20)),
    }),
    row: VALUES,
    isWhole: true,
  });
  return {
    attribute: [
      byAttribute('attribute, 1 in 1,000', (turn) => `tenant:t${turn % 1000}`),
      byAttribute('attribute, 1 in 3', () => 'region:eu-west-1'),
      byAttribute('attribute, one has it', (turn) => `order.reference:${pick(references, turn)}`),
      {
        ...byAttribute('attribute, none has it', (turn) => `order.reference:none-${turn}`),
        finds: 'nothing',
      },
      byAttribute('the name of an attribute, in all', () => 'region'),
      byAttribute("a step's attribute, in all", () => 'db.system:postgresql'),
    ],
    status: [
      {
        name: 'success',
        query: () => ({ status: 'success' }),
        holds: ({ response }) => (response.statusCode ?? 0) < 400,
      },
      {
        name: 'error',
        query: () => ({ status: 'error' }),
        holds: ({ response }) => (response.statusCode ?? 500) >= 400,
      },
    ],
    method: [
      {
        name: 'method',
        query: () => ({ method: 'DELETE' }),
        holds: ({ request }) => request.method === 'DELETE',
      },
    ],
    search: [
      {
        name: 'by trace id prefix',
        query: (turn) => ({ search: pick(rows, turn).traceId.slice(0, 12) }),
        row: SEARCH,
      },
      {
        name: 'by path part',
        query: (turn) => ({ search: `orders/${17 + (turn % 80)}` }),
        holds: ({ request }) => request.path.includes('orders/'),
        row: SEARCH,
      },
    ],
    route: [
      {
        name: 'route',
        query: () => ({ route: '/users/:id' }),
        holds: ({ request }) => request.route === '/users/:id',
      },
    ],
    minDuration: [
      { name: 'slow ones', query: () => ({ minDuration: '500' }), holds: (row) => duration(row) >= 500 },
    ],
    maxDuration: [
      { name: 'quick ones', query: () => ({ maxDuration: '5' }), holds: (row) => duration(row) <= 5 },
    ],
    statusCode: [
      {
        name: 'status code',
        query: () => ({ statusCode: '422' }),
        holds: ({ response }) => response.statusCode === 422,
      },
    ],
    statusClass: [
      {
        name: 'band of status codes',
        query: () => ({ statusClass: '4xx' }),
        holds: ({ response }) => Math.floor((response.statusCode ?? 0) / 100) === 4,
      },
    ],
    service: [
      {
        name: 'service',
        query: () => ({ service: 'billing' }),
        holds: ({ service }) => service === 'billing',
      },
    ],
    services: [
      {
        name: 'services with a name',
        query: () => ({ services: 'named' }),
        holds: ({ service }) => service !== '',
        finds: 'everything',
      },
    ],
    environment: [
      {
        name: 'environment',
        query: () => ({ environment: 'staging' }),
        holds: ({ environment }) => environment === 'staging',
      },
    ],
    release: [{ name: 'release', query: (turn) => ({ release: pick(rows, turn).release }) }],
    instance: [
      { name: 'an instance that there is not', query: () => ({ instance: 'w:1' }), finds: 'nothing' },
    ],
    caller: [{ name: 'asked for by a service', query: () => ({ caller: 'search' }) }],
    callers: [{ name: 'asked for by any service', query: () => ({ callers: 'named' }) }],
    users: [{ name: 'users that are known', query: () => ({ users: 'known' }), finds: 'everything' }],
    user: [{ name: 'one user', query: (turn) => ({ user: pick(users, turn) }) }],
    session: [{ name: 'one session', query: (turn) => ({ session: `s${turn % SESSIONS}` }) }],
    country: [{ name: 'country', query: () => ({ country: 'JP' }) }],
    endpoint: [
      {
        name: 'endpoint',
        query: () => ({ endpoint: '/products/:id' }),
        holds: ({ request }) => request.route === '/products/:id',
      },
    ],
    feature: [
      {
        name: 'feature',
        query: () => ({ feature: 'payments' }),
        holds: ({ request }) => request.path.includes('/payments/'),
      },
    ],
    errorGroup: [
      {
        name: 'what errors say',
        query: () => ({ errorGroup: 'HTTP 500' }),
        holds: ({ response }) => response.statusCode === 500,
      },
    ],
    errorIds: [
      {
        name: 'an error by its id',
        query: (turn) => ({ errorIds: hashError(pick(rows, turn).service, 'HTTP 500') }),
        holds: ({ response }) => response.statusCode === 500,
      },
    ],
    errorText: [
      { name: "a part of the error's message", query: () => ({ errorText: 'no stock' }), finds: 'nothing' },
    ],
    q: [
      {
        name: 'typed query',
        query: () => ({ q: 'status:5xx duration:>500ms' }),
        holds: (row) => (row.response.statusCode ?? 0) >= 500 && duration(row) > 500,
      },
      {
        name: 'typed query that leaves values out',
        query: () => ({ q: '-method:GET -service:billing -environment:staging' }),
        holds: ({ request, service, environment }) =>
          request.method !== 'GET' && service !== 'billing' && environment !== 'staging',
      },
      { name: 'typed query that leaves a step out, 1 in 100', query: () => ({ q: `-step:${RARE_STEP}` }) },
      {
        name: 'typed query that leaves a step out, in all',
        query: () => ({ q: '-step:findProducts' }),
        finds: 'nothing',
      },
      {
        name: 'typed query that leaves an attribute out, 1 in 3',
        query: () => ({ q: '-attribute:region:eu-west-1' }),
        row: SEARCH,
      },
      {
        name: 'typed query that leaves an attribute out, none has it',
        query: (turn) => ({ q: `-attribute:order.reference:none-${turn}` }),
        finds: 'everything',
        row: SEARCH,
      },
    ],
    stepName: [
      {
        name: "a step's name, in all",
        query: () => ({ stepName: 'findProducts', stepType: 'database' }),
        finds: 'everything',
      },
      { name: "a step's name, 1 in 100", query: () => ({ stepName: RARE_STEP }) },
      {
        name: "a step's name, none has it",
        query: (turn) => ({ stepName: `no such step ${turn}` }),
        finds: 'nothing',
      },
    ],
    stepType: [
      { name: "a step's type, in all", query: () => ({ stepType: 'database' }), finds: 'everything' },
    ],
    dependency: [
      { name: 'what steps ask, in all', query: () => ({ dependency: 'postgresql' }), finds: 'everything' },
    ],
    stepStatus: [
      { name: 'a failed step, 1 in 50', query: () => ({ stepStatus: 'error' }) },
      {
        name: 'a failed step of a name, 1 in 50',
        query: () => ({ stepStatus: 'error', stepName: 'charge' }),
      },
    ],
    // No request in the data has two steps of the same name and this type, so the store must search all requests. Eight is the number in
    // the links of insights about repeated calls.
    minCalls: [8, 2].map((calls) => ({
      name: `a type of steps called ${calls} times, none has it`,
      query: (turn) => ({ stepType: 'database', minCalls: String(calls + (turn % 2)) }),
      finds: 'nothing',
    })),
    minSteps: [
      {
        name: 'many steps',
        query: (turn) => ({ minSteps: String(STEPS_PER_TRACE - (turn % STEPS_PER_TRACE)) }),
        holds: ({ stepCount }) => stepCount === STEPS_PER_TRACE,
        finds: 'everything',
      },
    ],
    maxSteps: [
      {
        name: 'few steps, none has it',
        query: (turn) => ({ maxSteps: String(STEPS_PER_TRACE - 1 - (turn % STEPS_PER_TRACE)) }),
        finds: 'nothing',
      },
    ],
    value: [
      byValue('a member of an argument, a day', (turn) => `charge.order.totalCents>${150_000 + turn}`),
      byValue('a member of any function, a day', (turn) => `order.totalCents>${150_000 + turn}`),
      byValue("a member's name, a day", (turn) => `totalCents>${150_000 + turn}`),
      {
        ...byValue('a member that other functions have, a day', (turn) => `render.order.totalCents>${turn}`),
        finds: 'nothing',
      },
      byValue('text, a day', (turn) => `.${100 + turn}@example.com`),
      { ...byValue('text, a day, none has it', (turn) => `no such text ${turn}`), finds: 'nothing' },
      // A search over 30 days takes several requests. Only the first response is measured.
      {
        name: 'by value, a member of an argument, 30 days',
        query: (turn) => ({ value: `charge.order.totalCents>${150_000 + turn}` }),
        row: FIRST_VALUES,
      },
      {
        name: 'by value, text, 30 days',
        query: (turn) => ({ value: `.${100 + turn}@example.com` }),
        row: FIRST_VALUES,
      },
    ],
    requests: [
      {
        name: 'by fifty ids',
        query: (turn) => ({
          requests: rows
            .slice(turn % (rows.length - 50))
            .slice(0, 50)
            .map(({ _id }) => _id)
            .join(','),
        }),
        holds: ({ _id }) => rows.some((one) => one._id === _id),
      },
    ],
  };
}

/** Builds list requests with no filter, two filters, a time range, a sort order, or a cursor. */
function otherLists({ deepCursor }: Known): readonly Asked[] {
  return [
    { name: 'no filter', query: () => ({}), finds: 'everything' },
    {
      name: 'method and error',
      query: () => ({ method: 'PATCH', status: 'error' }),
      holds: ({ request }) => request.method === 'PATCH',
    },
    { name: 'one week', query: () => ({ startDate: dayAgo(14), endDate: dayAgo(7) }) },
    {
      name: 'slowest first',
      query: () => ({ sort: 'duration' }),
      holds: ({ timing }) => timing.duration > 500,
    },
    {
      name: 'most steps first',
      query: () => ({ sort: 'steps' }),
      holds: ({ stepCount }) => stepCount === STEPS_PER_TRACE,
    },
    { name: `page at ${DEEP}`, query: () => ({ cursor: deepCursor }) },
  ];
}

/** Builds the requests for lists with each filter, search and sort order. Also returns some of the listed traces. */
export async function listCalls(
  loaded: Loaded,
  get: Get,
): Promise<{ readonly calls: readonly MeasuredCall[]; readonly listed: readonly ListRow[] }> {
  const project = { projectId: loaded.projectId };
  const known = await findKnown(loaded, get);
  const call = ({
    name,
    query,
    holds = () => true,
    finds,
    row = LIST,
    isWhole = false,
  }: Asked): MeasuredCall => ({
    name: `list, ${name}`,
    row,
    path: (turn) => buildPath({ ...project, ...query(turn) }),
    check: (answer) => {
      const { traces, total, search } = List.parse(answer);
      // Fails only if a search stopped at the maximum of matches. A search that reaches its time limit of four seconds misses its target
      // anyway.
      if (isWhole && search?.limit === 'matches')
        throw new Error(`${name} found too many to search the whole range`);
      if (finds === 'nothing' ? total > 0 : traces.length === 0 || total < traces.length)
        throw new Error(`${total} were found by ${name}`);
      if (finds === 'everything' && total < loaded.traces)
        throw new Error(`only ${total} of ${loaded.traces} were found by ${name}`);
      const wrong = traces.find((found) => !holds(found));
      if (wrong !== undefined) throw new Error(`${name} found ${JSON.stringify(wrong)}`);
    },
  });
  const calls = [...Object.values(filters(known)).flat(), ...otherLists(known)].map(call);
  const ofAll = { ...call({ name: 'all projects', query: () => ({}) }), path: () => buildPath({}) };
  return { calls: [...calls, ofAll], listed: known.rows };
}

function buildPath(query: Query & { readonly projectId?: string }): string {
  return `/api/traces?${new URLSearchParams({ limit: String(PAGE), ...query })}`;
}
