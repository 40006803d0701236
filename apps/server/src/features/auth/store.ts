import { PLANS } from '@throughline/contract';
import { eq, inArray, lt, or } from 'drizzle-orm';
import { v7 } from 'uuid';
import {
  type ControlDb,
  members,
  sessions,
  subscriptions,
  users,
} from '../../platform/control-store/index.ts';
import type { SessionId, UserId } from '../../platform/ids.ts';
import { newId } from '../../platform/ids.ts';

const DAY_MS = 86_400_000;

export interface UserRow {
  readonly id: UserId;
  readonly name: string;
  readonly email: string;
  readonly createdAt: Date;
}

export async function findByEmail(db: ControlDb, email: string) {
  const [row] = await db.select().from(users).where(eq(users.email, email));
  return row;
}

/** A new solo account with its trial. */
export async function insertSoloUser(
  db: ControlDb,
  user: { readonly name: string; readonly email: string; readonly passwordHash: string; readonly now: Date },
): Promise<UserRow> {
  const row = {
    id: newId<UserId>(),
    name: user.name,
    email: user.email,
    passwordHash: user.passwordHash,
    createdAt: user.now,
  };
  await db.transaction(async (tx) => {
    await tx.insert(users).values(row);
    await tx.insert(subscriptions).values({
      id: v7(),
      userId: row.id,
      plan: 'free_trial',
      status: 'trialing',
      currentPeriodStart: user.now,
      currentPeriodEnd: new Date(user.now.getTime() + (PLANS.free_trial.trialDays ?? 0) * DAY_MS),
    });
  });
  return row;
}

export async function insertSession(
  db: ControlDb,
  session: { readonly userId: UserId; readonly tokenHash: string; readonly now: Date },
): Promise<SessionId> {
  const id = newId<SessionId>();
  await db.insert(sessions).values({
    id,
    userId: session.userId,
    tokenHash: session.tokenHash,
    createdAt: session.now,
    lastSeenAt: session.now,
  });
  return id;
}

/** A session with its user and the user's membership, whether or not it has run out. */
export async function findSession(db: ControlDb, tokenHash: string) {
  const [row] = await db
    .select({
      id: sessions.id,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      user: { id: users.id, name: users.name, email: users.email, createdAt: users.createdAt },
      organizationId: members.organizationId,
      role: members.role,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(members, eq(members.userId, sessions.userId))
    .where(eq(sessions.tokenHash, tokenHash));
  return row;
}

export async function touchSession(db: ControlDb, id: SessionId, now: Date): Promise<void> {
  await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, id));
}

export async function deleteSession(db: ControlDb, id: SessionId): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id));
}

/** Removes the sessions that began or were last seen before the given instants; which ones they were. */
export function deleteEndedSessions(
  db: ControlDb,
  before: { readonly createdBefore: Date; readonly seenBefore: Date },
): Promise<{ id: SessionId }[]> {
  return db
    .delete(sessions)
    .where(or(lt(sessions.createdAt, before.createdBefore), lt(sessions.lastSeenAt, before.seenBefore)))
    .returning({ id: sessions.id });
}

/** Which of these sessions are still there. */
export async function existingSessions(db: ControlDb, ids: readonly SessionId[]): Promise<Set<SessionId>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(inArray(sessions.id, [...ids]));
  return new Set(rows.map((row) => row.id));
}
