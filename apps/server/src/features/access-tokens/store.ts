import { and, desc, eq, gt, lte } from 'drizzle-orm';
import {
  accessTokens,
  type ControlDb,
  members,
  sessions,
  users,
} from '../../platform/control-store/index.ts';
import type { AccessTokenId, SessionId, UserId } from '../../platform/ids.ts';

const columns = {
  id: accessTokens.id,
  name: accessTokens.name,
  createdAt: accessTokens.createdAt,
  expiresAt: accessTokens.expiresAt,
  lastUsedAt: accessTokens.lastUsedAt,
};

export interface AccessTokenRow {
  readonly id: AccessTokenId;
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Finds a token that has not expired, with its user and the user's membership. */
export async function findValidToken(db: ControlDb, tokenHash: string, now: Date) {
  const [row] = await db
    .select({
      ...columns,
      userId: accessTokens.userId,
      email: users.email,
      organizationId: members.organizationId,
      role: members.role,
    })
    .from(accessTokens)
    .innerJoin(users, eq(users.id, accessTokens.userId))
    .leftJoin(members, eq(members.userId, accessTokens.userId))
    .where(and(eq(accessTokens.tokenHash, tokenHash), gt(accessTokens.expiresAt, now)));
  return row;
}

/** Finds a user's tokens, newest first, whether or not they have expired. */
export function findTokens(db: ControlDb, userId: UserId): Promise<AccessTokenRow[]> {
  return db
    .select(columns)
    .from(accessTokens)
    .where(eq(accessTokens.userId, userId))
    .orderBy(desc(accessTokens.createdAt), desc(accessTokens.id));
}

/**
 * Finds the user, and locks the user's row until the transaction ends. Otherwise concurrent requests could together create more tokens than
 * the limit.
 */
export async function lockUser(tx: ControlDb, id: UserId) {
  const [row] = await tx
    .select({ email: users.email, name: users.name, emailVerifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.id, id))
    .for('no key update');
  return row;
}

export async function hasSession(db: ControlDb, id: SessionId): Promise<boolean> {
  return (await db.$count(sessions, eq(sessions.id, id))) > 0;
}

export function countValidTokens(db: ControlDb, userId: UserId, now: Date): Promise<number> {
  return db.$count(accessTokens, and(eq(accessTokens.userId, userId), gt(accessTokens.expiresAt, now)));
}

export async function insertToken(
  db: ControlDb,
  token: Omit<AccessTokenRow, 'lastUsedAt'> & { readonly userId: UserId; readonly tokenHash: string },
): Promise<void> {
  await db.insert(accessTokens).values(token);
}

export async function touchToken(db: ControlDb, id: AccessTokenId, now: Date): Promise<void> {
  await db.update(accessTokens).set({ lastUsedAt: now }).where(eq(accessTokens.id, id));
}

/** Deletes one of a user's own tokens and returns its name. Returns undefined if it does not exist or belongs to somebody else. */
export async function deleteToken(
  db: ControlDb,
  userId: UserId,
  id: AccessTokenId,
): Promise<string | undefined> {
  const [row] = await db
    .delete(accessTokens)
    .where(and(eq(accessTokens.userId, userId), eq(accessTokens.id, id)))
    .returning({ name: accessTokens.name });
  return row?.name;
}

export async function deleteTokens(db: ControlDb, userId: UserId): Promise<void> {
  await db.delete(accessTokens).where(eq(accessTokens.userId, userId));
}

export async function deleteExpiredTokens(db: ControlDb, expiredBefore: Date): Promise<void> {
  await db.delete(accessTokens).where(lte(accessTokens.expiresAt, expiredBefore));
}
