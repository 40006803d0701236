import { formatAbsolute, formatDate } from '../../ui/time/relative-time.ts';
import { findLastLabel, type TimeRange } from './time-range.ts';

/** A release, and the start of its first stored trace. */
export interface SeenRelease {
  readonly release: string;
  readonly firstSeen: string;
}

export const ALL_TIME = 'All time';

/** Formats a time range as text: "Last hour", "Since 1.5.0", or its start and end. Omits the date of a time that is today. */
export function formatTimeRange(
  range: TimeRange | undefined,
  releases: readonly SeenRelease[],
  now: number = Date.now(),
): string {
  switch (range?.kind) {
    case undefined:
      return ALL_TIME;
    case 'last':
      return findLastLabel(range.last);
    case 'days': {
      const { start, end } = range.period;
      if (start === end) return start === formatDate(now) ? findLastLabel('1d') : start;
      return `${start} – ${end}`;
    }
    case 'instants': {
      const { from, to } = range;
      // Removes the milliseconds that formatAbsolute writes for times of today.
      const write = (instant: string) => formatAbsolute(Date.parse(instant), now).replace(/\.\d+$/, '');
      if (to !== undefined) return `${write(from)} – ${write(to)}`;
      return `Since ${findRelease(from, releases)?.release ?? write(from)}`;
    }
  }
}

/** Finds the release whose first trace began at an instant. */
export function findRelease(from: string, releases: readonly SeenRelease[]): SeenRelease | undefined {
  return releases.find(({ firstSeen }) => firstSeen === from);
}
