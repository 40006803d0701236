import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm';
import { backupCodes, type ControlDb, twoFactor } from '../../platform/control-store/index.ts';
import type { UserId } from '../../platform/ids.ts';

export async function findSecondFactor(db: ControlDb, userId: UserId) {
  const [row] = await db.select().from(twoFactor).where(eq(twoFactor.userId, userId));
  return row;
}

/**
 * Stores a new secret, which the user must still confirm. Replaces an earlier secret that was not confirmed. Returns false if two-factor
 * authentication is already on.
 */
export async function putSecret(
  db: ControlDb,
  given: { readonly userId: UserId; readonly sealedSecret: string; readonly now: Date },
): Promise<boolean> {
  const { userId, sealedSecret, now } = given;
  const rows = await db
    .insert(twoFactor)
    .values({ userId, sealedSecret, createdAt: now })
    .onConflictDoUpdate({
      target: twoFactor.userId,
      set: { sealedSecret, createdAt: now, lastStep: 0 },
      setWhere: isNull(twoFactor.confirmedAt),
    })
    .returning({ userId: twoFactor.userId });
  return rows.length === 1;
}

/** Turns two-factor authentication on. Returns false if it is already on or has no secret. */
export async function confirm(db: ControlDb, userId: UserId, now: Date): Promise<boolean> {
  const rows = await db
    .update(twoFactor)
    .set({ confirmedAt: now })
    .where(and(eq(twoFactor.userId, userId), isNull(twoFactor.confirmedAt)))
    .returning({ userId: twoFactor.userId });
  return rows.length === 1;
}

/** Marks a time step as used. Returns false if this step or a later one was used before. */
export async function useStep(db: ControlDb, userId: UserId, step: number): Promise<boolean> {
  const rows = await db
    .update(twoFactor)
    .set({ lastStep: step })
    .where(and(eq(twoFactor.userId, userId), lt(twoFactor.lastStep, step)))
    .returning({ userId: twoFactor.userId });
  return rows.length === 1;
}

/**
 * Turns two-factor authentication off: deletes the secret and the backup codes. If two-factor authentication was not on, returns false, and
 * keeps a secret that the user has not confirmed yet.
 */
export async function deleteSecondFactor(db: ControlDb, userId: UserId): Promise<boolean> {
  await db.delete(backupCodes).where(eq(backupCodes.userId, userId));
  const rows = await db
    .delete(twoFactor)
    .where(and(eq(twoFactor.userId, userId), isNotNull(twoFactor.confirmedAt)))
    .returning({ userId: twoFactor.userId });
  return rows.length === 1;
}

export async function replaceBackupCodes(
  db: ControlDb,
  userId: UserId,
  hashes: readonly string[],
): Promise<void> {
  await db.delete(backupCodes).where(eq(backupCodes.userId, userId));
  await db.insert(backupCodes).values(hashes.map((codeHash) => ({ userId, codeHash })));
}

/** Deletes a backup code, because each code can be used once. Returns false if the user has no such code. */
export async function useBackupCode(db: ControlDb, userId: UserId, codeHash: string): Promise<boolean> {
  const rows = await db
    .delete(backupCodes)
    .where(and(eq(backupCodes.userId, userId), eq(backupCodes.codeHash, codeHash)))
    .returning({ userId: backupCodes.userId });
  return rows.length === 1;
}

export function countBackupCodes(db: ControlDb, userId: UserId): Promise<number> {
  return db.$count(backupCodes, eq(backupCodes.userId, userId));
}
