import { and, desc, eq, gt, inArray, lt, ne, or, sql } from 'drizzle-orm';
import {
  type ControlDb,
  knownDevices,
  members,
  pendingLogins,
  sessions,
  users,
} from '../../platform/control-store/index.ts';
import { createId, type SessionId, type UserId } from '../../platform/ids.ts';
import type { Origin } from './devices.ts';

export interface UserRow {
  readonly id: UserId;
  readonly name: string;
  readonly email: string;
  readonly emailVerifiedAt: Date | null;
  readonly createdAt: Date;
}

const userColumns = {
  id: users.id,
  name: users.name,
  email: users.email,
  emailVerifiedAt: users.emailVerifiedAt,
  createdAt: users.createdAt,
};

export async function findByEmail(db: ControlDb, email: string) {
  const [row] = await db.select().from(users).where(eq(users.email, email));
  return row;
}

export async function findUser(db: ControlDb, id: UserId): Promise<UserRow | undefined> {
  const [row] = await db.select(userColumns).from(users).where(eq(users.id, id));
  return row;
}

/** @throws a violation of the unique constraint `users_email` if another account has the address */
export async function insertUser(
  db: ControlDb,
  user: {
    readonly name: string;
    readonly email: string;
    readonly emailVerifiedAt: Date | null;
    readonly passwordHash: string;
    readonly now: Date;
  },
): Promise<UserRow> {
  const { name, email, emailVerifiedAt, passwordHash, now } = user;
  const row = { id: createId<UserId>(), name, email, emailVerifiedAt, createdAt: now };
  await db.insert(users).values({ ...row, passwordHash });
  return row;
}

export async function insertSession(
  db: ControlDb,
  session: Origin & { readonly userId: UserId; readonly tokenHash: string; readonly now: Date },
): Promise<SessionId> {
  const id = createId<SessionId>();
  const { userId, tokenHash, address, device, now } = session;
  await db.insert(sessions).values({
    id,
    userId,
    tokenHash,
    address,
    device,
    createdAt: now,
    authenticatedAt: now,
    lastSeenAt: now,
  });
  await db.update(users).set({ lastActiveAt: now }).where(eq(users.id, userId));
  return id;
}

/** Finds a session with its user and the user's membership, whether or not the session has expired. */
export async function findSession(db: ControlDb, tokenHash: string) {
  const [row] = await db
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      authenticatedAt: sessions.authenticatedAt,
      lastSeenAt: sessions.lastSeenAt,
      user: userColumns,
      organizationId: members.organizationId,
      role: members.role,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(members, eq(members.userId, sessions.userId))
    .where(eq(sessions.tokenHash, tokenHash));
  return row;
}

export async function touchSession(
  db: ControlDb,
  id: SessionId,
  seen: { readonly now: Date; readonly address: string },
): Promise<void> {
  const [session] = await db
    .update(sessions)
    .set({ lastSeenAt: seen.now, address: seen.address })
    .where(eq(sessions.id, id))
    .returning({ userId: sessions.userId });
  if (session === undefined) return;
  await db.update(users).set({ lastActiveAt: seen.now }).where(eq(users.id, session.userId));
}

export async function confirmSession(db: ControlDb, id: SessionId, now: Date): Promise<void> {
  await db.update(sessions).set({ authenticatedAt: now }).where(eq(sessions.id, id));
}

export async function deleteSession(db: ControlDb, id: SessionId): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id));
}

/** Deletes one of a user's own sessions. Returns false if it does not exist or belongs to somebody else. */
export async function deleteUserSession(db: ControlDb, userId: UserId, id: SessionId): Promise<boolean> {
  const rows = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
    .returning({ id: sessions.id });
  return rows.length === 1;
}

/** Finds a user's sessions, most recently used first, whether or not they have expired. */
export function findUserSessions(db: ControlDb, userId: UserId) {
  return db
    .select({
      id: sessions.id,
      device: sessions.device,
      address: sessions.address,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id));
}

