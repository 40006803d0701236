import { escapeControlCharacters } from '@throughline/contract/captured';
import { useMemo } from 'react';
import type { TimeMark } from '../../visuals/charts/time-marks.ts';
import { useReleases } from './use-releases.ts';

/** Returns the first requests of a project's releases, to mark in charts; none for a page of all projects. */
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
