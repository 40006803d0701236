import {
  ALERT_CHANNELS,
  ALERT_EVENTS,
  ALERT_KINDS,
  ALERT_SEVERITIES,
  type AlertMeasure,
  DELIVERY_STATES,
  type QuietHours,
} from '@throughline/contract';
import {
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import type { AlertDeliveryId, AlertIncidentId, AlertRuleId, ProjectId, UserId } from '../../ids.ts';
import { instant } from './instant.ts';
import { projects } from './schema.ts';

/** Alert rules of projects. */
export const alertRules = pgTable(
  'alert_rules',
  {
    /** A UUIDv7, so ids are in order of time. */
    id: uuid('id').$type<AlertRuleId>().primaryKey(),
    projectId: uuid('project_id')
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ALERT_KINDS }).notNull(),
    service: text('service'),
    environment: text('environment'),
    endpoint: text('endpoint'),
    /** A query in the filter language. */
    filter: text('filter'),
    threshold: doublePrecision('threshold'),
    minutes: integer('minutes'),
    severity: text('severity', { enum: ALERT_SEVERITIES }),
    /** Users to notify. A user who left the project's organization is not notified. */
    people: uuid('people').array().$type<UserId[]>().notNull(),
    /**
     * Encrypted URLs and webhook secret. Anyone who knew the URLs could post to the recipients, and anyone who knew the secret could sign
     * messages.
     */
    sealedWebhook: text('sealed_webhook'),
    sealedSecret: text('sealed_secret'),
    sealedSlack: text('sealed_slack'),
    quietHours: jsonb('quiet_hours').$type<QuietHours>(),
    paused: boolean('paused').notNull(),
    createdAt: instant('created_at').notNull(),
    /**
     * When the rule was created, or when a user last changed the quantity that the rule measures, or the rule's scope. Errors that were
     * first seen earlier do not count as new.
     */
    since: instant('since').notNull(),
    /**
     * When a server must next measure the rule. Before a server measures the rule, it moves this time past the maximum duration of a
     * measurement, so that no other server measures the rule meanwhile.
     */
    dueAt: instant('due_at').notNull(),
    /** Number of the last measurement. It prevents a slow measurement from overwriting the result of a later measurement. */
    checkNumber: integer('look').notNull().default(0),
    checkedAt: instant('looked_at'),
    lastValue: doublePrecision('last_value'),
    /**
     * `aboveSince`: since when the value is above the rule's threshold. `belowSince`: since when the value is at or below the level at
     * which an incident closes.
     */
    aboveSince: instant('above_since'),
    belowSince: instant('below_since'),
    /** The highest value since the value rose above the threshold, or since the open incident began. */
    peak: doublePrecision('peak'),
  },
  (table) => [index('alert_rules_project').on(table.projectId), index('alert_rules_due').on(table.dueAt)],
);

/** Incidents of alert rules. An incident that closes before its message was queued is never reported. */
export const alertIncidents = pgTable(
  'alert_incidents',
  {
    id: uuid('id').$type<AlertIncidentId>().primaryKey(),
    ruleId: uuid('rule_id')
      .$type<AlertRuleId>()
      .notNull()
      .references(() => alertRules.id, { onDelete: 'cascade' }),
    /**
     * Identifies the event that the incident is about, so that the event is reported only once: contains the id of an error or insight, or
     * the time at which the value rose above the threshold.
     */
    key: text('key').notNull(),
    openedAt: instant('opened_at').notNull(),
    closedAt: instant('closed_at'),
    value: doublePrecision('value'),
    /** The highest value that was measured during the incident. */
    peak: doublePrecision('peak'),
    /** The rule as it was when the incident began, so that later changes of the rule do not change earlier incidents. */
    rule: jsonb('rule').$type<AlertMeasure>(),
    /** The id of the error or insight. */
    errorId: text('error_id'),
    /** The text of the error or insight, encrypted because it can contain captured data. */
    sealedError: text('sealed_error'),
    /**
     * When the message about the beginning of the incident was queued. If no message is needed, the time at which the incident was stored.
     */
    announcedAt: instant('told_at'),
    announcedEndAt: instant('told_end_at'),
  },
  (table) => [
    unique('alert_incidents_key').on(table.ruleId, table.key),
    index('alert_incidents_opened').on(table.openedAt),
  ],
);

/** Messages of alerts, one for each recipient. A message is retried until it is delivered or abandoned. */
export const alertDeliveries = pgTable(
  'alert_deliveries',
  {
    /** The id shown to recipients: the same for every attempt. */
    id: uuid('id').$type<AlertDeliveryId>().primaryKey(),
    projectId: uuid('project_id')
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    ruleId: uuid('rule_id')
      .$type<AlertRuleId>()
      .notNull()
      .references(() => alertRules.id, { onDelete: 'cascade' }),
    /** Null for a test message. The incident can be deleted before its messages. */
    incidentId: uuid('incident_id').$type<AlertIncidentId>(),
    event: text('event', { enum: ALERT_EVENTS }).notNull(),
    channel: text('channel', { enum: ALERT_CHANNELS }).notNull(),
    /** The recipient as the list of deliveries shows it: an email address, or the beginning of a webhook URL. */
    target: text('target').notNull(),
    /** Identifies the incident's message and its recipient, so that two servers cannot queue the same message twice. */
    key: text('key').notNull().unique('alert_deliveries_key'),
    /** The encrypted body, which can contain an error's message. */
    sealedPayload: text('sealed_payload').notNull(),
    state: text('state', { enum: DELIVERY_STATES }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    /**
     * When the next attempt is due. Before a server makes an attempt, it moves this time past the attempt's maximum duration. If the server
     * crashes, another server continues after that time.
     */
    dueAt: instant('due_at').notNull(),
    finishedAt: instant('finished_at'),
    problem: text('problem'),
  },
  (table) => [
    index('alert_deliveries_due').on(table.state, table.dueAt),
    index('alert_deliveries_project').on(table.projectId, table.createdAt),
    index('alert_deliveries_incident').on(table.incidentId),
  ],
);
