import { v7 } from 'uuid';
import type { Clock } from '../../platform/clock.ts';
import type { ControlDb, ControlStore } from '../../platform/control-store/index.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { computeMonth } from './month.ts';
import { computeHardLimit, hasReached, NOTICE_LEVELS, type NoticeLevel, type Quota } from './quota.ts';
import {
  type AccountId,
  countStored,
  deleteReservations,
  findReservations,
  insertReservations,
  lockMonths,
  type MonthRow,
  type ReservationRow,
  releaseReservation,
  saveMonth,
} from './store.ts';

/** Number of traces that an account is about to store. */
export interface Wanted {
  readonly quota: Quota;
  readonly traces: number;
}

/** The quota that was reserved for an account; `traces` is the number of traces that fit. */
export interface GrantedQuota {
  /** Id of the reservation. The rows of the traces contain this id, so that the stored traces can be counted later. */
  readonly id: string;
  readonly traces: number;
  /** The month's count, including the traces of this reservation. */
  readonly used: number;
}

/**
 * Counts traces before they are stored, so that several servers together never exceed the plan limit. A reservation is deleted when its
 * traces are stored. Until then, the reservation can be compared with the stored rows, which keeps the count exact after a crash.
 */
export interface Reservations {
  reserve(wanted: readonly Wanted[]): Promise<ReadonlyMap<AccountId, GrantedQuota>>;
  /** Ends these reservations, because their traces are stored. */
  commit(ids: readonly string[]): void;
  /**
   * Ends these reservations if it is unknown whether the traces were stored: {@link reconcile} releases quota for the traces that were not
   * stored.
   */
  release(ids: readonly string[]): void;
  /**
   * Releases quota for counted traces that were never stored. Applies to reservations older than `reservedBefore`, except reservations that
   * are still in progress on this server.
   */
  reconcile(reservedBefore: Date): Promise<void>;
}

export function createReservations(deps: {
  readonly control: ControlStore;
  readonly traces: TraceStore;
  readonly clock: Clock;
  /** Notifies the account's owner, in the transaction that reserves the quota. */
  readonly reached: (tx: ControlDb, account: AccountId, level: NoticeLevel, quota: Quota) => Promise<void>;
}): Reservations {
  const { control, clock, traces, reached } = deps;
  const { db } = control;
  const onTheirWay = new Set<string>();
  let done: string[] = [];

  const count = async (tx: ControlDb, row: MonthRow, { quota, traces: wanted }: Wanted): Promise<number> => {
    const limit = computeHardLimit(quota.plan);
    const granted = limit === undefined ? wanted : Math.max(0, Math.min(wanted, limit - row.traces));
    if (granted === 0) return 0;
    const now = clock.now();
    const total = row.traces + granted;
    const isNews = (level: NoticeLevel) =>
      hasReached(level, total, quota.plan) && (level === 80 ? row.reached80At : row.reached100At) === null;
    const news = NOTICE_LEVELS.filter(isNews);
    await saveMonth(tx, {
      ...row,
      traces: total,
      reached80At: news.includes(80) ? now : row.reached80At,
      reached100At: news.includes(100) ? now : row.reached100At,
    });
    // If both notice levels are reached at the same time, only the message about the higher level is sent.
    const level = news.at(-1);
    if (level !== undefined) await reached(tx, row.accountId, level, quota);
    return granted;
  };

  return {
    async reserve(wanted) {
      const finished = done;
      done = [];
      const now = clock.now();
      const byAccount = new Map(wanted.map((want) => [want.quota.accountId, want]));
      const granted = new Map<AccountId, GrantedQuota>();
      await db.transaction(async (tx) => {
        const keys = wanted.map(({ quota }) => ({
          accountId: quota.accountId,
          periodStart: computeMonth(quota.periodAnchor, now).start,
        }));
        const reservations: ReservationRow[] = [];
        for (const row of await lockMonths(tx, keys)) {
          const { accountId, periodStart } = row;
          const want = byAccount.get(accountId);
          const fitting = want === undefined ? 0 : await count(tx, row, want);
          const id = v7();
          granted.set(accountId, { id, traces: fitting, used: row.traces + fitting });
          if (fitting > 0)
            reservations.push({ id, accountId, periodStart, traces: fitting, reservedAt: now });
        }
        await insertReservations(tx, reservations);
        await deleteReservations(tx, finished);
      });
      for (const { id, traces: fitting } of granted.values()) if (fitting > 0) onTheirWay.add(id);
      return granted;
    },
    commit(ids) {
      for (const id of ids) if (onTheirWay.delete(id)) done.push(id);
    },
    release(ids) {
      for (const id of ids) onTheirWay.delete(id);
    },
    async reconcile(reservedBefore) {
      const finished = done;
      done = [];
      await deleteReservations(db, finished);
      const left = (await findReservations(db, reservedBefore)).filter(({ id }) => !onTheirWay.has(id));
      const found = await countStored(
        traces,
        left.map(({ id }) => id),
      );
      for (const reservation of left)
        await releaseReservation(db, reservation, reservation.traces - (found.get(reservation.id) ?? 0));
    },
  };
}
