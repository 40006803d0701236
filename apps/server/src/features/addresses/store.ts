import { and, desc, eq, gt, lte, ne } from 'drizzle-orm';
import { type ControlDb, emailLinks, passwordResets, users } from '../../platform/control-store/index.ts';
import type { UserId } from '../../platform/ids.ts';

export interface AddressRow {
  readonly id: UserId;
  readonly name: string;
  readonly email: string;
  readonly emailVerifiedAt: Date | null;
}

const columns = {
  id: users.id,
  name: users.name,
  email: users.email,
  emailVerifiedAt: users.emailVerifiedAt,
};

/** Finds a user's address and locks the row until the transaction ends. */
export async function lockAddress(tx: ControlDb, id: UserId): Promise<AddressRow | undefined> {
  const [row] = await tx.select(columns).from(users).where(eq(users.id, id)).for('update');
  return row;
}

/** Finds a user's address, and the unconfirmed new address if a change was requested after `since`. */
export async function findAddress(
  db: ControlDb,
  id: UserId,
  since: Date,
): Promise<{ readonly emailVerifiedAt: Date | null; readonly pending: string | null } | undefined> {
  const [row] = await db
    .select({ emailVerifiedAt: users.emailVerifiedAt, pending: emailLinks.email })
    .from(users)
    .leftJoin(
      emailLinks,
      and(
        eq(emailLinks.userId, users.id),
        ne(emailLinks.email, users.email),
        gt(emailLinks.createdAt, since),
      ),
    )
    .where(eq(users.id, id))
    .orderBy(desc(emailLinks.createdAt))
    .limit(1);
  return row;
}

export async function isTaken(db: ControlDb, email: string): Promise<boolean> {
  return (await db.$count(users, eq(users.email, email))) > 0;
}

/** @throws a violation of the unique constraint `users_email` if another account has the address */
export async function updateAddress(db: ControlDb, id: UserId, email: string, now: Date): Promise<void> {
  await db.update(users).set({ email, emailVerifiedAt: now }).where(eq(users.id, id));
}

/** Stores a link that confirms an address. Also deletes the links of all users that were created before or at `staleBefore`. */
export async function insertLink(
  db: ControlDb,
  link: {
    readonly tokenHash: string;
    readonly userId: UserId;
    readonly email: string;
    readonly now: Date;
    readonly staleBefore: Date;
  },
): Promise<void> {
  const { tokenHash, userId, email, now } = link;
  await db.delete(emailLinks).where(lte(emailLinks.createdAt, link.staleBefore));
  await db.insert(emailLinks).values({ tokenHash, userId, email, createdAt: now });
}

/** Deletes a link that confirms an address, and returns the link. Returns undefined if the link is unknown, used or too old. */
export async function takeLink(
  db: ControlDb,
  tokenHash: string,
  madeAfter: Date,
): Promise<{ userId: UserId; email: string } | undefined> {
  const [row] = await db
    .delete(emailLinks)
    .where(and(eq(emailLinks.tokenHash, tokenHash), gt(emailLinks.createdAt, madeAfter)))
    .returning({ userId: emailLinks.userId, email: emailLinks.email });
  return row;
}

/** Deletes the user's confirmation links for every address except `email`. */
export async function deleteLinksToOthers(db: ControlDb, userId: UserId, email: string): Promise<void> {
  await db.delete(emailLinks).where(and(eq(emailLinks.userId, userId), ne(emailLinks.email, email)));
}

export async function deleteAddressLinks(db: ControlDb, userId: UserId): Promise<void> {
  await db.delete(emailLinks).where(eq(emailLinks.userId, userId));
}

export async function deletePasswordResets(db: ControlDb, userId: UserId): Promise<void> {
  await db.delete(passwordResets).where(eq(passwordResets.userId, userId));
}
