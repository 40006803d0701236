import { useQuery } from '@tanstack/react-query';
import { type Project, routes, type TraceRow } from '@throughline/contract';
import { api } from '../../shell/api.ts';
import { useProjects } from './queries.ts';

/** A project as selects name it. */
export type NamedProject = Pick<Project, 'id' | 'name'>;

/** The projects that traces name by their ids, in the order of the traces. */
export function projectsOfTraces(rows: readonly Pick<TraceRow, 'projectId'>[]): NamedProject[] {
  return [...new Set(rows.map(({ projectId }) => projectId))].map((id) => ({
    id,
    name: `Project ${id.slice(0, 8)}`,
  }));
}

/** So many of the newest traces are looked through. */
const LOOKED_THROUGH = 500;

/**
 * Every project that can be selected: those of the list, and where that is empty or cannot be had, those that traces name.
 * `known` is undefined until that is clear; `query` says whether the list failed.
 */
export function useKnownProjects() {
  const query = useProjects();
  // Once it failed it stays so while it is tried again: what hangs on it must not come and go.
  const lacking = query.data === undefined ? query.errorUpdateCount > 0 : query.data.length === 0;
  const traces = useQuery({
    queryKey: ['projects-of-traces'],
    queryFn: ({ signal }) => api.call(routes.traces.list, { query: { limit: LOOKED_THROUGH }, signal }),
    select: (answer) => projectsOfTraces(answer.traces),
    enabled: lacking,
  });
  const known: readonly NamedProject[] | undefined = lacking
    ? (traces.data ?? (traces.errorUpdateCount > 0 ? [] : undefined))
    : query.data;
  return { known, query, isFetching: query.isFetching || traces.isFetching };
}
