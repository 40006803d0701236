import { routes } from '@throughline/contract';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import type { ShownProject } from '../../platform/http/guard.ts';
import { getProject, type HttpContext, serve, serveAnyone } from '../../platform/http/serve.ts';
import type { ProjectId } from '../../platform/ids.ts';
import { type Audit, buildActor } from '../audit/index.ts';
import type { TraceSharing } from '../traces/index.ts';
import { createShareLinksService } from './service.ts';
import { deleteExpired } from './store.ts';

/** Links that show one trace, until they expire, to anyone who has the link. */
export interface ShareLinks {
  register(http: HttpContext): void;
  deleteExpired(now: Date): Promise<void>;
}

export function createShareLinks(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly projects: { shown(id: ProjectId): Promise<ShownProject | undefined> };
  readonly traces: TraceSharing;
  readonly publicUrl: () => string;
}): ShareLinks {
  const { control, traces } = deps;
  const service = createShareLinksService(deps);
  /** Opens a link. Search engines must not index the response, even if the link was published. */
  const open = async (token: string, reply: FastifyReply) => {
    reply.header('x-robots-tag', 'noindex');
    return service.open(token);
  };
  return {
    deleteExpired: (now) => deleteExpired(control.db, now),
    register(http) {
      const { shareLinks, shared } = routes;
      serve(http, shareLinks.create, async ({ caller, request, scope, params, body }) =>
        service.create(buildActor(caller, request), await traces.locate(scope, params.id), body),
      );
      serve(http, shareLinks.listOfTrace, async ({ scope, params }) => {
        const { project, traceId } = await traces.locate(scope, params.id);
        return { shareLinks: await service.list(project, traceId) };
      });
      serve(http, shareLinks.listOfProject, async ({ scope }) => ({
        shareLinks: await service.list(getProject(scope)),
      }));
      serve(http, shareLinks.revoke, async ({ caller, request, scope, params }) => {
        await service.revoke(buildActor(caller, request), getProject(scope).id, params.linkId);
        return { success: true as const };
      });
      serveAnyone(http, shared.link, async ({ params, reply }) => {
        const opened = await open(params.token, reply);
        await traces.reading.assertThere(opened);
        const { traceId, values, expiresAt } = opened;
        return { link: { traceId, values, expiresAt: expiresAt.toISOString() } };
      });
      serveAnyone(http, shared.read, async ({ params, query, reply }) =>
        traces.reading.trace(await open(params.token, reply), query, reply),
      );
      serveAnyone(http, shared.part, async ({ params, reply }) =>
        traces.reading.part(await open(params.token, reply), params.part, reply),
      );
      serveAnyone(http, shared.step, async ({ params, reply }) =>
        traces.reading.step(await open(params.token, reply), params.stepId, reply),
      );
      serveAnyone(http, shared.findSteps, async ({ params, query, reply }) =>
        traces.reading.findSteps(await open(params.token, reply), query, reply),
      );
    },
  };
}
