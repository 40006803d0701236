import { ALERT_DAYS, type AlertIncident, hasThreshold, type IncidentState } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import { refuseField } from '../../platform/http/errors.ts';
import { type AlertIncidentId, type AlertRuleId, type ProjectId, readId } from '../../platform/ids.ts';
import type { Sealer } from '../../platform/start/secrets.ts';
import { findIncidentDeliveries } from './deliveries/deliveries-store.ts';
import { describeDelivery } from './deliveries/describe-delivery.ts';
import { findIncidents } from './incidents-store.ts';
import { describeIncident } from './queue-messages.ts';
import { isQuiet } from './quiet-hours.ts';
import { toMeasure } from './rule-columns.ts';

const DAY_MS = 86_400_000;

interface IncidentsQuery {
  readonly ruleId?: string | undefined;
  readonly state?: IncidentState | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

interface Page {
  readonly incidents: AlertIncident[];
  readonly nextCursor: string | null;
}

/**
 * Lists a project's incidents with their messages, newest first.
 * @throws AppError `validation_failed` if the cursor is not from a response
 */
export async function listIncidents(
  deps: { readonly control: ControlStore; readonly clock: Clock; readonly sealer: Sealer },
  project: ProjectId,
  query: IncidentsQuery,
): Promise<Page> {
  const { db } = deps.control;
  const before = query.cursor === undefined ? undefined : readId<AlertIncidentId>(query.cursor);
  if (query.cursor !== undefined && before === undefined) {
    throw refuseField('cursor', 'must be the nextCursor of an answer');
  }
  const now = deps.clock.now();
  const rows = await findIncidents(db, project, {
    since: new Date(now.getTime() - ALERT_DAYS * DAY_MS),
    rule: query.ruleId === undefined ? undefined : readId<AlertRuleId>(query.ruleId),
    state: query.state,
    before,
    limit: query.limit + 1,
  });
  const page = rows.slice(0, query.limit);
  const deliveries = Map.groupBy(
    await findIncidentDeliveries(
      db,
      project,
      page.map(({ incident }) => incident.id),
    ),
    ({ incidentId }) => incidentId,
  );
  return {
    incidents: page.map(({ incident, rule }) => {
      const measure = incident.rule ?? toMeasure(rule);
      const { id, openedAt, closedAt, error, insight } = describeIncident(deps.sealer, measure, incident);
      return {
        id,
        rule: measure,
        openedAt,
        closedAt,
        peak: hasThreshold(measure.kind) ? incident.peak : null,
        error,
        insight,
        waitsForQuietHours:
          incident.closedAt === null && incident.announcedAt === null && isQuiet(rule.quietHours, now),
        deliveries: (deliveries.get(incident.id) ?? []).map((row) => describeDelivery(row, measure)),
      };
    }),
    nextCursor: rows.length > query.limit ? (page.at(-1)?.incident.id ?? null) : null,
  };
}