/** Deletes a user's sessions except the session `keep`. Returns the ids of deleted sessions. */
export async function deleteUserSessions(
  db: ControlDb,
  userId: UserId,
  keep?: SessionId,
): Promise<SessionId[]> {
  const rows = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), keep === undefined ? undefined : ne(sessions.id, keep)))
    .returning({ id: sessions.id });
  return rows.map((row) => row.id);
}

/** Deletes sessions that began, or were last seen, before the given times. Returns their ids. */
export function deleteEndedSessions(
  db: ControlDb,
  before: { readonly createdBefore: Date; readonly seenBefore: Date },
): Promise<{ id: SessionId }[]> {
  return db
    .delete(sessions)
    .where(or(lt(sessions.createdAt, before.createdBefore), lt(sessions.lastSeenAt, before.seenBefore)))
    .returning({ id: sessions.id });
}

/** Returns which of the given sessions still exist. */
export async function findExistingSessions(
  db: ControlDb,
  ids: readonly SessionId[],
): Promise<Set<SessionId>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(inArray(sessions.id, [...ids]));
  return new Set(rows.map((row) => row.id));
}

/** Stores a login that waits for the second factor. Also deletes the unfinished logins of all users that began before `staleBefore`. */
export async function insertPendingLogin(
  db: ControlDb,
  login: {
    readonly tokenHash: string;
    readonly userId: UserId;
    readonly tries: number;
    readonly now: Date;
    readonly staleBefore: Date;
  },
): Promise<void> {
  await db.delete(pendingLogins).where(lt(pendingLogins.createdAt, login.staleBefore));
  await db.insert(pendingLogins).values({
    tokenHash: login.tokenHash,
    userId: login.userId,
    triesLeft: login.tries,
    createdAt: login.now,
  });
}

/**
 * Uses one try of a pending login and returns the login's user. Returns undefined if the login is unknown, finished, too old, or out of
 * tries.
 */
export async function useTry(
  db: ControlDb,
  tokenHash: string,
  startedAfter: Date,
): Promise<UserId | undefined> {
  const [row] = await db
    .update(pendingLogins)
    .set({ triesLeft: sql`${pendingLogins.triesLeft} - 1` })
    .where(
      and(
        eq(pendingLogins.tokenHash, tokenHash),
        gt(pendingLogins.triesLeft, 0),
        gt(pendingLogins.createdAt, startedAfter),
      ),
    )
    .returning({ userId: pendingLogins.userId });
  return row?.userId;
}

/** Deletes a pending login. Returns false if it no longer exists. */
export async function takePendingLogin(db: ControlDb, tokenHash: string): Promise<boolean> {
  const rows = await db
    .delete(pendingLogins)
    .where(eq(pendingLogins.tokenHash, tokenHash))
    .returning({ userId: pendingLogins.userId });
  return rows.length === 1;
}

/**
 * Stores the device of a login: its browser and system. Returns `first` if the user had no device before, `known` if this device was seen
 * before, and otherwise `new`.
 */
export async function noteDevice(
  db: ControlDb,
  given: { readonly userId: UserId; readonly device: string; readonly now: Date },
): Promise<'first' | 'known' | 'new'> {
  const before = await db
    .select({ device: knownDevices.device })
    .from(knownDevices)
    .where(eq(knownDevices.userId, given.userId));
  await db
    .insert(knownDevices)
    .values({ userId: given.userId, device: given.device, seenAt: given.now })
    .onConflictDoUpdate({
      target: [knownDevices.userId, knownDevices.device],
      set: { seenAt: given.now },
    });
  if (before.length === 0) return 'first';
  return before.some((row) => row.device === given.device) ? 'known' : 'new';
}

export async function findPasswordHash(db: ControlDb, id: UserId): Promise<string | undefined> {
  const [row] = await db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, id));
  return row?.hash;
}
