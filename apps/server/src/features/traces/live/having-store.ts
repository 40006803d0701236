import { parseValueCondition } from '@throughline/contract';
import { z } from 'zod';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import type { Conditions } from '../list/conditions.ts';
import type { ListQuery } from '../list/list-query.ts';
import { buildConditions } from '../list/selection-store.ts';
import { findAmongAll } from '../values/search-window.ts';

/** Returns the ids, among `ids`, of traces that match the filters. */
export async function findHaving(
  store: TraceStore,
  ids: readonly string[],
  projects: readonly ShownProject[],
  { filters, attributes }: Pick<ListQuery, 'filters' | 'attributes'>,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0 || projects.length === 0) return new Set();
  // Overwrites a `requests` filter. The filter of the viewer contains all of `ids`, because their rows have already matched it.
  const these = {
    filters: { ...filters, requests: ids.join(',') },
    attributes,
    from: undefined,
    until: undefined,
  };
  const conditions = await buildConditions(store, projects, these);
  const search = async (value: string) => {
    const { condition } = parseValueCondition(value);
    if (condition === undefined) return undefined;
    const projectIds = projects.map(({ id }) => id);
    return findAmongAll(store, conditions, { projectIds, condition, count: ids.length });
  };
  const found = (await search(filters.value ?? '')) ?? (await findIds(store, conditions));
  const excluded = await search(filters.excluded?.value?.[0] ?? '');
  return excluded === undefined ? found : new Set([...found].filter((id) => !excluded.has(id)));
}

async function findIds(store: TraceStore, { sql, params }: Conditions): Promise<ReadonlySet<string>> {
  const rows = await store.rows(
    z.object({ id: z.string() }),
    `SELECT id FROM traces WHERE ${sql.join(' AND ')}`,
    params,
  );
  return new Set(rows.map(({ id }) => id));
}
