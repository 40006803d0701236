import { Stack } from '@mantine/core';
import { memo, useMemo, useState } from 'react';
import type { Opening } from '../../shell/time-range/time-range-select.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import {
  type NamedProject,
  ProjectSelect,
  ProjectsFailure,
  useSelectedProject,
  WithoutProject,
} from '../projects/index.ts';
import {
  ListRange,
  LiveBadge,
  LiveBadgePlace,
  TraceListWaiting,
  TraceTiles,
  TraceTilesWaiting,
  usePaused,
} from '../trace-list/index.ts';
import { ProjectTraces } from './project-traces.tsx';
import { useRecentColumns } from './recent-columns.tsx';

/** A project's newest requests, updated live. */
export function DashboardPage() {
  const selection = useSelectedProject();
  const [opened, setOpened] = useState(false);
  const opening = useMemo(() => [opened, setOpened] as const, [opened]);
  const { shown, known, projects } = selection;
  if (shown !== undefined) {
    return (
      <Stack gap="md">
        <ProjectsFailure projects={projects} />
        <ProjectDashboard key={shown.id} project={shown} opening={opening} />
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <PageHeader title="Dashboard" beside={<LiveBadgePlace />}>
        <ListRange projectId={undefined} opening={opening} />
        <ProjectSelect />
      </PageHeader>
      {known === undefined ? (
        <DashboardWaiting />
      ) : (
        <WithoutProject selection={selection} title="No projects yet" waiting={<DashboardWaiting />} />
      )}
    </Stack>
  );
}

/**
 * Placeholders for the stats and the list while the page's project is not known. They prevent the page from moving when the content
 * appears.
 */
function DashboardWaiting() {
  return (
    <>
      <TraceTilesWaiting />
      <TraceListWaiting columns={useRecentColumns(openNothing)} />
    </>
  );
}

function openNothing(): void {}

interface ProjectDashboardProps {
  readonly project: NamedProject;
  /** The open state of the menu of time ranges. The page holds this state, so that a menu opened during loading stays open. */
  readonly opening: Opening;
}

/** Memoized, so that a change of the URL alone does not render this component again. Its child components read the URL themselves. */
const ProjectDashboard = memo(({ project, opening }: ProjectDashboardProps) => {
  const { paused, pause } = usePaused();
  return (
    <ProjectTraces project={project} paused={paused}>
      {({ feed, filters, list }) => (
        <Stack gap="md">
          <PageHeader title="Dashboard" beside={<LiveBadge state={feed} onPause={pause} />}>
            <ListRange projectId={project.id} opening={opening} />
            <ProjectSelect />
          </PageHeader>
          <TraceTiles filters={filters} />
          {list}
        </Stack>
      )}
    </ProjectTraces>
  );
});
