import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';

/**
 * Number of rows per table of the trace store. Rollup rows are counted if they included deleted data; they are rebuilt without this data.
 */
export const RowsByTable = z.object({
  traces: z.number(),
  steps: z.number(),
  spans: z.number(),
  /** Source code of functions. Only counted when a whole project is deleted. */
  sources: z.number().default(0),
  requestFigures: z.number(),
  userFigures: z.number(),
  stepFigures: z.number(),
  /** Caller stats of requests with a known caller. */
  callerFigures: z.number(),
  figureHours: z.number(),
  /** Responses to ingested batches. The server stores them for a day. Only counted when a whole project is deleted. */
  batches: z.number(),
});
export type RowsByTable = z.infer<typeof RowsByTable>;

/** Proof of a deletion. Also shows if the deleted bytes were removed from the disk. */
export const DeletionReceipt = z.object({
  id: z.uuid(),
  /** `traces`: all traces of a project were deleted, but not the project itself. */
  what: z.enum(['trace', 'traces', 'project', 'user']),
  projectId: z.uuid(),
  /** The project's name at the time of the deletion. */
  project: z.string(),
  /**
   * For a trace its `_id`, for a user `sha256:` and the first digits of the SHA-256 of the user's id; null if all traces or the whole
   * project were deleted.
   */
  subject: z.string().nullable(),
  /** When the deletion was requested. The data became invisible as soon as the request succeeded. */
  requestedAt: Instant,
  before: RowsByTable,
  /** Rows that were left at the last count; null until the first count. All numbers are 0 once the bytes are deleted. */
  after: RowsByTable.nullable(),
  /** When the last deleted data was removed from the trace store's disk; null until then. */
  goneAt: Instant.nullable(),
});
export type DeletionReceipt = z.infer<typeof DeletionReceipt>;

/** Response of a deletion. */
export const Deleted = z.object({ success: z.literal(true), receipt: DeletionReceipt });

/** Number of days that a receipt is stored. */
export const RECEIPT_DAYS = 400;

export const deletionRoutes = {
  read: defineRoute({
    method: 'GET',
    path: '/api/deletions/:id',
    summary: `The receipt of a deletion: rows before, rows left, and when the data was removed from the disk; stored for ${RECEIPT_DAYS} days`,
    access: { by: 'session' },
    params: z.object({ id: z.string() }),
    answer: z.object({ receipt: DeletionReceipt }),
    errors: ['not_found'],
  }),
};
