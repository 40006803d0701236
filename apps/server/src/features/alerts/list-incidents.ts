import {
  ALERT_DAYS,
  type AlertIncident,
  AlertMeasure,
  describeAlert,
  describeScope,
  hasThreshold,
  type IncidentSort,
  type IncidentState,
  type Order,
  splitSearch,
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
import { findIncidents, type IncidentPage, type IncidentRow } from './incidents-store.ts';
import type { ErrorOfIncident } from './message.ts';
import { describeIncident } from './queue-messages.ts';
import { isQuiet } from './quiet-hours.ts';
import { toMeasure } from './rule-columns.ts';
import type { RuleRow } from './rules-store.ts';
import type { Sources } from './sources.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Number of incidents that a search reads at once. */
const SEARCH_BATCH = 200;
/** Maximum number of incidents that one page of a search reads. A next page continues the search. */
const MAX_SEARCHED = 2000;

interface IncidentsQuery {
  readonly ruleId?: string | undefined;
  readonly state?: IncidentState | undefined;
  readonly sort: IncidentSort;
  readonly order: Order;
  readonly search?: string | undefined;
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
 * Lists a project's incidents with their messages.
 * @throws AppError `validation_failed` if the cursor is not from a response
 */
export async function listIncidents(
  deps: ListDeps,
  project: ShownProject,
  query: IncidentsQuery,
): Promise<Page> {
  const { db } = deps.control;
  const now = deps.clock.now();
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor);
  const measuredAt = cursor?.measuredAt ?? now;
  const { found: described, last } = await searchIncidents(deps, project, query, {
    after: cursor?.id,
    measuredAt,
    since: new Date(now.getTime() - ALERT_DAYS * DAY_MS),
  });
  const deliveries = Map.groupBy(
    await findIncidentDeliveries(
      db,
      project.id,
      described.map(({ incident }) => incident.id),
    ),
    ({ incidentId }) => incidentId,
  );
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
    nextCursor: last === undefined ? null : `${last}@${measuredAt.getTime()}`,
  };
}

interface DescribedIncident {
  readonly incident: IncidentRow;
  readonly rule: RuleRow;
  /** The rule as it was when the incident began. */
  readonly measure: AlertMeasure;
  readonly description: ReturnType<typeof describeIncident>;
}

/**
 * Finds the incidents of a page. The server compares the words of a search, because the texts of errors and insights are encrypted in the
 * database. `last` is the incident after which the next page begins; undefined if no more incidents follow.
 */
async function searchIncidents(
  { control, sealer }: ListDeps,
  project: ShownProject,
  query: IncidentsQuery,
  page: Pick<IncidentPage, 'after' | 'measuredAt' | 'since'>,
): Promise<{ readonly found: DescribedIncident[]; readonly last: AlertIncidentId | undefined }> {
  const words = splitSearch(query.search?.toLowerCase());
  const batch = words.length === 0 ? query.limit + 1 : SEARCH_BATCH;
  const found: DescribedIncident[] = [];
  let { after } = page;
  for (let read = 0; read < MAX_SEARCHED; read += batch) {
    const rows = await findIncidents(control.db, project.id, {
      ...page,
      rule: query.ruleId === undefined ? undefined : readId<AlertRuleId>(query.ruleId),
      state: query.state,
      sort: query.sort,
      order: query.order,
      after,
      limit: batch,
    });
    for (const { incident, rule } of rows) {
      if (found.length === query.limit) return { found, last: after };
      // In an incident that an earlier version of the server stored, the rule lacks newer fields; `AlertMeasure` adds their defaults.
      const measure = incident.rule === null ? toMeasure(rule) : AlertMeasure.parse(incident.rule);
      const described = { incident, rule, measure, description: describeIncident(sealer, measure, incident) };
      if (matches(described, words)) found.push(described);
      after = incident.id;
    }
    if (rows.length < batch) return { found, last: undefined };
  }
  return { found, last: after };
}

function matches({ measure, description: { error, insight } }: DescribedIncident, words: readonly string[]) {
  const text = [
    describeAlert(measure),
    describeScope(measure),
    error?.service,
    error?.message,
    insight?.service,
    insight?.title,
  ]
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

function readCursor(cursor: string): { readonly id: AlertIncidentId; readonly measuredAt: Date } {
  const [, written = '', time] = /^(.*)@(\d{1,15})$/.exec(cursor) ?? [];
  const id = readId<AlertIncidentId>(written);
  if (id === undefined) throw refuseField('cursor', 'must be the nextCursor of an answer');
  return { id, measuredAt: new Date(Number(time)) };
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
