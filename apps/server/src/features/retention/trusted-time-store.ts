import { gte, sql } from 'drizzle-orm';
import { type ControlDb, deletionTimes, retentionsSeen } from '../../platform/control-store/index.ts';
import { CONFIRM_MS, observe, type TrustedTime } from './trusted-time.ts';

/** A server's reading of its clock. */
export interface ServerReading {
  /** Id of the process that read its clock. */
  readonly observer: string;
  readonly nowMs: number;
  /** Running time of the process since its previous reading; 0 for the first reading. */
  readonly ranMs: number;
  /**
   * True to take over counting the running time, false to leave it to the counting server. With a number, this server takes over only if
   * the row still has this number of readings, which means that no counting server has read its clock since.
   */
  readonly takeOver: boolean | number;
}

/**
 * The result of a reading: the tracked time, the number of readings by counting servers, and whether this server counts the running time.
 */
export interface TrackedTime {
  readonly held: TrustedTime;
  readonly readings: number;
  readonly counts: boolean;
}

/**
 * Tracks clock readings for all servers of the store. One server counts the running time for which a clock reading was confirmed. Until
 * another server takes over the counting, it can only set the tracked time back to the reading of its own clock.
 */
export async function observeClock(db: ControlDb, reading: ServerReading): Promise<TrackedTime> {
  return db.transaction(async (tx) => {
    const { observer, nowMs } = reading;
    const first = observe(undefined, reading);
    await tx
      .insert(deletionTimes)
      .values({ ...toRow(first), observer, readings: 0 })
      .onConflictDoNothing();
    const [row] = await tx.select().from(deletionTimes).for('update');
    if (row === undefined) throw new Error('the observed time was removed while it was read');
    const before: TrustedTime = {
      trustedMs: row.trustedAt?.getTime() ?? null,
      candidateMs: row.candidateAt.getTime(),
      heldMs: row.heldMs,
    };
    const isOwn = row.observer === observer;
    const counts = isOwn || reading.takeOver === true || reading.takeOver === row.readings;
    const held = observe(before, { nowMs, ranMs: isOwn ? reading.ranMs : 0 });
    const readings = counts ? row.readings + 1 : row.readings;
    await tx.update(deletionTimes).set({ ...toRow(held), ...(counts && { observer, readings }) });
    if (before.trustedMs !== null && held.trustedMs !== null && isOwn)
      await moveRetentions(tx, before.trustedMs, held.trustedMs - before.trustedMs - reading.ranMs);
    return { held, readings, counts };
  });
}

/**
 * Shifts recorded retentions when the trusted time jumps forward, so that retentions seen within the last day remain within the last day
 * of running time.
 */
async function moveRetentions(
  db: Pick<ControlDb, 'update'>,
  trustedMs: number,
  leapMs: number,
): Promise<void> {
  if (leapMs <= 0) return;
  const leap = sql`make_interval(secs => ${leapMs / 1000}::double precision)`;
  await db
    .update(retentionsSeen)
    .set({
      firstSeenAt: sql`${retentionsSeen.firstSeenAt} + ${leap}`,
      lastSeenAt: sql`${retentionsSeen.lastSeenAt} + ${leap}`,
    })
    .where(gte(retentionsSeen.lastSeenAt, new Date(trustedMs - CONFIRM_MS)));
}

function toRow({ trustedMs, candidateMs, heldMs }: TrustedTime) {
  return {
    trustedAt: trustedMs === null ? null : new Date(trustedMs),
    candidateAt: new Date(candidateMs),
    heldMs: Math.round(heldMs),
  };
}
