import { CAPTURE_MODES, MEMBER_ROLES } from '@throughline/contract';
import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { AccessTokenId, InvitationId, OrganizationId, ProjectId, SessionId, UserId } from '../../ids.ts';
import { instant } from './instant.ts';

/** Tables of the control store. A change requires a new migration: `npm run migrations -w throughline`. */

export const users = pgTable('users', {
  id: uuid('id').$type<UserId>().primaryKey(),
  name: text('name').notNull(),
  /** In lower case. */
  email: text('email').notNull().unique('users_email'),
  /** When the address was confirmed, usually with a mailed link; null if it is not confirmed yet. */
  emailVerifiedAt: instant('email_verified_at'),
  /** An argon2id hash in its standard encoding. */
  passwordHash: text('password_hash').notNull(),
  /** True for users created with the demo workspace; they are deleted with it. */
  demo: boolean('demo').notNull().default(false),
  createdAt: instant('created_at').notNull(),
  /** When the user was last active in any session, accurate to within a few minutes. Unlike sessions, this time does not expire. */
  lastActiveAt: instant('last_active_at'),
});

/**
 * Attempts to guess passwords and codes, by a hash of the account. Used only if several servers can share this store: a server with a store
 * of its own counts attempts in memory.
 */
export const loginAttempts = pgTable(
  'login_attempts',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    /**
     * Usually the time of the last attempt. In the row that limits an account's attempts from all addresses, each attempt moves this time
     * ahead by the interval of the allowed rate: at ten attempts a minute, three attempts at 12:00:00 move it to 12:00:18.
     */
    at: instant('at').notNull(),
  },
  (table) => [index('login_attempts_at').on(table.at)],
);

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
    /** When the user last entered the password or second factor in this session: at login, or later. */
    authenticatedAt: instant('authenticated_at').notNull(),
    /** Accurate to within a few minutes. */
    lastSeenAt: instant('last_seen_at').notNull(),
    /** Network address of the session's last use; null for sessions that were created before this column existed. */
    address: text('address'),
    /** Browser and operating system from the login request; null if the request did not name them. */
    device: text('device'),
  },
  (table) => [index('sessions_user').on(table.userId)],
);

