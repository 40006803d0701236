import { formatAverage, formatCount, formatRate, type ProjectStats } from '@throughline/contract';
import { refusalOf } from '../../shell/refusal.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { FigureTiles } from '../../ui/figure-tiles.tsx';
import { TilesSkeleton } from '../../ui/skeletons.tsx';
import { useProjectStats } from '../trace-list/queries.ts';

/** The project's four figures; nothing where they are not the viewer's to see. */
export function StatsTiles({ projectId }: { readonly projectId: string }) {
  const stats = useProjectStats(projectId);
  if (stats.isPending) return <TilesSkeleton what="figures" />;
  if (stats.isError && stats.data === undefined) {
    if (refusalOf(stats.error)?.code === 'forbidden') return null;
    return (
      <ErrorNotice
        what="The project's figures could not be loaded."
        error={stats.error}
        onRetry={() => void stats.refetch()}
        retrying={stats.isFetching}
      />
    );
  }
  return <FigureTiles figures={tilesOf(stats.data)} />;
}

function tilesOf(stats: ProjectStats) {
  const known = (figure: number | null, format: (figure: number) => string) =>
    figure === null ? '–' : format(figure);
  return [
    { label: 'Total Traces', text: formatCount(stats.totalTraces) },
    { label: 'Success Rate', text: known(stats.successRate, formatRate) },
    { label: 'Error Count', text: formatCount(stats.errorCount) },
    { label: 'Avg Duration', text: known(stats.avgDuration, formatAverage) },
  ];
}
