import { Text, Title } from '@mantine/core';
import { MAX_PUBLIC_PROJECTS } from '@throughline/contract';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { CardsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import classes from './public-frame.module.css';
import { PublicFrame } from './public-frame.tsx';
import { usePublicProjects } from './queries.ts';

/** List of all public projects. */
export function PublicProjectsPage() {
  const projects = usePublicProjects();
  return (
    <PublicFrame>
      <PageHeader title="Public projects" />
      {projects.isPending && <CardsSkeleton what="projects" />}
      {projects.isError && (
        <ErrorNotice
          what="The public projects could not be loaded."
          error={projects.error}
          onRetry={() => void projects.refetch()}
          retrying={projects.isFetching}
        />
      )}
      {projects.data?.length === 0 && (
        <EmptyState title="No public projects">
          Owners and admins can make a project public in its settings.
        </EmptyState>
      )}
      {projects.data !== undefined && projects.data.length > 0 && (
        <ul className={classes.cards} aria-label="Public projects">
          {projects.data.map(({ id, name, description }) => (
            <li key={id} className={classes.card}>
              <Title order={2} size="h3">
                <AnchorLink to="/public/$id" params={{ id }} inherit c="inherit">
                  {name}
                </AnchorLink>
              </Title>
              <Text size="sm" c="dimmed" lineClamp={3}>
                {description === '' ? 'No description' : description}
              </Text>
            </li>
          ))}
        </ul>
      )}
      {projects.data?.length === MAX_PUBLIC_PROJECTS && (
        <Text size="sm" c="dimmed">
          The newest {MAX_PUBLIC_PROJECTS} are listed.
        </Text>
      )}
    </PublicFrame>
  );
}
