import type { PlanId } from '@throughline/contract';
import { and, count, eq, gt } from 'drizzle-orm';
import { v7 } from 'uuid';
import {
  type ControlDb,
  invitations,
  members,
  organizations,
  projects,
  subscriptions,
} from '../../platform/control-store/index.ts';
import type { OrganizationId, UserId } from '../../platform/ids.ts';
import { trialPeriod } from './trial-period.ts';

/** Who pays: a user alone, or an organization. */
export type Payer =
  | { readonly kind: 'solo'; readonly userId: UserId }
  | { readonly kind: 'organization'; readonly organizationId: OrganizationId };

/** A trial that began at `since`, for a payer that has no subscription yet; one that has keeps it. */
export async function insertTrial(db: ControlDb, payer: Payer, since: Date): Promise<void> {
  await db
    .insert(subscriptions)
    .values({
      id: v7(),
      ...(payer.kind === 'solo' ? { userId: payer.userId } : { organizationId: payer.organizationId }),
      plan: 'free_trial',
      status: 'trialing',
      ...trialPeriod(since),
      anchorAt: since,
      accessEndsAt: trialPeriod(since).currentPeriodEnd,
    })
    .onConflictDoNothing();
}

function paidBy(payer: Payer) {
  return payer.kind === 'solo'
    ? eq(subscriptions.userId, payer.userId)
    : eq(subscriptions.organizationId, payer.organizationId);
}

/** A payer's subscription; with `lock`, held until the transaction ends. */
export async function findSubscription(db: ControlDb, payer: Payer, lock = false) {
  const query = db.select().from(subscriptions).where(paidBy(payer));
  const [row] = await (lock ? query.for('update') : query);
  return row;
}

export type SubscriptionRow = NonNullable<Awaited<ReturnType<typeof findSubscription>>>;

export async function updatePlan(
  db: ControlDb,
  payer: Payer,
  change: {
    readonly plan: PlanId;
    readonly status: SubscriptionRow['status'];
    readonly currentPeriodStart: Date;
    readonly currentPeriodEnd: Date;
    readonly anchorAt: Date;
    readonly accessEndsAt: Date;
  },
): Promise<SubscriptionRow | undefined> {
  const [row] = await db.update(subscriptions).set(change).where(paidBy(payer)).returning();
  return row;
}

/** Seats that are taken: members, and invitations that are still open. */
export async function countSeats(db: ControlDb, organizationId: OrganizationId, now: Date): Promise<number> {
  const joined = await db.$count(members, eq(members.organizationId, organizationId));
  const invited = await db.$count(
    invitations,
    and(eq(invitations.organizationId, organizationId), gt(invitations.expiresAt, now)),
  );
  return joined + invited;
}

export async function countProjects(db: ControlDb, organizationId: OrganizationId): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(projects)
    .where(eq(projects.organizationId, organizationId));
  return row?.count ?? 0;
}

export async function findOrganizationStart(db: ControlDb, id: OrganizationId): Promise<Date | undefined> {
  const [row] = await db
    .select({ createdAt: organizations.createdAt })
    .from(organizations)
    .where(eq(organizations.id, id));
  return row?.createdAt;
}
