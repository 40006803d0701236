import { Skeleton } from '@mantine/core';
import type { TraceFigures } from '@throughline/contract';
import { memo } from 'react';
import { formatToneColour } from '../../../shell/theme/tones.ts';
import { useMarkedRange } from '../../../shell/time-range/release-marks.ts';
import { ErrorNotice } from '../../../ui/feedback/error-notice.tsx';
import { Waiting } from '../../../ui/feedback/skeletons.tsx';
import { Sparkline } from '../../../visuals/charts/sparkline.tsx';
import type { MarkedRange } from '../../../visuals/charts/time-marks.ts';
import { type ListFilters, useTraceFigures } from '../queries.ts';
import { describeChange, describeCourse, TILE_FIGURES, type TileFigure } from './tile-figures.ts';
import classes from './trace-tiles.module.css';

/** Four figures of the matching requests, each with a sparkline and the change since the previous period. */
export const TraceTiles = memo(({ filters }: { readonly filters: ListFilters }) => {
  const answer = useTraceFigures(filters);
  const pieces = answer.data?.pieces;
  const marked = useMarkedRange(filters.projectId, pieces?.[0]?.from, pieces?.at(-1)?.to);
  if (answer.isPending) return <TraceTilesWaiting compared={filters.startDate !== undefined} />;
  if (answer.data === undefined) {
    return (
      <ErrorNotice
        what="The stats could not be loaded."
        error={answer.error}
        onRetry={() => void answer.refetch()}
        retrying={answer.isFetching}
      />
    );
  }
  return (
    <dl
      className={classes.tiles}
      data-stale={answer.isPlaceholderData}
      data-compared={filters.startDate !== undefined}
    >
      {TILE_FIGURES.map((figure) => (
        <Figure key={figure.label} figure={figure} answer={answer.data} marked={marked} />
      ))}
    </dl>
  );
});

/** Placeholders of the tiles, so that nothing moves when the figures load. */
export function TraceTilesWaiting({ compared = false }: { readonly compared?: boolean }) {
  return (
    <Waiting what="stats">
      <dl className={classes.tiles} data-compared={compared} aria-hidden>
        {TILE_FIGURES.map(({ label }) => (
          <div key={label} className={classes.tile}>
            <dt>{label}</dt>
            <dd>
              <Skeleton height={24} width="60%" my={4} />
            </dd>
            <dd className={classes.change}>
              <Skeleton height={12} width="60%" mt={2} />
            </dd>
            <dd className={classes.course} />
          </div>
        ))}
      </dl>
    </Waiting>
  );
}

interface FigureProps {
  readonly figure: TileFigure;
  readonly answer: TraceFigures;
  readonly marked: MarkedRange | undefined;
}

function Figure({ figure, answer: { figures, before, pieces }, marked }: FigureProps) {
  const value = figure.of(figures);
  const change = describeChange(figure, figures, before);
  return (
    <div className={classes.tile}>
      <dt>{figure.label}</dt>
      <dd>{value === null ? '–' : figure.write(value)}</dd>
      <dd className={classes.change} style={CHANGE_COLOURS[change.verdict]}>
        {change.text}
      </dd>
      <dd className={classes.course}>
        <Sparkline
          label={describeCourse(figure, pieces)}
          values={pieces.map(figure.of)}
          top={figure.top}
          tone={figure.tone}
          marked={marked}
        />
      </dd>
    </div>
  );
}

/** The text of a change also says whether the change is good or bad, for people who cannot tell the colours apart. */
const CHANGE_COLOURS = {
  better: { color: formatToneColour('green') },
  worse: { color: formatToneColour('red') },
  neither: {},
} as const;
