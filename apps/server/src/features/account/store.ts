import { and, eq, gt, lt, sql } from 'drizzle-orm';
import {
  type ControlDb,
  members,
  passwordResets,
  pendingLogins,
  users,
} from '../../platform/control-store/index.ts';
import type { OrganizationId, UserId } from '../../platform/ids.ts';

/** Returns false if the user does not exist. */
export async function updateName(db: ControlDb, id: UserId, name: string): Promise<boolean> {
  const rows = await db.update(users).set({ name }).where(eq(users.id, id)).returning({ id: users.id });
  return rows.length === 1;
}

/** Deletes a user's logins that still wait for the second factor. */
export async function deletePendingLogins(db: ControlDb, userId: UserId): Promise<void> {
  await db.delete(pendingLogins).where(eq(pendingLogins.userId, userId));
}

export async function updatePassword(
  db: ControlDb,
  id: UserId,
  passwordHash: string,
): Promise<{ name: string; email: string; emailVerifiedAt: Date | null } | undefined> {
  const [row] = await db
    .update(users)
    .set({ passwordHash })
    .where(eq(users.id, id))
    .returning({ name: users.name, email: users.email, emailVerifiedAt: users.emailVerifiedAt });
  return row;
}

/** Finds the user with an address, and locks the row. The address cannot change before the transaction ends. */
export async function lockByEmail(
  tx: ControlDb,
  email: string,
): Promise<{ id: UserId; name: string } | undefined> {
  const [row] = await tx
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(eq(users.email, email))
    .for('update');
  return row;
}

/** Stores a password-reset link if the user exists. Also deletes the links of all users that were created before `staleBefore`. */
export async function insertReset(
  db: ControlDb,
  reset: {
    readonly tokenHash: string;
    readonly userId: UserId;
    readonly now: Date;
    readonly staleBefore: Date;
  },
): Promise<void> {
  await db.delete(passwordResets).where(lt(passwordResets.createdAt, reset.staleBefore));
  const { tokenHash, userId, now } = reset;
  await db.insert(passwordResets).select(
    db
      .select({
        tokenHash: sql<string>`${tokenHash}`.as('token_hash'),
        userId: users.id,
        createdAt: sql<Date>`${now.toISOString()}::timestamptz`.as('created_at'),
      })
      .from(users)
      .where(eq(users.id, userId)),
  );
}

/** Deletes a password-reset link and returns its user's id. Returns undefined if the link is unknown, used or too old. */
export async function takeReset(
  db: ControlDb,
  tokenHash: string,
  madeAfter: Date,
): Promise<UserId | undefined> {
  const [row] = await db
    .delete(passwordResets)
    .where(and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.createdAt, madeAfter)))
    .returning({ userId: passwordResets.userId });
  return row?.userId;
}

export function countMembers(db: ControlDb, organizationId: OrganizationId): Promise<number> {
  return db.$count(members, eq(members.organizationId, organizationId));
}

export async function deleteUser(
  db: ControlDb,
  id: UserId,
): Promise<{ name: string; email: string; emailVerifiedAt: Date | null } | undefined> {
  const [row] = await db
    .delete(users)
    .where(eq(users.id, id))
    .returning({ name: users.name, email: users.email, emailVerifiedAt: users.emailVerifiedAt });
  return row;
}
