import { GRACE_DAYS } from '@throughline/contract';
import { and, eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import {
  type ControlDb,
  demoWorkspace,
  members,
  organizations,
  subscriptions,
  users,
} from '../../platform/control-store/index.ts';
import { createId, type OrganizationId, type ProjectId, type UserId } from '../../platform/ids.ts';
import { addMonths } from '../../platform/months.ts';
import type { DemoLogin } from './logins.ts';

const DAY_MS = 86_400_000;

/**
 * Returns the record of the demo workspace; undefined if the workspace was never created. The ids are null once the workspace, or its
 * project, was removed.
 */
export async function findDemo(db: ControlDb) {
  const [row] = await db.select().from(demoWorkspace);
  return row;
}

export async function insertOrganization(
  tx: ControlDb,
  organization: { readonly name: string; readonly slug: string; readonly now: Date },
): Promise<OrganizationId> {
  const id = createId<OrganizationId>();
  const { name, slug, now } = organization;
  await tx.insert(organizations).values({ id, name, slug, demo: true, createdAt: now });
  const periodEnd = addMonths(now, 1);
  await tx.insert(subscriptions).values({
    id: v7(),
    organizationId: id,
    plan: 'enterprise_plus',
    status: 'active',
    currentPeriodStart: now,
    currentPeriodEnd: periodEnd,
    anchorAt: now,
    accessEndsAt: new Date(periodEnd.getTime() + GRACE_DAYS * DAY_MS),
  });
  return id;
}

export async function insertMember(
  tx: ControlDb,
  organizationId: OrganizationId,
  login: DemoLogin,
  account: { readonly passwordHash: string; readonly now: Date },
): Promise<void> {
  const userId = createId<UserId>();
  await tx.insert(users).values({
    id: userId,
    name: login.name,
    email: login.email,
    emailVerifiedAt: account.now,
    passwordHash: account.passwordHash,
    demo: true,
    createdAt: account.now,
  });
  await tx.insert(members).values({ userId, organizationId, role: login.role, joinedAt: account.now });
}

/** Records that the workspace is being created. Returns false if it was created before, by this server or another. */
export async function claimDemo(tx: ControlDb, now: Date): Promise<boolean> {
  const claimed = await tx
    .insert(demoWorkspace)
    .values({ createdAt: now })
    .onConflictDoNothing()
    .returning({ only: demoWorkspace.only });
  return claimed.length === 1;
}

export async function completeDemo(
  tx: ControlDb,
  made: { readonly organizationId: OrganizationId; readonly projectId: ProjectId },
): Promise<void> {
  await tx.update(demoWorkspace).set(made);
}

/** Records that the project has the shop's whole history. */
export async function noteHistoryPlayed(db: ControlDb, now: Date): Promise<void> {
  await db.update(demoWorkspace).set({ historyPlayedAt: now });
}

/** Deletes the organization and the accounts that were created with it. The record that they were created stays. */
export async function deleteDemo(tx: ControlDb, organizationId: OrganizationId): Promise<void> {
  await tx.delete(users).where(eq(users.demo, true));
  await tx
    .delete(organizations)
    .where(and(eq(organizations.id, organizationId), eq(organizations.demo, true)));
}
