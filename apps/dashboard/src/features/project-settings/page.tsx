import { Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { Project } from '@throughline/contract';
import { useSignedIn } from '../../shell/session/use-session.ts';
import { isNotThere, NotThere, PageFailure } from '../../ui/feedback/not-there.tsx';
import { CardsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { AlertsSection } from '../alerts/index.ts';
import { mayDoWith } from '../projects/index.ts';
import { SharedTracesSection } from '../share-links/index.ts';
import { PublicAccessSection } from './public-access-section.tsx';
import { useProject } from './queries.ts';
import { RedactionSection } from './redaction-section.tsx';
import { SamplingSection } from './sampling-section.tsx';

const route = getRouteApi('/signed-in/projects/$id/settings');

/** A project's settings: recording, redaction, alerts, public access and shared traces. */
export function ProjectSettingsPage() {
  const { id } = route.useParams();
  const project = useProject(id);
  if (project.data !== undefined) return <Settings key={project.data.id} project={project.data} />;
  return (
    <Stack maw={720}>
      {!isNotThere(project.error) && <PageHeader title="Project settings" />}
      {project.isPending && <CardsSkeleton what="settings" />}
      {project.isError && (
        <PageFailure what="The project could not be loaded." query={project} notThere={<ProjectNotThere />} />
      )}
    </Stack>
  );
}

function ProjectNotThere() {
  return (
    <NotThere what="Project" title="There is no such project here" to="/projects" others="See all projects">
      The project was deleted, or it belongs to another organization.
    </NotThere>
  );
}

function Settings({ project }: { readonly project: Project }) {
  const who = useSignedIn();
  const mayEdit = mayDoWith(who, project, 'projects.edit');
  return (
    <Stack maw={720}>
      <PageHeader title={`Settings of ${project.name}`}>
        <ButtonLink to="/projects" size="xs" variant="default">
          All projects
        </ButtonLink>
      </PageHeader>
      {!mayEdit && (
        <Text size="sm" c="dimmed">
          Only owners and admins can change these settings.
        </Text>
      )}
      <SamplingSection project={project} mayEdit={mayEdit} />
      <RedactionSection project={project} mayEdit={mayEdit} />
      <AlertsSection projectId={project.id} mayEdit={mayEdit} />
      <PublicAccessSection project={project} mayPublish={mayDoWith(who, project, 'projects.publish')} />
      <SharedTracesSection projectId={project.id} mayShare={mayDoWith(who, project, 'traces.share')} />
    </Stack>
  );
}
