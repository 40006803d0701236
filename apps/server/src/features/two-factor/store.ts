import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm';
import { backupCodes, type ControlDb, twoFactor } from '../../platform/control-store/index.ts';
import type { UserId } from '../../platform/ids.ts';

export async function findSecondFactor(db: ControlDb, userId: UserId) {
  const [row] = await db.select().from(twoFactor).where(eq(twoFactor.userId, userId));
  return row;
}

/** Puts a new secret, not confirmed yet, in the place of one that never was. False where one is in force. */
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

/** Puts the second factor into force. False where it is already, or was never set up. */
export async function confirm(db: ControlDb, userId: UserId, now: Date): Promise<boolean> {
  const rows = await db
    .update(twoFactor)
    .set({ confirmedAt: now })
    .where(and(eq(twoFactor.userId, userId), isNull(twoFactor.confirmedAt)))
    .returning({ userId: twoFactor.userId });
  return rows.length === 1;
}

/** Uses a time step up. False where it, or a later one, was used before. */
export async function useStep(db: ControlDb, userId: UserId, step: number): Promise<boolean> {
  const rows = await db
    .update(twoFactor)
    .set({ lastStep: step })
    .where(and(eq(twoFactor.userId, userId), lt(twoFactor.lastStep, step)))
    .returning({ userId: twoFactor.userId });
  return rows.length === 1;
}

/** Removes the second factor and its backup codes. False where none was in force. */
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

/** Uses a backup code up. False where it is none of the user's. */
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
