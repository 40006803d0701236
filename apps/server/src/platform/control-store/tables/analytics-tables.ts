import type { Funnel } from '@throughline/contract';
import { jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { ProjectId, UserId } from '../../ids.ts';
import { instant } from './instant.ts';
import { projects, users } from './schema.ts';

/** A project's conversion funnel. A project without a row has no funnel. */
export const funnels = pgTable('funnels', {
  projectId: uuid('project_id')
    .$type<ProjectId>()
    .primaryKey()
    .references(() => projects.id, { onDelete: 'cascade' }),
  steps: jsonb('steps').$type<Funnel['steps']>().notNull(),
});

/** Users' decisions about findings. A finding without a row is shown. */
export const findingDecisions = pgTable(
  'finding_decisions',
  {
    projectId: uuid('project_id')
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The finding's `id` in the contract. */
    findingId: text('finding_id').notNull(),
    /** `open`: a decision was cancelled. */
    state: text('state', { enum: ['open', 'dismissed', 'snoozed', 'fixed'] }).notNull(),
    /** When a snooze ends; null for the other states. */
    until: instant('until'),
    decidedBy: uuid('decided_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    decidedAt: instant('decided_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.findingId] })],
);
