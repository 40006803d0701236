import { z } from 'zod';
import { formatAverage } from '../format/formats.ts';
import { Instant } from '../instants/instants.ts';
import { describeProblem } from '../traces/query/parse-query.ts';
import { findAlertFilterProblem, MAX_ALERT_FILTER_LENGTH } from './alert-filter.ts';
import { AlertKind } from './alert-kinds.ts';

/** Kinds of alert rules with a threshold: a percentage of failed requests, or milliseconds. */
export const THRESHOLD_KINDS = ['error_rate', 'p95'] as const satisfies readonly AlertKind[];
/** Severities of insights, the most severe first. */
export const ALERT_SEVERITIES = ['high', 'medium', 'low'] as const;
export const AlertSeverity = z.enum(ALERT_SEVERITIES, {
  error: `severity must be one of ${ALERT_SEVERITIES.join(', ')}`,
});
export type AlertSeverity = z.infer<typeof AlertSeverity>;
/** Minutes between two checks of a rule about insights. */
export const INSIGHT_CHECK_MINUTES = 15;
/** Maximum number of alert rules per project. */
export const MAX_ALERT_RULES = 50;
/** Maximum number of people that one rule notifies by email. */
export const MAX_ALERT_PEOPLE = 20;
/** Maximum number of test alerts per project and hour. */
export const MAX_ALERT_TESTS = 20;
/** Maximum of a rule's `minutes`: the time above the threshold, or without requests, after which the rule fires. */
export const MAX_ALERT_MINUTES = 1440;
/** Length of the time range that a measurement covers, in minutes. The range ends at the time of the measurement. */
export const ALERT_WINDOW_MINUTES = 5;
/**
 * An incident closes when the value has been at or below `threshold * RECOVERY_SHARE` for the rule's `minutes`. A value that hovers around
 * the threshold therefore opens only one incident.
 */
export const RECOVERY_SHARE = 0.8;
/** Number of days that ended incidents and deliveries are stored. */
export const ALERT_DAYS = 30;
/** An error's incident closes after this many hours without the error. */
export const ERROR_QUIET_HOURS = 24;

export function hasThreshold(kind: AlertKind): boolean {
  return (THRESHOLD_KINDS as readonly AlertKind[]).includes(kind);
}

export function isOfError(kind: AlertKind): boolean {
  return kind === 'new_error' || kind === 'reopened_error';
}

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a quiet time is like 22:00');

/** True for kinds of rules that need `minutes`: the time above the threshold, or without requests, after which the rule fires. */
export function hasMinutes(kind: AlertKind): boolean {
  return hasThreshold(kind) || kind === 'no_traffic';
}

/** Daily time range in which no messages about incidents are sent. If `until` is earlier than `from`, the range spans midnight. */
export const QuietHours = z
  .strictObject(
    {
      from: time,
      until: time,
      timeZone: z.string().max(64, 'timeZone is too long').refine(isTimeZone, {
        error: 'timeZone must be a name such as Europe/Berlin',
      }),
    },
    'quietHours must be an object of from, until and timeZone, or null',
  )
  .refine(({ from, until }) => from !== until, {
    error: 'from and until of quietHours must differ',
    path: ['until'],
  });
export type QuietHours = z.infer<typeof QuietHours>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The requests that a rule applies to; a null field matches all requests. */
export const AlertScope = z.object({
  service: z.string().nullable(),
  environment: z.string().nullable(),
  /** Method and route, such as `POST /orders/:id`. */
  endpoint: z.string().nullable(),
  /** A query in the filter language, such as `route:/checkout -instance:w3`. */
  filter: z.string().nullable().default(null),
});
export type AlertScope = z.infer<typeof AlertScope>;

export const AlertRule = AlertScope.extend({
  id: z.uuid(),
  kind: AlertKind,
  /** Percentage of failed requests, or milliseconds; null for kinds without a threshold. */
  threshold: z.number().nullable(),
  /**
   * Number of minutes above the threshold, or without requests, after which the rule fires. Null for errors and insights, which are
   * reported immediately.
   */
  minutes: z.number().nullable(),
  /** Minimum severity of the insights that are reported; null for other kinds of rules. */
  severity: AlertSeverity.nullable(),
  /** Ids of the users notified by email. */
  people: z.array(z.uuid()),
  /** Beginning of the webhook's URL; the complete URL is a secret. Null: no webhook. */
  webhook: z.string().nullable(),
  slack: z.string().nullable(),
  quietHours: QuietHours.nullable(),
  paused: z.boolean(),
  createdAt: Instant,
  /** When the oldest open incident was opened; null: no incident is open. */
  firingSince: Instant.nullable(),
  openIncidents: z.number(),
  /** True during quiet hours: messages are sent when the quiet hours end. */
  quietNow: z.boolean(),
  /** The last measured value. Null: not measured yet, no requests, or a rule about errors or insights. */
  lastValue: z.number().nullable(),
});
export type AlertRule = z.infer<typeof AlertRule>;

