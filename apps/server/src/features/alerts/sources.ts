import type { ErrorGroup } from '@throughline/contract';
import type { ShownProject } from '../../platform/http/guard.ts';
import type { ProjectId } from '../../platform/ids.ts';
import type { SeenError, StoredError } from '../errors/index.ts';
import type { WatchedFinding } from '../insights/index.ts';
import type { RuleRow } from './rules-store.ts';

/** The metrics, errors and insights that rules are checked against. */
export interface Sources {
  /** Returns the number of requests, the number of failed requests, and the P95 in ms. The times of `range` are epoch microseconds. */
  measure(
    project: ShownProject,
    rule: RuleRow,
    range: { readonly from: bigint; readonly until: bigint },
  ): Promise<{ readonly requests: number; readonly errors: number; readonly p95: number }>;
  /** Returns the errors of the last day, the most recently seen first, and whether the list is complete. */
  errors(
    project: ShownProject,
    rule: RuleRow,
  ): Promise<{ readonly errors: readonly ErrorGroup[]; readonly isAll: boolean }>;
  /** For each error that was split by function, returns the time of the split. The key is the error's id before the split. */
  splitTimes(project: ShownProject): Promise<ReadonlyMap<string, Date>>;
  /** Returns the current error for each stored error, in the same order. The stored error can have been merged or split in the meantime. */
  seenErrors(project: ShownProject, stored: readonly StoredError[]): Promise<readonly SeenError[]>;
  /** Returns the insights of the last week that nobody has hidden. Returns an empty list if the plan has no insights. */
  insights(project: ShownProject, rule: RuleRow): Promise<readonly WatchedFinding[]>;
  /** @throws AppError `plan_limit` if the project's plan has no insights, `not_found` */
  requireInsights(project: ProjectId): Promise<void>;
}
