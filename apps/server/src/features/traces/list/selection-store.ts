import { z } from 'zod';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { withAttributes } from './attribute-store.ts';
import { callerFilter } from './caller-store.ts';
import { both, type Conditions, filteredBy, inProjects } from './conditions.ts';
import type { ListQuery } from './list-query.ts';
import { withStep } from './step-store.ts';

/** Conditions that select traces. */
export interface Selection extends Conditions {
  /** Table and conditions with which the traces can be counted fastest. */
  readonly counted: Conditions & { readonly table: string };
}

export async function buildConditions(
  store: TraceStore,
  projects: readonly ShownProject[],
  { filters, attributes, from, until }: Pick<ListQuery, 'filters' | 'attributes' | 'from' | 'until'>,
): Promise<Selection> {
  const ids = projects.map(({ id }) => id);
  const plain = [inProjects(projects), filteredBy(filters), between(from, until)].reduce(both);
  const asked = await callerFilter(store, filters, { projects: ids, from, until }, plain);
  const narrowed = [
    asked,
    await withStep(store, filters, ids, plain),
    await withAttributes(store, attributes, ids, plain),
  ];
  const all = [plain, ...narrowed].reduce(both);
  const table = attributes.length === 0 ? asked.table : undefined;
  const counted =
    table === undefined
      ? { ...all, table: 'traces' }
      : { table, sql: plain.sql, params: { ...plain.params, ...asked.params } };
  return { ...all, counted };
}

/** Builds conditions for traces that start between `from` (inclusive) and `until` (exclusive). `name` is a prefix of the parameters. */
export function between(from: bigint | undefined, until: bigint | undefined, name = ''): Conditions {
  const sql: string[] = [];
  const params: { [name: string]: string } = {};
  if (from !== undefined) {
    sql.push(`start_time >= fromUnixTimestamp64Micro({${name}from:Int64})`);
    params[`${name}from`] = String(from);
  }
  if (until !== undefined) {
    sql.push(`start_time < fromUnixTimestamp64Micro({${name}until:Int64})`);
    params[`${name}until`] = String(until);
  }
  return { sql, params };
}

/** Returns the ids of those given traces that match the filters. */
export async function findHaving(
  store: TraceStore,
  ids: readonly string[],
  projects: readonly ShownProject[],
  { filters, attributes }: Pick<ListQuery, 'filters' | 'attributes'>,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0 || projects.length === 0) return new Set();
  // Overwrites a `requests` filter. The rows have already matched that filter, so all of these ids are in it.
  const these = {
    filters: { ...filters, requests: ids.join(',') },
    attributes,
    from: undefined,
    until: undefined,
  };
  const { sql, params } = await buildConditions(store, projects, these);
  const rows = await store.rows(
    z.object({ id: z.string() }),
    `SELECT id FROM traces WHERE ${sql.join(' AND ')}`,
    params,
  );
  return new Set(rows.map(({ id }) => id));
}
