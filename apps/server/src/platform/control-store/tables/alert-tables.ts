import {
  ALERT_CHANNELS,
  ALERT_EVENTS,
  ALERT_KINDS,
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
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import type { AlertDeliveryId, AlertIncidentId, AlertRuleId, ProjectId, UserId } from '../../ids.ts';
import { projects } from './schema.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 6, mode: 'date' });

/** Rules of projects that tell people when something goes wrong. */
export const alertRules = pgTable(
  'alert_rules',
  {
    /** A UUIDv7: in order of time. */
    id: uuid('id').$type<AlertRuleId>().primaryKey(),
    projectId: uuid('project_id')
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ALERT_KINDS }).notNull(),
    service: text('service'),
    environment: text('environment'),
    endpoint: text('endpoint'),
    threshold: doublePrecision('threshold'),
    minutes: integer('minutes'),
    /** Users who have left the project's organization are told nothing. */
    people: uuid('people').array().$type<UserId[]>().notNull(),
    /** Addresses and the webhook's secret, encrypted: with them, anybody could post there, or sign. */
    sealedWebhook: text('sealed_webhook'),
    sealedSecret: text('sealed_secret'),
    sealedSlack: text('sealed_slack'),
    quietHours: jsonb('quiet_hours').$type<QuietHours>(),
    paused: boolean('paused').notNull(),
    createdAt: instant('created_at').notNull(),
    /** When what it measures was last changed: earlier errors are not news. */
    since: instant('since').notNull(),
    /** When a server looks at it next. While one does, later than the look takes. */
    dueAt: instant('due_at').notNull(),
    /** Numbers the looks: one that took too long must not overwrite the next. */
    look: integer('look').notNull().default(0),
    lookedAt: instant('looked_at'),
    lastValue: doublePrecision('last_value'),
    /** Since when the figure is above its threshold, or below the bound at which an incident ends. */
    aboveSince: instant('above_since'),
    belowSince: instant('below_since'),
  },
  (table) => [index('alert_rules_project').on(table.projectId), index('alert_rules_due').on(table.dueAt)],
);

/** Times at which a rule fired. One that closes before anybody was told is told to nobody. */
export const alertIncidents = pgTable(
  'alert_incidents',
  {
    id: uuid('id').$type<AlertIncidentId>().primaryKey(),
    ruleId: uuid('rule_id')
      .$type<AlertRuleId>()
      .notNull()
      .references(() => alertRules.id, { onDelete: 'cascade' }),
    /** The same for the same happening, so that it is told once: an error, or when the figure rose. */
    key: text('key').notNull(),
    openedAt: instant('opened_at').notNull(),
    closedAt: instant('closed_at'),
    value: doublePrecision('value'),
    errorId: text('error_id'),
    /** The error's service and message, encrypted as captured texts are elsewhere. */
    sealedError: text('sealed_error'),
    /** When its message was queued. */
    toldAt: instant('told_at'),
    toldEndAt: instant('told_end_at'),
  },
  (table) => [
    unique('alert_incidents_key').on(table.ruleId, table.key),
    index('alert_incidents_opened').on(table.openedAt),
  ],
);

/** Messages of alerts: each to one receiver, tried until it arrives or is given up. */
export const alertDeliveries = pgTable(
  'alert_deliveries',
  {
    /** The id that receivers see, the same at each try. */
    id: uuid('id').$type<AlertDeliveryId>().primaryKey(),
    projectId: uuid('project_id')
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    ruleId: uuid('rule_id')
      .$type<AlertRuleId>()
      .notNull()
      .references(() => alertRules.id, { onDelete: 'cascade' }),
    event: text('event', { enum: ALERT_EVENTS }).notNull(),
    channel: text('channel', { enum: ALERT_CHANNELS }).notNull(),
    /** Shown in the log: an e-mail address, or the begin of a web address. */
    target: text('target').notNull(),
    /** The same for the same message to the same receiver: two servers cannot queue it twice. */
    key: text('key').notNull().unique('alert_deliveries_key'),
    /** The body, encrypted: it can hold an error's text. */
    sealedPayload: text('sealed_payload').notNull(),
    state: text('state', { enum: DELIVERY_STATES }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    /** While a server tries it, later than the try takes: after a crash another one goes on then. */
    dueAt: instant('due_at').notNull(),
    finishedAt: instant('finished_at'),
    problem: text('problem'),
  },
  (table) => [
    index('alert_deliveries_due').on(table.state, table.dueAt),
    index('alert_deliveries_project').on(table.projectId, table.createdAt),
  ],
);
