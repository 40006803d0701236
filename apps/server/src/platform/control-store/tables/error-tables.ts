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

/**
 * Errors whose message is thrown by several functions. Each of these functions has an error of its own, except the first known function,
 * whose requests stay in the error. An error without a row contains the requests of all functions.
 */
export const errorSplits = pgTable(
  'error_splits',
  {
    projectId: uuid('project_id')
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The id of the error with the message. */
    errorId: text('error_id').notNull(),
    /** The id that the error of the first function would have. */
    firstId: text('first_id').notNull(),
    /**
     * If requests with the message were stored before functions were known: the time of the first request, and the time until which the
     * error of a function counts as seen since then. Null if functions were known from the beginning.
     */
    knownSince: instant('known_since'),
    knownUntil: instant('known_until'),
    splitAt: instant('split_at').notNull(),
    /**
     * The ids of errors of functions about which users decided: by a state, note, assignee or merge. The row is needed as long as one of the
     * decisions is stored, even if all traces are expired: without it, the next function that throws the message would get the error's id.
     */
    decidedIds: text('decided_ids').array().notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.errorId] })],
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
