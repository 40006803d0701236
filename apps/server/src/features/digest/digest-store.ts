import { and, asc, eq, gt, isNull, lt, lte, notExists, or, sql } from 'drizzle-orm';
import {
  type ControlDb,
  digestChoices,
  digestWeeks,
  members,
  projects,
  users,
} from '../../platform/control-store/index.ts';
import type { ProjectId, UserId } from '../../platform/ids.ts';
import type { Week } from './week.ts';

export interface Recipient {
  readonly id: UserId;
  readonly name: string;
  readonly email: string;
}

const recipientColumns = { id: users.id, name: users.name, email: users.email };

/**
 * Selects the users who get the digest of a week: users who confirmed their address and created their account before the week's end, and
 * who have not turned the digest off. Turning the digest on after the week's end has an effect from the next week. Users of the demo get no
 * mail.
 */
function buildDigestCondition({ until }: Week) {
  return and(
    lte(users.emailVerifiedAt, until),
    lte(users.createdAt, until),
    eq(users.demo, false),
    or(isNull(digestChoices.userId), and(digestChoices.isOn, lte(digestChoices.changedAt, until))),
  );
}

/** Finds the users for whom the digest of the week was neither queued nor skipped yet, in the order of their ids. */
export function findDue(
  db: ControlDb,
  week: Week,
  page: { readonly after: UserId | undefined; readonly limit: number },
): Promise<{ readonly id: UserId }[]> {
  const handled = db
    .select({ one: sql`1` })
    .from(digestWeeks)
    .where(and(eq(digestWeeks.userId, users.id), eq(digestWeeks.week, week.name)));
  return db
    .select({ id: users.id })
    .from(users)
    .leftJoin(digestChoices, eq(digestChoices.userId, users.id))
    .where(
      and(
        buildDigestCondition(week),
        notExists(handled),
        page.after === undefined ? undefined : gt(users.id, page.after),
      ),
    )
    .orderBy(asc(users.id))
    .limit(page.limit);
}

/**
 * Finds a user who still gets the digest of the week. Locks the user, so that the account cannot be deleted before the transaction ends.
 */
export async function lockRecipient(tx: ControlDb, id: UserId, week: Week): Promise<Recipient | undefined> {
  const [row] = await tx
    .select(recipientColumns)
    .from(users)
    .leftJoin(digestChoices, eq(digestChoices.userId, users.id))
    .where(and(eq(users.id, id), buildDigestCondition(week)))
    .for('share', { of: users });
  return row;
}

/** Finds the user's own projects, and the projects of organizations that the user had joined by the end of the week. */
export function findProjects(
  db: ControlDb,
  userId: UserId,
  { until }: Week,
): Promise<{ readonly id: ProjectId; readonly name: string }[]> {
  const isMember = and(
    eq(members.organizationId, projects.organizationId),
    eq(members.userId, userId),
    lte(members.joinedAt, until),
  );
  return db
    .select({ id: projects.id, name: projects.name })
    .from(projects)
    .leftJoin(members, isMember)
    .where(or(eq(projects.userId, userId), eq(members.userId, userId)))
    .orderBy(asc(projects.name), asc(projects.id));
}

/** Records that the digest of a week was queued for a user, or skipped (`isSent` is false). Returns false if this was recorded before. */
export async function insertWeek(
  tx: ControlDb,
  row: { readonly userId: UserId; readonly week: string; readonly isSent: boolean; readonly handledAt: Date },
): Promise<boolean> {
  const inserted = await tx
    .insert(digestWeeks)
    .values(row)
    .onConflictDoNothing()
    .returning({ week: digestWeeks.week });
  return inserted.length > 0;
}

/** Deletes the rows of weeks that ended before a day, such as `2026-11-30`. */
export async function deleteWeeksBefore(db: ControlDb, day: string): Promise<void> {
  await db.delete(digestWeeks).where(lt(digestWeeks.week, day));
}

export async function isDigestOn(db: ControlDb, userId: UserId): Promise<boolean> {
  const [row] = await db
    .select({ isOn: digestChoices.isOn })
    .from(digestChoices)
    .where(eq(digestChoices.userId, userId));
  return row?.isOn ?? true;
}

/**
 * Stores a user's choice. If the user chose the same before, the time of the earlier choice stays. Does nothing if the account was deleted.
 */
export async function saveChoice(
  db: ControlDb,
  { userId, isOn, changedAt }: { readonly userId: UserId; readonly isOn: boolean; readonly changedAt: Date },
): Promise<void> {
  const chosen = db
    .select({
      userId: users.id,
      isOn: sql<boolean>`${isOn}::boolean`.as('is_on'),
      changedAt: sql<Date>`${changedAt.toISOString()}::timestamptz`.as('changed_at'),
    })
    .from(users)
    .where(eq(users.id, userId));
  await db
    .insert(digestChoices)
    .select(chosen)
    .onConflictDoUpdate({
      target: digestChoices.userId,
      set: { isOn, changedAt },
      setWhere: sql`${digestChoices.isOn} <> ${isOn}`,
    });
}
