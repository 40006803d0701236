import { BILLING_CYCLES, PLAN_IDS, SUBSCRIPTION_STATUSES } from '@throughline/contract';
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { OrganizationId, UserId } from '../../ids.ts';
import { instant } from './instant.ts';
import { organizations, users } from './schema.ts';

/** The subscription of an account: a solo user or an organization. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .$type<UserId>()
      .unique('subscriptions_user')
      .references(() => users.id, { onDelete: 'cascade' }),
    organizationId: uuid('organization_id')
      .$type<OrganizationId>()
      .unique('subscriptions_organization')
      .references(() => organizations.id, { onDelete: 'cascade' }),
    plan: text('plan', { enum: PLAN_IDS }).notNull(),
    status: text('status', { enum: SUBSCRIPTION_STATUSES }).notNull(),
    billingCycle: text('billing_cycle', { enum: BILLING_CYCLES }).notNull().default('monthly'),
    currentPeriodStart: instant('current_period_start').notNull(),
    currentPeriodEnd: instant('current_period_end').notNull(),
    /**
     * Start of the first monthly usage period and billing period; all later periods are computed from it. With an anchor on the 31st, a
     * period after a shorter month starts on the 31st again.
     */
    anchorAt: instant('anchor_at').notNull(),
    /** Time after which the plan is no longer in force, even if other columns are not updated yet. */
    accessEndsAt: instant('access_ends_at').notNull(),
    cancelAtPeriodEnd: boolean('cancel_at_period_end').notNull().default(false),
    /** Plan of the next period; null: the same plan. */
    nextPlan: text('next_plan', { enum: PLAN_IDS }),
    nextCycle: text('next_cycle', { enum: BILLING_CYCLES }),
    pastDueSince: instant('past_due_since'),
    /** The paid plan before the subscription ended. */
    endedPlan: text('ended_plan', { enum: PLAN_IDS }),
    provider: text('provider', { enum: ['sandbox', 'stripe', 'operator'] })
      .notNull()
      .default('sandbox'),
    /** The payment provider's ids of the customer, the subscription and an open checkout. */
    customerRef: text('customer_ref'),
    subscriptionRef: text('subscription_ref').unique('subscriptions_ref'),
    checkoutRef: text('checkout_ref'),
    /** True if the sandbox declines the next payments, for tests. */
    sandboxDeclines: boolean('sandbox_declines').notNull().default(false),
    /** Incremented with each change of the subscription. */
    version: integer('version').notNull().default(0),
    /**
     * Each query to the provider takes the next ticket. A response whose ticket is older than the last applied ticket is outdated and
     * ignored.
     */
    ticketsTaken: integer('tickets_taken').notNull().default(0),
    ticketApplied: integer('ticket_applied').notNull().default(0),
  },
  (table) => [
    check('subscriptions_one_account', sql`num_nonnulls(${table.userId}, ${table.organizationId}) = 1`),
    index('subscriptions_period_end').on(table.currentPeriodEnd),
  ],
);

/** Charges in the sandbox, which uses no card. */
export const sandboxInvoices = pgTable(
  'sandbox_invoices',
  {
    id: uuid('id').primaryKey(),
    subscriptionId: uuid('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    /** Version of the subscription that was charged. No version is charged twice. */
    version: integer('version').notNull(),
    at: instant('at').notNull(),
    description: text('description').notNull(),
    /** US cents. */
    amount: integer('amount').notNull(),
    paid: boolean('paid').notNull(),
    periodStart: instant('period_start').notNull(),
    periodEnd: instant('period_end').notNull(),
  },
  (table) => [unique('sandbox_invoices_once').on(table.subscriptionId, table.version)],
);

/** Processed webhook events of the payment provider, so that each is processed once. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    /** The provider's event id. */
    id: text('id').primaryKey(),
    receivedAt: instant('received_at').notNull(),
  },
  (table) => [index('payment_events_received').on(table.receivedAt)],
);
