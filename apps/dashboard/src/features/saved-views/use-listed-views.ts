import type { SavedView } from '@throughline/contract';
import { useOwnViews, useSharedViews } from './queries.ts';

/** The saved views of the list's project. For a list of all projects, the views that belong to no project. */
export interface ListedViews {
  readonly state: 'loading' | 'failed' | 'loaded';
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly personal: readonly SavedView[];
  readonly shared: readonly SavedView[];
  /** Number of views that the viewer has pinned in all projects. */
  readonly pinned: number;
  readonly retry: () => void;
}

export function useListedViews(projectId: string | undefined): ListedViews {
  const own = useOwnViews();
  const shared = useSharedViews(projectId);
  const isLoading = own.isPending || (projectId !== undefined && shared.isPending);
  const isFailed = own.isLoadingError || shared.isLoadingError;
  return {
    state: isFailed ? 'failed' : isLoading ? 'loading' : 'loaded',
    error: own.error ?? shared.error,
    isFetching: own.isFetching || shared.isFetching,
    personal: (own.data ?? []).filter((view) => !view.shared && view.projectId === (projectId ?? null)),
    shared: shared.data ?? [],
    pinned: (own.data ?? []).filter(({ pinnedAt }) => pinnedAt !== null).length,
    retry: () => {
      if (own.isError) void own.refetch();
      if (shared.isError) void shared.refetch();
    },
  };
}