const named = (what: string, max: number) =>
  z.string().trim().max(max, `${what} must be at most ${max} characters long`).nullable().default(null);
const address = (what: string) =>
  z
    .string()
    .trim()
    .max(2000, `${what} must be at most 2000 characters long`)
    .refine(isWebAddress, { error: `${what} must be a URL that begins with https:// or http://` })
    .nullable()
    .optional();

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/**
 * The complete rule, for creating or replacing a rule. If the webhook's or Slack's URL is absent, the stored URL stays; null removes the
 * stored URL.
 */
export const AlertRuleBody = z
  .strictObject({
    kind: AlertKind,
    service: named('service', 200),
    environment: named('environment', 200),
    endpoint: named('endpoint', 500),
    /** A query in the filter language. Which terms it can have depends on `kind`. */
    filter: named('filter', MAX_ALERT_FILTER_LENGTH),
    threshold: z
      .number('threshold must be a number')
      .positive('threshold must be above 0')
      .max(86_400_000, 'threshold must be at most a day')
      .nullable()
      .default(null),
    minutes: z
      .int('minutes must be a whole number')
      .min(1, 'minutes must be at least 1')
      .max(MAX_ALERT_MINUTES, `minutes must be at most ${MAX_ALERT_MINUTES}`)
      .nullable()
      .default(null),
    severity: AlertSeverity.nullable().default(null),
    people: z
      .array(z.uuid('people must be a list of user ids'))
      .max(MAX_ALERT_PEOPLE, `people must have at most ${MAX_ALERT_PEOPLE} users`)
      .default([])
      .transform((list) => [...new Set(list)]),
    webhookUrl: address('webhookUrl'),
    slackUrl: address('slackUrl'),
    /** Creates a new webhook secret. The previous secret becomes invalid immediately. */
    renewSecret: z.boolean().default(false),
    quietHours: QuietHours.nullable().default(null),
    paused: z.boolean().default(false),
  })
  .superRefine(({ kind, threshold, minutes, severity, ...requests }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (hasThreshold(kind) && threshold === null) {
      refuse('threshold', `threshold is needed for ${kind}`);
    }
    if (kind === 'error_rate' && threshold !== null && threshold > 100) {
      refuse('threshold', 'threshold must be a percentage of at most 100');
    }
    if (hasMinutes(kind) && minutes === null) refuse('minutes', `minutes is needed for ${kind}`);
    if (kind === 'insight' && severity === null)
      refuse('severity', 'severity is required for alerts on new insights');
    const problem = findAlertFilterProblem({ ...requests, kind }, requests.filter ?? '');
    if (problem !== undefined) refuse('filter', `filter: ${describeProblem(problem)}`);
  });
export type AlertRuleBody = z.output<typeof AlertRuleBody>;

/** Describes briefly when a rule fires, such as “Error rate above 5 % for 10 min”. */
export function describeAlert(rule: Pick<AlertRule, 'kind' | 'threshold' | 'minutes' | 'severity'>): string {
  const lasting = `${rule.minutes ?? 0} min`;
  switch (rule.kind) {
    case 'new_error':
      return 'New error';
    case 'reopened_error':
      return 'Reopened error';
    case 'error_rate':
      return `Error rate above ${rule.threshold ?? 0} % for ${lasting}`;
    case 'p95':
      return `P95 above ${formatAverage(rule.threshold ?? 0)} for ${lasting}`;
    case 'no_traffic':
      return `No traffic for ${lasting}`;
    case 'insight':
      return INSIGHT_WORDS[rule.severity ?? 'low'];
  }
}

const INSIGHT_WORDS: Readonly<Record<AlertSeverity, string>> = {
  high: 'New insight of high severity',
  medium: 'New insight of medium or high severity',
  low: 'New insight',
};

/** Describes the requests that a rule applies to; empty for all requests. */
export function describeScope({ service, environment, endpoint, filter }: AlertScope): string {
  return [service, environment, endpoint, filter].filter((part) => (part ?? '') !== '').join(' · ');
}
