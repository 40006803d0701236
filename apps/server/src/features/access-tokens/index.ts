import { routes } from '@throughline/contract';
import { type HttpContext, serve } from '../../platform/http/serve.ts';
import { buildActor } from '../audit/index.ts';
import { type AccessTokenService, createAccessTokenService } from './service.ts';

/** Tokens with which users read data outside the dashboard. */
export interface AccessTokens extends Pick<AccessTokenService, 'open' | 'revokeAll' | 'deleteExpired'> {
  register(http: HttpContext): void;
}

export function createAccessTokens(deps: Parameters<typeof createAccessTokenService>[0]): AccessTokens {
  const service = createAccessTokenService(deps);
  return {
    ...service,
    register(http) {
      const { accessTokens } = routes;
      serve(http, accessTokens.list, async ({ caller }) => ({
        accessTokens: await service.list(caller.userId),
      }));
      serve(http, accessTokens.create, ({ caller, request, body }) =>
        service.create(caller, buildActor(caller, request), body),
      );
      serve(http, accessTokens.revoke, async ({ caller, request, params }) => {
        await service.revoke(caller, buildActor(caller, request), params.id);
        return { success: true as const };
      });
    },
  };
}
