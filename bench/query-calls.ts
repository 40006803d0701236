import { z } from 'zod';
import { ANALYTICS_ROWS, analyticsCalls } from './analytics-calls.ts';
import type { Loaded } from './query-load.ts';
import { STEPS_PER_TRACE } from './trace-generator.ts';

/** A call that is measured, and what its answer must hold for the time to count. */
export interface MeasuredCall {
  readonly name: string;
  /** The row of the targets that it belongs to; none for calls that are only reported. */
  readonly row: Row | undefined;
  /** Another one each time, as people do not ask for the same thing twice. */
  readonly path: (turn: number) => string;
  /** Throws where the answer is not what was asked for. */
  readonly check: (answer: unknown) => void;
}

/** The rows of the targets table, with their bounds in ms at the 95th percentile. */
export const ROWS = {
  'newest 50 of a project, any filter of the dashboard': 100,
  'one trace by `_id`': 50,
  'one trace by W3C trace id': 100,
  'search by path part or attribute': 300,
  ...ANALYTICS_ROWS,
} as const;
export type Row = keyof typeof ROWS;

const ListRow = z.object({
  _id: z.string(),
  traceId: z.string(),
  request: z.object({ method: z.string(), path: z.string(), route: z.string().nullable() }),
  response: z.object({ statusCode: z.number().nullable() }),
  timing: z.object({ startTime: z.string(), duration: z.number() }),
  service: z.string(),
  environment: z.string(),
  release: z.string(),
  stepCount: z.number(),
});
type ListRow = z.output<typeof ListRow>;
const List = z.object({ traces: z.array(ListRow), total: z.number(), nextCursor: z.string().nullable() });

/** Reads as the dashboard does. */
export type Get = (path: string) => Promise<unknown>;

const LIST = 'newest 50 of a project, any filter of the dashboard';
const SEARCH = 'search by path part or attribute';
const PAGE = 50;
/** So many rows into the list. */
const DEEP = 20_000;
const SAMPLED = 200;
const REFERENCES = 20;

