import type { CaptureMode, PlanId } from '@throughline/contract';
import { and, asc, desc, eq, gt, inArray, isNull, lt, or, type SQL } from 'drizzle-orm';
import { v7 } from 'uuid';
import {
  apiKeys,
  type ControlDb,
  type PlanToFit,
  paysForProject,
  planColumns,
  planToFit,
  projectDeletions,
  projects,
  subscriptions,
} from '../../platform/control-store/index.ts';
import type { Caller } from '../../platform/http/guard.ts';
import type { OrganizationId, ProjectId, UserId } from '../../platform/ids.ts';

/** The account that owns and pays for a project: a solo user or an organization. */
export type Account =
  | { readonly kind: 'solo'; readonly userId: UserId }
  | { readonly kind: 'organization'; readonly organizationId: OrganizationId };

/** Matches the caller's own projects and the projects of their organization, which are all that the caller can see. */
function buildVisibleCondition(caller: Caller): SQL | undefined {
  const own = eq(projects.userId, caller.userId);
  return caller.organization === null ? own : or(own, eq(projects.organizationId, caller.organization.id));
}

export interface ProjectRow {
  readonly id: ProjectId;
  readonly organizationId: OrganizationId | null;
  readonly name: string;
  readonly description: string;
  readonly sampleRate: number | null;
  readonly capture: CaptureMode | null;
  readonly redactKeys: string[];
  readonly redactPaths: string[];
  readonly public: boolean;
  readonly createdAt: Date;
  /** Null if the account has no subscription, which counts as the free trial. */
  readonly plan: PlanId | null;
  /** When the plan ends or ended. */
  readonly accessEndsAt: Date | null;
  readonly sealedKey: string;
}

/** Finds the projects that a caller can see, oldest first. With `id`, finds only that project. */
export function findSeen(db: ControlDb, caller: Caller, id?: ProjectId): Promise<ProjectRow[]> {
  return db
    .select({
      id: projects.id,
      organizationId: projects.organizationId,
      name: projects.name,
      description: projects.description,
      sampleRate: projects.sampleRate,
      capture: projects.capture,
      redactKeys: projects.redactKeys,
      redactPaths: projects.redactPaths,
      public: projects.public,
      createdAt: projects.createdAt,
      plan: subscriptions.plan,
      accessEndsAt: subscriptions.accessEndsAt,
      sealedKey: apiKeys.sealedKey,
    })
    .from(projects)
    .innerJoin(apiKeys, and(eq(apiKeys.projectId, projects.id), isNull(apiKeys.endsAt)))
    .leftJoin(subscriptions, paysForProject)
    .where(and(buildVisibleCondition(caller), id === undefined ? undefined : eq(projects.id, id)))
    .orderBy(asc(projects.createdAt), asc(projects.id));
}

export interface PublicProjectRow {
  readonly id: ProjectId;
  readonly name: string;
  readonly description: string;
  readonly createdAt: Date;
  readonly plan: PlanId | null;
  /** When the plan ends or ended. */
  readonly accessEndsAt: Date | null;
}

/** Finds public projects, newest first. With `id`, finds only that project. */
export async function findPublic(
  db: ControlDb,
  { id, limit }: { readonly id?: ProjectId; readonly limit?: number },
): Promise<PublicProjectRow[]> {
  const found = db
    .select({
      id: projects.id,
      name: projects.name,
      description: projects.description,
      createdAt: projects.createdAt,
      plan: subscriptions.plan,
      accessEndsAt: subscriptions.accessEndsAt,
    })
    .from(projects)
    .leftJoin(subscriptions, paysForProject)
    .where(and(eq(projects.public, true), id === undefined ? undefined : eq(projects.id, id)))
    .orderBy(desc(projects.createdAt), desc(projects.id));
  return limit === undefined ? found : found.limit(limit);
}

/**
 * Returns the plan whose limit the account's projects must not exceed. Locks the account until the transaction ends, so that projects
 * created at the same time are counted one after the other.
 */
export async function lockPlan(tx: ControlDb, account: Account, now: Date): Promise<PlanToFit> {
  const [row] = await tx
    .select(planColumns)
    .from(subscriptions)
    .where(
      account.kind === 'solo'
        ? eq(subscriptions.userId, account.userId)
        : eq(subscriptions.organizationId, account.organizationId),
    )
    .for('update');
  return planToFit(row, now);
}

export function countProjects(db: ControlDb, account: Account): Promise<number> {
  return db.$count(projects, buildOwnedCondition(account));
}

function buildOwnedCondition(account: Account): SQL {
  return account.kind === 'solo'
    ? eq(projects.userId, account.userId)
    : eq(projects.organizationId, account.organizationId);
}

export interface NewKey {
  readonly hash: string;
  readonly sealed: string;
}

export async function insertProject(
  db: ControlDb,
  project: {
    readonly id: ProjectId;
    readonly account: Account;
    readonly name: string;
    readonly description: string;
    readonly key: NewKey;
    readonly now: Date;
  },
): Promise<void> {
  await db.insert(projects).values({
    id: project.id,
    name: project.name,
    description: project.description,
    createdAt: project.now,
    ...(project.account.kind === 'solo'
      ? { userId: project.account.userId }
      : { organizationId: project.account.organizationId }),
  });
  await insertKey(db, project.id, project.key, project.now);
}

