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

/** Builds the conditions of a list. A search over captured values must be done before: its result is `found`. */
export async function buildConditions(
  store: TraceStore,
  projects: readonly ShownProject[],
  {
    filters,
    attributes,
    from,
    until,
    found,
  }: Pick<ListQuery, 'filters' | 'attributes' | 'from' | 'until' | 'found'>,
): Promise<Selection> {
  const ids = projects.map(({ id }) => id);
  const plain = [inProjects(projects), filteredBy(filters), between(from, until), isFound(found)].reduce(
    both,
  );
  const asked = await callerFilter(store, filters, { projects: ids, from, until }, plain);
  const narrowed = [
    asked,
    await withStep(store, filters, ids, plain),
    await withAttributes(store, attributes, ids, plain),
  ];
  const all = [plain, ...narrowed].reduce(both);
  const table = attributes.length === 0 && found === undefined ? asked.table : undefined;
  const counted =
    table === undefined
      ? { ...all, table: 'traces' }
      : { table, sql: plain.sql, params: { ...plain.params, ...asked.params } };
  return { ...all, counted };
}

/** The ids are in the statement, since the URL of a request to ClickHouse has no room for 2,000 ids as a parameter. */
function isFound(ids: readonly string[] | undefined): Conditions {
  if (ids === undefined) return { sql: [], params: {} };
  const written = z.array(z.uuid()).parse(ids);
  return {
    sql: [written.length === 0 ? 'false' : `id IN (${written.map((id) => `'${id}'`).join(',')})`],
    params: {},
  };
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
