import { type AnswerOf, type Client, type QueryOf, routes, type TraceRow } from '@throughline/contract';

type ListQuery = QueryOf<typeof routes.traces.list>;
type Query = Omit<ListQuery, 'limit' | 'cursor'>;
type Page = AnswerOf<typeof routes.traces.list>;

const MAX_PAGE = 500;

/** Traces in the order of the list. */
interface ReadTraces {
  readonly traces: readonly TraceRow[];
  /** Number of all matching traces. */
  readonly total: number;
  /** Start of the time range that a search over captured values has searched; undefined if the search is complete. */
  readonly searchedSince: string | undefined;
}

/** Reads the first `limit` traces that match the query, page by page. */
export async function readTraces(client: Client, query: Query, limit: number): Promise<ReadTraces> {
  const traces: TraceRow[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await readPage(client, {
      ...query,
      cursor,
      limit: Math.min(MAX_PAGE, limit - traces.length),
    });
    traces.push(...page.traces);
    cursor = page.nextCursor ?? undefined;
    if (cursor === undefined || traces.length >= limit) {
      return { traces, total: page.total, searchedSince: page.search?.since };
    }
  }
}

/**
 * Reads one page. The server stops a search over captured values after a few seconds; sending the same request again continues the search.
 */
async function readPage(client: Client, query: ListQuery & { readonly limit: number }): Promise<Page> {
  let page = await client.call(routes.traces.list, { query });
  while (page.search?.limit === 'time' && page.traces.length < query.limit) {
    const next = await client.call(routes.traces.list, { query });
    const isStuck = next.search?.since === page.search.since;
    page = next;
    if (isStuck) break;
  }
  return page;
}
