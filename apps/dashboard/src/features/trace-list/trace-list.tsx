import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { formatCount, type TraceRow, type ViewPage } from '@throughline/contract';
import { type ReactNode, Suspense, useMemo, useRef } from 'react';
import type { FeedState } from '../../shell/live/live-feed.ts';
import { lazyPart } from '../../shell/load-page.ts';
import { TraceFilterParams, useChangeView, type ViewChange } from '../../shell/url-state/search-params.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { useEscape, useWindowKeys } from '../../ui/hooks/keys.ts';
import { RetentionNote } from '../billing/index.ts';
import { ViewsButton } from '../saved-views/index.ts';
import { DifferencesButton } from './differences/differences-button.tsx';
import { ExportButton } from './export/export-button.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import { useFollowNow } from './filters/use-list-filters.ts';
import { useListParams } from './filters/use-list-params.ts';
import { GroupTableWaiting } from './groups/group-table-waiting.tsx';
import { GroupsCaption } from './groups/groups-caption.tsx';
import { useLiveList } from './live/use-live-list.ts';
import { useReading } from './live/use-reading.ts';
import { type ListFilters, useTraceList } from './queries.ts';
import { SelectionBar } from './selection/selection-bar.tsx';
import { SelectionContext, useRowSelection } from './selection/use-row-selection.ts';
import { SettingsButton } from './table/settings/settings-button.tsx';
import { TraceTable } from './table/trace-table.tsx';
import { TraceTableWaiting } from './table/trace-table-waiting.tsx';
import type { TraceColumns } from './table/use-columns.ts';
import { findFocusedKey } from './table/use-list-keys.ts';
import classes from './trace-list.module.css';
import { SearchedTimeContext } from './value-search/searched-time.ts';
import { useListSearchedTime } from './value-search/use-list-searched-time.ts';
import { GroupsSearchStatus, ListSearchStatus } from './value-search/value-search-status.tsx';

// Loaded lazily, so that the list itself is shown sooner.
const ListCharts = lazyPart(() => import('./tiles/list-charts.tsx'), 'ListCharts');
const ListDifferences = lazyPart(() => import('./differences/list-differences.tsx'), 'ListDifferences');
const TraceGroups = lazyPart(() => import('./groups/trace-groups.tsx'), 'TraceGroups');

