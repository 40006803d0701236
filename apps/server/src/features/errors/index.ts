import {
  type ErrorComparison,
  type ErrorDetail,
  type ErrorGroup,
  microsToInstant,
  routes,
  TREND_PARTS,
  type TraceDifference,
} from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { ShownProject, VisibleProject } from '../../platform/http/guard.ts';
import { getProject, type HttpContext, serve } from '../../platform/http/serve.ts';
import type { FairMutex } from '../../platform/queues/fair-mutex.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { compareRequests, findPage } from '../traces/index.ts';
import { findDecisions, putDecision, type StoredDecision } from './decisions-store.ts';
import { readRange } from './error-range.ts';
import { findState } from './error-state.ts';
import {
  type ErrorRow,
  type ErrorScope,
  findAffected,
  findErrors,
  MAX_ERRORS,
  type Range,
  selectCompared,
} from './errors-store.ts';
import { findThrowingFunction } from './throwing/throwing-function.ts';

const MAX_TRACES = 10;
/** Fewer failed requests share any value by chance. */
const MIN_COMPARED = 3;
/** Fields by which an error's requests differ from successful ones by definition. */
const CHOSEN_BY: ReadonlySet<TraceDifference['field']> = new Set(['status', 'errorGroup', 'service']);
/** An id as the list gives it. */
const ERROR_ID = /^[0-9a-f]{32}$/;

export interface ErrorsDeps {
  readonly control: ControlStore;
  readonly store: TraceStore;
  readonly clock: Clock;
  /** All analyses run in these turns; their owners are projects. */
  readonly turns: FairMutex;
}

export interface Errors {
  readonly register: (http: HttpContext) => void;
  /** Finds the errors of the last day in any state, the last seen first, and tells whether these are all. */
  readonly listRecent: (
    project: ShownProject,
    scope: ErrorScope,
  ) => Promise<{ readonly errors: ErrorGroup[]; readonly isAll: boolean }>;
}

