import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';
import { Order, RowSearch } from '../limits/row-lists.ts';
import { AlertKind } from './alert-kinds.ts';
import {
  ALERT_DAYS,
  AlertRule,
  AlertRuleBody,
  AlertScope,
  AlertSeverity,
  MAX_ALERT_RULES,
  MAX_ALERT_TESTS,
} from './alert-rules.ts';

export const ALERT_CHANNELS = ['email', 'webhook', 'slack'] as const;
export const ALERT_EVENTS = ['firing', 'recovered', 'test'] as const;
export const DELIVERY_STATES = ['waiting', 'sent', 'failed'] as const;
/**
 * Maximum number of attempts per delivery. The first retry follows after half a minute; the wait before each later retry is twice as long
 * as the one before it.
 */
export const MAX_DELIVERY_ATTEMPTS = 12;
/** Headers of a webhook request. */
export const ALERT_HEADERS = {
  /** Id of the delivery, which is the same for every attempt. */
  delivery: 'Throughline-Delivery',
  /** Seconds since 1970. */
  timestamp: 'Throughline-Timestamp',
  /** `v1=` and the HMAC-SHA256, in hex, of the string `timestamp.body` (the timestamp, a dot, and the body). */
  signature: 'Throughline-Signature',
} as const;

/** The part of a rule that defines the measurement: metric, scope and threshold, without the recipients. */
export const AlertMeasure = AlertScope.extend({
  id: z.uuid(),
  kind: AlertKind,
  threshold: z.number().nullable(),
  minutes: z.number().nullable(),
  severity: AlertSeverity.nullable(),
});
export type AlertMeasure = z.infer<typeof AlertMeasure>;
const IncidentError = z.object({ id: z.string(), service: z.string(), message: z.string() });
/** The error of a listed incident. */
const ListedIncidentError = IncidentError.extend({
  /**
   * The id under which the error is listed now. It differs from the id in the incident's messages if the error was merged or split since
   * then.
   */
  id: z.string(),
  /** Values of the filter `errorIds` with which the trace list shows exactly the requests of the error. */
  requestIds: z.array(z.string()),
  /** True if at least one failed request with the error, from the time of the incident, is stored. */
  hasRequests: z.boolean(),
});
const IncidentInsight = z.object({
  id: z.string(),
  service: z.string(),
  severity: AlertSeverity,
  title: z.string(),
});
/** The insight of a listed incident. */
const ListedIncidentInsight = IncidentInsight.extend({
  /** When a check of the rule found the insight. The incident's `openedAt` is when the change that the insight describes began. */
  foundAt: Instant,
});

/** The JSON body of a webhook request. */
export const AlertPayload = z.object({
  /** Id of the delivery, which is the same for every attempt. */
  id: z.uuid(),
  event: z.enum(ALERT_EVENTS),
  createdAt: Instant,
  /** One line for human readers. */
  title: z.string(),
  project: z.object({ id: z.uuid(), name: z.string() }),
  rule: AlertMeasure,
  /** Null for a test alert. */
  incident: z
    .object({
      id: z.uuid(),
      openedAt: Instant,
      closedAt: Instant.nullable(),
      /**
       * The value that was measured when the incident began: a percentage, milliseconds, or minutes without a request. Null for errors and
       * insights.
       */
      value: z.number().nullable(),
      error: IncidentError.nullable(),
      insight: IncidentInsight.nullable(),
    })
    .nullable(),
  /** URL of the page with details. */
  url: z.string(),
});
export type AlertPayload = z.infer<typeof AlertPayload>;

