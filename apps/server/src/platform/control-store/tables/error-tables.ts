import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { ProjectId, UserId } from '../../ids.ts';
import { instant } from './instant.ts';
import { projects, users } from './schema.ts';

/** Decisions about errors. An error without a row is open. */
export const errorStates = pgTable(
  'error_states',
  {
    projectId: uuid('project_id')
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The error's `id` in the contract. */
    errorId: text('error_id').notNull(),
    state: text('state', { enum: ['open', 'resolved', 'ignored'] }).notNull(),
    /**
     * If the error is resolved only for other releases: the release in which it was last seen. Null if the error is resolved for all
     * releases.
     */
    afterRelease: text('after_release'),
    note: text('note').notNull(),
    changedBy: uuid('changed_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    changedAt: instant('changed_at').notNull(),
    /** The person who takes care of the error; null again when the person leaves the organization. */
    assignee: uuid('assignee')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.errorId] }),
    index('error_states_assignee').on(table.assignee),
  ],
);

/** Errors that are shown as part of another error, the target. A target is never itself part of another error. */
export const errorMerges = pgTable(
  'error_merges',
  {
    projectId: uuid('project_id')
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    errorId: text('error_id').notNull(),
    targetId: text('target_id').notNull(),
    mergedAt: instant('merged_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.errorId] })],
);
