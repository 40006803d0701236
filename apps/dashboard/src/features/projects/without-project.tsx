import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { ProjectsFailure } from './cards/projects-failure.tsx';
import { MissingProject } from './missing-project.tsx';
import type { useSelectedProject } from './selected-project.ts';

interface WithoutProjectProps {
  /** The page's own selection: a query in this component would retry a failed list without end. */
  readonly selection: ReturnType<typeof useSelectedProject>;
  /** The title and details of a page without a project. */
  readonly title: string;
  readonly hint?: string;
  /** The page's shapes, until it is known which projects there are. */
  readonly waiting: ReactNode;
}

/** In place of a page about one project: none is selected yet, they cannot be had, the address names another, or there is none. */
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
