import { formatInstant, routes } from '@throughline/contract';
import type { ControlDb } from '../../platform/control-store/index.ts';
import type { ShownProject } from '../../platform/http/guard.ts';
import { getProject, type HttpContext, serve } from '../../platform/http/serve.ts';
import type { OrganizationId, UserId } from '../../platform/ids.ts';
import { type Audit, buildActor } from '../audit/index.ts';
import { decideError } from './decide-error.ts';
import { clearAssignee } from './decisions-store.ts';
import { readRange } from './error-range.ts';
import { type ErrorScope, NEWEST_FIRST, type Range } from './errors-store.ts';
import { findErrorGrouping } from './grouping/grouping-store.ts';
import { mergeErrors, splitError } from './merges/merge-errors.ts';
import { createErrorReader, type ListedErrors, type ReadDeps } from './read-errors.ts';
import { findSeenErrors, type SeenError, type StoredError } from './seen-errors.ts';
import { createExpiredSplits } from './splits/expired-splits.ts';

export { type ErrorGrouping, mergeMore } from './grouping/error-grouping.ts';
export {
  findErrorGrouping,
  findKnownErrors,
  selectErrors,
  selectShownError,
} from './grouping/grouping-store.ts';
export type { SeenError, StoredError } from './seen-errors.ts';
export { readPlace } from './throwing/error-place.ts';

export interface ErrorsDeps extends ReadDeps {
  readonly audit: Audit;
}

export interface Errors {
  readonly register: (http: HttpContext) => void;
  /** Finds the errors of the last day in any state, the most recently seen first, and whether the list is complete. */
  readonly listRecent: (project: ShownProject, scope: ErrorScope) => Promise<ListedErrors>;
  /** Finds the errors of a time range in epoch µs, in any state, the most recently seen first, and whether the list is complete. */
  readonly listSeen: (project: ShownProject, range: Range) => Promise<ListedErrors>;
  /** Returns when each split error was split by function. The key is the error's id before the split. */
  readonly findSplitTimes: (project: ShownProject) => Promise<ReadonlyMap<string, Date>>;
  /** Returns the current error for each stored error, in the same order. The stored error can have been merged or split in the meantime. */
  readonly findSeen: (project: ShownProject, stored: readonly StoredError[]) => Promise<readonly SeenError[]>;
  /** Deletes the splits of errors without stored traces. Keeps a split that a user's decision needs. */
  readonly deleteExpired: () => Promise<void>;
  /** Clears the assignee of errors that are assigned to a member who leaves the organization. */
  readonly unassign: (tx: ControlDb, organizationId: OrganizationId, userId: UserId) => Promise<void>;
}

/** The errors of a project, with affected users, times, states and decisions. */
export function createErrors(deps: ErrorsDeps): Errors {
  const { clock } = deps;
  const reader = createErrorReader(deps);

  /** Returns the range of all stored traces, because an error's state can be changed as long as one of its traces is stored. */
  const readStored = ({ shownSince }: ShownProject): Range => {
    const { until } = readRange({ days: 1 }, clock.nowMicros());
    return { from: shownSince, until };
  };

  return {
    listRecent: (project, scope) =>
      reader.list(project, readRange({ days: 1 }, clock.nowMicros()), NEWEST_FIRST, scope),
    listSeen: (project, range) => reader.list(project, range, NEWEST_FIRST),
    async findSplitTimes({ id }) {
      const { splits } = await findErrorGrouping(deps.control.db, id);
      return new Map([...splits].map(([errorId, { splitAt }]) => [errorId, splitAt]));
    },
    findSeen: (project, stored) => findSeenErrors(deps, project, stored),
    deleteExpired: createExpiredSplits(deps),
    unassign: clearAssignee,
    register(http) {
      const { errors } = routes;
      serve(http, errors.list, async ({ scope, caller, query }) => {
        const range = readRange(query, clock.nowMicros());
        const project = getProject(scope);
        const found = await (query.assigned === 'me'
          ? reader.listAssigned(project, range, query, caller.userId)
          : reader.list(project, range, query));
        return {
          ...found,
          from: formatInstant(range.from),
          until: formatInstant(range.until),
        };
      });
      serve(http, errors.read, async ({ scope, params, query }) => ({
        detail: await reader.describe(getProject(scope), params.errorId, readRange(query, clock.nowMicros())),
      }));
      serve(http, errors.compare, async ({ scope, params, query }) => ({
        comparison: await reader.compare(
          getProject(scope),
          params.errorId,
          readRange(query, clock.nowMicros()),
        ),
      }));
      serve(http, errors.throwing, async ({ scope, params, query }) => ({
        throwing: await reader.findThrowing(
          getProject(scope),
          params.errorId,
          readRange(query, clock.nowMicros()),
        ),
      }));
      serve(http, errors.update, async ({ scope, caller, request, params, body }) => {
        const project = getProject(scope);
        const found = await reader.find(project, params.errorId, readStored(project));
        const about = { actor: buildActor(caller, request), projectId: project.id, row: found.row };
        await decideError(deps, about, body);
        return { error: await reader.show(project, found) };
      });
      serve(http, errors.merge, async ({ scope, caller, request, params: { errorId }, body }) => {
        const project = getProject(scope);
        const found = await reader.findKnown(project, readStored(project), [errorId, ...body.errorIds]);
        const into = { actor: buildActor(caller, request), projectId: project.id, errorId };
        return { errorId: await mergeErrors(deps, into, body.errorIds, found) };
      });
      serve(http, errors.splitOff, async ({ scope, caller, request, params: { errorId, mergedId } }) => {
        const { id } = getProject(scope);
        await splitError(deps, { actor: buildActor(caller, request), projectId: id, errorId }, mergedId);
        return { success: true as const };
      });
    },
  };
}
