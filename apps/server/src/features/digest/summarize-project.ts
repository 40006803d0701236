import type { ErrorGroup, Finding } from '@throughline/contract';
import type { ShownProject } from '../../platform/http/guard.ts';
import type { ProjectId } from '../../platform/ids.ts';
import { findWeekBefore, type Week } from './week.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * A week counts as completely stored even if up to this much of its beginning is missing. The digest is computed shortly after the week's
 * end, and by then the first traces of the week can have expired.
 */
const TOLERANCE_MS = HOUR_MS;
/** A project is left out of the digest if less than this much of the project's week is stored, because its stats would mislead. */
const MIN_STORED_MS = DAY_MS;
/** An error that was first seen less than this long after `storedSince` can have occurred before, in traces that are no longer stored. */
const UNSURE_MS = DAY_MS;

export interface Figures {
  readonly requests: number;
  readonly errors: number;
  /** In ms; 0 without requests. */
  readonly p95: number;
}

interface Range {
  readonly from: Date;
  readonly until: Date;
}

/** The data of a digest. */
export interface DigestSources {
  measure(project: ShownProject, range: Range): Promise<Figures>;
  /** Returns the errors that were seen in a range, and whether the list is complete. */
  errors(
    project: ShownProject,
    range: Range,
  ): Promise<{ readonly errors: readonly ErrorGroup[]; readonly isAll: boolean }>;
  /**
   * Returns the number of open insights in a range, and the insights if the plan includes them. Returns undefined if the project was
   * deleted.
   */
  insights(
    project: ShownProject,
    range: Range,
  ): Promise<{ readonly count: number; readonly findings: readonly Finding[] | null } | undefined>;
  incidents(
    project: ProjectId,
    range: Range,
  ): Promise<{ readonly incidents: number; readonly ongoing: number }>;
}

/** The data about one project's week for a digest. */
export interface ProjectWeek {
  readonly id: ProjectId;
  readonly now: Figures;
  /** Null if requests of the week before are no longer stored. */
  readonly before: Figures | null;
  /** Set if requests before this time are no longer stored. */
  readonly storedSince: Date | null;
  readonly newErrors: readonly ErrorGroup[];
  readonly reopenedErrors: readonly ErrorGroup[];
  /** False if the project has so many errors that some were not read. */
  readonly hasAllErrors: boolean;
  readonly insights: { readonly count: number; readonly findings: readonly Finding[] | null };
  readonly incidents: number;
  readonly ongoingIncidents: number;
}

/** Computes the week of a project. Returns undefined if the week has no requests, or if less than `MIN_STORED_MS` of the week is stored. */
export async function summarizeProject(
  sources: DigestSources,
  project: ShownProject,
  week: Week,
): Promise<ProjectWeek | undefined> {
  const storedSince = new Date(Number(project.shownSince / 1000n));
  if (week.until.getTime() - storedSince.getTime() < MIN_STORED_MS) return undefined;
  const now = await sources.measure(project, week);
  if (now.requests === 0) return undefined;
  const weekBefore = findWeekBefore(week);
  const before = isStored(storedSince, weekBefore) ? await sources.measure(project, weekBefore) : null;
  const { errors, isAll } = await sources.errors(project, week);
  const { count, findings } = (await sources.insights(project, week)) ?? { count: 0, findings: null };
  const { incidents, ongoing } = await sources.incidents(project.id, week);
  return {
    id: project.id,
    now,
    before,
    storedSince: isStored(storedSince, week) ? null : storedSince,
    newErrors: sortByCount(errors.filter((error) => isNew(error, week, storedSince))),
    reopenedErrors: sortByCount(errors.filter(({ state }) => state === 'reopened')),
    hasAllErrors: isAll,
    insights: { count, findings },
    incidents,
    ongoingIncidents: ongoing,
  };
}

function isStored(since: Date, { from }: Range): boolean {
  return since.getTime() - from.getTime() <= TOLERANCE_MS;
}

/** True if an error was first seen in the week, at least `UNSURE_MS` after `storedSince`, and nobody has resolved or ignored it. */
function isNew({ state, firstSeen }: ErrorGroup, week: Week, storedSince: Date): boolean {
  if (state !== 'new' && state !== 'ongoing') return false;
  const first = Date.parse(firstSeen);
  return first >= week.from.getTime() && first >= storedSince.getTime() + UNSURE_MS;
}

function sortByCount(errors: readonly ErrorGroup[]): ErrorGroup[] {
  return errors.toSorted((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1));
}
