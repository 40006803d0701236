import { type Clock, toMicros } from '../../../platform/clock.ts';
import { type ControlStore, lockOwner } from '../../../platform/control-store/index.ts';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import type { ErrorRow } from '../errors-store.ts';
import type { ErrorGrouping } from '../grouping/error-grouping.ts';
import { findErrorGrouping } from '../grouping/grouping-store.ts';
import { isTooEarly, listHeirs, type PlannedSplit, planSplit } from './plan-split.ts';
import { findDecision, findPlaces, putHeirs, putSplit } from './splits-store.ts';

/** Maximum number of split errors of a project: the ids of all split errors are parameters of each query. */
const MAX_ERROR_SPLITS = 500;

interface SplitDeps {
  readonly control: ControlStore;
  readonly store: TraceStore;
  readonly clock: Clock;
}

interface ErrorToSplit extends PlannedSplit {
  readonly errorId: string;
}

/**
 * Splits each listed error whose message is thrown by several functions. Errors that users merged are not split, because the users decided
 * what belongs together. Returns true if an error was split.
 */
export async function splitByPlace(
  deps: SplitDeps,
  project: ShownProject,
  grouping: ErrorGrouping,
  rows: readonly ErrorRow[],
): Promise<boolean> {
  if (grouping.splits.size >= MAX_ERROR_SPLITS) return false;
  const nowMicros = deps.clock.nowMicros();
  const candidates = rows.filter(
    ({ error_id, places, first, first_placed }) =>
      places > 1 && canBeSplit(grouping, error_id) && !isTooEarly(first_placed, first, nowMicros),
  );
  if (candidates.length === 0) return false;
  const planned = await planSplits(deps, project, candidates);
  return planned.length > 0 && storeSplits(deps, project, planned);
}

function canBeSplit({ splits, resolve, listMerged }: ErrorGrouping, errorId: string): boolean {
  return !splits.has(errorId) && resolve(errorId) === errorId && listMerged(errorId).length === 0;
}

/**
 * Plans the splits from all stored requests. The listed rows can leave out requests: requests in other parts of the project, or requests
 * after the end of the range.
 */
async function planSplits(
  { store, clock }: SplitDeps,
  project: ShownProject,
  candidates: readonly ErrorRow[],
): Promise<ErrorToSplit[]> {
  const errorIds = candidates.map(({ error_id }) => error_id);
  const byError = Map.groupBy(await findPlaces(store, project, errorIds), ({ message_id }) => message_id);
  return errorIds.flatMap((errorId) => {
    const requests = (byError.get(errorId) ?? []).map(({ placed_id, is_placed, first }) => ({
      placedId: placed_id,
      isPlaced: is_placed,
      firstMicros: first,
    }));
    const plan = planSplit(requests, clock.nowMicros());
    return plan === undefined ? [] : [{ ...plan, errorId }];
  });
}

async function storeSplits(
  { control, clock }: SplitDeps,
  { id: projectId }: ShownProject,
  planned: readonly ErrorToSplit[],
): Promise<boolean> {
  return control.db.transaction(async (tx) => {
    if ((await lockOwner(tx, projectId)) === undefined) return false;
    // Users can have merged the errors since they were listed.
    const grouping = await findErrorGrouping(tx, projectId);
    const room = Math.max(0, MAX_ERROR_SPLITS - grouping.splits.size);
    const wanted = planned.filter(({ errorId }) => canBeSplit(grouping, errorId)).slice(0, room);
    for (const split of wanted) {
      const { errorId, firstId, knownMicros } = split;
      const knownSince = knownMicros === null ? null : toDate(knownMicros.since);
      const knownUntil = knownMicros === null ? null : toDate(knownMicros.until);
      const decision = await findDecision(tx, projectId, errorId);
      const heirs = decision === undefined ? [] : listHeirs(split, toMicros(decision.changedAt.getTime()));
      const times = { knownSince, knownUntil, splitAt: clock.now() };
      await putSplit(tx, { projectId, errorId, firstId, ...times, decidedIds: heirs });
      if (decision !== undefined) await putHeirs(tx, decision, heirs);
    }
    return wanted.length > 0;
  });
}

function toDate(micros: bigint): Date {
  return new Date(Number(micros / 1000n));
}
