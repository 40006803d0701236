import { Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { AnalyticsRange } from '@throughline/contract';
import { type ReactNode, useEffect } from 'react';
import { useViewParams } from '../../../shell/url-state/search-params.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { TilesSkeleton } from '../../../ui/feedback/skeletons.tsx';
import { formatSpan } from '../../../visuals/plots/frame/plot-times.ts';
import { LongerRetentionLink } from '../../billing/index.ts';
import { useProjects } from '../../projects/index.ts';
import classes from '../analytics.module.css';
import { describeRetention } from '../data/previous-period.ts';
import { PanelsSkeleton, type PanelWidth } from '../panels-skeleton.tsx';

interface TabBodyProps<Answer> {
  /** The content, as the subject of an error message: "Performance stats". */
  readonly what: string;
  readonly query: UseQueryResult<Answer>;
  /** The number of tiles at the top; none by default. */
  readonly tiles?: number;
  /** The widths of the first panels below the tiles. Until the panels are loaded, placeholders with these widths are shown. */
  readonly panels: readonly PanelWidth[];
  readonly isEmpty: (answer: Answer) => boolean;
  /** The message of an empty tab: what is missing, and what the user can do. */
  readonly empty: { readonly title: string; readonly hint: string };
  readonly children: (answer: Answer) => ReactNode;
}

/** A tab's content once loaded; until then placeholders, and an error message if loading failed. */
export function TabBody<Answer extends { readonly range: AnalyticsRange }>({
  what,
  query,
  tiles,
  panels,
  isEmpty,
  empty,
  children,
}: TabBodyProps<Answer>) {
  const { data, error } = query;
  useEffect(() => {
    if (error !== null) console.error(`${what} could not be loaded.`, error);
  }, [what, error]);
  if (query.isError) {
    return (
      <ErrorNotice
        what={`${what} could not be loaded.`}
        error={query.error}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  if (data === undefined) {
    return (
      <Stack gap="sm">
        {tiles !== undefined && <TilesSkeleton what={what.toLowerCase()} tiles={tiles} />}
        <PanelsSkeleton panels={panels} />
      </Stack>
    );
  }
  if (isEmpty(data)) {
    return (
      <>
        <RangeNote range={data.range} />
        <EmptyState title={empty.title}>{empty.hint}</EmptyState>
      </>
    );
  }
  return (
    <Stack gap="sm" aria-busy={query.isPlaceholderData}>
      <RangeNote range={data.range} />
      <div className={classes.grid} data-stale={query.isPlaceholderData}>
        {children(data)}
      </div>
    </Stack>
  );
}

/**
 * One line about the stats of the tab: the time range, the time since which the plan shows traces (if older traces were requested), and the
 * sample rate (if only a sample of the requests was counted).
 */
function RangeNote({ range }: { readonly range: AnalyticsRange }) {
  const [from, to] = [Date.parse(range.startDate), Date.parse(range.endDate)];
  const { sampleRate } = range;
  const retention = describeRetention(range);
  const { project: id } = useViewParams();
  const project = useProjects().data?.find((one) => one.id === id);
  return (
    <p className={classes.note}>
      {formatSpan({ from, to })}, {range.timeZone}.
      {retention !== undefined && (
        <>
          {` ${retention} `}
          <LongerRetentionLink project={project} />
        </>
      )}
      {sampleRate !== null &&
        sampleRate < 1 &&
        ` Based on a ${Number((sampleRate * 100).toFixed(1))} % sample.`}
    </p>
  );
}
