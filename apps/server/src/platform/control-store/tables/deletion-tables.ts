import type { RowsByTable } from '@throughline/contract';
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { OrganizationId, ProjectId, UserId } from '../../ids.ts';
import { instant } from './instant.ts';

/**
 * Receipts of trace deletions, with their progress. A receipt belongs to the account, and is still stored after its project was deleted. If
 * the account is deleted too, nobody can read the receipt, but the deletion still completes.
 */
export const deletionReceipts = pgTable(
  'deletion_receipts',
  {
    /** A UUIDv7, so ids are in order of time. */
    id: uuid('id').primaryKey(),
    what: text('what').$type<'trace' | 'traces' | 'project' | 'user'>().notNull(),
    projectId: uuid('project_id').$type<ProjectId>().notNull(),
    project: text('project').notNull(),
    organizationId: uuid('organization_id').$type<OrganizationId>(),
    userId: uuid('user_id').$type<UserId>(),
    subject: text('subject'),
    /** Hours since 1970 whose rollups are rebuilt; null if the whole project is deleted. */
    hours: integer('hours').array(),
    requestedAt: instant('requested_at').notNull(),
    before: jsonb('before').$type<RowsByTable>().notNull(),
    after: jsonb('after').$type<RowsByTable>(),
    /** Time by the trace store's clock. ClickHouse parts written after this time contain none of the deleted data. */
    rewrittenAt: instant('rewritten_at'),
    goneAt: instant('gone_at'),
  },
  (table) => [index('deletion_receipts_gone').on(table.goneAt, table.requestedAt)],
);
