import type { MemberRole, PlanId } from '@throughline/contract';
import { and, asc, eq, ne } from 'drizzle-orm';
import {
  type ControlDb,
  members,
  organizations,
  projects,
  subscriptions,
  users,
} from '../../platform/control-store/index.ts';
import { createId, type OrganizationId, type UserId } from '../../platform/ids.ts';

export interface MembershipRow {
  readonly id: OrganizationId;
  readonly name: string;
  readonly slug: string;
  readonly demo: boolean;
  readonly role: MemberRole;
  readonly plan: PlanId | null;
  readonly accessEndsAt: Date | null;
  readonly memberCount: number;
  readonly projectCount: number;
}

/** Returns the id of a user's organization; undefined for a solo user. */
export async function findOrganizationId(db: ControlDb, userId: UserId): Promise<OrganizationId | undefined> {
  const [row] = await db
    .select({ id: members.organizationId })
    .from(members)
    .where(eq(members.userId, userId));
  return row?.id;
}

/** Finds a user's organization, with its numbers of members and projects, which plan limits restrict. */
export async function findMembership(db: ControlDb, userId: UserId): Promise<MembershipRow | undefined> {
  const memberCount = db.$count(members, eq(members.organizationId, organizations.id));
  const projectCount = db.$count(projects, eq(projects.organizationId, organizations.id));
  const [row] = await db
    .select({
      id: organizations.id,
      name: organizations.name,
      slug: organizations.slug,
      demo: organizations.demo,
      role: members.role,
      plan: subscriptions.plan,
      accessEndsAt: subscriptions.accessEndsAt,
      memberCount,
      projectCount,
    })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .leftJoin(subscriptions, eq(subscriptions.organizationId, organizations.id))
    .where(eq(members.userId, userId));
  return row;
}

export async function isSlugUsed(db: ControlDb, slug: string): Promise<boolean> {
  return (await db.$count(organizations, eq(organizations.slug, slug))) > 0;
}

/** @throws the database's error for `organizations_slug` if the slug is taken */
export async function insertOrganization(
  db: ControlDb,
  organization: { readonly name: string; readonly slug: string; readonly now: Date },
): Promise<OrganizationId> {
  const id = createId<OrganizationId>();
  const { name, slug, now } = organization;
  await db.insert(organizations).values({ id, name, slug, createdAt: now });
  return id;
}

export async function updateOrganization(
  db: ControlDb,
  id: OrganizationId,
  change: { readonly name?: string; readonly slug?: string },
): Promise<void> {
  if (Object.keys(change).length > 0)
    await db.update(organizations).set(change).where(eq(organizations.id, id));
}

export async function deleteOrganization(db: ControlDb, id: OrganizationId): Promise<void> {
  await db.delete(organizations).where(eq(organizations.id, id));
}

/** @throws the database's error for `members_pkey` if the user already belongs to an organization */
export async function insertMember(
  db: ControlDb,
  member: {
    readonly userId: UserId;
    readonly organizationId: OrganizationId;
    readonly role: MemberRole;
    readonly now: Date;
  },
): Promise<void> {
  const { userId, organizationId, role, now } = member;
  await db.insert(members).values({ userId, organizationId, role, joinedAt: now });
}

/** Finds an organization's members, oldest membership first; with `userId`, only that member. */
export async function findMembers(db: ControlDb, organizationId: OrganizationId, userId?: UserId) {
  return db
    .select({
      id: members.userId,
      role: members.role,
      joinedAt: members.joinedAt,
      lastActiveAt: users.lastActiveAt,
      name: users.name,
      email: users.email,
      createdAt: users.createdAt,
    })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(
      and(
        eq(members.organizationId, organizationId),
        userId === undefined ? undefined : eq(members.userId, userId),
      ),
    )
    .orderBy(asc(members.joinedAt), asc(members.userId));
}

export type MemberRow = Awaited<ReturnType<typeof findMembers>>[number];

const buildMemberCondition = (organizationId: OrganizationId, userId: UserId) =>
  and(eq(members.organizationId, organizationId), eq(members.userId, userId));

/** Changes a member's role. Returns false if there is no such member, or the member is the owner. */
export async function updateRole(
  db: ControlDb,
  organizationId: OrganizationId,
  userId: UserId,
  role: MemberRole,
): Promise<boolean> {
  const rows = await db
    .update(members)
    .set({ role })
    .where(and(buildMemberCondition(organizationId, userId), ne(members.role, 'owner')))
    .returning({ id: members.userId });
  return rows.length === 1;
}

/** Makes the owner an admin. Returns false if the user is not the owner. */
export async function stepDown(
  db: ControlDb,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<boolean> {
  const rows = await db
    .update(members)
    .set({ role: 'admin' })
    .where(and(buildMemberCondition(organizationId, userId), eq(members.role, 'owner')))
    .returning({ id: members.userId });
  return rows.length === 1;
}

/** Returns false if there is no such member, or the member is the owner. */
export async function deleteMember(
  db: ControlDb,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<boolean> {
  const rows = await db
    .delete(members)
    .where(and(buildMemberCondition(organizationId, userId), ne(members.role, 'owner')))
    .returning({ id: members.userId });
  return rows.length === 1;
}
