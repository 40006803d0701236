import { type DeletionReceipt, mayDo, type RowsByTable, routes } from '@throughline/contract';
import type { ControlDb } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import { type HttpContext, serve } from '../../platform/http/serve.ts';
import { type ProjectId, readId } from '../../platform/ids.ts';
import { startPeriodicJob } from '../../platform/queues/periodic-job.ts';
import { countAll, toSent } from './counts.ts';
import { countFigures, countSent, type SentRows } from './rows-store.ts';
import { findOwned, findReceipt, insertReceipt, type ReceiptRow, updateReceipt } from './store.ts';
import { createSweep, type SweepDeps } from './sweep.ts';

export { findDeletionState } from './store.ts';

const SWEEP_MS = 5 * 60_000;

/** Data to delete from a project that itself is not deleted. */
export interface Subject {
  readonly what: 'trace' | 'traces' | 'user';
  readonly projectId: ProjectId;
  /** The subject as stored in the receipt, which outlives the subject: an id, or the hash of an id. */
  readonly subject: string | null;
  /** Hours since 1970 whose rollups contained the data. Null means all rollups of the project, which are deleted. */
  readonly hours: readonly number[] | null;
  /** Counts the subject's rows. If absent, all rows that the project has sent so far are counted. */
  readonly count?: () => Promise<Omit<SentRows, 'batches' | 'sources'>>;
  readonly remove: () => Promise<void>;
}

/** A receipt with the numbers of rows that are left after the deletion. */
export type CountedReceipt = DeletionReceipt & { readonly after: RowsByTable };

/** Receipts of deletions: the number of rows before and after, and when the bytes were removed from the disk. */
export interface DeletionReceipts {
  /** Deletes the subject and counts its rows before and after. */
  carryOut(subject: Subject): Promise<CountedReceipt>;
  /**
   * Counts the rows of a project that the caller deletes in the transaction `tx`. Stores the counts in a receipt, and returns the receipt's
   * id.
   */
  ofProject(tx: ControlDb, id: ProjectId): Promise<string>;
  /**
   * Counts the rows of a deleted project that are left, and returns the project's receipt with this count. If the store does not respond,
   * returns the receipt as it is stored.
   */
  recount(receiptId: string): Promise<DeletionReceipt>;
  /**
   * Removes deleted rows from the files. Runs automatically every five minutes instead of after each deletion, because rewriting files
   * takes as long for one trace as for a thousand.
   */
  sweep(): Promise<void>;
  register(http: HttpContext): void;
  close(): Promise<void>;
}

export function createDeletionReceipts(deps: SweepDeps): DeletionReceipts {
  const { store, clock, log } = deps;
  const { db } = deps.control;

  const sweep = startPeriodicJob({
    everyMs: SWEEP_MS,
    work: createSweep(deps),
    log,
    failure: 'deleted rows could not be removed from the disk; the server will try again',
  });

  /** Stores the numbers of remaining rows in the receipt, and returns the receipt. */
  const counted = async (row: ReceiptRow, after: RowsByTable): Promise<CountedReceipt> => {
    await updateReceipt(db, row.id, { after });
    return { ...describe(row), after };
  };

  return {
    sweep: sweep.run,
    async carryOut({ what, projectId, subject, hours, count, remove }) {
      const owned = await findOwned(db, projectId);
      if (owned === undefined) throw new AppError('not_found');
      const figures = { projectId, hours, madeUntilMs: Date.now() };
      const requestedAt = clock.now();
      const countNow = async () => ({
        batches: 0,
        sources: 0,
        ...(count === undefined
          ? await countSent(store, { projectId, until: requestedAt, batches: false })
          : await count()),
        ...(await countFigures(store, figures)),
      });
      const before = await countNow();
      const row = await insertReceipt(db, { what, projectId, owned, subject, hours, requestedAt, before });
      await remove();
      return counted(row, await countNow());
    },
    async ofProject(tx, projectId) {
      const owned = (await findOwned(tx, projectId)) ?? { name: '', organizationId: null, userId: null };
      const requestedAt = clock.now();
      const receipt = { what: 'project', projectId, owned, subject: null, hours: null, requestedAt } as const;
      const before = {
        ...(await countSent(store, { projectId, until: requestedAt, batches: true })),
        ...(await countFigures(store, { projectId, hours: null, madeUntilMs: Date.now() })),
      };
      return (await insertReceipt(tx, { ...receipt, before })).id;
    },
    async recount(id) {
      const row = await findReceipt(db, id);
      if (row === undefined) throw new AppError('not_found');
      try {
        return await counted(row, await countAll(store, row, toSent(row, clock.now())));
      } catch (err) {
        // The project is deleted anyway, and its rows are deleted once the store works again.
        log.warn({ err, receipt: id }, 'the remaining rows of a deleted project could not be counted');
        return describe(row);
      }
    },
    register(http) {
      serve(http, routes.deletions.read, async ({ params, caller }) => {
        const id = readId(params.id);
        const row = id === undefined ? undefined : await findReceipt(db, id);
        const { organization } = caller;
        const isOwn = row !== undefined && row.userId === caller.userId;
        const isOfOrganization =
          row !== undefined &&
          organization !== null &&
          row.organizationId === organization.id &&
          mayDo(organization.role, 'traces.delete');
        if (row === undefined || !(isOwn || isOfOrganization)) throw new AppError('not_found');
        return { receipt: describe(row) };
      });
    },
    close: sweep.close,
  };
}

/** Receipts that an earlier version of the server stored do not contain this count. */
const NOT_COUNTED = { callerFigures: 0 };

function describe(row: ReceiptRow): DeletionReceipt {
  const { id, what, projectId, project, subject, requestedAt, before, after, goneAt } = row;
  return {
    id,
    what,
    projectId,
    project,
    subject,
    requestedAt: requestedAt.toISOString(),
    before: { ...NOT_COUNTED, ...before },
    after: after === null ? null : { ...NOT_COUNTED, ...after },
    goneAt: goneAt?.toISOString() ?? null,
  };
}