/** All calls that are measured on a loaded folder; reads what they need to know of it. */
export async function measuredCalls(loaded: Loaded, get: Get): Promise<MeasuredCall[]> {
  const project = `projectId=${loaded.projectId}`;
  const known = await sample(loaded, get);
  const references = await Promise.all(
    known.slice(0, REFERENCES).map(async ({ _id }) => {
      const { trace } = Attributed.parse(await get(`/api/traces/${_id}?values=false`));
      return trace.attributes['order.reference'];
    }),
  );
  const deepCursor = await cursorAt(project, DEEP, get);
  const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

  const list = (
    name: string,
    query: (turn: number) => string,
    holds: (row: ListRow) => boolean = () => true,
    row: Row | undefined = LIST,
  ): MeasuredCall => ({
    name: `list, ${name}`,
    row,
    path: (turn) => `/api/traces?${project}&limit=${PAGE}${query(turn)}`,
    check: (answer) => {
      const { traces, total } = List.parse(answer);
      if (traces.length === 0 || total < traces.length) throw new Error(`nothing was found by ${name}`);
      const wrong = traces.find((found) => !holds(found));
      if (wrong !== undefined) throw new Error(`${name} found ${JSON.stringify(wrong)}`);
    },
  });
  const facets = (name: string, query: string): MeasuredCall => ({
    name: `facets, ${name}`,
    row: undefined,
    path: () => `/api/traces/facets?${project}${query}`,
    check: (answer) => {
      const { total, times, durations } = Facets.parse(answer);
      const sum = (pieces: readonly { readonly count: number }[]) =>
        pieces.reduce((all, { count }) => all + count, 0);
      // While somebody writes, more may be there at the second look.
      if (total === 0 || sum(times) < total || sum(durations) < total)
        throw new Error(`of ${total} traces, ${sum(times)} and ${sum(durations)} were counted`);
    },
  });
  const pick = <T>(all: readonly T[], turn: number): T => {
    const one = all[turn % all.length];
    if (one === undefined) throw new Error('there is nothing to pick from');
    return one;
  };

  return [
    list('no filter', () => ''),
    list(
      'success',
      () => '&status=success',
      (row) => (row.response.statusCode ?? 0) < 400,
    ),
    list(
      'error',
      () => '&status=error',
      ({ response: { statusCode } }) => (statusCode ?? 500) >= 400,
    ),
    list(
      'method',
      () => '&method=DELETE',
      (row) => row.request.method === 'DELETE',
    ),
    list(
      'method and error',
      () => '&method=PATCH&status=error',
      (row) => row.request.method === 'PATCH',
    ),
    list(
      'route',
      () => `&route=${encodeURIComponent('/users/:id')}`,
      (row) => row.request.route === '/users/:id',
    ),
    list(
      'status code',
      () => '&statusCode=422',
      (row) => row.response.statusCode === 422,
    ),
    list(
      'slow ones',
      () => '&minDuration=500',
      (row) => row.timing.duration >= 500,
    ),
    list(
      'quick ones',
      () => '&maxDuration=5',
      (row) => row.timing.duration <= 5,
    ),
    list(
      'service',
      () => '&service=billing',
      (row) => row.service === 'billing',
    ),
    list(
      'environment',
      () => '&environment=staging',
      (row) => row.environment === 'staging',
    ),
    list('release', (turn) => `&release=${pick(known, turn).release}`),
    list('one week', () => `&startDate=${dayAgo(14)}&endDate=${dayAgo(7)}`),
    list(
      'slowest first',
      () => '&sort=duration',
      (row) => row.timing.duration > 500,
    ),
    list(`page at ${DEEP}`, () => `&cursor=${deepCursor}`),
    {
      ...list('all projects', () => ''),
      path: () => `/api/traces?limit=${PAGE}`,
    },
    list(
      'by trace id prefix',
      (turn) => `&search=${pick(known, turn).traceId.slice(0, 12)}`,
      () => true,
      SEARCH,
    ),
    list(
      'by path part',
      (turn) => `&search=orders/${17 + (turn % 80)}`,
      (row) => row.request.path.includes('orders/'),
      SEARCH,
    ),
    list(
      'by attribute, 1 in 1,000',
      (turn) => `&attribute=tenant:t${turn % 1000}`,
      () => true,
      SEARCH,
    ),
    list(
      'by attribute, 1 in 3',
      () => '&attribute=region:eu-west-1',
      () => true,
      SEARCH,
    ),
    list(
      'by attribute, one has it',
      (turn) => `&attribute=order.reference:${pick(references, turn)}`,
      () => true,
      SEARCH,
    ),
    {
      name: 'list, by attribute, none has it',
      row: SEARCH,
      path: (turn) => `/api/traces?${project}&limit=${PAGE}&attribute=order.reference:none-${turn}`,
      check: (answer) => {
        const { traces, total } = List.parse(answer);
        if (traces.length + total > 0) throw new Error('a reference was found that no order has');
      },
    },
    list(
      'by the name of an attribute, in all',
      () => '&attribute=region',
      () => true,
      SEARCH,
    ),
    list(
      "by a step's attribute, in all",
      () => '&attribute=db.system:postgresql',
      () => true,
      SEARCH,
    ),
    // Every request has such a step.
    { ...list("by a step's name", () => '&stepName=findProducts&stepType=database'), row: undefined },
    // No request has such a step twice, so all of them are looked through. Findings link with eight.
    ...[2, 8].map(
      (calls): MeasuredCall => ({
        ...list(`by a type of steps called ${calls} times`, () => ''),
        row: calls === 8 ? SEARCH : undefined,
        path: (turn: number) =>
          `/api/traces?${project}&limit=${PAGE}&stepType=database&minCalls=${calls + (turn % 2)}`,
        check: (answer: unknown) => {
          if (List.parse(answer).total > 0) throw new Error('a step was found that no request has so often');
        },
      }),
    ),
    list(
      'by fifty ids',
      (turn) =>
        `&requests=${known
          .slice(turn, turn + 50)
          .map(({ _id }) => _id)
          .join(',')}`,
      ({ _id }) => known.some((one) => one._id === _id),
    ),
    {
      name: 'one trace',
      row: 'one trace by `_id`',
      path: (turn) => `/api/traces/${pick(known, turn)._id}`,
      check: (answer) => {
        const { trace } = Whole.parse(answer);
        if (trace.flow.length !== STEPS_PER_TRACE)
          throw new Error(`${trace._id} has ${trace.flow.length} steps`);
      },
    },
    {
      name: 'one trace without values',
      row: 'one trace by `_id`',
      path: (turn) => `/api/traces/${pick(known, turn)._id}?values=false`,
      check: (answer) => void Whole.parse(answer),
    },
    {
      name: 'one step with its values',
      row: 'one trace by `_id`',
      path: (turn) => `/api/traces/${pick(known, turn)._id}/steps/${1 + (turn % STEPS_PER_TRACE)}`,
      check: (answer) => void OneStep.parse(answer),
    },
    {
      name: 'every request of a W3C trace',
      row: 'one trace by W3C trace id',
      path: (turn) => `/api/traces/by-trace-id/${pick(known, turn).traceId}`,
      check: (answer) => void Related.parse(answer),
    },
    facets('all', ''),
    facets('errors of a week', `&status=error&startDate=${dayAgo(7)}`),
    facets('with an attribute in all', '&attribute=db.system:postgresql'),
    {
      name: "a project's tiles",
      row: undefined,
      path: () => `/api/projects/${loaded.projectId}/stats`,
      check: (answer) => {
        const { totalTraces } = Stats.parse(answer).stats;
        if (totalTraces < loaded.traces * 0.99)
          throw new Error(`${totalTraces} of ${loaded.traces} traces are shown`);
      },
    },
    ...analyticsCalls(loaded),
    { name: 'all projects with their counts', row: undefined, path: () => '/api/projects', check: () => {} },
  ];
}

