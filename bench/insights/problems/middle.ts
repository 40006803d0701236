/** Slowdowns in the middle of the default range, to measure how exactly their start is found. */
import { HOUR_MS, type Project, toLocalHour } from '../habits.ts';
import { isLive, type Plant, SLOWER } from '../problem.ts';
import { between, pick, type Random } from '../random.ts';
import { hoursAgo, pickBusy, slow } from './latency.ts';

/**
 * Builds a kind of problem: a changed setting makes the endpoint moderately slower. No release is within half a day of the change, so only
 * the durations show its start. The tolerance is small compared with the range: a start on another day is wrong.
 */
function plantInMiddle(kind: string, { hasReleases }: { readonly hasReleases: boolean }): Plant {
  return (project, random) => {
    const endpoint = pickBusy(project, random);
    const startMs = pickWorkingHour(project, random);
    const factor = between(random, 1.5, 2);
    return {
      truth: { kind, endpoints: [endpoint], names: [], words: SLOWER, startMs, toleranceHours: 6 },
      ...(!hasReleases && {
        habits: { production: project.production.slice(0, 1), staging: project.staging.slice(0, 1) },
      }),
      change(request) {
        if (request.endpoint === endpoint && isLive(request, startMs)) slow(request, factor);
      },
    };
  };
}

/** Picks a time two and a half to four and a half days ago, when settings are changed: between 9:00 and 20:00. */
function pickWorkingHour(project: Project, random: Random): number {
  const all = Array.from({ length: 51 }, (_time, index) => hoursAgo(project, 60 + index)).filter((atMs) => {
    const hour = toLocalHour(project, atMs) % 24;
    const isFree = project.production.every(({ fromMs }) => Math.abs(fromMs - atMs) >= 12 * HOUR_MS);
    return hour >= 9 && hour < 20 && isFree;
  });
  return pick(random, all);
}

export const MIDDLE: Readonly<Record<string, Plant>> = {
  slowerInMiddle: plantInMiddle('slowerInMiddle', { hasReleases: true }),
  // One release runs for all fourteen days.
  slowerOneRelease: plantInMiddle('slowerOneRelease', { hasReleases: false }),
};
