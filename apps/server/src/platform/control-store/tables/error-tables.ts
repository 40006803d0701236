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
     * Set if the error was resolved "in the next release": the release in which it was last seen. Requests of this release do not reopen
     * the error, because they do not have the fix. Null if requests of any release reopen it.
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
    /**
     * Id of the error before the split, when the error contained all requests with this service and message. The first known function's
     * error keeps this id.
     */
    errorId: text('error_id').notNull(),
    /** Id that the error of the first known function would have if the function had not kept `errorId`. */
    firstId: text('first_id').notNull(),
    /**
     * Set if the function of the first request with the message is unknown. `knownSince` is the time of that request. If the error of a
     * function was first seen before `knownUntil`, the error counts as seen since `knownSince`, so the error is not new. Null if the first
     * request's function is known.
     */
    knownSince: instant('known_since'),
    knownUntil: instant('known_until'),
    splitAt: instant('split_at').notNull(),
    /**
     * Ids of the functions' errors about which users decided: by a state, note, assignee or merge. As long as one of these decisions is
     * stored, the row must stay, even if all traces have expired. Without the row, the next function that throws the message would get
     * `errorId`.
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
