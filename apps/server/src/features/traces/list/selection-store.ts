import { z } from 'zod';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { withAttributes, withoutAttributes } from './attribute-store.ts';
import { readAttributes } from './attributes.ts';
import { buildCallerFilter } from './caller-store.ts';
import { buildFilterConditions, type Conditions, combineConditions, selectProjects } from './conditions.ts';
import { isSearched, type ListQuery } from './list-query.ts';
import { withoutSteps, withStep } from './step-store.ts';

/** Conditions that select traces. */
export interface Selection extends Conditions {
  /** Table and conditions with which the traces can be counted fastest. */
  readonly counted: Conditions & { readonly table: string };
}

/** Builds the conditions of a list. A search over captured values must be done before: its results are `found` and `without`. */
export async function buildConditions(
  store: TraceStore,
  projects: readonly ShownProject[],
  {
    filters,
    attributes,
    from,
    until,
    found,
    without,
  }: Pick<ListQuery, 'filters' | 'attributes' | 'from' | 'until' | 'found' | 'without'>,
): Promise<Selection> {
  const ids = projects.map(({ id }) => id);
  const plain = [
    selectProjects(projects),
    buildFilterConditions(filters),
    selectStartsBetween(from, until),
    isFound({ found, without }),
  ].reduce(combineConditions);
  const asked = await buildCallerFilter(store, filters, { projects: ids, from, until }, plain);
  const narrowed = [
    asked,
    await withStep(store, filters, ids, plain),
    await withAttributes(store, attributes, ids, plain),
    await withoutSteps(store, filters.excluded?.stepName ?? [], ids, plain),
    await withoutAttributes(store, readAttributes(filters.excluded?.attribute), ids, plain),
  ];
  const all = [plain, ...narrowed].reduce(combineConditions);
  const table = attributes.length === 0 && !isSearched({ found, without }) ? asked.table : undefined;
  const counted =
    table === undefined
      ? { ...all, table: 'traces' }
      : { table, sql: plain.sql, params: { ...plain.params, ...asked.params } };
  return { ...all, counted };
}

/**
 * Builds conditions from the results of searches over captured values. The ids are in the statement, since the URL of a request to
 * ClickHouse has no room for 2,000 ids as a parameter.
 */
function isFound({ found, without = [] }: Pick<ListQuery, 'found' | 'without'>): Conditions {
  const write = (ids: readonly string[]) =>
    z
      .array(z.uuid())
      .parse(ids)
      .map((id) => `'${id}'`)
      .join(',');
  const sql: string[] = [];
  if (found !== undefined) sql.push(found.length === 0 ? 'false' : `id IN (${write(found)})`);
  if (without.length > 0) sql.push(`id NOT IN (${write(without)})`);
  return { sql, params: {} };
}

/** Builds conditions for traces that start between `from` (inclusive) and `until` (exclusive). `name` is a prefix of the parameters. */
export function selectStartsBetween(
  from: bigint | undefined,
  until: bigint | undefined,
  name = '',
): Conditions {
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
