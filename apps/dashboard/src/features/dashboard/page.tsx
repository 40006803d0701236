import { Stack } from '@mantine/core';
import type { Project } from '@throughline/contract';
import { memo } from 'react';
import { PageHeader } from '../../ui/page-header.tsx';
import { RowsSkeleton, TilesSkeleton } from '../../ui/skeletons.tsx';
import { ProjectSelect } from '../projects/project-select.tsx';
import { useSelectedProject } from '../projects/selected-project.ts';
import { WithoutProject } from '../projects/without-project.tsx';
import { LiveBadge } from '../trace-list/live-badge.tsx';
import { usePaused } from '../trace-list/use-paused.ts';
import { ProjectTraces } from './project-traces.tsx';
import { StatsTiles } from './stats-tiles.tsx';

/** The newest requests of a project, as they come. */
export function DashboardPage() {
  const { selected, projects } = useSelectedProject();
  if (selected !== undefined) return <ProjectDashboard key={selected.id} project={selected} />;
  return (
    <Stack gap="md">
      <PageHeader title="Dashboard">
        <ProjectSelect />
      </PageHeader>
      <WithoutProject
        projects={projects}
        title="No projects yet"
        waiting={
          <>
            <TilesSkeleton what="figures" />
            <RowsSkeleton what="traces" rows={10} />
          </>
        }
      />
    </Stack>
  );
}

/** Kept as it is while only the address changes: its parts read what they need of it. */
const ProjectDashboard = memo(({ project }: { readonly project: Project }) => {
  const { paused, pause } = usePaused();
  return (
    <ProjectTraces project={project} paused={paused}>
      {({ feed, list }) => (
        <Stack gap="md">
          <PageHeader title="Dashboard" beside={<LiveBadge state={feed} onPause={pause} />}>
            <ProjectSelect />
          </PageHeader>
          <StatsTiles projectId={project.id} />
          {list}
        </Stack>
      )}
    </ProjectTraces>
  );
});
