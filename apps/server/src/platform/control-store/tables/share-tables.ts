import { SHARED_VALUES } from '@throughline/contract';
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { ProjectId, ShareLinkId, UserId } from '../../ids.ts';
import { instant } from './instant.ts';
import { projects, users } from './schema.ts';

/** Links that show one trace without an account, including expired links. */
export const shareLinks = pgTable(
  'share_links',
  {
    /** A UUIDv7, so ids are in order of time. */
    id: uuid('id').$type<ShareLinkId>().primaryKey(),
    projectId: uuid('project_id')
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** `_id` of the trace in the trace store. */
    traceId: uuid('trace_id').notNull(),
    values: text('values', { enum: SHARED_VALUES }).notNull(),
    /** SHA-256 of the link's token, in hex. The token itself is not stored. */
    tokenHash: text('token_hash').notNull().unique('share_links_token_hash'),
    createdBy: uuid('created_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('share_links_project').on(table.projectId, table.traceId),
    index('share_links_expires').on(table.expiresAt),
  ],
);
