import { RECEIPT_DAYS } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import type { Logger } from '../../platform/log.ts';
import { type TraceStore, traceClock } from '../../platform/trace-store/index.ts';
import type { Audit } from '../audit/index.ts';
import type { Rollups } from '../rollups/index.ts';
import { countAll, isNothing, toOldFigures, toSent } from './counts.ts';
import {
  countOldParts,
  countSent,
  deleteFigures,
  deleteProjectMarks,
  deleteSent,
  rewriteParts,
} from './rows-store.ts';
import {
  deleteReceipts,
  deleteReceiptsBefore,
  findUnfinished,
  hasOrganization,
  markDeleted,
  type ReceiptRow,
  updateReceipt,
} from './store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * The delay before rows of a deletion are deleted a second time: during this delay, data sent earlier can still arrive, and running rollup
 * builds can store counts of deleted rows.
 */
const SETTLED_MS = 2 * MINUTE_MS;
/** A deletion that has not finished after this time was interrupted or failed. The user saw the failure and can repeat the request. */
const GIVEN_UP_MS = 60 * MINUTE_MS;

export interface SweepDeps {
  readonly control: ControlStore;
  readonly store: TraceStore;
  readonly rollups: Pick<Rollups, 'changingAll' | 'rebuildHours'>;
  readonly audit: Pick<Audit, 'record'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Returns the sweep, which removes deleted rows from the rollups, then from the files, and records when the files are removed. */
export function createSweep(deps: SweepDeps): () => Promise<void> {
  const { store, rollups, clock, log } = deps;
  const { db } = deps.control;

  /** Deletes rows that arrived or were rolled up during the deletion. Returns true if no rows are left. */
  const settle = async (row: ReceiptRow): Promise<boolean> => {
    const sent = toSent(row, clock.now());
    if (sent !== undefined && !isNothing(await countSent(store, sent))) {
      if (row.what === 'traces') await rollups.changingAll(row.projectId);
      await deleteSent(store, sent);
    }
    if (row.what === 'project') await deleteProjectMarks(store, row.projectId);
    if (row.hours !== null) await rollups.rebuildHours(row.projectId, row.hours);
    await deleteFigures(store, toOldFigures(row));
    const after = await countAll(store, row, sent);
    await updateReceipt(db, row.id, { after });
    if (isNothing(after)) return true;
    log.warn(
      { receipt: row.id, after },
      'some of the deleted rows are still stored; the server will delete them again',
    );
    return false;
  };

  /** Catches errors, so that a receipt that fails does not block the others. */
  const trySettle = (row: ReceiptRow): Promise<boolean> =>
    settle(row).catch((err: unknown) => {
      log.warn(
        { err, receipt: row.id },
        'deleted traces could not be removed from the stats; the server will try again',
      );
      return false;
    });

  const finish = (row: ReceiptRow) =>
    db.transaction(async (tx) => {
      if (!(await markDeleted(tx, row.id, clock.now()))) return;
      const { organizationId } = row;
      // Solo users and deleted organizations have no audit log.
      if (organizationId === null || !(await hasOrganization(tx, organizationId))) return;
      const rows = Object.values(row.before).reduce((sum, count) => sum + count, 0);
      const of = row.subject === null ? '' : `, ${row.what} ${row.subject}`;
      await deps.audit.record(tx, {
        organizationId,
        action: 'project.data_gone',
        actor: null,
        target: `${row.project}${of}: of ${rows} rows none is left; receipt ${row.id}`,
      });
    });

  return async () => {
    const now = clock.now().getTime();
    const settledBefore = new Date(now - SETTLED_MS);
    await deleteReceiptsBefore(db, new Date(now - RECEIPT_DAYS * DAY_MS));
    const unfinished = await findUnfinished(db, settledBefore);
    const isUnanswered = ({ after, what }: ReceiptRow) => after === null && what !== 'project';
    const givenUp = unfinished.filter(
      (row) => isUnanswered(row) && now - row.requestedAt.getTime() > GIVEN_UP_MS,
    );
    await deleteReceipts(
      db,
      givenUp.map(({ id }) => id),
    );

    const settled: ReceiptRow[] = [];
    for (const row of unfinished) {
      if (row.rewrittenAt === null && !isUnanswered(row) && (await trySettle(row))) settled.push(row);
    }
    if (settled.length > 0) {
      await rewriteParts(store);
      const rewrittenAt = await traceClock(store);
      for (const { id } of settled) await updateReceipt(db, id, { rewrittenAt });
    }

    const written = (await findUnfinished(db, settledBefore)).flatMap((row) =>
      row.rewrittenAt === null ? [] : [{ row, atMs: row.rewrittenAt.getTime() }],
    );
    for (const [atMs, those] of Map.groupBy(written, (each) => each.atMs)) {
      if ((await countOldParts(store, new Date(atMs))) > 0) continue;
      for (const { row } of those) await finish(row);
    }
  };
}
