import { Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { TraceRow } from '@throughline/contract';
import { Suspense } from 'react';
import { lazyPart } from '../../shell/load-page.ts';
import { useChangeView, useViewParams } from '../../shell/url-state/search-params.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { MissingProject, ProjectsFailure, useKnownProjects, useProjects } from '../projects/index.ts';
import {
  ListRange,
  LiveBadge,
  TraceList,
  TraceTiles,
  useListFilters,
  usePaused,
} from '../trace-list/index.ts';
import { TracePreview } from '../traces/index.ts';
import { ProjectFilter } from './project-filter.tsx';
import { fetchAhead } from './queries.ts';
import { useRawColumns } from './raw-columns.tsx';

const loadDialog = () => import('./raw-dialog.tsx');
const RawDialog = lazyPart(loadDialog, 'RawDialog');

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;

/** All requests of one project or of all projects; each request opens as its stored JSON. */
export function RawTracesPage() {
  const { known } = useKnownProjects();
  const { project } = useViewParams();
  const isMissing = project !== undefined && known?.some(({ id }) => id === project) === false;
  if (!isMissing) return <RawTraces />;
  return (
    <Stack gap="md">
      <PageHeader title="Raw Traces">
        <ProjectFilter />
      </PageHeader>
      <MissingProject />
    </Stack>
  );
}

function RawTraces() {
  const { paused, pause } = usePaused();
  const projects = useProjects();
  const { project } = useViewParams();
  const change = useChangeView();
  const { filters, follow } = useListFilters(project);
  const client = useQueryClient();
  const open = (row: TraceRow) => {
    void fetchAhead(client, row._id);
    change({ trace: row._id, view: undefined, step: undefined });
  };
  const columns = useRawColumns(open);
  return (
    <TraceList
      page="raw-traces"
      filters={filters}
      follow={follow}
      paused={paused}
      columns={columns}
      methods={METHODS}
      bar={<ProjectFilter />}
      empty={{
        filtered: 'No request matches these filters.',
        otherwise: 'Requests appear here as they are traced.',
      }}
      onOpen={open}
      // A failure is ignored here, because opening the dialog loads the code again and then shows the error.
      onIntent={() => void loadDialog().catch(() => undefined)}
      renderPreview={(row) => <TracePreview row={row} />}
      dialog={(opened) => (
        <Suspense fallback={null}>
          <RawDialog {...opened} />
        </Suspense>
      )}
    >
      {(list, { feed }) => (
        <Stack gap="md">
          <PageHeader title="Raw Traces" beside={<LiveBadge state={feed} onPause={pause} />}>
            <ListRange projectId={project} />
          </PageHeader>
          <ProjectsFailure projects={projects} />
          <TraceTiles filters={filters} />
          {list}
        </Stack>
      )}
    </TraceList>
  );
}
