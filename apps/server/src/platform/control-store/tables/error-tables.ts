import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
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
    /** The error counts as resolved in releases after this one; null: immediately. */
    afterRelease: text('after_release'),
    note: text('note').notNull(),
    changedBy: uuid('changed_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    changedAt: instant('changed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.errorId] })],
);
