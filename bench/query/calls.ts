import { z } from 'zod';
import { STEPS_PER_TRACE } from '../lib/trace-generator.ts';
import { analyticsCalls } from './analytics-calls.ts';
import { errorCalls } from './error-calls.ts';
import { listCalls } from './list-calls.ts';
import type { Loaded } from './load.ts';
import { type Get, type MeasuredCall, pick } from './rows.ts';

/** Builds all requests to measure for a loaded folder. First reads the facts about the data that the requests need. */
export async function measuredCalls(loaded: Loaded, get: Get): Promise<MeasuredCall[]> {
  const project = `projectId=${loaded.projectId}`;
  const { calls: lists, listed } = await listCalls(loaded, get);
  const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const facets = (name: string, query: string): MeasuredCall => ({
    name: `facets, ${name}`,
    row: undefined,
    path: () => `/api/traces/facets?${project}${query}`,
    check: (answer) => {
      const { total, times, durations } = Facets.parse(answer);
      const sum = (pieces: readonly { readonly count: number }[]) =>
        pieces.reduce((all, { count }) => all + count, 0);
      // A client can store traces after the server has counted `total`, so the sums can be higher.
      if (total === 0 || sum(times) < total || sum(durations) < total)
        throw new Error(`of ${total} traces, ${sum(times)} and ${sum(durations)} were counted`);
    },
  });
  const groups = (name: string, query: string): MeasuredCall => ({
    name: `groups, ${name}`,
    row: undefined,
    path: () => `/api/traces/groups?${project}&${query}`,
    check: (answer) => {
      const found = Groups.parse(answer);
      const counted = found.groups.reduce((all, { count }) => all + count, 0);
      // The sum is smaller than the total if some groups are not listed (`more`). The sum can be larger if a client is writing.
      if (found.total === 0 || (found.more === 0 && counted < found.total))
        throw new Error(`of ${found.total} traces, ${counted} are in groups`);
    },
  });

  return [
    ...lists,
    {
      name: 'one trace',
      row: 'one trace by `_id`',
      path: (turn) => `/api/traces/${pick(listed, turn)._id}`,
      check: (answer) => {
        const { trace } = Whole.parse(answer);
        if (trace.flow.length !== STEPS_PER_TRACE)
          throw new Error(`${trace._id} has ${trace.flow.length} steps`);
      },
    },
    {
      name: 'one trace without values',
      row: 'one trace by `_id`',
      path: (turn) => `/api/traces/${pick(listed, turn)._id}?values=false`,
      check: (answer) => void Whole.parse(answer),
    },
    {
      name: 'one step with its values',
      row: 'one trace by `_id`',
      path: (turn) => `/api/traces/${pick(listed, turn)._id}/steps/${1 + (turn % STEPS_PER_TRACE)}`,
      check: (answer) => void OneStep.parse(answer),
    },
    {
      name: 'every request of a W3C trace',
      row: 'one trace by W3C trace id',
      path: (turn) => `/api/traces/by-trace-id/${pick(listed, turn).traceId}`,
      check: (answer) => void Related.parse(answer),
    },
    facets('all', ''),
    facets('errors of a week', `&status=error&startDate=${dayAgo(7)}`),
    facets('with an attribute in all', '&attribute=db.system:postgresql'),
    groups('by endpoint', 'groupBy=endpoint'),
    groups('by endpoint, slowest first', 'groupBy=endpoint&sort=p95'),
    groups('by user', 'groupBy=user'),
    groups('by user, slowest first', 'groupBy=user&sort=p95'),
    groups('by error, a week', `groupBy=errorGroup&startDate=${dayAgo(7)}`),
    {
      name: 'what is different: errors of a week',
      row: 'what is different',
      path: () => `/api/traces/differences?${project}&status=error&startDate=${dayAgo(7)}`,
      check: (answer) => {
        const { matching, others } = Differences.parse(answer);
        if (matching === 0 || others === 0) throw new Error(`${matching} and ${others} traces were compared`);
      },
    },
    {
      name: 'what is different: one endpoint, 30 days',
      row: 'what is different',
      path: (turn) => {
        const { request } = pick(listed, turn);
        const endpoint = new URLSearchParams({ endpoint: request.route ?? request.path });
        return `/api/traces/differences?${project}&${endpoint}`;
      },
      check: (answer) => {
        const { matching, others } = Differences.parse(answer);
        if (matching === 0 || others === 0) throw new Error(`${matching} and ${others} traces were compared`);
      },
    },
    ...(await errorCalls(loaded, get)),
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

const Differences = z.object({ matching: z.number(), others: z.number() });

const Whole = z.object({
  trace: z.object({ _id: z.string(), flow: z.array(z.object({ stepId: z.string() })) }),
});
const OneStep = z.object({ step: z.object({ inputs: z.unknown(), variables: z.object({}) }) });
const Related = z.object({ traces: z.array(z.object({ _id: z.string() })).min(1) });
const Pieces = z.array(z.object({ count: z.number() }));
const Facets = z.object({ total: z.number(), times: Pieces, durations: Pieces });
const Groups = z.object({ total: z.number(), more: z.number(), groups: Pieces });
const Stats = z.object({ stats: z.object({ totalTraces: z.number() }) });
