import { MEMBER_ROLES, PLAN_IDS } from '@throughline/contract';
import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { OrganizationId, ProjectId, SessionId, UserId } from '../ids.ts';

/** The tables of the control store. A change here needs a new migration: `npm run migrations -w throughline`. */

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 6, mode: 'date' });

export const users = pgTable('users', {
  id: uuid('id').$type<UserId>().primaryKey(),
  name: text('name').notNull(),
  /** In lower case. */
  email: text('email').notNull().unique('users_email'),
  /** argon2id, in its own notation. */
  passwordHash: text('password_hash').notNull(),
  /** Made with the demo workspace, and removed with it. */
  demo: boolean('demo').notNull().default(false),
  createdAt: instant('created_at').notNull(),
});

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').$type<SessionId>().primaryKey(),
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the bearer token, in hex. */
    tokenHash: text('token_hash').notNull().unique('sessions_token_hash'),
    createdAt: instant('created_at').notNull(),
    /** Kept to within some minutes. */
    lastSeenAt: instant('last_seen_at').notNull(),
  },
  (table) => [index('sessions_user').on(table.userId)],
);

export const organizations = pgTable('organizations', {
  id: uuid('id').$type<OrganizationId>().primaryKey(),
  name: text('name').notNull(),
  slug: text('slug').notNull().unique('organizations_slug'),
  demo: boolean('demo').notNull().default(false),
  createdAt: instant('created_at').notNull(),
});

/** A user belongs to at most one organization. */
export const members = pgTable(
  'members',
  {
    userId: uuid('user_id')
      .$type<UserId>()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    organizationId: uuid('organization_id')
      .$type<OrganizationId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    role: text('role', { enum: MEMBER_ROLES }).notNull(),
    joinedAt: instant('joined_at').notNull(),
  },
  (table) => [
    index('members_organization').on(table.organizationId),
    uniqueIndex('members_one_owner').on(table.organizationId).where(sql`role = 'owner'`),
  ],
);

/** What an account pays for: an account is a user alone, or an organization. */
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
    status: text('status', { enum: ['trialing', 'active', 'cancelled', 'expired'] }).notNull(),
    currentPeriodStart: instant('current_period_start').notNull(),
    currentPeriodEnd: instant('current_period_end').notNull(),
  },
  (table) => [
    check('subscriptions_one_account', sql`num_nonnulls(${table.userId}, ${table.organizationId}) = 1`),
  ],
);

export const projects = pgTable(
  'projects',
  {
    id: uuid('id').$type<ProjectId>().primaryKey(),
    userId: uuid('user_id')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'cascade' }),
    organizationId: uuid('organization_id')
      .$type<OrganizationId>()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('projects_user').on(table.userId),
    index('projects_organization').on(table.organizationId),
    check('projects_one_account', sql`num_nonnulls(${table.userId}, ${table.organizationId}) = 1`),
  ],
);

export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid('id').primaryKey(),
    projectId: uuid('project_id')
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** SHA-256 of the key, in hex. */
    keyHash: text('key_hash').notNull().unique('api_keys_hash'),
    /** The key itself, sealed with the server's secret, so that it can be shown again. */
    sealedKey: text('sealed_key').notNull(),
    createdAt: instant('created_at').notNull(),
    /** The end of a replaced key's grace; null for the project's current key. */
    endsAt: instant('ends_at'),
  },
  (table) => [
    index('api_keys_project').on(table.projectId),
    uniqueIndex('api_keys_one_current').on(table.projectId).where(sql`ends_at is null`),
  ],
);

/** Projects that are gone, whose traces are still to be removed from the trace store. */
export const projectDeletions = pgTable('project_deletions', {
  projectId: uuid('project_id').$type<ProjectId>().primaryKey(),
  requestedAt: instant('requested_at').notNull(),
});

/** One row once the demo workspace was made, also after it was removed: it is made once. */
export const demoWorkspace = pgTable('demo_workspace', {
  only: boolean('only').primaryKey().default(true),
  organizationId: uuid('organization_id')
    .$type<OrganizationId>()
    .references(() => organizations.id, { onDelete: 'set null' }),
  projectId: uuid('project_id')
    .$type<ProjectId>()
    .references(() => projects.id, { onDelete: 'set null' }),
  createdAt: instant('created_at').notNull(),
});
