import { and, asc, desc, eq, gte, inArray, lt, lte, sql } from 'drizzle-orm';
import { alertDeliveries, alertRules, type ControlDb } from '../../../platform/control-store/index.ts';
import type { AlertDeliveryId, AlertIncidentId, ProjectId } from '../../../platform/ids.ts';

export type DeliveryRow = typeof alertDeliveries.$inferSelect;
export type NewDelivery = typeof alertDeliveries.$inferInsert;

/** Queues messages. Skips a message if a message with the same key was queued before. */
export async function insertDeliveries(db: ControlDb, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await db
    .insert(alertDeliveries)
    .values([...deliveries])
    .onConflictDoNothing();
}

/** Finds a project's deliveries, newest first. */
export function findDeliveries(
  db: ControlDb,
  project: ProjectId,
  given: { readonly since: Date; readonly limit: number; readonly ids?: readonly AlertDeliveryId[] },
): Promise<DeliveryRow[]> {
  return db
    .select()
    .from(alertDeliveries)
    .where(
      and(
        eq(alertDeliveries.projectId, project),
        gte(alertDeliveries.createdAt, given.since),
        given.ids === undefined ? undefined : inArray(alertDeliveries.id, [...given.ids]),
      ),
    )
    .orderBy(desc(alertDeliveries.createdAt), desc(alertDeliveries.id))
    .limit(given.limit);
}

/** Finds the messages of incidents, oldest first. */
export function findIncidentDeliveries(
  db: ControlDb,
  project: ProjectId,
  incidents: readonly AlertIncidentId[],
): Promise<DeliveryRow[]> {
  if (incidents.length === 0) return Promise.resolve([]);
  return db
    .select()
    .from(alertDeliveries)
    .where(and(eq(alertDeliveries.projectId, project), inArray(alertDeliveries.incidentId, [...incidents])))
    .orderBy(asc(alertDeliveries.id));
}

/** A delivery with its rule's current addresses, still encrypted. */
export interface ClaimedDelivery extends DeliveryRow {
  readonly sealedWebhook: string | null;
  readonly sealedSecret: string | null;
  readonly sealedSlack: string | null;
}

/** Claims up to `limit` due deliveries for this server until `leaseUntil`, and counts an attempt for each of them. */
export function claimDeliveries(
  db: ControlDb,
  given: { readonly now: Date; readonly leaseUntil: Date; readonly limit: number },
): Promise<ClaimedDelivery[]> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({ id: alertDeliveries.id })
      .from(alertDeliveries)
      .where(and(eq(alertDeliveries.state, 'waiting'), lte(alertDeliveries.dueAt, given.now)))
      .orderBy(asc(alertDeliveries.dueAt))
      .limit(given.limit)
      .for('update', { skipLocked: true });
    if (due.length === 0) return [];
    const rows = await tx
      .update(alertDeliveries)
      .set({ dueAt: given.leaseUntil, attempts: sql`${alertDeliveries.attempts} + 1` })
      .where(
        inArray(
          alertDeliveries.id,
          due.map(({ id }) => id),
        ),
      )
      .returning();
    const { id, sealedWebhook, sealedSecret, sealedSlack } = alertRules;
    const rules = await tx
      .select({ id, sealedWebhook, sealedSecret, sealedSlack })
      .from(alertRules)
      .where(
        inArray(
          id,
          rows.map(({ ruleId }) => ruleId),
        ),
      );
    const addresses = new Map(rules.map(({ id: ruleId, ...rest }) => [ruleId, rest]));
    return rows.map((row) => ({
      ...row,
      ...(addresses.get(row.ruleId) ?? { sealedWebhook: null, sealedSecret: null, sealedSlack: null }),
    }));
  });
}

/** Stores how an attempt ended, unless another server has begun a later attempt. */
export async function finishTry(
  db: ControlDb,
  { id, attempts }: Pick<DeliveryRow, 'id' | 'attempts'>,
  outcome: Pick<NewDelivery, 'state' | 'dueAt' | 'finishedAt' | 'problem'>,
): Promise<void> {
  await db
    .update(alertDeliveries)
    .set(outcome)
    .where(
      and(
        eq(alertDeliveries.id, id),
        eq(alertDeliveries.attempts, attempts),
        eq(alertDeliveries.state, 'waiting'),
      ),
    );
}

export async function deleteDeliveriesBefore(db: ControlDb, instant: Date): Promise<void> {
  await db.delete(alertDeliveries).where(lt(alertDeliveries.createdAt, instant));
}
