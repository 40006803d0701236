import type { AlertMeasure, IncidentSort, IncidentState, Order } from '@throughline/contract';
import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { alertIncidents, alertRules, type ControlDb } from '../../platform/control-store/index.ts';
import {
  type AlertIncidentId,
  type AlertRuleId,
  createId,
  type ProjectId,
  readIdTime,
} from '../../platform/ids.ts';
import type { RuleRow } from './rules-store.ts';

export type IncidentRow = typeof alertIncidents.$inferSelect;

export interface NewIncident {
  readonly rule: AlertMeasure;
  readonly key: string;
  readonly openedAt: Date;
  readonly value?: number;
  readonly peak?: number;
  readonly errorId?: string;
  readonly sealedError?: string;
  /**
   * When the beginning of the incident was reported. If the beginning needs no message, this time is already set when the incident is
   * created.
   */
  readonly announcedAt?: Date;
  readonly announcedEndAt?: Date;
}

/** Opens incidents. Skips an incident if the rule already had an incident with the same key. */
export async function openIncidents(db: ControlDb, incidents: readonly NewIncident[]): Promise<void> {
  if (incidents.length === 0) return;
  await db
    .insert(alertIncidents)
    .values(
      incidents.map((incident) => ({
        ...incident,
        id: createId<AlertIncidentId>(),
        ruleId: incident.rule.id as AlertRuleId,
      })),
    )
    .onConflictDoNothing();
}

export function findOpen(db: ControlDb, ruleId: AlertRuleId): Promise<IncidentRow[]> {
  return db
    .select()
    .from(alertIncidents)
    .where(and(eq(alertIncidents.ruleId, ruleId), isNull(alertIncidents.closedAt)));
}

/**
 * Finds the keys for which the rule already had an incident. Maps each of these keys to the time in epoch ms at which the incident was
 * stored.
 */
export async function findKeys(
  db: ControlDb,
  ruleId: AlertRuleId,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .select({ id: alertIncidents.id, key: alertIncidents.key })
    .from(alertIncidents)
    .where(and(eq(alertIncidents.ruleId, ruleId), inArray(alertIncidents.key, [...keys])));
  return new Map(rows.map(({ id, key }) => [key, readIdTime(id)]));
}

/** Stores a value as the peak of open incidents, unless a higher value was measured before. */
export async function storePeak(
  db: ControlDb,
  ids: readonly AlertIncidentId[],
  value: number,
): Promise<void> {
  if (ids.length === 0) return;
  const { id, peak } = alertIncidents;
  await db
    .update(alertIncidents)
    .set({ peak: value })
    .where(and(inArray(id, [...ids]), or(isNull(peak), lt(peak, value))));
}

export async function closeIncidents(
  db: ControlDb,
  ids: readonly AlertIncidentId[],
  closedAt: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .update(alertIncidents)
    .set({ closedAt })
    .where(and(inArray(alertIncidents.id, [...ids]), isNull(alertIncidents.closedAt)));
}

/** Ends a rule's incidents without a message, because the rule was paused or now measures something else. */
export async function dropIncidents(db: ControlDb, ruleId: AlertRuleId, now: Date): Promise<void> {
  await db
    .update(alertIncidents)
    .set({
      closedAt: sql`coalesce(${alertIncidents.closedAt}, ${now})`,
      announcedAt: now,
      announcedEndAt: now,
    })
    .where(
      and(
        eq(alertIncidents.ruleId, ruleId),
        or(isNull(alertIncidents.closedAt), isNull(alertIncidents.announcedEndAt)),
      ),
    );
}

/**
 * Finds incidents with a message to send: open incidents whose beginning is not reported yet, and ended incidents whose beginning was
 * reported, but whose end was not.
 */
export function findUnannounced(db: ControlDb, ruleId: AlertRuleId): Promise<IncidentRow[]> {
  const { closedAt, announcedAt, announcedEndAt } = alertIncidents;
  return db
    .select()
    .from(alertIncidents)
    .where(
      and(
        eq(alertIncidents.ruleId, ruleId),
        or(
          and(isNull(closedAt), isNull(announcedAt)),
          and(isNotNull(closedAt), isNotNull(announcedAt), isNull(announcedEndAt)),
        ),
      ),
    )
    .orderBy(asc(alertIncidents.id));
}

