import { useQuery } from '@tanstack/react-query';
import { type Project, routes, type TraceRow } from '@throughline/contract';
import { api } from '../../shell/api.ts';
import { useProjects } from './queries.ts';

/** A project's id and name, for the options of a drop-down list. */
export type NamedProject = Pick<Project, 'id' | 'name'>;

/** Returns the projects whose ids occur in the traces, in the order of the traces. */
export function listProjectsOfTraces(rows: readonly Pick<TraceRow, 'projectId'>[]): NamedProject[] {
  return [...new Set(rows.map(({ projectId }) => projectId))].map((id) => ({
    id,
    name: `Project ${id.slice(0, 8)}`,
  }));
}

/** If the list of projects is missing, this number of newest traces is searched for project ids. */
const LOOKED_THROUGH = 500;

/**
 * Returns `known`, the projects that can be selected: the projects that the server lists or, if that list is empty or cannot be loaded, the
 * projects of recent traces. `known` is undefined during loading, and empty if the traces cannot be loaded either. `query` is the query of
 * the server's list.
 */
export function useKnownProjects() {
  const query = useProjects();
  // After a failure, the list also counts as missing while it is fetched again. Otherwise the drop-down lists would briefly show "loading"
  // again.
  const lacking = query.data === undefined ? query.errorUpdateCount > 0 : query.data.length === 0;
  const traces = useQuery({
    queryKey: ['projects-of-traces'],
    queryFn: ({ signal }) => api.call(routes.traces.list, { query: { limit: LOOKED_THROUGH }, signal }),
    select: (answer) => listProjectsOfTraces(answer.traces),
    enabled: lacking,
  });
  const known: readonly NamedProject[] | undefined = lacking
    ? (traces.data ?? (traces.errorUpdateCount > 0 ? [] : undefined))
    : query.data;
  return { known, query, isFetching: query.isFetching || traces.isFetching };
}
