import { useQuery } from '@tanstack/react-query';
import { routes } from '@throughline/contract';
import { api } from '../api.ts';
import type { SeenRelease } from './range-label.ts';

/** For this time, fetched releases are used again without another request. Milliseconds. */
const FRESH_MS = 60_000;
const NONE: readonly SeenRelease[] = [];

/** Returns a project's releases, newest first; none while they load, if loading fails, or without a project. */
export function useReleases(projectId: string | undefined, enabled: boolean): readonly SeenRelease[] {
  const query = useQuery({
    queryKey: ['releases', projectId],
    queryFn: ({ signal }) => api.call(routes.analytics.releases, { params: { id: projectId ?? '' }, signal }),
    select: (answer) => answer.releases,
    staleTime: FRESH_MS,
    enabled: enabled && projectId !== undefined,
  });
  return query.data ?? NONE;
}
