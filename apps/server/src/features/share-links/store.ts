import type { SharedValues } from '@throughline/contract';
import { and, desc, eq, gt, lte } from 'drizzle-orm';
import { type ControlDb, projects, shareLinks, users } from '../../platform/control-store/index.ts';
import {
  createId,
  type OrganizationId,
  type ProjectId,
  type ShareLinkId,
  type UserId,
} from '../../platform/ids.ts';

/**
 * Returns a project's name and organization. Locks the project until the transaction ends, so that links created at the same time are
 * counted one after the other.
 */
export async function lockProject(
  tx: ControlDb,
  id: ProjectId,
): Promise<{ name: string; organizationId: OrganizationId | null } | undefined> {
  const [row] = await tx
    .select({ name: projects.name, organizationId: projects.organizationId })
    .from(projects)
    .where(eq(projects.id, id))
    .for('update');
  return row;
}

interface NewShareLink {
  readonly projectId: ProjectId;
  readonly traceId: string;
  readonly values: SharedValues;
  readonly tokenHash: string;
  readonly createdBy: UserId;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertShareLink(db: ControlDb, link: NewShareLink): Promise<ShareLinkId> {
  const id = createId<ShareLinkId>();
  await db.insert(shareLinks).values({ ...link, id });
  return id;
}

/** Selects the active links of a project, or of one of its traces. */
interface ActiveLinks {
  readonly projectId: ProjectId;
  readonly traceId?: string;
  readonly now: Date;
}

const isActive = ({ projectId, traceId, now }: ActiveLinks) =>
  and(
    eq(shareLinks.projectId, projectId),
    traceId === undefined ? undefined : eq(shareLinks.traceId, traceId),
    gt(shareLinks.expiresAt, now),
  );

export function countActive(db: ControlDb, of: ActiveLinks): Promise<number> {
  return db.$count(shareLinks, isActive(of));
}

/** Returns the active links, newest first. */
export function findActive(db: ControlDb, of: ActiveLinks) {
  return db
    .select({
      id: shareLinks.id,
      projectId: shareLinks.projectId,
      traceId: shareLinks.traceId,
      values: shareLinks.values,
      createdBy: users.name,
      createdAt: shareLinks.createdAt,
      expiresAt: shareLinks.expiresAt,
    })
    .from(shareLinks)
    .leftJoin(users, eq(users.id, shareLinks.createdBy))
    .where(isActive(of))
    .orderBy(desc(shareLinks.id));
}

export type ShareLinkRow = Awaited<ReturnType<typeof findActive>>[number];

export async function findByToken(db: ControlDb, tokenHash: string, now: Date) {
  const [row] = await db
    .select({
      projectId: shareLinks.projectId,
      traceId: shareLinks.traceId,
      values: shareLinks.values,
      expiresAt: shareLinks.expiresAt,
    })
    .from(shareLinks)
    .where(and(eq(shareLinks.tokenHash, tokenHash), gt(shareLinks.expiresAt, now)));
  return row;
}

/** Deletes a link and returns the link's trace; undefined if the project has no such link. */
export async function deleteShareLink(
  db: ControlDb,
  projectId: ProjectId,
  id: ShareLinkId,
): Promise<{ traceId: string } | undefined> {
  const [row] = await db
    .delete(shareLinks)
    .where(and(eq(shareLinks.projectId, projectId), eq(shareLinks.id, id)))
    .returning({ traceId: shareLinks.traceId });
  return row;
}

export async function deleteExpired(db: ControlDb, now: Date): Promise<void> {
  await db.delete(shareLinks).where(lte(shareLinks.expiresAt, now));
}
