import type { DeletionReceipt, RowsByTable } from '@throughline/contract';
import { and, asc, count, eq, gte, inArray, isNull, lt, notExists } from 'drizzle-orm';
import { v7 } from 'uuid';
import {
  type ControlDb,
  deletionReceipts,
  organizations,
  projectDeletions,
  projects,
} from '../../platform/control-store/index.ts';
import type { OrganizationId, ProjectId, UserId } from '../../platform/ids.ts';

export type ReceiptRow = typeof deletionReceipts.$inferSelect;

/** A project's name and owner. */
export interface OwnedProject {
  readonly name: string;
  readonly organizationId: OrganizationId | null;
  readonly userId: UserId | null;
}

export async function findOwned(db: ControlDb, id: ProjectId): Promise<OwnedProject | undefined> {
  const [row] = await db
    .select({
      name: projects.name,
      organizationId: projects.organizationId,
      userId: projects.userId,
    })
    .from(projects)
    .where(eq(projects.id, id));
  return row;
}

const DAY_MS = 86_400_000;

/**
 * Returns a text that changes when a deletion from the project begins and when it ends. Caches whose results are less than a day old
 * compare the text to recognize outdated results.
 */
export async function findDeletionState(db: ControlDb, projectId: ProjectId): Promise<string> {
  // Ids are in order of time. With this condition, the query reads only the receipts of the last day.
  const dayAgo = v7({ msecs: Date.now() - DAY_MS });
  const [row] = await db
    .select({ begun: count(), ended: count(deletionReceipts.after) })
    .from(deletionReceipts)
    .where(and(gte(deletionReceipts.id, dayAgo), eq(deletionReceipts.projectId, projectId)));
  return `${row?.begun ?? 0} ${row?.ended ?? 0}`;
}

export interface NewReceipt {
  readonly what: DeletionReceipt['what'];
  readonly projectId: ProjectId;
  readonly owned: OwnedProject;
  readonly subject: string | null;
  readonly hours: readonly number[] | null;
  readonly requestedAt: Date;
  readonly before: RowsByTable;
}

export async function insertReceipt(db: ControlDb, receipt: NewReceipt): Promise<ReceiptRow> {
  const { owned, hours, ...rest } = receipt;
  const [row] = await db
    .insert(deletionReceipts)
    .values({
      ...rest,
      id: v7(),
      project: owned.name,
      organizationId: owned.organizationId,
      userId: owned.userId,
      hours: hours === null ? null : [...hours],
    })
    .returning();
  if (row === undefined) throw new Error('a receipt was not stored');
  return row;
}

/** Finds a receipt without checking permissions. */
export async function findReceipt(db: ControlDb, id: string): Promise<ReceiptRow | undefined> {
  const [row] = await db.select().from(deletionReceipts).where(eq(deletionReceipts.id, id));
  return row;
}

export async function hasOrganization(db: ControlDb, id: OrganizationId): Promise<boolean> {
  return (await db.$count(organizations, eq(organizations.id, id))) > 0;
}

/**
 * Finds receipts that were requested before the given time and whose deleted rows can still be in files. Leaves out receipts of deleted
 * projects that are in `project_deletions`, because traces that arrive late must be deleted first.
 */
export function findUnfinished(db: ControlDb, before: Date): Promise<ReceiptRow[]> {
  const again = db
    .select({ id: projectDeletions.projectId })
    .from(projectDeletions)
    .where(eq(projectDeletions.projectId, deletionReceipts.projectId));
  return db
    .select()
    .from(deletionReceipts)
    .where(and(isNull(deletionReceipts.goneAt), lt(deletionReceipts.requestedAt, before), notExists(again)))
    .orderBy(asc(deletionReceipts.id));
}

export async function updateReceipt(
  db: ControlDb,
  id: string,
  change: { readonly after?: RowsByTable; readonly rewrittenAt?: Date },
): Promise<void> {
  await db.update(deletionReceipts).set(change).where(eq(deletionReceipts.id, id));
}

/** Marks a receipt as done. Returns false if another server has already marked it. */
export async function markDeleted(db: ControlDb, id: string, goneAt: Date): Promise<boolean> {
  const marked = await db
    .update(deletionReceipts)
    .set({ goneAt })
    .where(and(eq(deletionReceipts.id, id), isNull(deletionReceipts.goneAt)))
    .returning({ id: deletionReceipts.id });
  return marked.length > 0;
}

export async function deleteReceipts(db: ControlDb, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.delete(deletionReceipts).where(inArray(deletionReceipts.id, [...ids]));
}

export async function deleteReceiptsBefore(db: ControlDb, before: Date): Promise<void> {
  await db.delete(deletionReceipts).where(lt(deletionReceipts.requestedAt, before));
}
