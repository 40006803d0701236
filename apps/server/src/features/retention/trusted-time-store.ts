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
   * True if this server takes over counting the running time; false if the server that counts so far continues. With a number, this server
   * takes over only if the row still has this number of `readings`: the number is higher if the counting server has read its clock since.
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
 * Records a server's clock reading in the one row that all servers of the store share. Only one server at a time counts running time,
 * during which the candidate is confirmed. The reading of any other server can only set the tracked time back, if that server's clock reads
 * less than the tracked time.
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
 * If the trusted time advances by `leapMs` more than the time that the server ran, moves the recorded retentions of the last day forward by
 * `leapMs`. Otherwise the retentions would seem older than a day, although the server has run for less than a day since they were recorded.
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
