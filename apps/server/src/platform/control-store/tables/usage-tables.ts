import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import type { OrganizationId, ProjectId, UserId } from '../../ids.ts';
import { projects } from './schema.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 6, mode: 'date' });
const account = () => uuid('account_id').$type<UserId | OrganizationId>().notNull();

/** Traces accepted from an account in a month of its billing. Deleting traces does not lower the count. */
export const usageMonths = pgTable(
  'usage_months',
  {
    accountId: account(),
    periodStart: instant('period_start').notNull(),
    traces: bigint('traces', { mode: 'number' }).notNull().default(0),
    /** When the owner was first to be told that 80 % and that all of the plan's traces are used; null before. */
    reached80At: instant('reached_80_at'),
    reached100At: instant('reached_100_at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.periodStart] })],
);

/**
 * Traces that are counted already and still on their way to the trace store. A claim goes once they are stored; one that a crash left
 * behind is compared with what was stored, and the rest given back.
 */
export const usageClaims = pgTable(
  'usage_claims',
  {
    /** One for a group of traces that are stored at once; their rows carry it. */
    id: uuid('id').notNull(),
    accountId: account(),
    periodStart: instant('period_start').notNull(),
    traces: integer('traces').notNull(),
    madeAt: instant('made_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.id, table.accountId] }),
    index('usage_claims_made').on(table.madeAt),
  ],
);

/** Under which retentions a project's plan was seen, so that what a downgrade hides is deleted a day later and not at once. */
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

/** Disk budget state, one row per store. */
export const diskBudgets = pgTable('disk_budgets', {
  store: text('store').primaryKey(),
  /** Since when, and when last, traces were dropped to make room; null: never. */
  since: instant('since'),
  lastDropAt: instant('last_drop_at'),
  /** The server that makes room now, and until when no other one does; null: none. */
  heldBy: uuid('held_by'),
  heldUntil: instant('held_until'),
});

/** Observed times that deletions depend on: one row. See features/retention/held-time.ts. */
export const deletionTimes = pgTable('deletion_times', {
  only: boolean('only').primaryKey().default(true),
  /** Null until the clock has been observed for a day. */
  trustedAt: instant('trusted_at'),
  candidateAt: instant('candidate_at').notNull(),
  heldMs: bigint('held_ms', { mode: 'number' }).notNull(),
  /** The server process that observes, and how often it has. */
  observer: uuid('observer').notNull(),
  looks: integer('looks').notNull(),
});
