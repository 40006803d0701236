import { formatAverage, formatCount, formatRate, type TraceRow } from '@throughline/contract';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { FigureTiles } from '../../ui/figure-tiles.tsx';
import { TilesSkeleton } from '../../ui/skeletons.tsx';
import { type ListFilters, useTraceCounts } from '../trace-list/queries.ts';
import { summarise } from './summary.ts';

interface SummaryTilesProps {
  readonly filters: ListFilters;
  /** Those that are listed so far. */
  readonly rows: readonly TraceRow[];
}

/** What the filters match, in four figures. */
export function SummaryTiles({ filters, rows }: SummaryTilesProps) {
  const counts = useTraceCounts(filters);
  if (counts.isPending) return <TilesSkeleton what="figures" />;
  if (counts.data === undefined) {
    return (
      <ErrorNotice
        what="The summary could not be loaded."
        error={counts.error}
        onRetry={() => void counts.refetch()}
        retrying={counts.isFetching}
      />
    );
  }
  const { total, errors, successRate, averageMs } = summarise(counts.data, rows);
  return (
    <FigureTiles
      figures={[
        { label: 'Total Traces', text: formatCount(total) },
        { label: 'Success Rate', text: successRate === null ? '–' : formatRate(successRate) },
        { label: 'Error Count', text: formatCount(errors) },
        {
          label: rows.length < total ? `Avg Duration of ${formatCount(rows.length)} shown` : 'Avg Duration',
          text: averageMs === null ? '–' : formatAverage(averageMs),
        },
      ]}
    />
  );
}
