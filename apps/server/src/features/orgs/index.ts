import { type Organization, routes } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlDb, ControlStore } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/guard.ts';
import { getOrganization, type HttpContext, serve, serveAnyone } from '../../platform/http/serve.ts';
import type { OrganizationId, UserId } from '../../platform/ids.ts';
import { type Audit, buildActor } from '../audit/index.ts';
import type { Billing } from '../billing/index.ts';
import { createOrgsService, type OrgsService } from './service.ts';
import { deleteOrganization } from './store.ts';

export { findOrganizationId } from './store.ts';

/** Ends or interrupts the sessions of a user who is no longer a member of an organization. Ending also revokes the user's access tokens. */
export interface SessionEnds {
  endSessionsOf(userId: UserId): Promise<void>;
  /** Closes the open connections of the user's sessions, such as a live feed, but does not end the sessions. */
  interruptSessionsOf(userId: UserId): Promise<void>;
}

export interface Orgs extends Pick<OrgsService, 'organizationOf' | 'join' | 'found' | 'onMemberGone'> {
  /** Deletes an organization and its data, but not its members' accounts. */
  removeAll(tx: ControlDb, id: OrganizationId): Promise<void>;
  register(http: HttpContext, sessions: SessionEnds): void;
}

export function createOrgs(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly billing: Billing;
}): Orgs {
  const service = createOrgsService(deps);
  return {
    organizationOf: service.organizationOf,
    join: service.join,
    found: service.found,
    onMemberGone: service.onMemberGone,
    removeAll: deleteOrganization,
    register(http, sessions) {
      const mine = async (caller: Caller): Promise<Organization> => {
        const organization = await service.organizationOf(caller.userId);
        if (organization === null) throw new AppError('not_found');
        return organization;
      };
      const { orgs } = routes;
      serveAnyone(http, orgs.slug, async ({ params }) => ({
        slug: { name: params.slug, available: await service.slugIsFree(params.slug) },
      }));
      serve(http, orgs.list, async ({ caller }) => {
        const organization = await service.organizationOf(caller.userId);
        return { organizations: organization === null ? [] : [organization] };
      });
      serve(http, orgs.create, async ({ caller, request, body }) => ({
        organization: await service.create(buildActor(caller, request), body),
      }));
      serve(http, orgs.read, async ({ caller }) => ({ organization: await mine(caller) }));
      serve(http, orgs.update, async ({ caller, request, scope, body }) => ({
        organization: await service.update(buildActor(caller, request), getOrganization(scope), body),
      }));
      serve(http, orgs.members, async ({ scope }) => ({
        members: await service.members(getOrganization(scope)),
      }));
      serve(http, orgs.setRole, async ({ caller, request, scope, params, body }) => ({
        member: await service.setRole(
          buildActor(caller, request),
          getOrganization(scope),
          params.userId,
          body.role,
        ),
      }));
      serve(http, orgs.removeMember, async ({ caller, request, scope, params }) => {
        const gone = await service.remove(buildActor(caller, request), getOrganization(scope), params.userId);
        await sessions.endSessionsOf(gone);
        return { success: true as const };
      });
      serve(http, orgs.leave, async ({ caller, request, scope }) => {
        await service.leave(buildActor(caller, request), getOrganization(scope));
        await sessions.interruptSessionsOf(caller.userId);
        return { success: true as const };
      });
      serve(http, orgs.transferOwnership, async ({ caller, request, scope, body }) => ({
        organization: await service.transferOwnership(
          buildActor(caller, request),
          getOrganization(scope),
          body.userId,
        ),
      }));
    },
  };
}
