import { routes } from '@throughline/contract';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller, VisibleProject } from '../../platform/http/guard.ts';
import { type HttpContext, handled, projectsOf, serve } from '../../platform/http/serve.ts';
import { readId } from '../../platform/ids.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { traceAnswer } from './answer.ts';
import { writeCursor } from './cursor.ts';
import { readListQuery } from './list-query.ts';
import type { LiveFeed } from './live-feed.ts';
import { countMatching, findPage, findStep, findSteps, findTrace, type StoredTrace } from './store.ts';

/** What traces need to know of projects. */
export interface ProjectsOfCaller {
  visibleTo(caller: Caller): Promise<readonly VisibleProject[]>;
  visible(caller: Caller, id: string): Promise<VisibleProject | undefined>;
}

export function registerTraceRoutes(
  http: HttpContext,
  deps: { readonly store: TraceStore; readonly projects: ProjectsOfCaller; readonly feed: LiveFeed },
): void {
  const { store, projects, feed } = deps;

  const projectsFor = async (caller: Caller, id: string | undefined): Promise<readonly VisibleProject[]> => {
    if (id === undefined || id === '') return projects.visibleTo(caller);
    const project = await projects.visible(caller, id);
    if (project === undefined) throw new AppError('not_found');
    return [project];
  };
  const traceIn = async (visible: readonly VisibleProject[], id: string): Promise<StoredTrace> => {
    const known = readId(id);
    const trace = known === undefined ? undefined : await findTrace(store, visible, known);
    if (trace === undefined) throw new AppError('not_found');
    return trace;
  };

  serve(http, routes.traces.list, async ({ query, caller }) => {
    const list = readListQuery(query);
    const visible = await projectsFor(caller, query.projectId);
    if (visible.length === 0) return { traces: [], total: 0, nextCursor: null };
    const [page, total] = await Promise.all([
      findPage(store, visible, list),
      countMatching(store, visible, list),
    ]);
    return {
      traces: [...page.rows],
      total,
      nextCursor: page.next === undefined ? null : writeCursor(page.next),
    };
  });

  serve(http, routes.traces.stream, async ({ query, caller, reply }) => {
    const { projectId, ...filters } = query;
    const visible = () => projectsFor(caller, projectId);
    await visible();
    await feed.open({ caller, filters, visible, reply });
    return handled;
  });

  serve(http, routes.traces.read, async ({ params, query, scope, reply }) => {
    const trace = await traceIn(projectsOf(scope), params.id);
    const values = query.values === 'true';
    return sendJson(reply, traceAnswer(trace, await findSteps(store, trace, { values }), values));
  });

  serve(http, routes.traces.step, async ({ params, scope, reply }) => {
    const trace = await traceIn(projectsOf(scope), params.id);
    const step = await findStep(store, trace, params.stepId);
    if (step === undefined) throw new AppError('not_found');
    return sendJson(reply, `{"step":${step}}`);
  });
}

function sendJson(reply: FastifyReply, json: string): typeof handled {
  reply.type('application/json; charset=utf-8').send(json);
  return handled;
}
