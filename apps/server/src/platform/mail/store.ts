import { and, asc, desc, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { type ControlDb, mailQueue, mailSends } from '../control-store/index.ts';

export async function insertMail(
  db: ControlDb,
  mail: { readonly sealed: string; readonly id: string; readonly now: Date },
): Promise<void> {
  await db
    .insert(mailQueue)
    .values({ id: mail.id, sealed: mail.sealed, dueAt: mail.now, createdAt: mail.now });
}

export const createMailId = (): string => v7();

export interface QueuedMail {
  readonly id: string;
  readonly sealed: string;
  /** Number of attempts, including the current one. */
  readonly attempts: number;
}

/** Claims up to `limit` due mails, the longest due first. No other server sends them until `leaseUntil`. */
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

/** Allows at most `max` sends per key in any time window of `windowMs`. */
export interface SendRule {
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
}

/**
 * Counts a send under the keys of all rules. If the limit of a rule is reached, counts nothing, and returns the rule and the time at which
 * it next allows a send. Concurrent calls with the same key run one after the other.
 */
export function countSend<Rule extends SendRule>(
  db: ControlDb,
  rules: readonly Rule[],
  now: Date,
): Promise<{ readonly rule: Rule; readonly freeAt: Date } | undefined> {
  const keys = [...new Set(rules.map(({ key }) => key))].sort();
  return db.transaction(async (tx) => {
    for (const key of keys) await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
    for (const rule of rules) {
      const [last] = await tx
        .select({ at: mailSends.at })
        .from(mailSends)
        .where(and(eq(mailSends.key, rule.key), gt(mailSends.at, subtractMs(now, rule.windowMs))))
        .orderBy(desc(mailSends.at))
        .offset(rule.max - 1)
        .limit(1);
      if (last !== undefined) return { rule, freeAt: new Date(last.at.getTime() + rule.windowMs) };
    }
    if (keys.length > 0) await tx.insert(mailSends).values(keys.map((key) => ({ id: v7(), key, at: now })));
    return undefined;
  });
}

export async function deleteSendsBefore(db: ControlDb, instant: Date): Promise<void> {
  await db.delete(mailSends).where(lte(mailSends.at, instant));
}

function subtractMs(instant: Date, ms: number): Date {
  return new Date(instant.getTime() - ms);
}
