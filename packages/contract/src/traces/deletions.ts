import { z } from 'zod';
import { Instant } from '../format/instants.ts';
import { defineRoute } from '../http/route.ts';

/** Rows in every table of the trace store that can hold deleted data. Among rollups, those that included the data are counted; they are rebuilt without it. */
export const RowsByTable = z.object({
  traces: z.number(),
  steps: z.number(),
  spans: z.number(),
  /** Source texts of functions; of a whole project alone. */
  sources: z.number().default(0),
  requestFigures: z.number(),
  userFigures: z.number(),
  stepFigures: z.number(),
  /** Caller stats, of requests whose caller is known. */
  callerFigures: z.number(),
  figureHours: z.number(),
  /** Answers to batches, kept for a day; of a whole project alone. */
  batches: z.number(),
});
export type RowsByTable = z.infer<typeof RowsByTable>;

/** That something was deleted, and whether its bytes are off the disk. */
export const DeletionReceipt = z.object({
  id: z.uuid(),
  /** `traces`: all that a project had, which stays itself. */
  what: z.enum(['trace', 'traces', 'project', 'user']),
  projectId: z.uuid(),
  /** As it was called then. */
  project: z.string(),
  /** For a trace its `_id`, for a user the first digits of the SHA-256 of the id; null for a whole project. */
  subject: z.string().nullable(),
  /** When it was asked for. Nobody sees anything of it since the deletion was answered. */
  requestedAt: Instant,
  before: RowsByTable,
  /** Rows left at the last count; null until the first count. All are 0 when the bytes are gone. */
  after: RowsByTable.nullable(),
  /** When nothing of it was on the trace store's disk any longer; null while something may be. */
  goneAt: Instant.nullable(),
});
export type DeletionReceipt = z.infer<typeof DeletionReceipt>;

/** Answer of a deletion. */
export const Deleted = z.object({ success: z.literal(true), receipt: DeletionReceipt });

/** Days that a receipt is kept. */
export const RECEIPT_DAYS = 400;

export const deletionRoutes = {
  read: defineRoute({
    method: 'GET',
    path: '/api/deletions/:id',
    summary: `The receipt of a deletion: what was there, what is left, and since when its bytes are off the disk; kept for ${RECEIPT_DAYS} days`,
    access: { by: 'session' },
    params: z.object({ id: z.string() }),
    answer: z.object({ receipt: DeletionReceipt }),
    errors: ['not_found'],
  }),
};
