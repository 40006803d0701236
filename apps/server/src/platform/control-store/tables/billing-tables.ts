import { BILLING_CYCLES, PLAN_IDS, SUBSCRIPTION_STATUSES } from '@throughline/contract';
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core';
import type { OrganizationId, UserId } from '../../ids.ts';
import { organizations, users } from './schema.ts';

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 6, mode: 'date' });

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
    /** Where the months of usage, and the periods, are counted from: the 31st stays the 31st after a short month. */
    anchorAt: instant('anchor_at').notNull(),
    /** From then on the plan is not in force, whatever the other columns still say. */
    accessEndsAt: instant('access_ends_at').notNull(),
    cancelAtPeriodEnd: boolean('cancel_at_period_end').notNull().default(false),
    /** The plan of the next period; null means the same plan. */
    nextPlan: text('next_plan', { enum: PLAN_IDS }),
    nextCycle: text('next_cycle', { enum: BILLING_CYCLES }),
    pastDueSince: instant('past_due_since'),
    /** The plan that was paid for before the subscription ended. */
    endedPlan: text('ended_plan', { enum: PLAN_IDS }),
    provider: text('provider', { enum: ['sandbox', 'stripe', 'operator'] })
      .notNull()
      .default('sandbox'),
    /** The payment provider's names for who pays, for what, and for a checkout that was begun. */
    customerRef: text('customer_ref'),
    subscriptionRef: text('subscription_ref').unique('subscriptions_ref'),
    checkoutRef: text('checkout_ref'),
    /** True if the sandbox refuses the next payments, for tests. */
    sandboxDeclines: boolean('sandbox_declines').notNull().default(false),
    /** Grows with each change. */
    version: integer('version').notNull().default(0),
    /** Each question to the provider takes the next ticket; an answer with an older ticket than the one applied says nothing new. */
    ticketsTaken: integer('tickets_taken').notNull().default(0),
    ticketApplied: integer('ticket_applied').notNull().default(0),
  },
  (table) => [
    check('subscriptions_one_account', sql`num_nonnulls(${table.userId}, ${table.organizationId}) = 1`),
    index('subscriptions_period_end').on(table.currentPeriodEnd),
  ],
);

/** Charges of the sandbox, which uses no card. */
export const sandboxInvoices = pgTable(
  'sandbox_invoices',
  {
    id: uuid('id').primaryKey(),
    subscriptionId: uuid('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    /** The subscription's version that it was charged for: none is charged twice. */
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

/** Messages of the payment provider that were handled: each is once. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    /** The provider's id of it. */
    id: text('id').primaryKey(),
    receivedAt: instant('received_at').notNull(),
  },
  (table) => [index('payment_events_received').on(table.receivedAt)],
);