/** Returns a project's name and organization, without a check of the caller. */
export async function findOwner(
  db: ControlDb,
  id: ProjectId,
): Promise<{ name: string; organizationId: OrganizationId | null } | undefined> {
  const [row] = await db
    .select({ name: projects.name, organizationId: projects.organizationId })
    .from(projects)
    .where(eq(projects.id, id));
  return row;
}

/** Returns the plan of a project's account, without a check of the caller. */
export async function findPlan(
  db: ControlDb,
  id: ProjectId,
): Promise<{ plan: PlanId | null; accessEndsAt: Date | null } | undefined> {
  const [row] = await db
    .select({ plan: subscriptions.plan, accessEndsAt: subscriptions.accessEndsAt })
    .from(projects)
    .leftJoin(subscriptions, paysForProject)
    .where(eq(projects.id, id));
  return row;
}

export async function updateProject(
  db: ControlDb,
  id: ProjectId,
  change: {
    readonly name?: string;
    readonly description?: string;
    readonly sampleRate?: number | null;
    readonly capture?: CaptureMode | null;
    readonly redactKeys?: string[];
    readonly redactPaths?: string[];
    readonly public?: boolean;
  },
): Promise<void> {
  if (Object.keys(change).length > 0) await db.update(projects).set(change).where(eq(projects.id, id));
}

/** Deletes a project and its keys, and records that its traces must be deleted. */
export async function deleteProject(db: ControlDb, id: ProjectId, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const gone = await tx.delete(projects).where(eq(projects.id, id)).returning({ id: projects.id });
    await noteDeletions(tx, gone, now);
  });
}

/** Deletes all projects of an account and their keys, and records that the projects' traces must be deleted. Returns the projects' ids. */
export async function deleteAccountProjects(
  tx: ControlDb,
  account: Account,
  now: Date,
): Promise<ProjectId[]> {
  const gone = await tx.delete(projects).where(buildOwnedCondition(account)).returning({ id: projects.id });
  await noteDeletions(tx, gone, now);
  return gone.map((project) => project.id);
}

async function noteDeletions(tx: ControlDb, gone: readonly { id: ProjectId }[], now: Date): Promise<void> {
  if (gone.length === 0) return;
  await tx
    .insert(projectDeletions)
    .values(gone.map(({ id }) => ({ projectId: id, requestedAt: now })))
    .onConflictDoNothing();
}

/** Finds projects that were deleted before the given time and whose traces must be deleted again. */
export async function findDeletions(db: ControlDb, before: Date): Promise<ProjectId[]> {
  const rows = await db
    .select({ id: projectDeletions.projectId })
    .from(projectDeletions)
    .where(lt(projectDeletions.requestedAt, before));
  return rows.map((row) => row.id);
}

export async function forgetDeletions(db: ControlDb, ids: readonly ProjectId[]): Promise<void> {
  await db.delete(projectDeletions).where(inArray(projectDeletions.projectId, [...ids]));
}

async function insertKey(db: ControlDb, projectId: ProjectId, key: NewKey, now: Date): Promise<void> {
  await db
    .insert(apiKeys)
    .values({ id: v7(), projectId, keyHash: key.hash, sealedKey: key.sealed, createdAt: now });
}

/**
 * Replaces a project's key. The current key and all older keys expire at `oldEndsAt` at the latest; expired keys are deleted. Returns the
 * hashes of the keys whose time of expiry changed.
 */
export function replaceKey(
  db: ControlDb,
  projectId: ProjectId,
  key: NewKey,
  times: { readonly now: Date; readonly oldEndsAt: Date },
): Promise<string[]> {
  return db.transaction(async (tx) => {
    // If two replacements run at the same time, the second replacement waits here, and then replaces the key that the first one created.
    await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, projectId)).for('update');
    const had = await tx
      .update(apiKeys)
      .set({ endsAt: times.oldEndsAt })
      .where(
        and(
          eq(apiKeys.projectId, projectId),
          or(isNull(apiKeys.endsAt), gt(apiKeys.endsAt, times.oldEndsAt)),
        ),
      )
      .returning({ hash: apiKeys.keyHash });
    await tx.delete(apiKeys).where(and(eq(apiKeys.projectId, projectId), lt(apiKeys.endsAt, times.now)));
    await insertKey(tx, projectId, key, times.now);
    return had.map((row) => row.hash);
  });
}

/** Finds the project that a key writes to, and the paying account. Also finds an expired key. */
export async function findByKeyHash(db: ControlDb, hash: string) {
  const [row] = await db
    .select({
      projectId: projects.id,
      userId: projects.userId,
      organizationId: projects.organizationId,
      sampleRate: projects.sampleRate,
      capture: projects.capture,
      redactKeys: projects.redactKeys,
      redactPaths: projects.redactPaths,
      endsAt: apiKeys.endsAt,
      plan: subscriptions.plan,
      anchorAt: subscriptions.anchorAt,
      accessEndsAt: subscriptions.accessEndsAt,
    })
    .from(apiKeys)
    .innerJoin(projects, eq(projects.id, apiKeys.projectId))
    .leftJoin(subscriptions, paysForProject)
    .where(eq(apiKeys.keyHash, hash));
  return row;
}

/** Returns a project's current key, encrypted. */
export async function findCurrentKey(db: ControlDb, id: ProjectId): Promise<string | undefined> {
  const [row] = await db
    .select({ sealed: apiKeys.sealedKey })
    .from(apiKeys)
    .where(and(eq(apiKeys.projectId, id), isNull(apiKeys.endsAt)));
  return row?.sealed;
}
