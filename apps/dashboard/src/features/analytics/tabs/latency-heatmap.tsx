import type { PerformanceAnalytics } from '@throughline/contract';
import { Suspense, useMemo } from 'react';
import { readArea, writeArea } from '../../../shell/url-state/area-param.ts';
import { useChangeView, useViewParams } from '../../../shell/url-state/search-params.ts';
import { Heatmap } from '../../../visuals/plots/heatmap/heatmap.tsx';
import { buildGrid, findShownArea, type GridRange } from '../../../visuals/plots/heatmap/heatmap-grid.ts';
import { LinkedDifferences } from '../../trace-list/index.ts';
import type { Scope } from '../data/scope.ts';
import { buildSpans } from '../data/series-spans.ts';
import { buildAreaSearch } from '../tables/trace-links.ts';
import { ShowTraces } from '../tables/traces-link.tsx';

interface LatencyHeatmapProps {
  readonly performance: Pick<PerformanceAnalytics, 'range' | 'latencyHeatmap'>;
  readonly scope: Scope;
}

/**
 * A heatmap of the requests by time and duration. Below the heatmap are the values by which the requests of the selected cells differ from
 * other requests.
 */
export function LatencyHeatmap({ performance: { range, latencyHeatmap }, scope }: LatencyHeatmapProps) {
  const { area = '' } = useViewParams();
  const change = useChangeView();
  const grid = useMemo(() => {
    const { times, durations, cells } = latencyHeatmap;
    return buildGrid(
      buildSpans(
        range,
        times.map((time) => ({ time })),
      ),
      durations.map((from, place) => ({ from, to: durations[place + 1] ?? Number.POSITIVE_INFINITY })),
      cells,
    );
  }, [range, latencyHeatmap]);
  const read = useMemo(() => readArea(area), [area]);
  const chosen = read && findShownArea(grid, read);
  const choose = (cells: GridRange | undefined) =>
    change({ area: cells && writeArea(cells) }, { replace: true });
  return (
    <>
      <Heatmap
        label="Latency heatmap"
        grid={grid}
        note="Drag over cells to see how their requests differ from the other requests."
        chosen={chosen}
        onChoose={choose}
        link={(cells) => <ShowTraces count={cells.count} search={buildAreaSearch(scope, cells)} />}
      />
      {chosen !== undefined && chosen.count > 0 && (
        <Suspense>
          <LinkedDifferences search={buildAreaSearch(scope, chosen)} onClose={() => choose(undefined)} />
        </Suspense>
      )}
    </>
  );
}