const Whole = z.object({
  trace: z.object({ _id: z.string(), flow: z.array(z.object({ stepId: z.string() })) }),
});
const OneStep = z.object({ step: z.object({ inputs: z.unknown(), variables: z.object({}) }) });
const Related = z.object({ traces: z.array(z.object({ _id: z.string() })).min(1) });
const Pieces = z.array(z.object({ count: z.number() }));
const Facets = z.object({ total: z.number(), times: Pieces, durations: Pieces });
const Attributed = z.object({
  trace: z.object({ attributes: z.object({ 'order.reference': z.string() }) }),
});
const Stats = z.object({ stats: z.object({ totalTraces: z.number() }) });

/** Traces from all over the thirty days. */
async function sample(loaded: Loaded, get: Get): Promise<ListRow[]> {
  const found: ListRow[] = [];
  for (let day = 0; found.length < SAMPLED; day = (day + 7) % 29) {
    const end = new Date(Date.now() - (day + 0.5) * 86_400_000).toISOString();
    const { traces } = List.parse(
      await get(`/api/traces?projectId=${loaded.projectId}&limit=10&endDate=${end}`),
    );
    found.push(...traces);
  }
  return found;
}

async function cursorAt(project: string, rows: number, get: Get): Promise<string> {
  let cursor = '';
  for (let at = 0; at < rows; at += 500) {
    const { nextCursor } = List.parse(await get(`/api/traces?${project}&limit=500${cursor}`));
    if (nextCursor === null) throw new Error(`the list ends before row ${rows}`);
    cursor = `&cursor=${nextCursor}`;
  }
  return cursor.replace('&cursor=', '');
}
