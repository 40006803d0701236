import { useState } from 'react';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import type { useProjects } from '../queries.ts';

/** Says that the list of projects cannot be had, where that is so. */
export function ProjectsFailure({ projects }: { readonly projects: ReturnType<typeof useProjects> }) {
  // While they are tried again, what the last try met stays.
  const [error, keep] = useState(projects.error);
  if (projects.error !== null && projects.error !== error) keep(projects.error);
  if (error === null || projects.data !== undefined) return null;
  return (
    <ErrorNotice
      what="Projects could not be loaded."
      error={error}
      onRetry={() => void projects.refetch()}
      retrying={projects.isFetching}
    />
  );
}
