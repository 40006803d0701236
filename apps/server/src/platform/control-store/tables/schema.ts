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
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { InvitationId, OrganizationId, ProjectId, SessionId, UserId } from '../../ids.ts';

/** The tables of the control store. A change here needs a new migration: `npm run migrations -w throughline`. */

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 6, mode: 'date' });

export const users = pgTable('users', {
  id: uuid('id').$type<UserId>().primaryKey(),
  name: text('name').notNull(),
  /** In lower case. */
  email: text('email').notNull().unique('users_email'),
  /** When a link that was mailed to the address was opened; null: nobody has shown that the address is theirs. */
  emailVerifiedAt: instant('email_verified_at'),
  /** argon2id, in its own notation. */
  passwordHash: text('password_hash').notNull(),
  /** Made with the demo workspace, and removed with it. */
  demo: boolean('demo').notNull().default(false),
  createdAt: instant('created_at').notNull(),
  /** When the user was last seen in any session, to within some minutes. Sessions end; this stays. */
  lastActiveAt: instant('last_active_at'),
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
    /** When the password or second factor was last given in it: at the login, or later. */
    authenticatedAt: instant('authenticated_at').notNull(),
    /** Kept to within some minutes. */
    lastSeenAt: instant('last_seen_at').notNull(),
    /** The network address of the latest of these moments; null for sessions from before it was kept. */
    address: text('address'),
    /** Browser and system, as the login said; null where it said nothing. */
    device: text('device'),
  },
  (table) => [index('sessions_user').on(table.userId)],
);

/** A second factor: set up, and in force once it was confirmed with a code. */
export const twoFactor = pgTable('two_factor', {
  userId: uuid('user_id')
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The TOTP secret in base32, sealed with the server's secret. */
  sealedSecret: text('sealed_secret').notNull(),
  confirmedAt: instant('confirmed_at'),
  /** The latest 30-second step whose code was taken: no code of it, or of an earlier one, is taken again. */
  lastStep: integer('last_step').notNull().default(0),
  createdAt: instant('created_at').notNull(),
});

/** Backup codes that are still unused. */
export const backupCodes = pgTable(
  'backup_codes',
  {
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** HMAC-SHA-256 with a key of the server's, in hex. */
    codeHash: text('code_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/** Logins whose password was right and whose second factor is still to come. */
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

/** Links that set a new password; each good once. */
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

/** Mailed links that confirm an address: the user's own, or the one that a change waits for. Each code works once. */
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

/** The kinds of device that a user has logged in with. */
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

/** Invitations that are neither accepted nor withdrawn; they may have run out. */
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
    /** The token itself, sealed with the server's secret, so that the inviter can copy the link again. */
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

/** Who did what in an organization. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    /** A UUIDv7: in order of time. */
    id: uuid('id').primaryKey(),
    organizationId: uuid('organization_id')
      .$type<OrganizationId>()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    action: text('action').notNull(),
    /** As they were then: an entry outlives the account. */
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

/** Mail that is still to be sent. */
export const mailQueue = pgTable(
  'mail_queue',
  {
    id: uuid('id').primaryKey(),
    /** Address, subject and texts as JSON, sealed with the server's secret: links in it open accounts. */
    sealed: text('sealed').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Not before then; moved on by whichever server tries to send it. */
    dueAt: instant('due_at').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('mail_queue_due').on(table.dueAt)],
);

/** Mails of limited kinds that were sent lately, once for each party that they count for. */
export const mailSends = pgTable(
  'mail_sends',
  {
    id: uuid('id').primaryKey(),
    /** The kind and the party; addresses are hashed, since some have no account here. */
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
    /** Its own redaction rules, beyond the built-in ones: names, and places. */
    redactKeys: text('redact_keys').array().notNull().default([]),
    redactPaths: text('redact_paths').array().notNull().default([]),
    /** True where public viewers can see the traces, without values. */
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
  /** Since when the project has all of the shop's history. */
  historyPlayedAt: instant('history_played_at'),
});
