import type { PlanId, PlanKind } from '@throughline/contract';
import { and, asc, eq, inArray, lt, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import {
  type ControlDb,
  members,
  paysForProject,
  projects,
  subscriptions,
  usageMonths,
  usageReservations,
  users,
} from '../../platform/control-store/index.ts';
import type { OrganizationId, ProjectId, UserId } from '../../platform/ids.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';

export type AccountId = UserId | OrganizationId;

export interface MonthKey {
  readonly accountId: AccountId;
  readonly periodStart: Date;
}

export interface MonthRow extends MonthKey {
  readonly traces: number;
  readonly reached80At: Date | null;
  readonly reached100At: Date | null;
}

const isMonth = ({ accountId, periodStart }: MonthKey) =>
  and(eq(usageMonths.accountId, accountId), eq(usageMonths.periodStart, periodStart));

/**
 * Locks the months' counters until the transaction ends, and creates missing counters. A fixed order prevents a deadlock between two
 * servers.
 */
export async function lockMonths(tx: ControlDb, keys: readonly MonthKey[]): Promise<MonthRow[]> {
  const inOrder = keys.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1));
  await tx.insert(usageMonths).values(inOrder).onConflictDoNothing();
  return tx
    .select()
    .from(usageMonths)
    .where(or(...inOrder.map(isMonth)))
    .orderBy(asc(usageMonths.accountId))
    .for('update');
}

export async function saveMonth(tx: ControlDb, row: MonthRow): Promise<void> {
  const { traces, reached80At, reached100At } = row;
  await tx.update(usageMonths).set({ traces, reached80At, reached100At }).where(isMonth(row));
}

export async function findMonth(db: ControlDb, key: MonthKey): Promise<MonthRow | undefined> {
  const [row] = await db.select().from(usageMonths).where(isMonth(key));
  return row;
}

export interface ReservationRow extends MonthKey {
  readonly id: string;
  readonly traces: number;
  readonly reservedAt: Date;
}

export async function insertReservations(
  tx: ControlDb,
  reservations: readonly ReservationRow[],
): Promise<void> {
  if (reservations.length > 0) await tx.insert(usageReservations).values([...reservations]);
}

export async function deleteReservations(db: ControlDb, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.delete(usageReservations).where(inArray(usageReservations.id, [...ids]));
}

export function findReservations(db: ControlDb, reservedBefore: Date): Promise<ReservationRow[]> {
  return db.select().from(usageReservations).where(lt(usageReservations.reservedAt, reservedBefore));
}

/**
 * Lowers a month's counter by `traces`, the number of reserved traces that were not stored, and deletes the reservation. Has an effect only
 * once, even if several servers try.
 */
export async function releaseReservation(
  db: ControlDb,
  reservation: ReservationRow,
  traces: number,
): Promise<void> {
  await db.transaction(async (tx) => {
    const gone = await tx
      .delete(usageReservations)
      .where(eq(usageReservations.id, reservation.id))
      .returning({ id: usageReservations.id });
    if (gone.length === 0 || traces === 0) return;
    await tx
      .update(usageMonths)
      .set({ traces: sql`greatest(0, ${usageMonths.traces} - ${traces})` })
      .where(isMonth(reservation));
  });
}

/** Counts the stored traces of each reservation. Reservations without stored traces are absent from the result. */
export async function countStored(
  store: TraceStore,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await store.rows(
    z.object({ claim: z.string(), traces: z.coerce.number() }),
    'SELECT claim, count() AS traces FROM traces WHERE /* housekeeping */ claim IN {ids:Array(UUID)} GROUP BY claim',
    { ids },
  );
  return new Map(rows.map((row) => [row.claim, row.traces]));
}

/** Finds the accounts that pay for projects, with their projects and the start of their billing months. */
export async function findPayingProjects(db: ControlDb) {
  const rows = await db
    .select({
      userId: projects.userId,
      organizationId: projects.organizationId,
      projectId: projects.id,
      anchorAt: subscriptions.anchorAt,
    })
    .from(projects)
    .innerJoin(subscriptions, paysForProject);
  const accounts = new Map<AccountId, { accountId: AccountId; anchorAt: Date; projectIds: ProjectId[] }>();
  for (const { userId, organizationId, projectId, anchorAt } of rows) {
    const accountId = organizationId ?? userId;
    if (accountId === null) continue;
    const account = accounts.get(accountId) ?? { accountId, anchorAt, projectIds: [] };
    account.projectIds.push(projectId);
    accounts.set(accountId, account);
  }
  return [...accounts.values()];
}

