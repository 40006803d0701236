import { MAX_TRACE_IDS } from '@throughline/contract';
import type { ListFilters } from './queries.ts';
import type { Ticked } from './ticked.ts';

/** What is exported: the calls whose answers make up the file, and how many traces it should have, where that is known. */
export interface Exported {
  readonly queries: readonly ListFilters[];
  readonly expected: number | undefined;
}

/** Every trace that matches, or those that are chosen; `listed` is the order in which they are. */
export function buildExport(filters: ListFilters, ticked: Ticked, listed: readonly string[]): Exported {
  if (ticked === 'all') return { queries: [filters], expected: undefined };
  const inOrder = listed.filter((id) => ticked.has(id));
  const ids = [...new Set([...inOrder, ...ticked])];
  const calls = Math.ceil(ids.length / MAX_TRACE_IDS);
  const queries = Array.from({ length: calls }, (_, call) => ({
    projectId: filters.projectId,
    requests: ids.slice(call * MAX_TRACE_IDS, (call + 1) * MAX_TRACE_IDS).join(),
  }));
  return { queries, expected: ids.length };
}
