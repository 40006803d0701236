import { and, asc, eq, sql } from 'drizzle-orm';
import type { OrganizationId, ProjectId, UserId } from '../../ids.ts';
import type { ControlDb } from '../control-store.ts';
import { members, projects, users } from '../tables/schema.ts';

export interface OwnerRow {
  readonly name: string;
  readonly userId: UserId | null;
  readonly organizationId: OrganizationId | null;
}

/**
 * Finds a project's name and owner. Locks the project's row until the transaction ends, so that concurrent changes to the project's data
 * are made one after the other.
 */
export async function lockOwner(tx: ControlDb, id: ProjectId): Promise<OwnerRow | undefined> {
  const { name, userId, organizationId } = projects;
  const [row] = await tx
    .select({ name, userId, organizationId })
    .from(projects)
    .where(eq(projects.id, id))
    .for('update');
  return row;
}

/** Finds the people who can see a project: the members of its organization, or its solo owner. */
export function findPeople(db: ControlDb, project: ProjectId) {
  return db
    .select({ id: users.id, name: users.name, email: users.email, verifiedAt: users.emailVerifiedAt })
    .from(projects)
    .leftJoin(members, eq(members.organizationId, projects.organizationId))
    .innerJoin(users, sql`${users.id} = coalesce(${members.userId}, ${projects.userId})`)
    .where(eq(projects.id, project))
    .orderBy(asc(users.name), asc(users.id));
}

export type Person = Awaited<ReturnType<typeof findPeople>>[number];

/** Finds a member's email address. Locks the membership, so that the member cannot leave before the transaction ends. */
export async function lockMember(
  tx: ControlDb,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<{ readonly email: string } | undefined> {
  const [row] = await tx
    .select({ email: users.email })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(and(eq(members.organizationId, organizationId), eq(members.userId, userId)))
    .for('share', { of: members });
  return row;
}
