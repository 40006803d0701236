import { Stack, Text } from '@mantine/core';
import { MAX_PINNED_VIEWS, type SavedView } from '@throughline/contract';
import { useId } from 'react';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { RowsSkeleton } from '../../../ui/feedback/skeletons.tsx';
import rows from '../../../ui/tables/row-list.module.css';
import classes from '../saved-views.module.css';
import { useListedViews } from '../use-listed-views.ts';
import { ViewRow } from './view-row.tsx';
import type { ViewsStep } from './views-step.ts';

interface ManagedViewsProps {
  readonly projectId: string | undefined;
  readonly onStep: (step: ViewsStep) => void;
  readonly onClose: () => void;
}

/** All saved views of a list, each with buttons for what the viewer may do with it. */
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

function Section({ title, views, ...rest }: SectionProps) {
  const id = useId();
  if (views.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={classes.heading}>
        {title}
      </h3>
      <ul className={rows.list} aria-labelledby={id}>
        {views.map((view) => (
          <ViewRow key={view.id} view={view} {...rest} />
        ))}
      </ul>
    </section>
  );
}
