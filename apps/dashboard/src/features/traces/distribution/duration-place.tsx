import { Popover, UnstyledButton } from '@mantine/core';
import { type EndpointDurations, formatCounted, formatDuration, type TraceRow } from '@throughline/contract';
import { useState } from 'react';
import { findExceededMedian } from '../opening/is-slow.ts';
import { describeRank } from '../opening/usual-duration.tsx';
import classes from './distribution.module.css';
import { DurationHistogram, ESCAPE_STAYS } from './duration-histogram.tsx';
import { type Distribution, findBar } from './place-on-bars.ts';

interface DurationPlaceProps {
  readonly row: TraceRow;
  readonly usual: EndpointDurations;
  readonly distribution: Distribution;
}

/**
 * A button that shows in few pixels and words how long this request took compared with the other requests of its endpoint. It opens the
 * histogram of the durations.
 */
export function DurationPlace({ row, usual, distribution }: DurationPlaceProps) {
  const [opened, setOpened] = useState(false);
  const { duration } = row.timing;
  const medianMs = findExceededMedian(duration, usual);
  const rank = describeRank(usual);
  const others = `${formatCounted(usual.requests, 'other successful request')} to this endpoint around that time`;
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      trapFocus
      returnFocus
      withinPortal={false}
      width="min(380px, 92vw)"
    >
      <Popover.Target>
        <UnstyledButton
          className={classes.place ?? ''}
          title={`${medianMs === undefined ? 'Compared' : `This request: ${rank}, compared`} with ${others}`}
          onClick={() => setOpened(!opened)}
        >
          <Miniature distribution={distribution} durationMs={duration} />
          {medianMs === undefined ? rank : `usually ${formatDuration(medianMs)}`}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown
        {...ESCAPE_STAYS}
        // Keys pressed here must not trigger the page's shortcuts.
        onKeyDown={(event) => event.stopPropagation()}
      >
        <section aria-label="Durations of this endpoint">
          <p className={classes.words}>
            This request took {formatDuration(duration)}. Compared with {others}: {rank}. P50{' '}
            {formatDuration(usual.median)}, P95 {formatDuration(distribution.p95)}.
          </p>
          <DurationHistogram row={row} distribution={distribution} medianMs={usual.median} />
        </section>
      </Popover.Dropdown>
    </Popover>
  );
}

const MINIATURE = { width: 60, height: 14, gap: 1 } as const;

/** The bars without text. A triangle marks the bar of this request. */
function Miniature({
  distribution: { bars },
  durationMs,
}: Pick<DurationPlaceProps, 'distribution'> & { readonly durationMs: number }) {
  const own = findBar(bars, durationMs);
  const most = Math.max(1, ...bars.map(({ requests }) => requests));
  const { width, height, gap } = MINIATURE;
  const step = width / bars.length;
  const middle = (own + 0.5) * step;
  return (
    <svg width={width} height={height + 5} aria-hidden className={classes.miniature}>
      {bars.map(({ from, requests }, index) => {
        const tall = requests === 0 ? 1 : Math.max(2, (requests / most) * height);
        return (
          <rect
            key={from}
            x={index * step}
            y={height - tall}
            width={step - gap}
            height={tall}
            data-own={index === own}
          />
        );
      })}
      <path d={`M${middle - 4} ${height + 5} L${middle + 4} ${height + 5} L${middle} ${height} Z`} />
    </svg>
  );
}
