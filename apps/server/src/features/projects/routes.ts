import { routes } from '@throughline/contract';
import { type HttpContext, projectOf, serve, serveAnyone } from '../../platform/http/serve.ts';
import { actorOf } from '../audit/index.ts';
import type { ProjectsService, TracesOfProjects } from './service.ts';

export function registerProjectRoutes(
  http: HttpContext,
  projects: ProjectsService,
  traces: TracesOfProjects,
): void {
  const calls = routes.projects;
  serve(http, calls.list, async ({ caller }) => ({ projects: await projects.list(caller) }));
  serve(http, calls.listOfOrganization, async ({ caller, scope }) => ({
    projects: scope.on === 'organization' ? await projects.list(caller, scope.organizationId) : [],
  }));
  serveAnyone(http, calls.listPublic, async () => ({ projects: await projects.listPublic() }));
  serveAnyone(http, calls.readPublic, async ({ params }) => ({
    project: await projects.readPublic(params.id),
  }));
  serve(http, calls.create, async ({ caller, request, body }) => ({
    project: await projects.create(caller, body, actorOf(caller, request)),
  }));
  serve(http, calls.read, async ({ caller, scope }) => ({
    project: await projects.read(caller, projectOf(scope).id),
  }));
  serve(http, calls.update, async ({ caller, request, scope, body }) => ({
    project: await projects.update(caller, projectOf(scope).id, body, actorOf(caller, request)),
  }));
  serve(http, calls.remove, async ({ caller, request, scope }) => {
    const receipt = await projects.remove(projectOf(scope).id, actorOf(caller, request));
    return { success: true as const, receipt };
  });
  serve(http, calls.stats, async ({ scope }) => ({ stats: await traces.stats(projectOf(scope)) }));
  serve(http, calls.apiKey, async ({ caller, scope }) => ({
    apiKey: await projects.apiKey(caller, projectOf(scope).id),
  }));
  serve(http, calls.regenerateApiKey, async ({ caller, request, scope, body }) => ({
    apiKey: await projects.regenerateKey(projectOf(scope).id, body.graceHours, actorOf(caller, request)),
  }));
}
