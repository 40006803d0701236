import { type Organization, PLANS } from '@throughline/contract';
import type { ControlStore } from '../../platform/control-store/index.ts';
import type { UserId } from '../../platform/ids.ts';
import { findMembership } from './store.ts';

export interface Orgs {
  /** The organization of a user, with the user's role in it; null for a solo user. */
  organizationOf(userId: UserId): Promise<Organization | null>;
}

export function createOrgs({ control }: { readonly control: ControlStore }): Orgs {
  return {
    async organizationOf(userId) {
      const row = await findMembership(control.db, userId);
      if (row === undefined) return null;
      const plan = PLANS[row.plan ?? 'free_trial'];
      return {
        id: row.id,
        name: row.name,
        slug: row.slug,
        plan: plan.id,
        memberCount: row.memberCount,
        projectCount: row.projectCount,
        limits: {
          maxMembers: plan.maxMembers,
          maxProjects: plan.maxProjects,
          maxTracesPerMonth: plan.maxTracesPerMonth,
          retentionHours: plan.retentionHours,
        },
        subscription: { plan: plan.id },
        role: row.role,
        demo: row.demo,
      };
    },
  };
}