/** Counts the stored traces of the given projects that were reserved in a time range. The time is part of the reservations' ids. */
export async function countAccepted(
  store: TraceStore,
  given: { readonly projectIds: readonly ProjectId[]; readonly from: Date; readonly until: Date },
): Promise<number> {
  const [row] = await store.rows(
    z.object({ traces: z.coerce.number() }),
    `SELECT uniqExact(project_id, id) AS traces FROM traces
     WHERE project_id IN {projects:Array(UUID)} AND stored_at >= fromUnixTimestamp64Milli({from:Int64})
       AND toUnixTimestamp64Milli(UUIDv7ToDateTime(claim)) BETWEEN {from:Int64} AND {until:Int64}`,
    { projects: [...given.projectIds], from: given.from.getTime(), until: given.until.getTime() },
  );
  return row?.traces ?? 0;
}

/** Raises a month's counter to at least this number of traces. */
export async function raiseMonthCount(db: ControlDb, key: MonthKey, traces: number): Promise<void> {
  await db
    .insert(usageMonths)
    .values({ ...key, traces })
    .onConflictDoUpdate({
      target: [usageMonths.accountId, usageMonths.periodStart],
      set: { traces: sql`greatest(${usageMonths.traces}, ${traces})` },
    });
}

export interface PayerRow {
  readonly accountId: AccountId;
  readonly kind: PlanKind;
  readonly plan: PlanId | null;
  readonly anchorAt: Date | null;
  readonly accessEndsAt: Date | null;
  readonly endedPlan: PlanId | null;
  readonly pastDueSince: Date | null;
}

const payerColumns = {
  plan: subscriptions.plan,
  anchorAt: subscriptions.anchorAt,
  accessEndsAt: subscriptions.accessEndsAt,
  endedPlan: subscriptions.endedPlan,
  pastDueSince: subscriptions.pastDueSince,
};

const NOBODY = { plan: null, anchorAt: null, accessEndsAt: null, endedPlan: null, pastDueSince: null };

/** Finds the account that pays for a project; undefined if the project was deleted. */
export async function findProjectPayer(db: ControlDb, projectId: ProjectId): Promise<PayerRow | undefined> {
  const [row] = await db
    .select({ userId: projects.userId, organizationId: projects.organizationId, ...payerColumns })
    .from(projects)
    .leftJoin(subscriptions, paysForProject)
    .where(eq(projects.id, projectId));
  const accountId = row?.organizationId ?? row?.userId;
  if (row === undefined || accountId === undefined || accountId === null) return undefined;
  const { plan, anchorAt, accessEndsAt, endedPlan, pastDueSince } = row;
  const kind = row.organizationId === null ? 'solo' : 'organization';
  return { accountId, kind, plan, anchorAt, accessEndsAt, endedPlan, pastDueSince };
}

export type PayingAccount = { readonly organizationId: OrganizationId } | { readonly userId: UserId };

export async function findPayer(db: ControlDb, account: PayingAccount): Promise<PayerRow> {
  const isOrganization = 'organizationId' in account;
  const [row] = await db
    .select(payerColumns)
    .from(subscriptions)
    .where(
      isOrganization
        ? eq(subscriptions.organizationId, account.organizationId)
        : eq(subscriptions.userId, account.userId),
    );
  const accountId = isOrganization ? account.organizationId : account.userId;
  return { ...NOBODY, ...row, accountId, kind: isOrganization ? 'organization' : 'solo' };
}

/** Finds the email address of a solo user or of an organization's owner; undefined if the account was deleted. */
export async function findOwnerAddress(db: ControlDb, accountId: AccountId): Promise<string | undefined> {
  const [row] = await db
    .select({ email: users.email })
    .from(users)
    .leftJoin(members, eq(members.userId, users.id))
    .where(
      or(
        sql`${users.id} = ${accountId}`,
        and(sql`${members.organizationId} = ${accountId}`, eq(members.role, 'owner')),
      ),
    );
  return row?.email;
}
