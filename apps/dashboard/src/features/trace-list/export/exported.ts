import { MAX_TRACE_IDS } from '@throughline/contract';
import type { ListFilters } from '../queries.ts';
import type { RowSelection } from '../selection/row-selection.ts';

/** An export: the queries whose results form the file, and the expected number of traces if known. */
export interface Exported {
  readonly queries: readonly ListFilters[];
  readonly expected: number | undefined;
}

/**
 * Builds an export. If `selection` is `all`, exports every trace that matches the filters; otherwise the selected traces, in the order of
 * `listed`.
 */
export function buildExport(
  filters: ListFilters,
  selection: RowSelection,
  listed: readonly string[],
): Exported {
  if (selection === 'all') return { queries: [filters], expected: undefined };
  const inOrder = listed.filter((id) => selection.has(id));
  const ids = [...new Set([...inOrder, ...selection])];
  const calls = Math.ceil(ids.length / MAX_TRACE_IDS);
  const queries = Array.from({ length: calls }, (_, call) => ({
    projectId: filters.projectId,
    requests: ids.slice(call * MAX_TRACE_IDS, (call + 1) * MAX_TRACE_IDS).join(),
  }));
  return { queries, expected: ids.length };
}
