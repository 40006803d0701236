import { and, asc, count, eq, gte, inArray, isNull, lte, min, sql } from 'drizzle-orm';
import {
  alertDeliveries,
  alertIncidents,
  alertRules,
  type ControlDb,
  projects,
} from '../../platform/control-store/index.ts';
import type { AlertRuleId, ProjectId } from '../../platform/ids.ts';

export type RuleRow = typeof alertRules.$inferSelect;
export type NewRule = typeof alertRules.$inferInsert;

export async function findProjectName(db: ControlDb, id: ProjectId): Promise<string | undefined> {
  const [row] = await db.select({ name: projects.name }).from(projects).where(eq(projects.id, id));
  return row?.name;
}

export function countRules(db: ControlDb, project: ProjectId): Promise<number> {
  return db.$count(alertRules, eq(alertRules.projectId, project));
}

export async function insertRule(db: ControlDb, rule: NewRule): Promise<void> {
  await db.insert(alertRules).values(rule);
}

/** Finds a project's rules, oldest first. */
export function findRules(db: ControlDb, project: ProjectId): Promise<RuleRow[]> {
  return db.select().from(alertRules).where(eq(alertRules.projectId, project)).orderBy(asc(alertRules.id));
}

export async function findRule(
  db: ControlDb,
  project: ProjectId,
  id: AlertRuleId,
): Promise<RuleRow | undefined> {
  const [row] = await db
    .select()
    .from(alertRules)
    .where(and(eq(alertRules.projectId, project), eq(alertRules.id, id)));
  return row;
}

/** Changes a rule. The result of a check that is running meanwhile is discarded. */
export async function updateRule(db: ControlDb, id: AlertRuleId, change: Partial<NewRule>): Promise<void> {
  await db
    .update(alertRules)
    .set({ ...change, checkNumber: sql`${alertRules.checkNumber} + 1` })
    .where(eq(alertRules.id, id));
}

export async function deleteRule(db: ControlDb, id: AlertRuleId): Promise<void> {
  await db.delete(alertRules).where(eq(alertRules.id, id));
}

/** Returns, for each rule with open incidents, the number of these incidents and when the oldest of them began. */
export async function countOpen(db: ControlDb, rules: readonly AlertRuleId[]) {
  if (rules.length === 0) return new Map<AlertRuleId, { open: number; since: Date | null }>();
  const rows = await db
    .select({ ruleId: alertIncidents.ruleId, open: count(), since: min(alertIncidents.openedAt) })
    .from(alertIncidents)
    .where(and(inArray(alertIncidents.ruleId, [...rules]), isNull(alertIncidents.closedAt)))
    .groupBy(alertIncidents.ruleId);
  return new Map(rows.map(({ ruleId, ...row }) => [ruleId, row]));
}

/** Counts how often users tested the project's rules since the given instant. The messages of one test count as one. */
export async function countTests(db: ControlDb, project: ProjectId, since: Date): Promise<number> {
  const [row] = await db
    .select({ tests: sql<number>`count(distinct ${alertDeliveries.createdAt})`.mapWith(Number) })
    .from(alertDeliveries)
    .where(
      and(
        eq(alertDeliveries.projectId, project),
        eq(alertDeliveries.event, 'test'),
        gte(alertDeliveries.createdAt, since),
      ),
    );
  return row?.tests ?? 0;
}

/** Takes up to `limit` due rules for this server. Other servers leave these rules alone until `leaseUntil`. */
export function takeDueRules(
  db: ControlDb,
  given: { readonly now: Date; readonly leaseUntil: Date; readonly limit: number },
): Promise<RuleRow[]> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({ id: alertRules.id })
      .from(alertRules)
      .where(and(eq(alertRules.paused, false), lte(alertRules.dueAt, given.now)))
      .orderBy(asc(alertRules.dueAt))
      .limit(given.limit)
      .for('update', { skipLocked: true });
    if (due.length === 0) return [];
    return tx
      .update(alertRules)
      .set({ dueAt: given.leaseUntil, checkNumber: sql`${alertRules.checkNumber} + 1` })
      .where(
        inArray(
          alertRules.id,
          due.map(({ id }) => id),
        ),
      )
      .returning();
  });
}

/** Stores the result of a check. Returns false, without a change, if the rule was changed or checked again meanwhile. */
export async function finishCheck(
  db: ControlDb,
  { id, checkNumber }: Pick<RuleRow, 'id' | 'checkNumber'>,
  found: Partial<NewRule>,
): Promise<boolean> {
  const done = await db
    .update(alertRules)
    .set(found)
    .where(and(eq(alertRules.id, id), eq(alertRules.checkNumber, checkNumber)))
    .returning({ id: alertRules.id });
  return done.length > 0;
}
