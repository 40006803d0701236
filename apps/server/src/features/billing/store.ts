import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import {
  type ControlDb,
  invitations,
  members,
  organizations,
  paymentEvents,
  projects,
  sandboxInvoices,
  subscriptions,
  users,
} from '../../platform/control-store/index.ts';
import type { OrganizationId, UserId } from '../../platform/ids.ts';

/** Who pays: a solo user or an organization. */
export type Payer =
  | { readonly kind: 'solo'; readonly userId: UserId }
  | { readonly kind: 'organization'; readonly organizationId: OrganizationId };

export type SubscriptionRow = typeof subscriptions.$inferSelect;
/** Columns that an event of the subscription (`SubscriptionEvent`) can change. */
export type SubscriptionChange = Partial<
  Omit<SubscriptionRow, 'id' | 'userId' | 'organizationId' | 'version'>
>;
export type SandboxInvoiceRow = typeof sandboxInvoices.$inferSelect;

export function toPayer({
  userId,
  organizationId,
}: Pick<SubscriptionRow, 'userId' | 'organizationId'>): Payer {
  if (organizationId !== null) return { kind: 'organization', organizationId };
  if (userId !== null) return { kind: 'solo', userId };
  throw new Error('a subscription belongs to nobody');
}

function buildPayerCondition(payer: Payer) {
  return payer.kind === 'solo'
    ? eq(subscriptions.userId, payer.userId)
    : eq(subscriptions.organizationId, payer.organizationId);
}

/** Inserts a trial unless the payer already has a subscription. */
export async function insertTrial(
  db: ControlDb,
  payer: Payer,
  period: { readonly start: Date; readonly end: Date },
): Promise<void> {
  await db
    .insert(subscriptions)
    .values({
      id: v7(),
      ...(payer.kind === 'solo' ? { userId: payer.userId } : { organizationId: payer.organizationId }),
      plan: 'free_trial',
      status: 'trialing',
      currentPeriodStart: period.start,
      currentPeriodEnd: period.end,
      anchorAt: period.start,
      accessEndsAt: period.end,
    })
    .onConflictDoNothing();
}

/** Finds a payer's subscription. With `lock`, locks the row until the transaction ends. */
export async function findSubscription(
  db: ControlDb,
  payer: Payer,
  lock = false,
): Promise<SubscriptionRow | undefined> {
  const query = db.select().from(subscriptions).where(buildPayerCondition(payer));
  const [row] = await (lock ? query.for('update') : query);
  return row;
}

export async function lockSubscription(tx: ControlDb, id: string): Promise<SubscriptionRow | undefined> {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update');
  return row;
}

/** Numbers the next request to a subscription's provider: increments `ticketsTaken`. Returns the changed row. */
export async function takeTicket(db: ControlDb, id: string): Promise<SubscriptionRow | undefined> {
  const [row] = await db
    .update(subscriptions)
    .set({ ticketsTaken: sql`${subscriptions.ticketsTaken} + 1` })
    .where(eq(subscriptions.id, id))
    .returning();
  return row;
}

/** Changes a subscription and increments its version. */
export async function updateSubscription(
  db: ControlDb,
  id: string,
  change: SubscriptionChange,
): Promise<SubscriptionRow | undefined> {
  const [row] = await db
    .update(subscriptions)
    .set({ ...change, version: sql`${subscriptions.version} + 1` })
    .where(eq(subscriptions.id, id))
    .returning();
  return row;
}

export async function findByProvider(
  db: ControlDb,
  ref: { readonly subscriptionRef: string; readonly id: string | undefined },
): Promise<SubscriptionRow | undefined> {
  const rows = await db
    .select()
    .from(subscriptions)
    .where(
      or(
        eq(subscriptions.subscriptionRef, ref.subscriptionRef),
        ref.id === undefined ? undefined : eq(subscriptions.id, ref.id),
      ),
    );
  return rows.find((row) => row.subscriptionRef === ref.subscriptionRef) ?? rows[0];
}

/** Finds subscriptions with a change that is due. */
export function findDue(db: ControlDb, now: Date) {
  return db
    .select({ id: subscriptions.id, provider: subscriptions.provider })
    .from(subscriptions)
    .where(
      and(
        inArray(subscriptions.status, ['trialing', 'active', 'past_due']),
        or(lte(subscriptions.currentPeriodEnd, now), lte(subscriptions.accessEndsAt, now)),
      ),
    );
}

