import { routes } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import { getProject, type HttpContext, serve } from '../../platform/http/serve.ts';
import { type Audit, buildActor } from '../audit/index.ts';
import { createSavedViewsService } from './service.ts';

/** Named filters of lists: personal, or shared in a project. */
export interface SavedViews {
  register(http: HttpContext): void;
}

export function createSavedViews(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly audit: Audit;
}): SavedViews {
  const service = createSavedViewsService(deps);
  return {
    register(http) {
      const { savedViews } = routes;
      serve(http, savedViews.list, async ({ caller }) => ({ views: await service.list(caller.userId) }));
      serve(http, savedViews.listOfProject, async ({ caller, scope }) => ({
        views: await service.listShared(caller.userId, getProject(scope).id),
      }));
      serve(http, savedViews.create, async ({ caller, request, body }) => ({
        view: await service.create(buildActor(caller, request), body),
      }));
      serve(http, savedViews.update, async ({ caller, request, params, body }) => ({
        view: await service.update(buildActor(caller, request), params.id, body),
      }));
      serve(http, savedViews.remove, async ({ caller, request, params }) => {
        await service.remove(buildActor(caller, request), params.id);
        return { success: true as const };
      });
      serve(http, savedViews.pin, async ({ caller, params }) => ({
        view: await service.pin(caller.userId, params.id),
      }));
      serve(http, savedViews.unpin, async ({ caller, params }) => ({
        view: await service.unpin(caller.userId, params.id),
      }));
    },
  };
}
