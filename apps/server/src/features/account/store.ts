import { and, eq, gt, lt } from 'drizzle-orm';
import { type ControlDb, members, passwordResets, users } from '../../platform/control-store/index.ts';
import type { OrganizationId, UserId } from '../../platform/ids.ts';

/** The user as he was before. @throws a violation of `users_email` */
export async function updateProfile(
  db: ControlDb,
  id: UserId,
  change: { readonly name: string; readonly email: string },
): Promise<{ name: string; email: string; createdAt: Date } | undefined> {
  const [before] = await db
    .select({ name: users.name, email: users.email, createdAt: users.createdAt })
    .from(users)
    .where(eq(users.id, id))
    .for('update');
  await db.update(users).set(change).where(eq(users.id, id));
  return before;
}

export async function updatePassword(
  db: ControlDb,
  id: UserId,
  passwordHash: string,
): Promise<{ name: string; email: string } | undefined> {
  const [row] = await db
    .update(users)
    .set({ passwordHash })
    .where(eq(users.id, id))
    .returning({ name: users.name, email: users.email });
  return row;
}

export async function findIdByEmail(
  db: ControlDb,
  email: string,
): Promise<{ id: UserId; name: string } | undefined> {
  const [row] = await db.select({ id: users.id, name: users.name }).from(users).where(eq(users.email, email));
  return row;
}

/** Notes a password link, if the user has fewer than `most`; links from before `staleBefore` go. */
export function insertReset(
  db: ControlDb,
  reset: {
    readonly tokenHash: string;
    readonly userId: UserId;
    readonly now: Date;
    readonly staleBefore: Date;
    readonly most: number;
  },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // Those who ask at the same time are counted one after the other.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, reset.userId)).for('update');
    await tx.delete(passwordResets).where(lt(passwordResets.createdAt, reset.staleBefore));
    const open = await tx.$count(passwordResets, eq(passwordResets.userId, reset.userId));
    if (open >= reset.most) return false;
    await tx
      .insert(passwordResets)
      .values({ tokenHash: reset.tokenHash, userId: reset.userId, createdAt: reset.now });
    return true;
  });
}

/** Uses a password link up, and all others of the user with it; whose it is. Undefined: unknown, used or too old. */
export async function takeReset(
  db: ControlDb,
  tokenHash: string,
  madeAfter: Date,
): Promise<UserId | undefined> {
  const [row] = await db
    .delete(passwordResets)
    .where(and(eq(passwordResets.tokenHash, tokenHash), gt(passwordResets.createdAt, madeAfter)))
    .returning({ userId: passwordResets.userId });
  if (row !== undefined) await deleteResetsOf(db, row.userId);
  return row?.userId;
}

export async function deleteResetsOf(db: ControlDb, userId: UserId): Promise<void> {
  await db.delete(passwordResets).where(eq(passwordResets.userId, userId));
}

export async function findOrganizationOf(db: ControlDb, userId: UserId): Promise<OrganizationId | undefined> {
  const [row] = await db
    .select({ id: members.organizationId })
    .from(members)
    .where(eq(members.userId, userId));
  return row?.id;
}

export function countMembers(db: ControlDb, organizationId: OrganizationId): Promise<number> {
  return db.$count(members, eq(members.organizationId, organizationId));
}

/** Whose account went. */
export async function deleteUser(
  db: ControlDb,
  id: UserId,
): Promise<{ name: string; email: string } | undefined> {
  const [row] = await db
    .delete(users)
    .where(eq(users.id, id))
    .returning({ name: users.name, email: users.email });
  return row;
}
