import { routes } from '@throughline/contract';
import { getProject, type HttpContext, serve, serveAnyone } from '../../platform/http/serve.ts';
import { buildActor } from '../audit/index.ts';
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
    project: await projects.create(caller, body, buildActor(caller, request)),
  }));
  serve(http, calls.read, async ({ caller, scope }) => ({
    project: await projects.read(caller, getProject(scope).id),
  }));
  serve(http, calls.update, async ({ caller, request, scope, body }) => ({
    project: await projects.update(caller, getProject(scope).id, body, buildActor(caller, request)),
  }));
  serve(http, calls.remove, async ({ caller, request, scope }) => {
    const receipt = await projects.remove(getProject(scope).id, buildActor(caller, request));
    return { success: true as const, receipt };
  });
  serve(http, calls.stats, async ({ scope }) => ({ stats: await traces.stats(getProject(scope)) }));
  serve(http, calls.apiKey, async ({ caller, scope }) => ({
    apiKey: await projects.apiKey(caller, getProject(scope).id),
  }));
  serve(http, calls.regenerateApiKey, async ({ caller, request, scope, body }) => ({
    apiKey: await projects.regenerateKey(getProject(scope).id, body.graceHours, buildActor(caller, request)),
  }));
}