/** Finds subscriptions about which the external provider can have newer data than the store. */
export function findProvided(db: ControlDb, provider: SubscriptionRow['provider']) {
  return db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      or(
        and(eq(subscriptions.provider, provider), isNotNull(subscriptions.subscriptionRef)),
        isNotNull(subscriptions.checkoutRef),
        isNotNull(subscriptions.customerRef),
      ),
    );
}

/** Records that a message of the provider was handled. Returns false if it was handled before. */
export async function insertPaymentEvent(db: ControlDb, id: string, now: Date): Promise<boolean> {
  const rows = await db
    .insert(paymentEvents)
    .values({ id, receivedAt: now })
    .onConflictDoNothing()
    .returning({ id: paymentEvents.id });
  return rows.length > 0;
}

export async function hasPaymentEvent(db: ControlDb, id: string): Promise<boolean> {
  return (await db.$count(paymentEvents, eq(paymentEvents.id, id))) > 0;
}

export async function deletePaymentEventsBefore(db: ControlDb, before: Date): Promise<void> {
  await db.delete(paymentEvents).where(lt(paymentEvents.receivedAt, before));
}

export async function insertSandboxInvoice(
  db: ControlDb,
  invoice: Omit<SandboxInvoiceRow, 'id'>,
): Promise<void> {
  await db.insert(sandboxInvoices).values({ id: v7(), ...invoice });
}

export function findSandboxInvoices(db: ControlDb, subscriptionId: string): Promise<SandboxInvoiceRow[]> {
  return db
    .select()
    .from(sandboxInvoices)
    .where(eq(sandboxInvoices.subscriptionId, subscriptionId))
    .orderBy(desc(sandboxInvoices.id))
    .limit(100);
}

/**
 * Moves a subscription back in time by `ms`, for the sandbox's test clock. The moved end of the period becomes the anchor of later periods,
 * because the moved end can be another day of the month than the old anchor.
 */
export async function shiftSubscription(tx: ControlDb, row: SubscriptionRow, ms: number): Promise<void> {
  const back = (at: Date) => new Date(at.getTime() - ms);
  await updateSubscription(tx, row.id, {
    currentPeriodStart: back(row.currentPeriodStart),
    currentPeriodEnd: back(row.currentPeriodEnd),
    anchorAt: back(row.currentPeriodEnd),
    accessEndsAt: back(row.accessEndsAt),
    ...(row.pastDueSince === null ? {} : { pastDueSince: back(row.pastDueSince) }),
  });
}

/** Counts used seats: members, and invitations that are still open. */
export async function countSeats(db: ControlDb, payer: Payer, now: Date): Promise<number> {
  if (payer.kind === 'solo') return 1;
  const { organizationId } = payer;
  const joined = await db.$count(members, eq(members.organizationId, organizationId));
  const invited = await db.$count(
    invitations,
    and(eq(invitations.organizationId, organizationId), gt(invitations.expiresAt, now)),
  );
  return joined + invited;
}

/** Finds an organization by its slug, or a user without an organization by email address; undefined if there is none. */
export async function findPayer(
  db: ControlDb,
  given: { readonly slug: string | undefined; readonly email: string | undefined },
): Promise<Payer | undefined> {
  if (given.slug !== undefined) {
    const [row] = await db
      .select({ id: organizations.id })
      .from(organizations)
      .where(eq(organizations.slug, given.slug));
    return row === undefined ? undefined : { kind: 'organization', organizationId: row.id };
  }
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .leftJoin(members, eq(members.userId, users.id))
    .where(and(eq(users.email, given.email ?? ''), isNull(members.userId)));
  return row === undefined ? undefined : { kind: 'solo', userId: row.id };
}

export function countProjects(db: ControlDb, payer: Payer): Promise<number> {
  return db.$count(
    projects,
    payer.kind === 'solo'
      ? eq(projects.userId, payer.userId)
      : eq(projects.organizationId, payer.organizationId),
  );
}

/** Finds the recipient of mails about a subscription, and the payer's name for the provider; undefined if the account no longer exists. */
export async function findContact(
  db: ControlDb,
  payer: Payer,
): Promise<{ readonly email: string; readonly name: string } | undefined> {
  if (payer.kind === 'solo') {
    const [user] = await db
      .select({ email: users.email, name: users.name })
      .from(users)
      .where(eq(users.id, payer.userId));
    return user;
  }
  const [owner] = await db
    .select({ email: users.email, name: organizations.name })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .where(and(eq(members.organizationId, payer.organizationId), eq(members.role, 'owner')));
  return owner;
}
