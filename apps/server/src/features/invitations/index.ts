import { routes } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import { getOrganization, type HttpContext, serve, serveAnyone } from '../../platform/http/serve.ts';
import type { Mailer } from '../../platform/mail/index.ts';
import { createSealer } from '../../platform/start/secrets.ts';
import { type Audit, buildActor } from '../audit/index.ts';
import type { Billing } from '../billing/index.ts';
import type { Orgs } from '../orgs/index.ts';
import { createInvitationsService, type Invitations as Offers } from './service.ts';

export interface Invitations extends Offers {
  register(http: HttpContext): void;
}

export function createInvitations(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly billing: Billing;
  readonly orgs: Orgs;
  readonly mail: Mailer;
  readonly secretKey: Buffer;
  readonly publicUrl: () => string;
}): Invitations {
  const service = createInvitationsService({ ...deps, sealer: createSealer(deps.secretKey, 'invitations') });
  return {
    offer: service.offer,
    redeem: service.redeem,
    register(http) {
      const { orgs, invitations } = routes;
      serveAnyone(http, invitations.read, async ({ params }) => ({
        invitation: await service.offer(params.token),
      }));
      serve(http, invitations.pending, async ({ caller, params }) => ({
        invitations: await service.pending(caller, params.of),
      }));
      serve(http, orgs.invite, async ({ caller, request, scope, body }) => ({
        invitation: await service.invite(buildActor(caller, request), getOrganization(scope), body),
      }));
      serve(http, orgs.resendInvitation, async ({ caller, request, scope, params }) => ({
        invitation: await service.resend(
          buildActor(caller, request),
          getOrganization(scope),
          params.invitationId,
        ),
      }));
      serve(http, orgs.revokeInvitation, async ({ caller, request, scope, params }) => {
        await service.revoke(buildActor(caller, request), getOrganization(scope), params.invitationId);
        return { success: true as const };
      });
    },
  };
}
