import { Checkbox, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { MAX_LISTED_ERRORS } from '@throughline/contract';
import { useRef, useState } from 'react';
import { useMarkedRange } from '../../shell/time-range/release-marks.ts';
import { TimeRangeSelect } from '../../shell/time-range/time-range-select.tsx';
import { useChangeView, useViewParams } from '../../shell/url-state/search-params.ts';
import { useTableView } from '../../shell/url-state/use-table-view.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { LoadState } from '../../ui/feedback/load-state.tsx';
import { RowsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { NoMatch, TableSearch } from '../../ui/tables/table-search.tsx';
import { ProjectSelect, useSelectedProject, WithoutProject } from '../projects/index.ts';
import { ErrorPage } from './error-detail.tsx';
import { ErrorList, toErrorOrder } from './error-list.tsx';
import classes from './errors.module.css';
import { MergeSelected } from './merge/merge-selected.tsx';
import { useErrorList } from './queries.ts';
import { type ShownRange, useErrorRange } from './use-error-range.ts';

const STATES = [
  { value: 'open', label: 'Open' },
  { value: 'resolved', label: 'Resolved' },
  { value: 'ignored', label: 'Ignored' },
  { value: 'all', label: 'All' },
] as const;

/** A project's errors, or the details of the selected error. */
export function ErrorsPage() {
  const selection = useSelectedProject();
  const { selected } = selection;
  const { error } = useViewParams();
  const shown = useErrorRange();
  return (
    <Stack gap="md">
      <PageHeader title="Errors">
        <TimeRangeSelect range={shown.range} projectId={selected?.id} />
        <ProjectSelect />
      </PageHeader>
      {selected === undefined ? (
        <WithoutProject
          selection={selection}
          title="Select a project to view its errors"
          hint="No projects yet."
          waiting={<RowsSkeleton what="errors" rows={6} />}
        />
      ) : error !== undefined ? (
        <ErrorPage projectId={selected.id} errorId={error} shown={shown} />
      ) : (
        <ListOfState projectId={selected.id} shown={shown} />
      )}
    </Stack>
  );
}

interface ListOfStateProps {
  readonly projectId: string;
  readonly shown: ShownRange;
}

function ListOfState({ projectId, shown: { range, limits } }: ListOfStateProps) {
  const { state = 'open', assigned } = useViewParams();
  const change = useChangeView();
  const { search, sort, setSearch, setSort } = useTableView('errors');
  const field = useRef<HTMLInputElement>(null);
  const list = useErrorList(projectId, {
    ...limits,
    state,
    ...toErrorOrder(sort),
    ...(search !== '' && { search }),
    ...(assigned !== undefined && { assigned }),
  });
  const marked = useMarkedRange(projectId, list.data?.from, list.data?.until);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const selectedErrors = (list.data?.errors ?? []).filter(({ id }) => selected.has(id));
  return (
    <section className={classes.panel} aria-label="Errors">
      <Group gap="sm" className={classes.states}>
        <SegmentedControl
          aria-label="State"
          size="xs"
          classNames={{ label: classes.state ?? '' }}
          data={STATES.map(({ value, label }) => ({ value, label }))}
          value={state}
          onChange={(value) => change({ state: value === 'open' ? undefined : value })}
        />
        <Checkbox
          size="xs"
          label="Assigned to me"
          checked={assigned === 'me'}
          onChange={({ currentTarget: { checked } }) => change({ assigned: checked ? 'me' : undefined })}
        />
        <TableSearch
          label="Search errors"
          value={search}
          onChange={setSearch}
          field={field}
          className={classes.search}
        />
        {selectedErrors.length > 0 && (
          <MergeSelected
            projectId={projectId}
            selected={selectedErrors}
            onMerged={() => setSelected(new Set())}
          />
        )}
      </Group>
      <LoadState query={list} what="errors" failure="The errors could not be loaded." rows={6} />
      {list.data?.errors.length === 0 && search !== '' && (
        <NoMatch what="errors" search={search} onClear={() => setSearch('')} field={field} />
      )}
      {list.data?.errors.length === 0 && search === '' && (
        <EmptyState title={assigned === 'me' ? EMPTY_ASSIGNED[state] : EMPTY[state]} />
      )}
      {list.data !== undefined && list.data.errors.length > 0 && (
        <ErrorList
          projectId={projectId}
          errors={list.data.errors}
          range={range}
          marked={marked}
          sort={sort}
          onSort={setSort}
          stale={list.isPlaceholderData}
          selected={selected}
          onSelect={(id, isSelected) =>
            setSelected((before) =>
              isSelected ? new Set([...before, id]) : new Set([...before].filter((one) => one !== id)),
            )
          }
        />
      )}
      {list.data?.isAll === false && (
        <Text size="xs" c="dimmed" mt="xs">
          These are the first {MAX_LISTED_ERRORS} errors in this order. To find others, search, select a
          shorter time range or sort by another column.
        </Text>
      )}
    </section>
  );
}

const EMPTY = {
  open: 'No open errors in this range',
  resolved: 'No resolved errors were seen in this range',
  ignored: 'No ignored errors were seen in this range',
  all: 'No errors in this range',
} as const;

const EMPTY_ASSIGNED = {
  open: 'No open errors in this range are assigned to you',
  resolved: 'No resolved errors that are assigned to you were seen in this range',
  ignored: 'No ignored errors that are assigned to you were seen in this range',
  all: 'No errors in this range are assigned to you',
} as const;