/** The open trace, with its row and the neighbouring rows of the list. */
export interface OpenedTrace {
  readonly traceId: string;
  readonly row: TraceRow | undefined;
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

export interface ListState {
  readonly feed: FeedState | 'paused';
  /** True if the server returned no traces for the current filters, and the project is the only filter. */
  readonly nothingYet: boolean;
}

const FILTER_PARAMS = TraceFilterParams.keyof().options;
const NO_FILTERS: ViewChange = Object.fromEntries(FILTER_PARAMS.map((name) => [name, undefined]));

interface TraceListProps {
  /** The page whose saved views the views menu lists. */
  readonly page: ViewPage;
  readonly filters: ListFilters;
  /** Moves an outdated range that ends now, such as "last hour", to the present. */
  readonly follow: () => void;
  readonly paused: boolean;
  readonly columns: TraceColumns;
  readonly methods: readonly NonNullable<TraceFilterParams['method']>[];
  /** Additional filters of this list, shown in the filter bar. */
  readonly bar?: ReactNode;
  /** The messages of an empty list: with filters, and without. */
  readonly empty: { readonly filtered: string; readonly otherwise: string };
  readonly onOpen: (row: TraceRow) => void;
  /** Called when the pointer rests on a row, whose trace is then likely to be opened. */
  readonly onIntent?: (row: TraceRow) => void;
  /** Renders the preview of a row, which shows the request without opening its trace. */
  readonly renderPreview: (row: TraceRow) => ReactNode;
  readonly dialog: (opened: OpenedTrace) => ReactNode;
  /** Renders the page around the list. */
  readonly children: (list: ReactNode, state: ListState) => ReactNode;
}

/** A list of traces, or their groups, with filters and live updates, and the dialog of the open trace. */
export function TraceList({ filters, columns, onOpen, children, ...props }: TraceListProps) {
  const view = useListParams();
  const change = useChangeView();
  const { groupBy } = view;
  const isList = groupBy === undefined;
  const { query, rows, total } = useTraceList(filters, isList);
  const search = query.isPlaceholderData ? undefined : query.data?.pages[0]?.search;
  const searchedTime = useListSearchedTime(filters, query, search);
  const { reading, onAttention, stopReading } = useReading();
  const opened = view.trace !== undefined;
  // A time range with a fixed end is not updated live.
  const paused = props.paused || filters.endDate !== undefined;
  const ids = useMemo(() => rows.map(({ _id }) => _id), [rows]);
  const selection = useRowSelection(JSON.stringify(filters), ids, total);
  const isRead = isList && (reading || opened || selection.count > 0);
  const live = useLiveList(filters, { reading: isRead, paused });
  useFollowNow(!isRead && !paused, props.follow);
  const searchBox = useRef<HTMLInputElement>(null);
  const filtered = FILTER_PARAMS.some((name) => view[name] !== undefined);
  const answered = query.isSuccess && !query.isPlaceholderData;
  const index = rows.findIndex((row) => row._id === view.trace);
  const neighbour = (by: number) => rows[index + by]?._id;
  const clear = () => change(NO_FILTERS, { replace: true });
  const toggleFailed = () =>
    change({ status: view.status === 'error' ? undefined : 'error' }, { replace: true });
  const toggleFocused = (range: boolean) => {
    const id = findFocusedKey();
    if (id !== undefined) selection.state.toggle(id, range);
  };
  useEscape(!opened && selection.count > 0, selection.clear);
  useWindowKeys(
    !opened,
    new Map([
      ['/', () => searchBox.current?.focus()],
      ['e', toggleFailed],
      ['x', () => toggleFocused(false)],
      ['X', () => toggleFocused(true)],
    ]),
  );

  // While the rows load, and if they cannot be loaded, the list's buttons are shown, so that no other button moves.
  const mayHaveRows = !isList || rows.length > 0 || !query.isSuccess;
  const emptyMessage = filtered ? props.empty.filtered : props.empty.otherwise;
  const list = (
    <>
      <Suspense fallback={<div className={classes.chartsWaiting} aria-hidden />}>
        <ListCharts filters={filters} filtered={filtered} />
      </Suspense>
      {view.differences === 'shown' && (
        <Suspense>
          <ListDifferences filters={filters} />
        </Suspense>
      )}
      <section aria-label="Traces">
        <FilterBar
          filters={filters}
          searchBox={searchBox}
          caption={
            searchedTime.state === 'waiting' ? (
              'Searching captured values…'
            ) : isList ? (
              query.isSuccess && `Showing ${formatCount(rows.length)} of ${formatCount(total)} traces`
            ) : (
              <GroupsCaption filters={filters} groupBy={groupBy} />
            )
          }
          methods={props.methods}
          settings={
            <>
              {(mayHaveRows || view.differences === 'shown') && <DifferencesButton />}
              {mayHaveRows && <ExportButton filters={filters} />}
              <ViewsButton page={props.page} projectId={filters.projectId} />
              {isList && <SettingsButton columns={columns.chosen} />}
            </>
          }
        >
          {props.bar}
        </FilterBar>
        {isList ? (
          <ListSearchStatus filters={filters} search={search} />
        ) : (
          <GroupsSearchStatus filters={filters} groupBy={groupBy} />
        )}
        {filters.startDate !== undefined && (
          <RetentionNote projectId={filters.projectId} from={filters.startDate} />
        )}
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
        {query.isRefetchError && rows.length > 0 && (
          <ErrorNotice
            what="New traces could not be loaded."
            error={query.error}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        )}
        {!isList ? (
          <Suspense fallback={<GroupTableWaiting />}>
            <TraceGroups filters={filters} groupBy={groupBy} onClear={filtered ? clear : undefined} />
          </Suspense>
        ) : query.isPending ? (
          <TraceTableWaiting columns={columns} />
        ) : query.isError && rows.length === 0 ? (
          <ErrorNotice
            what="Traces could not be loaded."
            error={query.error}
            onRetry={() => void query.refetch()}
            retrying={query.isFetching}
          />
        ) : rows.length === 0 ? (
          <EmptyState
            title={search === undefined ? 'No traces found' : 'No traces found in the searched period'}
            action={
              filtered && (
                <Button variant="default" size="xs" onClick={clear}>
                  Clear filters
                </Button>
              )
            }
          >
            {/* No "empty" message while a search over values is incomplete: requests before the searched period can still match. */}
            {search === undefined ? emptyMessage : undefined}
          </EmptyState>
        ) : (
          <SelectionContext value={selection.state}>
            <TraceTable
              columns={columns}
              rows={rows}
              total={total}
              stale={query.isPlaceholderData}
              more={{
                has: query.hasNextPage,
                loading: query.isFetchingNextPage,
                failed: query.isFetchNextPageError,
                load: () => void query.fetchNextPage(),
              }}
              onOpen={onOpen}
              onIntent={(row) => props.onIntent?.(row)}
              renderPreview={props.renderPreview}
              onAttention={onAttention}
              keysOn={!opened}
            />
          </SelectionContext>
        )}
        <SelectionBar
          filters={filters}
          selection={selection.state.selection}
          count={selection.count}
          total={total}
          rows={rows}
          ids={ids}
          onAll={selection.selectAll}
          onClear={selection.clear}
        />
        {filters.startDate === undefined && query.isSuccess && !query.hasNextPage && (
          <RetentionNote projectId={filters.projectId} from={undefined} />
        )}
      </section>
      {view.trace !== undefined &&
        props.dialog({
          traceId: view.trace,
          row: rows[index],
          previous: index > 0 ? neighbour(-1) : undefined,
          next: index >= 0 ? neighbour(1) : undefined,
        })}
    </>
  );
  const nothingYet = answered && total === 0 && !filtered;
  return (
    <SearchedTimeContext value={searchedTime}>
      {children(list, { feed: live.state, nothingYet })}
    </SearchedTimeContext>
  );
}
