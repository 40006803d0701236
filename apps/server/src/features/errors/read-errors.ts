import {
  type ErrorComparison,
  type ErrorDetail,
  type ErrorGroup,
  formatInstant,
  type ThrowingFunction,
  type TraceDifference,
} from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import { type ControlStore, findPeople } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { ShownProject } from '../../platform/http/guard.ts';
import type { UserId } from '../../platform/ids.ts';
import type { FairMutex } from '../../platform/queues/fair-mutex.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { compareRequests, findNewestTraces } from '../traces/index.ts';
import { findCompared, selectRequests } from './compared-store.ts';
import { findAssigned, findClosed, findDecisions } from './decisions-store.ts';
import { describeError, findSide } from './describe-error.ts';
import {
  type ErrorListing,
  type ErrorRow,
  type ErrorScope,
  findAffected,
  findErrors,
  findParts,
  findSameMessage,
  findStartOfNewest,
  NEWEST_FIRST,
  type Range,
} from './errors-store.ts';
import type { ErrorGrouping } from './grouping/error-grouping.ts';
import { createErrorConditions } from './grouping/error-texts-store.ts';
import { type ErrorSql, findErrorGrouping, selectErrors } from './grouping/grouping-store.ts';
import { sortByKnownTimes, withKnownTimes } from './splits/known-times.ts';
import { splitByPlace } from './splits/split-errors.ts';
import { readPlace } from './throwing/error-place.ts';
import { findThrowingFunction } from './throwing/throwing-function.ts';

const MAX_TRACES = 10;
/** Maximum number of assigned errors that are queried. */
const MAX_ASSIGNED = 1000;
/**
 * Maximum number of resolved and ignored errors that are passed to a query. Further resolved and ignored errors count towards the query's
 * limit and are removed only after the query, so the list can then lack other errors.
 */
const MAX_CLOSED = 5000;
/** With fewer failed requests, values that they share could be a coincidence. */
const MIN_COMPARED = 3;
/**
 * With more failed or successful requests, a sample of them is compared: the shares in the sample differ from the shares of all requests by
 * less than a percentage point.
 */
const MAX_COMPARED = 10_000;
/** Fields by which the compared requests are selected, so a difference in these fields explains nothing. */
const CHOSEN_BY: ReadonlySet<TraceDifference['field']> = new Set(['status', 'errorGroup', 'service']);
/** The format of an error's id. */
const ERROR_ID = /^[0-9a-f]{32}$/;

export interface ReadDeps {
  readonly control: ControlStore;
  readonly store: TraceStore;
  readonly clock: Clock;
  /** Runs one analysis at a time; projects take turns. */
  readonly turns: FairMutex;
}

/** An error that was found by its id, or by the id of an error that was merged into it. */
export interface FoundError {
  readonly row: ErrorRow;
  readonly grouping: ErrorGrouping;
  /** The ids of all errors whose requests belong to this error: its own id, and the ids of merged errors. */
  readonly ids: readonly string[];
  /** The condition for all failed requests of this error. */
  readonly of: ErrorSql;
}

/** An error, and the id of the error before a split by function. Both are the same id, except for an error that was split off. */
export interface KnownError {
  readonly errorId: string;
  readonly messageId: string;
}

/** A list of errors. */
export interface ListedErrors {
  readonly errors: ErrorGroup[];
  /** False if more errors match than a list can contain. */
  readonly isAll: boolean;
}

export interface ErrorReader {
  list(project: ShownProject, range: Range, listing: ErrorListing, of?: ErrorScope): Promise<ListedErrors>;
  listAssigned(
    project: ShownProject,
    range: Range,
    listing: ErrorListing,
    assignee: UserId,
  ): Promise<ListedErrors>;
  /** @throws AppError `not_found` if no request in the range has the error */
  find(project: ShownProject, errorId: string, range: Range): Promise<FoundError>;
  /** Describes an error with the decisions about it. */
  show(project: ShownProject, found: FoundError): Promise<ErrorGroup>;
  /** @throws AppError `not_found` */
  describe(project: ShownProject, errorId: string, range: Range): Promise<ErrorDetail>;
  /**
   * Compares the requests with an error to successful requests to the same endpoints.
   * @throws AppError `not_found` if no request in the range has the error
   */
  compare(project: ShownProject, errorId: string, range: Range): Promise<ErrorComparison>;
  /** @throws AppError `not_found` */
  findThrowing(project: ShownProject, errorId: string, range: Range): Promise<ThrowingFunction | null>;
  /**
   * Returns the given errors with the ids that they had before a split by function. Leaves out errors that are part of a merge.
   * @throws AppError `not_found` if an id is not an error's id, or if an error that is not part of a merge has no stored request before the
   * end of the range
   */
  findKnown(project: ShownProject, range: Range, errorIds: readonly string[]): Promise<readonly KnownError[]>;
}

