import { Stack, Text } from '@mantine/core';
import { MAX_PINNED_VIEWS, type SavedView } from '@throughline/contract';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { RowsSkeleton } from '../../../ui/feedback/skeletons.tsx';
import { SearchedTable } from '../../../ui/tables/searched-table.tsx';
import { type TableColumn, toTableId } from '../../../ui/tables/table-column.ts';
import classes from '../saved-views.module.css';
import { useListedViews } from '../use-listed-views.ts';
import { PAGE_NAMES } from '../view-address.ts';
import { describeView, ViewActions, ViewLink } from './view-row.tsx';
import type { ViewsStep } from './views-step.ts';

interface ManagedViewsProps {
  readonly projectId: string | undefined;
  readonly onStep: (step: ViewsStep) => void;
  readonly onClose: () => void;
}

/** All saved views of a list, each with buttons for the actions that the viewer is allowed to take. */
export function ManagedViews({ projectId, ...rest }: ManagedViewsProps) {
  const { state, error, isFetching, retry, personal, shared, pinned } = useListedViews(projectId);
  if (state === 'loading') return <RowsSkeleton what="views" rows={3} />;
  if (state === 'failed') {
    return (
      <ErrorNotice what="Views could not be loaded." error={error} onRetry={retry} retrying={isFetching} />
    );
  }
  if (personal.length + shared.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No saved views yet.
      </Text>
    );
  }
  return (
    <Stack>
      <Section title="Only me" views={personal} {...rest} />
      <Section title="Shared in the project" views={shared} {...rest} />
      <Text size="xs" c="dimmed">
        {pinned} of {MAX_PINNED_VIEWS} pins used.
      </Text>
    </Stack>
  );
}

interface SectionProps extends Omit<ManagedViewsProps, 'projectId'> {
  readonly title: string;
  readonly views: readonly SavedView[];
}

function Section({ title, views, onStep, onClose }: SectionProps) {
  if (views.length === 0) return null;
  const columns: readonly TableColumn<SavedView>[] = [
    {
      name: 'View',
      kind: 'text',
      card: 'title',
      className: classes.view,
      value: ({ name }) => name,
      searched: (view) => `${view.name}\n${describeView(view)}`,
      cell: (view) => <ViewLink view={view} onClose={onClose} />,
    },
    {
      name: 'List',
      kind: 'text',
      value: ({ page }) => PAGE_NAMES[page],
      cell: ({ page }) => PAGE_NAMES[page],
    },
    {
      name: 'Actions',
      hiddenHead: true,
      cell: (view) => <ViewActions view={view} onStep={onStep} />,
    },
  ];
  return (
    <section>
      <SearchedTable
        id={toTableId(`views ${title}`)}
        label={title}
        what="views"
        searchLabel={`Search ${title}`}
        placeholder="Search"
        title={<h3 className={classes.heading}>{title}</h3>}
        columns={columns}
        rows={views}
        getKey={({ id }) => id}
      />
    </section>
  );
}
