import { bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { OrganizationId, ProjectId, UserId } from '../../ids.ts';
import { instant } from './instant.ts';
import { projects } from './schema.ts';

const account = () => uuid('account_id').$type<UserId | OrganizationId>().notNull();

/** Number of traces accepted per account and billing month. Deleting traces does not lower the number. */
export const usageMonths = pgTable(
  'usage_months',
  {
    accountId: account(),
    periodStart: instant('period_start').notNull(),
    traces: bigint('traces', { mode: 'number' }).notNull().default(0),
    /** When usage first reached 80 % and 100 % of the plan's quota; null before. */
    reached80At: instant('reached_80_at'),
    reached100At: instant('reached_100_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.periodStart] })],
);

/**
 * Quota reserved for traces on their way to the trace store. A row is deleted when its traces are stored. If a crash left a row, a server
 * compares it with the stored traces and releases the unused quota.
 */
export const usageReservations = pgTable(
  'usage_reservations',
  {
    /** Id of a group of traces that are stored together. The trace store contains this id in each row of the group. */
    id: uuid('id').notNull(),
    accountId: account(),
    periodStart: instant('period_start').notNull(),
    traces: integer('traces').notNull(),
    reservedAt: instant('reserved_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.accountId] }),
    index('usage_reservations_reserved').on(table.reservedAt),
  ],
);

/**
 * The retentions that each project had, and when each was in force. With these rows, traces that a downgrade hides are deleted a day later,
 * not immediately.
 */
export const retentionsSeen = pgTable(
  'retentions_seen',
  {
    projectId: uuid('project_id')
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    hours: integer('hours').notNull(),
    firstSeenAt: instant('first_seen_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.hours] })],
);

/** State of the disk budget, one row per trace store. */
export const diskBudgets = pgTable('disk_budgets', {
  store: text('store').primaryKey(),
  /** `since`: when the current series of evictions began. `lastDropAt`: when traces were evicted last. Null: never. */
  since: instant('since'),
  lastDropAt: instant('last_drop_at'),
  /** The server that currently frees space, and the time until which no other server frees space. Null if no server frees space. */
  heldBy: uuid('held_by'),
  heldUntil: instant('held_until'),
});

/** Observed times on which deletions depend, in a single row. See features/retention/trusted-time.ts. */
export const deletionTimes = pgTable('deletion_times', {
  only: boolean('only').primaryKey().default(true),
  /** Null until the clock has been observed for a day. */
  trustedAt: instant('trusted_at'),
  candidateAt: instant('candidate_at').notNull(),
  heldMs: bigint('held_ms', { mode: 'number' }).notNull(),
  /** The server process that observes the clock. `readings` counts its observations. */
  observer: uuid('observer').notNull(),
  readings: integer('looks').notNull(),
});