/**
 * Lists the ids of all errors whose requests are shown as one error: the error itself or, if it was merged, the target of the merge, and
 * all errors merged into this error.
 */
function listIds(grouping: ErrorGrouping, given: string): string[] {
  const errorId = grouping.resolve(given);
  return [errorId, ...grouping.listMerged(errorId)];
}

/** Reads the errors of projects. Merged errors are read as one. Errors that must be split by function are split when they are read. */
export function createErrorReader(deps: ReadDeps): ErrorReader {
  const {
    control: { db },
    store,
    clock,
    turns,
  } = deps;
  const conditions = createErrorConditions(store);

  /** Reads the errors that `choose` selects. `choose` receives the current grouping of the project's failed requests into errors. */
  const readRows = async <Scope extends ErrorScope>(
    project: ShownProject,
    range: Range,
    choose: (grouping: ErrorGrouping) => Scope | Promise<Scope>,
    listing: ErrorListing,
  ) => {
    const readOnce = async () => {
      const grouping = await findErrorGrouping(db, project.id);
      const closed =
        listing.state === 'all'
          ? []
          : await findClosed(
              db,
              project.id,
              listing.state === 'open' ? ['resolved', 'ignored'] : [listing.state],
              MAX_CLOSED,
            );
      const scope = await choose(grouping);
      const found = await findErrors(store, project, range, grouping, scope, listing, closed);
      return { grouping, scope, ...found };
    };
    return turns.run(project.id, async () => {
      let found = await readOnce();
      if (await splitByPlace(deps, project, found.grouping, found.rows)) found = await readOnce();
      const { grouping, scope, isAll } = found;
      return {
        grouping,
        scope,
        isAll,
        rows: found.rows.map((row) => withKnownTimes(row, grouping, project.shownSince)),
      };
    });
  };

  const readList = async (
    project: ShownProject,
    range: Range,
    listing: ErrorListing,
    choose: (grouping: ErrorGrouping) => ErrorScope,
  ): Promise<ListedErrors> => {
    const { grouping, rows, isAll } = await readRows(project, range, choose, listing);
    conditions.remember(project.id, rows);
    const decisions = await findDecisions(db, project.id);
    const errors = sortByKnownTimes(rows, listing)
      .map((row) => describeError(row, grouping, decisions.get(row.error_id), clock.nowMicros()))
      .filter(({ state }) => listing.state === 'all' || findSide(state) === listing.state);
    return { errors, isAll };
  };

  const findCondition = (project: ShownProject, given: string, range: Range, grouping: ErrorGrouping) => {
    if (!ERROR_ID.test(given)) throw new AppError('not_found');
    return conditions.find(project, range.until, grouping, listIds(grouping, given));
  };

  /**
   * Calls `read` with the condition for an error's requests. Waits for the project's turn before that, because the analyses of different
   * projects take turns.
   */
  const readInTurn = <Result>(
    project: ShownProject,
    errorId: string,
    range: Range,
    read: (of: ErrorSql) => Promise<Result>,
  ): Promise<Result> =>
    turns.run(project.id, async () => {
      const grouping = await findErrorGrouping(db, project.id);
      return read(await findCondition(project, errorId, range, grouping));
    });

  /** Finds an error. Calls `onCondition` as soon as the condition for its requests is known, and again if the error is then split. */
  const findWith = async (
    project: ShownProject,
    given: string,
    range: Range,
    onCondition: (of: ErrorSql) => void,
  ): Promise<FoundError> => {
    const { grouping, scope, rows } = await readRows(
      project,
      range,
      async (present) => {
        const of = await findCondition(project, given, range, present);
        onCondition(of);
        return { of };
      },
      NEWEST_FIRST,
    );
    const [row] = rows;
    if (row === undefined) throw new AppError('not_found');
    return { row, grouping, ids: listIds(grouping, given), of: scope.of };
  };
  const find: ErrorReader['find'] = (project, given, range) => findWith(project, given, range, () => {});

  const show: ErrorReader['show'] = async (project, { row, grouping }) => {
    const decisions = await findDecisions(db, project.id, row.error_id);
    return describeError(row, grouping, decisions.get(row.error_id), clock.nowMicros());
  };

  const findTraces = async (project: ShownProject, range: Range, { row, of }: FoundError) => {
    const readSince = (from: bigint) =>
      findNewestTraces(store, selectRequests(project, { ...range, from }, of), {
        limit: MAX_TRACES,
        matches: row.errors,
      });
    const newest = await readSince(findStartOfNewest(row, range, MAX_TRACES));
    // Requests can have been deleted since they were counted.
    return newest.length < Math.min(MAX_TRACES, row.errors) ? readSince(range.from) : newest;
  };

  const listParts = async (project: ShownProject, range: Range, { grouping, ids, of }: FoundError) => {
    if (ids.length === 1) return [];
    const rows = await findParts(store, project, range, grouping, of);
    return ids.map((id) => {
      const row = rows.find((one) => one.error_id === id);
      return {
        id,
        service: row?.service_name ?? null,
        message: row?.message ?? null,
        requestIds: grouping.listRequestIds([id]),
        count: row?.errors ?? 0,
        lastSeen: row === undefined ? null : formatInstant(row.last),
      };
    });
  };

  const listSameMessage = async (
    project: ShownProject,
    range: Range,
    { row, grouping, ids }: FoundError,
  ): Promise<ErrorDetail['sameMessage']> => {
    if (!grouping.splits.has(row.message_id)) return [];
    const others = { messageId: row.message_id, except: ids };
    const rows = await findSameMessage(store, project, range, grouping, others);
    return rows.map(({ error_id, place, errors, last }) => ({
      id: grouping.resolve(error_id),
      thrownBy: readPlace(place),
      count: errors,
      lastSeen: formatInstant(last),
    }));
  };

  return {
    list: (project, range, listing, of = {}) => readList(project, range, listing, () => of),
    async listAssigned(project, range, listing, assignee) {
      const assigned = await findAssigned(db, project.id, assignee, MAX_ASSIGNED);
      if (assigned.length === 0) return { errors: [], isAll: true };
      return readList(project, range, listing, (grouping) => {
        const { resolve, listMerged } = grouping;
        // Leaves out errors that were merged into others. Their assignees are still stored, and count again if the errors are split off.
        const shown = assigned.filter((id) => resolve(id) === id);
        return {
          of: selectErrors(
            grouping,
            shown.flatMap((id) => [id, ...listMerged(id)]),
          ),
        };
      });
    },
    find,
    show,
    async describe(project, errorId, range) {
      const readAffected = (of: ErrorSql) => findAffected(store, project, range, of);
      let reading: ReturnType<typeof readAffected> | undefined;
      const found = await findWith(project, errorId, range, (of) => {
        reading = readAffected(of);
        // If no error is found, nothing awaits `reading`, so a rejection would be unhandled.
        reading.catch(() => {});
      });
      const [error, affected, traces, parts, sameMessage, assignable] = await turns.run(project.id, () =>
        Promise.all([
          show(project, found),
          reading ?? readAffected(found.of),
          findTraces(project, range, found),
          listParts(project, range, found),
          listSameMessage(project, range, found),
          findPeople(db, project.id),
        ]),
      );
      return {
        error,
        people: affected.people.map(({ name, errors, last }) => ({
          userId: name,
          count: errors,
          lastSeen: formatInstant(last),
        })),
        releases: affected.releases.map(({ name, errors }) => ({ release: name, count: errors })),
        traces,
        parts,
        sameMessage,
        assignable: assignable.map(({ id, name, email }) => ({ id, name, email })),
      };
    },
    async compare(project, errorId, range) {
      const comparison = await readInTurn(project, errorId, range, async (of) => {
        const compared = await findCompared(store, project, range, of, { counted: true });
        return compareRequests(store, compared, (field) => !CHOSEN_BY.has(field), MAX_COMPARED);
      });
      if (comparison.matching === 0) throw new AppError('not_found');
      return comparison.matching < MIN_COMPARED ? { ...comparison, differences: [] } : comparison;
    },
    async findThrowing(project, errorId, range) {
      const found = await readInTurn(project, errorId, range, (of) =>
        findThrowingFunction(store, project, selectRequests(project, range, of), () =>
          findCompared(store, project, range, of, { counted: false }),
        ),
      );
      if (found === undefined) throw new AppError('not_found');
      return found;
    },
    async findKnown(project, range, given) {
      if (!given.every((id) => ERROR_ID.test(id))) throw new AppError('not_found');
      const grouping = await findErrorGrouping(db, project.id);
      const others = [...new Set(given)].filter(
        (id) => grouping.resolve(id) === id && grouping.listMerged(id).length === 0,
      );
      if (others.length === 0) return [];
      const of = selectErrors(grouping, others);
      const rows = await turns.run(project.id, () => findParts(store, project, range, grouping, of));
      if (rows.length < others.length) throw new AppError('not_found');
      return rows.map(({ error_id, message_id }) => ({ errorId: error_id, messageId: message_id }));
    },
  };
}