/** Tokens with which users read data outside the dashboard. */
export const accessTokens = pgTable(
  'access_tokens',
  {
    id: uuid('id').$type<AccessTokenId>().primaryKey(),
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** SHA-256 of the token, in hex. */
    tokenHash: text('token_hash').notNull().unique('access_tokens_token_hash'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** Accurate to a minute; null if the token was never used. */
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [
    index('access_tokens_user').on(table.userId),
    index('access_tokens_expires').on(table.expiresAt),
  ],
);

/** Second factors. A factor is active once a code confirmed it. */
export const twoFactor = pgTable('two_factor', {
  userId: uuid('user_id')
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The TOTP secret in base32, encrypted with the server's secret. */
  sealedSecret: text('sealed_secret').notNull(),
  confirmedAt: instant('confirmed_at'),
  /** The latest 30-second step whose code was accepted. Codes of this or an earlier step are rejected. */
  lastStep: integer('last_step').notNull().default(0),
  createdAt: instant('created_at').notNull(),
});

/** Unused backup codes. */
export const backupCodes = pgTable(
  'backup_codes',
  {
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** HMAC-SHA-256 with a server key, in hex. */
    codeHash: text('code_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/** Logins with a correct password that still need the second factor. */
export const pendingLogins = pgTable(
  'pending_logins',
  {
    /** SHA-256 of the temporary token, in hex. */
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    triesLeft: integer('tries_left').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('pending_logins_created').on(table.createdAt)],
);

/** Links to set a new password; each works once. */
export const passwordResets = pgTable(
  'password_resets',
  {
    /** SHA-256 of the link's token, in hex. */
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('password_resets_user').on(table.userId)],
);

/** Mailed links that confirm an address: the user's current or pending address. Each link works once. */
export const emailLinks = pgTable(
  'email_links',
  {
    /** SHA-256 of the link's token, in hex. */
    tokenHash: text('token_hash').primaryKey(),
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** In lower case. */
    email: text('email').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('email_links_user').on(table.userId)],
);

/** Devices (browser and system) from which a user has logged in. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    device: text('device').notNull(),
    seenAt: instant('seen_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.device] })],
);

export const organizations = pgTable('organizations', {
  id: uuid('id').$type<OrganizationId>().primaryKey(),
  name: text('name').notNull(),
  slug: text('slug').notNull().unique('organizations_slug'),
  demo: boolean('demo').notNull().default(false),
  createdAt: instant('created_at').notNull(),
});

/** Members of organizations. A user belongs to at most one organization. */
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

/** Invitations that are neither accepted nor withdrawn, including expired ones. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').$type<InvitationId>().primaryKey(),
    organizationId: uuid('organization_id')
      .$type<OrganizationId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** In lower case. */
    email: text('email').notNull(),
    role: text('role', { enum: MEMBER_ROLES }).notNull(),
    /** SHA-256 of the link's token, in hex. */
    tokenHash: text('token_hash').notNull().unique('invitations_token_hash'),
    /** The token, encrypted with the server's secret so that the inviter can copy the link again. */
    sealedToken: text('sealed_token').notNull(),
    inviterId: uuid('inviter_id')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('invitations_one_an_address').on(table.organizationId, table.email),
    index('invitations_email').on(table.email),
  ],
);

/** Audit log of organizations. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    /** A UUIDv7, so ids are in order of time. */
    id: uuid('id').primaryKey(),
    organizationId: uuid('organization_id')
      .$type<OrganizationId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    action: text('action').notNull(),
    /** Name and address of the user at the time of the action, because an audit entry is still shown after the account was deleted. */
    actorName: text('actor_name'),
    actorEmail: text('actor_email'),
    target: text('target'),
    address: text('address'),
  },
  (table) => [
    index('audit_entries_organization').on(table.organizationId, table.id),
    index('audit_entries_at').on(table.at),
  ],
);

/** Mail waiting to be sent. */
export const mailQueue = pgTable(
  'mail_queue',
  {
    id: uuid('id').primaryKey(),
    /** Address, subject and body as JSON, encrypted with the server's secret because links in the mail grant access to accounts. */
    sealed: text('sealed').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /**
     * Earliest time of the next attempt. A server that starts an attempt moves this time forward, so that no other server sends the mail
     * meanwhile.
     */
    dueAt: instant('due_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('mail_queue_due').on(table.dueAt)],
);

/**
 * Recently sent mails of limited kinds. A mail has one row for each party whose limit it counts towards: recipient, sender, organization.
 */
export const mailSends = pgTable(
  'mail_sends',
  {
    id: uuid('id').primaryKey(),
    /** Kind of the mail, and the party. Addresses are hashed, since some belong to people without an account. */
    key: text('key').notNull(),
    at: instant('at').notNull(),
  },
  (table) => [index('mail_sends_key').on(table.key, table.at), index('mail_sends_at').on(table.at)],
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
    /** Share of requests that services should record; null: each service decides. */
    sampleRate: doublePrecision('sample_rate'),
    capture: text('capture', { enum: CAPTURE_MODES }),
    /** The project's own redaction rules, which apply in addition to the built-in rules: by name, and by path. */
    redactKeys: text('redact_keys').array().notNull().default([]),
    redactPaths: text('redact_paths').array().notNull().default([]),
    /** True if public viewers can see the traces, without values. */
    public: boolean('public').notNull().default(false),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('projects_user').on(table.userId),
    index('projects_organization').on(table.organizationId),
    index('projects_public').on(table.createdAt).where(sql`public`),
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
    /** The key, encrypted with the server's secret so that it can be shown again. */
    sealedKey: text('sealed_key').notNull(),
    createdAt: instant('created_at').notNull(),
    /** End of a replaced key's grace period; null for the project's current key. */
    endsAt: instant('ends_at'),
  },
  (table) => [
    index('api_keys_project').on(table.projectId),
    uniqueIndex('api_keys_one_current').on(table.projectId).where(sql`ends_at is null`),
  ],
);

/** Deleted projects whose traces the server deletes a second time, because traces accepted before the deletion can be stored after it. */
export const projectDeletions = pgTable('project_deletions', {
  projectId: uuid('project_id').$type<ProjectId>().primaryKey(),
  requestedAt: instant('requested_at').notNull(),
});

/**
 * Contains one row if a demo workspace was ever created. The row stays when the workspace is removed, so that the workspace is created only
 * once.
 */
export const demoWorkspace = pgTable('demo_workspace', {
  only: boolean('only').primaryKey().default(true),
  organizationId: uuid('organization_id')
    .$type<OrganizationId>()
    .references(() => organizations.id, { onDelete: 'set null' }),
  projectId: uuid('project_id')
    .$type<ProjectId>()
    .references(() => projects.id, { onDelete: 'set null' }),
  createdAt: instant('created_at').notNull(),
  /** When the demo shop's complete history had been stored in the project. */
  historyPlayedAt: instant('history_played_at'),
});