export const AlertDelivery = z.object({
  id: z.uuid(),
  ruleId: z.uuid(),
  event: z.enum(ALERT_EVENTS),
  channel: z.enum(ALERT_CHANNELS),
  /** An email address, or the beginning of a webhook URL. */
  target: z.string(),
  title: z.string(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.number(),
  createdAt: Instant,
  /** When the next attempt is made; null: no further attempt. */
  nextTryAt: Instant.nullable(),
  finishedAt: Instant.nullable(),
  /** Why the last attempt failed; null if it did not fail. */
  problem: z.string().nullable(),
});
export type AlertDelivery = z.infer<typeof AlertDelivery>;

export const INCIDENT_STATES = ['ongoing', 'ended'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];
/** Values by which incidents can be sorted: the time at which an incident was found, or how long the incident lasted. */
export const INCIDENT_SORTS = ['time', 'duration'] as const;
export type IncidentSort = (typeof INCIDENT_SORTS)[number];
/** Number of incidents on one page of the list, if the query sets no limit. */
const USUAL_INCIDENTS = 20;

export const AlertIncident = z.object({
  id: z.uuid(),
  /** The rule as it was when the incident began. */
  rule: AlertMeasure,
  openedAt: Instant,
  /** When the incident closed; null while it is ongoing. */
  closedAt: Instant.nullable(),
  /** The highest measured value, a percentage or milliseconds; null for rules without a threshold. */
  peak: z.number().nullable(),
  error: ListedIncidentError.nullable(),
  insight: ListedIncidentInsight.nullable(),
  /** True if the incident's first message is delayed until the quiet hours end. */
  waitsForQuietHours: z.boolean(),
  /** The incident's messages, oldest first. */
  deliveries: z.array(AlertDelivery),
});
export type AlertIncident = z.infer<typeof AlertIncident>;

const ProjectParams = z.object({ id: z.string() });
const RuleParams = z.object({ id: z.string(), ruleId: z.string() });
/** `secret` is the webhook's signing secret. Only the response of the request that created the secret contains it. */
const SavedRule = z.object({ rule: AlertRule, secret: z.string().nullable() });

export const alertRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/alerts',
    summary: "A project's alert rules with their state, and the people who can be notified by email",
    access: { by: 'session', action: 'projects.read', on: 'project' },
    params: ProjectParams,
    answer: z.object({
      rules: z.array(AlertRule),
      people: z.array(
        z.object({
          id: z.uuid(),
          name: z.string(),
          email: z.string(),
          /**
           * True if the person's email address is confirmed. Email is sent only to confirmed addresses, because other addresses may belong
           * to strangers.
           */
          confirmed: z.boolean(),
        }),
      ),
    }),
    errors: ['not_found'],
  }),
  create: defineRoute({
    method: 'POST',
    path: '/api/projects/:id/alerts',
    summary: `Create an alert rule, at most ${MAX_ALERT_RULES} per project. Only this response includes the webhook's secret`,
    access: { by: 'session', action: 'projects.edit', on: 'project' },
    params: ProjectParams,
    body: AlertRuleBody,
    answer: SavedRule,
    status: 201,
    errors: ['validation_failed', 'forbidden', 'not_found', 'too_many_alerts'],
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/api/projects/:id/alerts/:ruleId',
    summary:
      'Replace an alert rule. URLs that are left out are unchanged. If the measured value or its scope changes, an open incident closes without a message',
    access: { by: 'session', action: 'projects.edit', on: 'project' },
    params: RuleParams,
    body: AlertRuleBody,
    answer: SavedRule,
    errors: ['validation_failed', 'forbidden', 'not_found'],
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/api/projects/:id/alerts/:ruleId',
    summary: 'Delete an alert rule with its incidents and deliveries',
    access: { by: 'session', action: 'projects.edit', on: 'project' },
    params: RuleParams,
    answer: z.object({ success: z.literal(true) }),
    errors: ['forbidden', 'not_found'],
  }),
  test: defineRoute({
    method: 'POST',
    path: '/api/projects/:id/alerts/:ruleId/test',
    summary: `Send a test message to each channel of an alert rule. A project can send at most ${MAX_ALERT_TESTS} tests per hour`,
    access: { by: 'session', action: 'projects.edit', on: 'project' },
    params: RuleParams,
    answer: z.object({ deliveries: z.array(AlertDelivery) }),
    errors: ['forbidden', 'not_found', 'too_many_requests'],
  }),
  deliveries: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/alert-deliveries',
    summary: `The newest 100 messages of a project's alerts in the last ${ALERT_DAYS} days, with their delivery status`,
    access: { by: 'session', action: 'projects.read', on: 'project' },
    params: ProjectParams,
    answer: z.object({ deliveries: z.array(AlertDelivery) }),
    errors: ['not_found'],
  }),
  incidents: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/alert-incidents',
    summary: `Incidents of a project's alerts with their messages: ongoing incidents, and those of the last ${ALERT_DAYS} days. They are sorted by time, newest first, unless \`sort\` and \`order\` are set. An ongoing incident's duration ends at the time of the first page. A search finds incidents by the words of the alert, its scope, its error and its insight. A page can have fewer incidents than \`limit\`, even if more follow. A cursor is only valid with the \`sort\`, \`order\` and \`search\` of its page`,
    access: { by: 'session', action: 'projects.read', on: 'project' },
    params: ProjectParams,
    query: z.object({
      ruleId: z.uuid('ruleId must be the id of a rule').optional(),
      state: z.enum(INCIDENT_STATES, `state must be one of ${INCIDENT_STATES.join(', ')}`).optional(),
      sort: z.enum(INCIDENT_SORTS, `sort must be one of ${INCIDENT_SORTS.join(', ')}`).default('time'),
      order: Order.default('descending'),
      search: RowSearch.optional(),
      cursor: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(100).default(USUAL_INCIDENTS),
    }),
    answer: z.object({ incidents: z.array(AlertIncident), nextCursor: z.string().nullable() }),
    errors: ['validation_failed', 'not_found'],
  }),
};
