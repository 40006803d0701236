import { useQueryClient } from '@tanstack/react-query';
import type { TraceRow } from '@throughline/contract';
import { type ReactNode, Suspense, useState } from 'react';
import type { FeedState } from '../../shell/live/live-feed.ts';
import { useChangeView } from '../../shell/url-state/search-params.ts';
import { RowsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { type NamedProject, useProjects, WaitingForFirstTrace } from '../projects/index.ts';
import { type ListFilters, TraceList, useListFilters } from '../trace-list/index.ts';
import {
  loadTraceDialogs,
  loadTracePreview,
  prefetchTrace,
  TraceDialogs,
  TracePreview,
} from '../traces/index.ts';
import { type TraceLook, useRecentColumns } from './recent-columns.tsx';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

interface ProjectTracesProps {
  readonly project: NamedProject;
  readonly paused: boolean;
  readonly children: (parts: {
    readonly feed: FeedState | 'paused';
    readonly filters: ListFilters;
    readonly list: ReactNode;
  }) => ReactNode;
}

/** A project's live trace list with its filters, and the dialogs of the open trace. */
export function ProjectTraces({ project, paused, children }: ProjectTracesProps) {
  const change = useChangeView();
  const client = useQueryClient();
  const open = (row: TraceRow, look: TraceLook) => change({ trace: row._id, view: look, step: undefined });
  const columns = useRecentColumns(open);
  const { filters, follow } = useListFilters(project.id);
  return (
    <TraceList
      page="dashboard"
      filters={filters}
      follow={follow}
      paused={paused}
      columns={columns}
      methods={METHODS}
      empty={{
        filtered: 'No request of this project matches these filters.',
        otherwise: 'Requests appear here as they are traced.',
      }}
      onOpen={(row) => open(row, 'timeline')}
      onIntent={(row) => {
        void prefetchTrace(client, row._id, row.stepCount);
        // A failure is ignored here, because opening the dialog loads the code again and then shows the error.
        void Promise.all([loadTraceDialogs(), loadTracePreview()]).catch(() => undefined);
      }}
      renderPreview={(row) => <TracePreview row={row} />}
      dialog={(opened) => (
        <Suspense fallback={null}>
          <TraceDialogs {...opened} />
        </Suspense>
      )}
    >
      {(list, { feed, nothingYet }) =>
        children({
          feed,
          filters,
          list: (
            <>
              <Welcome projectId={project.id} empty={nothingYet} />
              {list}
            </>
          ),
        })
      }
    </TraceList>
  );
}

/**
 * Setup instructions, shown if the list of the project's traces is empty. They stay after the first trace arrives, because they also report
 * its arrival.
 */
function Welcome({ projectId, empty }: { readonly projectId: string; readonly empty: boolean }) {
  const project = useProjects().data?.find(({ id }) => id === projectId);
  const [welcoming, setWelcoming] = useState(empty);
  if (empty && !welcoming) setWelcoming(true);
  return (
    welcoming &&
    project !== undefined && (
      <Suspense fallback={<RowsSkeleton what="setup" rows={4} />}>
        <WaitingForFirstTrace project={project} />
      </Suspense>
    )
  );
}
