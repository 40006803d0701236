import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { formatCount, type Project, type TraceRow } from '@throughline/contract';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import type { FeedState } from '../../shell/live-feed.ts';
import { useChangeView } from '../../shell/search-params.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { RowsSkeleton } from '../../ui/skeletons.tsx';
import { prefetchTrace } from '../traces/queries.ts';
import classes from './dashboard.module.css';
import { FilterBar } from './filter-bar.tsx';
import { type ListFilters, useTraceList } from './queries.ts';
import type { TraceLook } from './trace-row-view.tsx';
import { TraceTable } from './trace-table.tsx';
import { useListParams } from './use-list-params.ts';
import { useLiveList } from './use-live-list.ts';
import { useReading } from './use-reading.ts';

const TraceDialogs = lazy(async () => ({
  default: (await import('../traces/trace-dialogs.tsx')).TraceDialogs,
}));

/** Only a new project's page needs it. */
const WaitingForFirstTrace = lazy(async () => ({
  default: (await import('../projects/first-trace.tsx')).WaitingForFirstTrace,
}));

interface ProjectTracesProps {
  readonly project: Project;
  readonly paused: boolean;
  readonly children: (parts: { readonly feed: FeedState | 'paused'; readonly list: ReactNode }) => ReactNode;
}

/** A project's list with its filters, kept current, and the dialogs of the trace that is open. */
export function ProjectTraces({ project, paused, children }: ProjectTracesProps) {
  const view = useListParams();
  const change = useChangeView();
  const client = useQueryClient();
  const filters = filtersOf(project, view);
  const { query, rows, total } = useTraceList(filters);
  const { reading, onAttention, stopReading } = useReading();
  const opened = view.trace !== undefined;
  const live = useLiveList(filters, { reading: reading || opened, paused });
  const searchBox = useRef<HTMLInputElement>(null);
  const narrowed = view.q !== undefined || view.status !== undefined || view.method !== undefined;
  const loaded = query.isSuccess && !query.isPlaceholderData;
  const welcoming = useWelcome(loaded && total === 0 && !narrowed);

  const open = (row: TraceRow, look: TraceLook) => change({ trace: row._id, view: look, step: undefined });
  const clear = () => change({ q: undefined, status: undefined, method: undefined }, { replace: true });
  const index = rows.findIndex((row) => row._id === view.trace);
  const neighbour = (by: number) => rows[index + by];

  const list = (
    <>
      {welcoming && (
        <Suspense fallback={<RowsSkeleton what="setup" rows={4} />}>
          <WaitingForFirstTrace project={project} />
        </Suspense>
      )}
      <section aria-label="Traces">
        <FilterBar searchBox={searchBox} shown={rows.length} total={query.isSuccess ? total : undefined} />
        {live.waitingCount > 0 && (
          <div className={classes.pillPlace}>
            <Button
              size="compact-sm"
              radius="xl"
              className={classes.pill ?? ''}
              leftSection={<IconArrowUp size={14} aria-hidden />}
              onClick={() => {
                live.putIn();
                stopReading();
              }}
            >
              {formatCount(live.waitingCount)} new
            </Button>
          </div>
        )}
        {query.isPending ? (
          <RowsSkeleton what="traces" rows={10} />
        ) : query.isError && rows.length === 0 ? (
          <ErrorNotice
            what="Traces could not be loaded."
            error={query.error}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        ) : rows.length === 0 ? (
          <EmptyState
            title="No traces found"
            action={
              narrowed && (
                <Button variant="default" size="xs" onClick={clear}>
                  Clear filters
                </Button>
              )
            }
          >
            {narrowed
              ? 'No request of this project matches these filters.'
              : 'Requests appear here as they are traced.'}
          </EmptyState>
        ) : (
          <TraceTable
            rows={rows}
            total={total}
            stale={query.isPlaceholderData}
            more={{
              has: query.hasNextPage,
              loading: query.isFetchingNextPage,
              failed: query.isFetchNextPageError,
              load: () => void query.fetchNextPage(),
            }}
            onOpen={open}
            onIntent={(row) => void prefetchTrace(client, row._id, row.stepCount)}
            onAttention={onAttention}
            keysOn={!opened}
            onSearchKey={() => searchBox.current?.focus()}
          />
        )}
      </section>
      {view.trace !== undefined && (
        <Suspense fallback={null}>
          <TraceDialogs
            traceId={view.trace}
            row={rows[index]}
            previous={index > 0 ? neighbour(-1)?._id : undefined}
            next={index >= 0 ? neighbour(1)?._id : undefined}
          />
        </Suspense>
      )}
    </>
  );
  return children({ feed: live.state, list });
}

function filtersOf(project: Project, view: ReturnType<typeof useListParams>): ListFilters {
  return {
    projectId: project.id,
    ...(view.status === undefined ? {} : { status: view.status }),
    ...(view.method === undefined ? {} : { method: view.method }),
    ...(view.q === undefined ? {} : { search: view.q }),
  };
}

/** Once a project was seen to have no traces, its welcome stays while the page does: it says when the first one comes. */
function useWelcome(empty: boolean): boolean {
  const [welcoming, setWelcoming] = useState(empty);
  if (empty && !welcoming) setWelcoming(true);
  return welcoming;
}
