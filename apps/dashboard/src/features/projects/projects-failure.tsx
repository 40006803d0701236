import { ErrorNotice } from '../../ui/error-notice.tsx';
import type { useProjects } from './queries.ts';

/** Says that the list of projects cannot be had, where that is so. */
export function ProjectsFailure({ projects }: { readonly projects: ReturnType<typeof useProjects> }) {
  if (!projects.isError || projects.data !== undefined) return null;
  return (
    <ErrorNotice
      what="Projects could not be loaded."
      error={projects.error}
      onRetry={() => void projects.refetch()}
      retrying={projects.isFetching}
    />
  );
}
