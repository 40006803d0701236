import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { ProjectsFailure } from './cards/projects-failure.tsx';
import { MissingProject } from './missing-project.tsx';
import type { useSelectedProject } from './selected-project.ts';

interface WithoutProjectProps {
  /**
   * The page's own selection. This component must not query the projects itself: it is mounted when the query has failed, and a newly
   * mounted query fetches a failed list again, so that page and component would replace each other endlessly.
   */
  readonly selection: ReturnType<typeof useSelectedProject>;
  /** Title shown if there are no projects; `hint` adds details. */
  readonly title: string;
  readonly hint?: string;
  /** The page's skeleton, shown until the projects are loaded. */
  readonly waiting: ReactNode;
}

/**
 * Shown instead of a project's page while projects load, if loading failed, if the URL names an unknown project, or if there is no project.
 */
export function WithoutProject({ selection, title, hint, waiting }: WithoutProjectProps) {
  const { projects, isMissing, isLookedFor } = selection;
  if (isMissing) return <MissingProject />;
  if (projects.isError) return <ProjectsFailure projects={projects} />;
  if (projects.isPending || isLookedFor) return waiting;
  return (
    <EmptyState title={title} action={<ButtonLink to="/projects">Create a project</ButtonLink>}>
      {hint} Each project has its own API key.
    </EmptyState>
  );
}
