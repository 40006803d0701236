import { isAccessToken } from '@throughline/contract';
import type { AccessTokens } from './features/access-tokens/index.ts';
import { type Auth, readBearerToken } from './features/auth/index.ts';
import type { Projects } from './features/projects/index.ts';
import type { Guard } from './platform/http/guard.ts';

/** Creates the guard, which finds the caller of each API request and the caller's role in the resource of the request. */
export function createGuard({
  auth,
  accessTokens,
  projects,
}: {
  readonly auth: Auth;
  readonly accessTokens: AccessTokens;
  readonly projects: Projects;
}): Guard {
  return {
    async caller(request, route) {
      const token = readBearerToken(request.headers.authorization);
      const isAccepted = route.accessTokens === true && token !== undefined && isAccessToken(token);
      return isAccepted ? accessTokens.open(token) : auth.caller(request);
    },
    confirmation: auth.confirmation,
    async scope(caller, on, id) {
      const own = caller.organization;
      switch (on) {
        case 'own':
          return { on, role: own?.role ?? 'solo' };
        case 'organization':
          return own === null || own.id !== id.toLowerCase()
            ? undefined
            : { on, organizationId: own.id, role: own.role };
        case 'project': {
          const project = await projects.visible(caller, id);
          return project === undefined ? undefined : { on, project };
        }
        case 'trace':
          return { on, projects: await projects.visibleTo(caller), readOnly: [] };
      }
    },
  };
}
