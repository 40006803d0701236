import { useState } from 'react';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import type { useProjects } from '../queries.ts';

/** Shows an error if the list of projects could not be loaded. */
export function ProjectsFailure({ projects }: { readonly projects: ReturnType<typeof useProjects> }) {
  // Keeps the last error visible during a retry.
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
