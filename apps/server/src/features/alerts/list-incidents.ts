import {
  ALERT_DAYS,
  type AlertIncident,
  AlertMeasure,
  hasThreshold,
  type IncidentState,
} from '@throughline/contract';
import { type Clock, toMicros } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import { refuseField } from '../../platform/http/errors.ts';
import type { ShownProject } from '../../platform/http/guard.ts';
import { type AlertIncidentId, type AlertRuleId, readId, readIdTime } from '../../platform/ids.ts';
import type { Sealer } from '../../platform/start/secrets.ts';
import type { SeenError } from '../errors/index.ts';
import { findIncidentDeliveries } from './deliveries/deliveries-store.ts';
import { describeDelivery } from './deliveries/describe-delivery.ts';
import { findIncidents, type IncidentRow } from './incidents-store.ts';
import type { ErrorOfIncident } from './message.ts';
import { describeIncident } from './queue-messages.ts';
import { isQuiet } from './quiet-hours.ts';
import { toMeasure } from './rule-columns.ts';
import type { Sources } from './sources.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

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

interface ListDeps {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly sources: Pick<Sources, 'seenErrors'>;
}

/**
 * Lists a project's incidents with their messages, newest first.
 * @throws AppError `validation_failed` if the cursor is not from a response
 */
export async function listIncidents(
  deps: ListDeps,
  project: ShownProject,
  query: IncidentsQuery,
): Promise<Page> {
  const { db } = deps.control;
  const before = query.cursor === undefined ? undefined : readId<AlertIncidentId>(query.cursor);
  if (query.cursor !== undefined && before === undefined) {
    throw refuseField('cursor', 'must be the nextCursor of an answer');
  }
  const now = deps.clock.now();
  const rows = await findIncidents(db, project.id, {
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
      project.id,
      page.map(({ incident }) => incident.id),
    ),
    ({ incidentId }) => incidentId,
  );
  const described = page.map(({ incident, rule }) => {
    // Incidents that an earlier version stored lack members that were added later.
    const measure = incident.rule === null ? toMeasure(rule) : AlertMeasure.parse(incident.rule);
    return { incident, rule, measure, description: describeIncident(deps.sealer, measure, incident) };
  });
  const ofErrors = described.filter(({ description }) => description.error !== null);
  const seen = await deps.sources.seenErrors(
    project,
    ofErrors.map(({ incident, description }) => ({
      errorId: description.error?.id ?? '',
      period: findPeriod(incident, now),
      storedAt: new Date(readIdTime(incident.id)),
    })),
  );
  const errors = new Map(ofErrors.map(({ incident }, at) => [incident.id, seen[at]]));
  return {
    incidents: described.map(({ incident, rule, measure, description }) => {
      const { id, openedAt, closedAt, error, insight } = description;
      return {
        id,
        rule: measure,
        openedAt,
        closedAt,
        peak: hasThreshold(measure.kind) ? incident.peak : null,
        error: error && describeError(error, errors.get(incident.id)),
        insight: insight && { ...insight, foundAt: new Date(readIdTime(id)).toISOString() },
        waitsForQuietHours:
          incident.closedAt === null && incident.announcedAt === null && isQuiet(rule.quietHours, now),
        deliveries: (deliveries.get(incident.id) ?? []).map((row) => describeDelivery(row, measure)),
      };
    }),
    nextCursor: rows.length > query.limit ? (page.at(-1)?.incident.id ?? null) : null,
  };
}

/**
 * Returns the period of an incident in epoch µs. For an ongoing incident, the period ends a minute from now, because the clocks of services
 * can be ahead of this server's clock.
 */
function findPeriod({ openedAt, closedAt }: IncidentRow, now: Date) {
  const endMs = closedAt === null ? now.getTime() + MINUTE_MS : closedAt.getTime() + 1;
  return { from: toMicros(openedAt.getTime()), until: toMicros(endMs) };
}

function describeError(error: ErrorOfIncident, seen: SeenError | undefined): AlertIncident['error'] {
  const { id = error.id, requestIds = [error.id], hasRequests = false } = seen ?? {};
  return { ...error, id, requestIds: [...requestIds], hasRequests };
}
