import type { Funnel } from '@throughline/contract';
import { jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { ProjectId, UserId } from '../../ids.ts';
import { projects, users } from './schema.ts';

/** A project's conversion funnel; no row: no funnel. */
export const funnels = pgTable('funnels', {
  projectId: uuid('project_id')
    .$type<ProjectId>()
    .primaryKey()
    .references(() => projects.id, { onDelete: 'cascade' }),
  steps: jsonb('steps').$type<Funnel['steps']>().notNull(),
});

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 6, mode: 'date' });

/** Decisions about findings. A finding without a row is shown. */
export const findingDecisions = pgTable(
  'finding_decisions',
  {
    projectId: uuid('project_id')
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The finding's `id` in the contract. */
    findingId: text('finding_id').notNull(),
    state: text('state', { enum: ['dismissed', 'snoozed', 'fixed'] }).notNull(),
    /** When a snooze ends; null for the other states. */
    until: moment('until'),
    decidedBy: uuid('decided_by')
      .$type<UserId>()
      .references(() => users.id, { onDelete: 'set null' }),
    decidedAt: moment('decided_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.findingId] })],
);
