import { VIEW_PAGES } from '@throughline/contract';
import { sql } from 'drizzle-orm';
import { check, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { ProjectId, SavedViewId, UserId } from '../../ids.ts';
import { instant } from './instant.ts';
import { projects, users } from './schema.ts';

/** Saved views of lists: personal ones, which belong to their owner, and shared ones, which belong to their project. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: uuid('id').$type<SavedViewId>().primaryKey(),
    /** Null for a shared view. */
    ownerId: uuid('owner_id')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null for a view over all projects. */
    projectId: uuid('project_id')
      .$type<ProjectId>()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The person who saved the view. A shared view still exists after the person's account was deleted. */
    createdBy: uuid('created_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    name: text('name').notNull(),
    /** The name in the form in which it is compared with other names. */
    nameKey: text('name_key').notNull(),
    page: text('page', { enum: VIEW_PAGES }).notNull(),
    params: jsonb('params').$type<Readonly<Record<string, string>>>().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    // Safe to mix ids of owners and projects in one index: both are UUIDs, so an owner's id never equals a project's.
    uniqueIndex('saved_views_name').on(
      sql`coalesce(${table.ownerId}, ${table.projectId})`,
      sql`coalesce(${table.projectId}, ${table.ownerId})`,
      table.nameKey,
    ),
    index('saved_views_owner').on(table.ownerId),
    index('saved_views_project').on(table.projectId),
    check('saved_views_belong', sql`num_nonnulls(${table.ownerId}, ${table.projectId}) >= 1`),
  ],
);

/** Views that people pinned. */
export const savedViewPins = pgTable(
  'saved_view_pins',
  {
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    viewId: uuid('view_id')
      .$type<SavedViewId>()
      .notNull()
      .references(() => savedViews.id, { onDelete: 'cascade' }),
    pinnedAt: instant('pinned_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.viewId] }),
    index('saved_view_pins_view').on(table.viewId),
  ],
);
