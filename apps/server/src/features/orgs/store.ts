import type { MemberRole, PlanId } from '@throughline/contract';
import { eq } from 'drizzle-orm';
import {
  type ControlDb,
  members,
  organizations,
  projects,
  subscriptions,
} from '../../platform/control-store/index.ts';
import type { OrganizationId, UserId } from '../../platform/ids.ts';

export interface MembershipRow {
  readonly id: OrganizationId;
  readonly name: string;
  readonly slug: string;
  readonly demo: boolean;
  readonly role: MemberRole;
  readonly plan: PlanId | null;
  readonly memberCount: number;
  readonly projectCount: number;
}

/** The organization that a user belongs to, with what its limits are compared with. */
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
      memberCount,
      projectCount,
    })
    .from(members)
    .innerJoin(organizations, eq(organizations.id, members.organizationId))
    .leftJoin(subscriptions, eq(subscriptions.organizationId, organizations.id))
    .where(eq(members.userId, userId));
  return row;
}
