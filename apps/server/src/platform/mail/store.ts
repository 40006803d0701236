import { asc, eq, inArray, lte, sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { type ControlDb, mailQueue } from '../control-store/index.ts';

export async function insertMail(
  db: ControlDb,
  mail: { readonly sealed: string; readonly id: string; readonly now: Date },
): Promise<void> {
  await db
    .insert(mailQueue)
    .values({ id: mail.id, sealed: mail.sealed, dueAt: mail.now, createdAt: mail.now });
}

export const newMailId = (): string => v7();

export interface QueuedMail {
  readonly id: string;
  readonly sealed: string;
  /** This one included. */
  readonly attempts: number;
}

/** Takes some of what is due, each for this server alone until `leaseUntil`. */
export function claimDue(
  db: ControlDb,
  given: { readonly now: Date; readonly leaseUntil: Date; readonly limit: number },
): Promise<QueuedMail[]> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({ id: mailQueue.id })
      .from(mailQueue)
      .where(lte(mailQueue.dueAt, given.now))
      .orderBy(asc(mailQueue.dueAt))
      .limit(given.limit)
      .for('update', { skipLocked: true });
    if (due.length === 0) return [];
    return tx
      .update(mailQueue)
      .set({ dueAt: given.leaseUntil, attempts: sql`${mailQueue.attempts} + 1` })
      .where(
        inArray(
          mailQueue.id,
          due.map((row) => row.id),
        ),
      )
      .returning({ id: mailQueue.id, sealed: mailQueue.sealed, attempts: mailQueue.attempts });
  });
}

export async function deleteMail(db: ControlDb, id: string): Promise<void> {
  await db.delete(mailQueue).where(eq(mailQueue.id, id));
}

export async function postponeMail(db: ControlDb, id: string, dueAt: Date): Promise<void> {
  await db.update(mailQueue).set({ dueAt }).where(eq(mailQueue.id, id));
}
