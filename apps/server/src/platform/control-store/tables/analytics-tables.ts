import type { Funnel } from '@throughline/contract';
import { jsonb, pgTable, uuid } from 'drizzle-orm/pg-core';
import type { ProjectId } from '../../ids.ts';
import { projects } from './schema.ts';

/** The conversion funnel that a project has; no row: none. */
export const funnels = pgTable('funnels', {
  projectId: uuid('project_id')
    .$type<ProjectId>()
    .primaryKey()
    .references(() => projects.id, { onDelete: 'cascade' }),
  steps: jsonb('steps').$type<Funnel['steps']>().notNull(),
});
