import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { CardsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { CreateProjectForm } from './cards/create-project-form.tsx';
import { NewProjectPanel } from './cards/new-project-panel.tsx';
import { ProjectCards } from './cards/project-cards.tsx';
import { mayCreateProject } from './permissions.ts';
import { useProjects } from './queries.ts';

/** Page of all projects that the viewer can see: create, open, rename and delete them, and manage their API keys. */
export function ProjectsPage() {
  const who = useSignedIn();
  const projects = useProjects();
  const [newId, setNewId] = useState<string>();
  const mayCreate = mayCreateProject(who);
  const created = projects.data?.find((project) => project.id === newId);
  return (
    <Stack>
      <PageHeader title="Projects" />
      {mayCreate && <CreateProjectForm onCreated={(project) => setNewId(project.id)} />}
      {created !== undefined && (
        <NewProjectPanel key={created.id} project={created} onClose={() => setNewId(undefined)} />
      )}
      {projects.isPending && <CardsSkeleton what="projects" />}
      {projects.isError && (
        <ErrorNotice
          what="The projects could not be loaded."
          error={projects.error}
          onRetry={() => void projects.refetch()}
          retrying={projects.isFetching}
        />
      )}
      {projects.isSuccess && projects.data.length === 0 && (
        <EmptyState title="No projects yet">
          {mayCreate
            ? 'Each project has its own API key. Create your first project above.'
            : 'Only owners and admins can create projects.'}
        </EmptyState>
      )}
      {projects.isSuccess && projects.data.length > 0 && <ProjectCards projects={projects.data} />}
    </Stack>
  );
}
