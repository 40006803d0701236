import { escapeControlCharacters } from '@throughline/contract/captured';
import { useMemo } from 'react';
import { createTimeFormatter } from '../../ui/time/relative-time.ts';
import type { MarkedRange, TimeMark } from '../../visuals/charts/time-marks.ts';
import { useReleases } from './use-releases.ts';

/**
 * Returns the time of the first request of each release of a project, to mark these times in charts. Returns none for a page of all
 * projects.
 */
export function useReleaseMarks(projectId: string | undefined): readonly TimeMark[] {
  const releases = useReleases(projectId, true);
  return useMemo(
    () =>
      releases.map(({ release, firstSeen }) => ({
        at: Date.parse(firstSeen),
        name: escapeControlCharacters(release),
      })),
    [releases],
  );
}

/** Returns the releases to mark in sparklines from one instant to another. Undefined if one of the instants is unknown. */
export function useMarkedRange(
  projectId: string | undefined,
  start: string | undefined,
  end: string | undefined,
): MarkedRange | undefined {
  const marks = useReleaseMarks(projectId);
  return useMemo(() => {
    if (start === undefined || end === undefined) return undefined;
    const [from, to] = [Date.parse(start), Date.parse(end)];
    return { marks, from, to, format: createTimeFormatter(from, to) };
  }, [marks, start, end]);
}