/** The errors of a project: what fails, for whom and since when, and what was decided about it. */
export function createErrors({ control, store, clock, turns }: ErrorsDeps): Errors {
  const { db } = control;

  const list = async (project: ShownProject, range: Range, of: ErrorScope = {}): Promise<ErrorGroup[]> => {
    const [rows, decisions] = await Promise.all([
      turns.run(project.id, () => findErrors(store, project, range, of)),
      findDecisions(db, project.id),
    ]);
    return rows.map((row) => describeError(row, decisions.get(row.error_id), clock.nowMicros()));
  };

  /** @throws AppError `not_found` */
  const find = async (project: VisibleProject, errorId: string, range: Range): Promise<ErrorRow> => {
    const [row] = ERROR_ID.test(errorId)
      ? await turns.run(project.id, () => findErrors(store, project, range, { errorId }))
      : [];
    if (row === undefined) throw new AppError('not_found');
    return row;
  };

  const findShared = async (
    project: VisibleProject,
    range: Range,
    row: ErrorRow,
  ): Promise<ErrorComparison> => {
    const error = { errorId: row.error_id, service: row.service_name };
    const found = await compareRequests(
      store,
      selectCompared(project, range, error),
      ({ field }) => !CHOSEN_BY.has(field),
    );
    return row.errors < MIN_COMPARED ? { ...found, differences: [] } : found;
  };

  const findThrowing = async (project: VisibleProject, errorId: string, range: Range) => {
    const row = await find(project, errorId, range);
    const compared = selectCompared(project, range, { errorId, service: row.service_name });
    return turns.run(project.id, () => findThrowingFunction(store, project, compared));
  };

  const findTraces = async (project: VisibleProject, range: Range, row: ErrorRow) => {
    const page = await findPage(store, [project], {
      filters: { status: 'error', errorGroup: row.message, ...serviceFilter(row.service_name) },
      attributes: [],
      ...range,
      sort: 'time',
      limit: MAX_TRACES,
      after: undefined,
    });
    return [...page.rows];
  };

  const describe = async (project: VisibleProject, errorId: string, range: Range): Promise<ErrorDetail> => {
    const row = await find(project, errorId, range);
    const [decisions, affected, shared, traces] = await turns.run(project.id, () =>
      Promise.all([
        findDecisions(db, project.id, errorId),
        findAffected(store, project, range, errorId),
        findShared(project, range, row),
        findTraces(project, range, row),
      ]),
    );
    return {
      error: describeError(row, decisions.get(errorId), clock.nowMicros()),
      people: affected.people.map(({ user_id, errors, last }) => ({
        userId: user_id,
        count: errors,
        lastSeen: microsToInstant(last),
      })),
      releases: affected.releases.map(({ name, errors }) => ({ release: name, count: errors })),
      shared,
      traces,
    };
  };

  return {
    async listRecent(project, scope) {
      const errors = await list(project, readRange({ days: 1 }, clock.nowMicros()), scope);
      return { errors, isAll: errors.length < MAX_ERRORS };
    },
    register(http) {
      const { errors } = routes;
      serve(http, errors.list, async ({ scope, query }) => {
        const range = readRange(query, clock.nowMicros());
        const found = await list(getProject(scope), range);
        return {
          errors: found.filter(({ state }) => query.state === 'all' || findSide(state) === query.state),
          from: microsToInstant(range.from),
          until: microsToInstant(range.until),
        };
      });
      serve(http, errors.read, async ({ scope, params, query }) => ({
        detail: await describe(getProject(scope), params.errorId, readRange(query, clock.nowMicros())),
      }));
      serve(http, errors.throwing, async ({ scope, params, query }) => ({
        throwing: await findThrowing(getProject(scope), params.errorId, readRange(query, clock.nowMicros())),
      }));
      serve(http, errors.update, async ({ scope, caller, params, body }) => {
        const project = getProject(scope);
        // An error can be decided on as long as any of its traces is stored.
        const { until } = readRange({ days: 1 }, clock.nowMicros());
        const row = await find(project, params.errorId, { from: project.shownSince, until });
        const before = (await findDecisions(db, project.id, params.errorId)).get(params.errorId);
        const isSame = body.state === undefined;
        const afterRelease = body.state === 'resolved' && body.inNextRelease ? row.last_release : null;
        await putDecision(db, {
          projectId: project.id,
          errorId: params.errorId,
          state: body.state ?? before?.state ?? 'open',
          afterRelease: isSame ? (before?.afterRelease ?? null) : afterRelease,
          note: body.note ?? before?.note ?? '',
          changedBy: caller.userId,
          // A note alone does not change since when an error counts as resolved.
          changedAt: isSame ? (before?.changedAt ?? clock.now()) : clock.now(),
        });
        const decisions = await findDecisions(db, project.id, params.errorId);
        return { error: describeError(row, decisions.get(params.errorId), clock.nowMicros()) };
      });
    },
  };
}

/** The list that an error is in. */
function findSide(state: ErrorGroup['state']): 'open' | 'resolved' | 'ignored' {
  return state === 'resolved' || state === 'ignored' ? state : 'open';
}

function serviceFilter(service: string): { readonly service?: string; readonly services?: 'unnamed' } {
  return service === '' ? { services: 'unnamed' } : { service };
}

function describeError(row: ErrorRow, decision: StoredDecision | undefined, nowMicros: bigint): ErrorGroup {
  const [releases, lasts] = row.releases;
  const lastByRelease = new Map(releases.map((release, at) => [release, lasts[at] ?? row.last]));
  const [parts, counts] = row.trend;
  const isChanged = decision !== undefined && decision.state !== 'open';
  return {
    id: row.error_id,
    service: row.service_name,
    message: row.message,
    count: row.errors,
    users: row.users,
    endpoint: row.most_endpoint,
    endpoints: row.endpoint_count,
    firstSeen: microsToInstant(row.first),
    lastSeen: microsToInstant(row.last),
    firstRelease: row.first_release,
    lastRelease: row.last_release,
    trend: Array.from({ length: TREND_PARTS }, (_, part) => counts[parts.indexOf(part)] ?? 0),
    state: findState({ firstMicros: row.first, lastByRelease }, decision, nowMicros),
    changed: isChanged ? { at: decision.changedAt.toISOString(), by: decision.changedBy } : null,
    resolvedAfterRelease: decision?.state === 'resolved' ? decision.afterRelease : null,
    note: decision?.note ?? '',
    newest: row.newest,
  };
}
