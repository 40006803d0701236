import type { MemberRole, Role } from '@throughline/contract';
import { aliasedTable, and, asc, eq, inArray, isNotNull, isNull, not, or, type SQL } from 'drizzle-orm';
import {
  type ControlDb,
  members,
  projects,
  savedViewPins,
  savedViews,
  users,
} from '../../platform/control-store/index.ts';
import type { OrganizationId, ProjectId, SavedViewId, UserId } from '../../platform/ids.ts';

export type NewView = typeof savedViews.$inferInsert;

const creators = aliasedTable(users, 'creators');

const buildMemberCondition = (userId: UserId) =>
  and(eq(members.organizationId, projects.organizationId), eq(members.userId, userId));
const buildVisibleCondition = (userId: UserId) => or(eq(projects.userId, userId), isNotNull(members.userId));
const toRole = (solo: UserId | null, member: MemberRole | null): Role =>
  solo === null ? (member ?? 'developer') : 'solo';

async function findSeen(db: ControlDb, userId: UserId, which: SQL | undefined) {
  const rows = await db
    .select({
      id: savedViews.id,
      ownerId: savedViews.ownerId,
      projectId: savedViews.projectId,
      createdBy: savedViews.createdBy,
      creator: creators.name,
      name: savedViews.name,
      page: savedViews.page,
      params: savedViews.params,
      pinnedAt: savedViewPins.pinnedAt,
      solo: projects.userId,
      member: members.role,
    })
    .from(savedViews)
    .leftJoin(projects, eq(projects.id, savedViews.projectId))
    .leftJoin(members, buildMemberCondition(userId))
    .leftJoin(creators, eq(creators.id, savedViews.createdBy))
    .leftJoin(savedViewPins, and(eq(savedViewPins.viewId, savedViews.id), eq(savedViewPins.userId, userId)))
    .where(
      and(
        which,
        or(isNull(savedViews.projectId), buildVisibleCondition(userId)),
        or(isNull(savedViews.ownerId), eq(savedViews.ownerId, userId)),
      ),
    )
    .orderBy(asc(savedViews.nameKey), asc(savedViews.id));
  return rows.map(({ solo, member, ...row }) => ({ ...row, role: toRole(solo, member) }));
}

/** A view as one person sees it. */
export type ViewRow = Awaited<ReturnType<typeof findSeen>>[number];

/** Finds the views that a person owns or pinned, sorted by name. */
export function findOwn(db: ControlDb, userId: UserId): Promise<ViewRow[]> {
  return findSeen(db, userId, or(eq(savedViews.ownerId, userId), isNotNull(savedViewPins.userId)));
}

/** Finds a project's shared views, sorted by name. */
export function findShared(db: ControlDb, userId: UserId, projectId: ProjectId): Promise<ViewRow[]> {
  return findSeen(db, userId, and(eq(savedViews.projectId, projectId), isNull(savedViews.ownerId)));
}

/** Finds a view; undefined if it does not exist or the person cannot see it. */
export async function findView(db: ControlDb, userId: UserId, id: SavedViewId): Promise<ViewRow | undefined> {
  const [row] = await findSeen(db, userId, eq(savedViews.id, id));
  return row;
}

/**
 * Finds a project that the person can see. Locks the project until the transaction ends, so that views shared at the same time are
 * counted one after the other.
 */
export async function lockProject(
  tx: ControlDb,
  userId: UserId,
  id: ProjectId,
): Promise<{ name: string; organizationId: OrganizationId | null } | undefined> {
  const [row] = await tx
    .select({ name: projects.name, organizationId: projects.organizationId })
    .from(projects)
    .leftJoin(members, buildMemberCondition(userId))
    .where(and(eq(projects.id, id), buildVisibleCondition(userId)))
    .for('no key update', { of: projects });
  return row;
}

/** Locks a person until the transaction ends, so that views saved or pinned at the same time are counted one after the other. */
export async function lockPerson(tx: ControlDb, id: UserId): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update');
}

/**
 * Deletes a person's views and pins of projects that the person can no longer see, since these views and pins would still count towards the
 * person's limits.
 */
export async function deleteUnseen(tx: ControlDb, userId: UserId): Promise<void> {
  const seen = tx
    .select({ id: projects.id })
    .from(projects)
    .leftJoin(members, buildMemberCondition(userId))
    .where(buildVisibleCondition(userId));
  const isUnseen = and(isNotNull(savedViews.projectId), not(inArray(savedViews.projectId, seen)));
  await tx.delete(savedViews).where(and(eq(savedViews.ownerId, userId), isUnseen));
  const unseen = tx.select({ id: savedViews.id }).from(savedViews).where(isUnseen);
  await tx
    .delete(savedViewPins)
    .where(and(eq(savedViewPins.userId, userId), inArray(savedViewPins.viewId, unseen)));
}

export function countOwn(tx: ControlDb, userId: UserId): Promise<number> {
  return tx.$count(savedViews, eq(savedViews.ownerId, userId));
}

export function countShared(tx: ControlDb, projectId: ProjectId): Promise<number> {
  return tx.$count(savedViews, and(eq(savedViews.projectId, projectId), isNull(savedViews.ownerId)));
}

export function countPins(tx: ControlDb, userId: UserId): Promise<number> {
  return tx.$count(savedViewPins, eq(savedViewPins.userId, userId));
}

export async function insertView(tx: ControlDb, view: NewView): Promise<void> {
  await tx.insert(savedViews).values(view);
}

/** Changes a view. Returns false if the view was deleted meanwhile. */
export async function updateView(tx: ControlDb, id: SavedViewId, change: Partial<NewView>): Promise<boolean> {
  const changed = await tx
    .update(savedViews)
    .set(change)
    .where(eq(savedViews.id, id))
    .returning({ id: savedViews.id });
  return changed.length > 0;
}

/** Deletes a view with its pins. Returns false if the view was deleted meanwhile. */
export async function deleteView(tx: ControlDb, id: SavedViewId): Promise<boolean> {
  const gone = await tx.delete(savedViews).where(eq(savedViews.id, id)).returning({ id: savedViews.id });
  return gone.length > 0;
}

export async function insertPin(
  tx: ControlDb,
  userId: UserId,
  viewId: SavedViewId,
  now: Date,
): Promise<void> {
  await tx.insert(savedViewPins).values({ userId, viewId, pinnedAt: now }).onConflictDoNothing();
}

export async function deletePin(db: ControlDb, userId: UserId, viewId: SavedViewId): Promise<void> {
  await db
    .delete(savedViewPins)
    .where(and(eq(savedViewPins.userId, userId), eq(savedViewPins.viewId, viewId)));
}