export async function markAnnounced(
  db: ControlDb,
  id: AlertIncidentId,
  announced: { readonly announcedAt?: Date; readonly announcedEndAt?: Date },
): Promise<void> {
  await db.update(alertIncidents).set(announced).where(eq(alertIncidents.id, id));
}

export interface IncidentPage {
  /** Incidents that have ended are listed only if they began at this time or later. Ongoing incidents are always listed. */
  readonly since: Date;
  readonly rule: AlertRuleId | undefined;
  readonly state: IncidentState | undefined;
  readonly sort: IncidentSort;
  readonly order: Order;
  /**
   * The time up to which the durations of ongoing incidents are measured. All pages use the same time, so that pages neither repeat nor
   * skip incidents.
   */
  readonly measuredAt: Date;
  /** The incident after which the page begins. */
  readonly after: AlertIncidentId | undefined;
  readonly limit: number;
}

/** Finds the project's incidents that match the conditions of `page`, each with its rule, in the order of `page`. */
export function findIncidents(
  db: ControlDb,
  project: ProjectId,
  page: IncidentPage,
): Promise<{ readonly incident: IncidentRow; readonly rule: RuleRow }[]> {
  const { id, ruleId, openedAt, closedAt } = alertIncidents;
  const by = page.sort === 'time' ? sql`${id}` : measureDuration(page.measuredAt);
  const isAscending = page.order === 'ascending';
  return db
    .select({ incident: alertIncidents, rule: alertRules })
    .from(alertIncidents)
    .innerJoin(alertRules, eq(alertRules.id, ruleId))
    .where(
      and(
        eq(alertRules.projectId, project),
        or(isNull(closedAt), gte(openedAt, page.since)),
        page.rule === undefined ? undefined : eq(ruleId, page.rule),
        page.state === undefined
          ? undefined
          : page.state === 'ongoing'
            ? isNull(closedAt)
            : isNotNull(closedAt),
        page.after === undefined ? undefined : selectAfter(by, isAscending, page.after),
      ),
    )
    .orderBy(isAscending ? asc(by) : desc(by), desc(id))
    .limit(page.limit);
}

function measureDuration(until: Date): SQL {
  const { openedAt, closedAt } = alertIncidents;
  return sql`least(coalesce(${closedAt}, ${until}), ${until}) - ${openedAt}`;
}

function selectAfter(by: SQL, isAscending: boolean, last: AlertIncidentId) {
  const { id } = alertIncidents;
  const value = sql`(select ${by} from ${alertIncidents} where ${id} = ${last})`;
  return or(isAscending ? gt(by, value) : lt(by, value), and(eq(by, value), lt(id, last)));
}

/** Counts a project's incidents that began in a range, and how many of these incidents are ongoing. */
export async function countIncidents(
  db: ControlDb,
  project: ProjectId,
  range: { readonly from: Date; readonly until: Date },
): Promise<{ readonly incidents: number; readonly ongoing: number }> {
  const { ruleId, openedAt, closedAt } = alertIncidents;
  const [row] = await db
    .select({
      incidents: count(),
      ongoing: sql<number>`count(*) filter (where ${closedAt} is null)`.mapWith(Number),
    })
    .from(alertIncidents)
    .innerJoin(alertRules, eq(alertRules.id, ruleId))
    .where(and(eq(alertRules.projectId, project), gte(openedAt, range.from), lt(openedAt, range.until)));
  return row ?? { incidents: 0, ongoing: 0 };
}

/** Deletes incidents that have ended and that began before the given instant. */
export async function deleteIncidentsBefore(db: ControlDb, instant: Date): Promise<void> {
  await db
    .delete(alertIncidents)
    .where(and(isNotNull(alertIncidents.closedAt), lt(alertIncidents.openedAt, instant)));
}
