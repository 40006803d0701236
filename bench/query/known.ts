import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Loaded } from './load.ts';
import type { Get } from './rows.ts';

export const ListRow = z.object({
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
export type ListRow = z.output<typeof ListRow>;
export const List = z.object({
  traces: z.array(ListRow),
  total: z.number(),
  nextCursor: z.string().nullable(),
  search: z.object({ limit: z.string() }).optional(),
});

/** Number of rows before the measured page that is far from the start of the list. */
export const DEEP = 20_000;
const SAMPLED = 200;
const REFERENCES = 20;

/** Facts about the stored data. */
export interface Known {
  readonly rows: readonly ListRow[];
  readonly users: readonly string[];
  readonly references: readonly string[];
  readonly deepCursor: string;
}

export const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

const Whole = z.object({
  trace: z.object({
    attributes: z.object({ 'order.reference': z.string() }),
    user: z.object({ id: z.string() }),
  }),
});

/**
 * Reads facts through the API: rows of the list, spread over the thirty days; the users and references of some of these rows; and the
 * cursor of the page that begins `DEEP` rows after the start of the list.
 */
export async function findKnown({ projectId }: Loaded, get: Get): Promise<Known> {
  const rows: ListRow[] = [];
  for (let day = 0; rows.length < SAMPLED; day = (day + 7) % 29) {
    const { traces } = List.parse(
      await get(`/api/traces?projectId=${projectId}&limit=10&endDate=${dayAgo(day + 0.5)}`),
    );
    rows.push(...traces);
  }
  const traces = await Promise.all(
    rows
      .slice(0, REFERENCES)
      .map(async ({ _id }) => Whole.parse(await get(`/api/traces/${_id}?values=false`)).trace),
  );
  return {
    rows,
    users: traces.map(({ user }) => user.id),
    references: traces.map(({ attributes }) => attributes['order.reference']),
    deepCursor: await cursorAt(projectId, DEEP, get),
  };
}

async function cursorAt(projectId: string, rows: number, get: Get): Promise<string> {
  let cursor = '';
  for (let at = 0; at < rows; at += 500) {
    const { nextCursor } = List.parse(await get(`/api/traces?projectId=${projectId}&limit=500${cursor}`));
    if (nextCursor === null) throw new Error(`the list ends before row ${rows}`);
    cursor = `&cursor=${nextCursor}`;
  }
  return cursor.replace('&cursor=', '');
}

/** The id of an error, as the product computes it from the service and the error's group. */
export function hashError(service: string, group: string): string {
  return createHash('md5').update(`${service}\n${group}`).digest('hex');
}
