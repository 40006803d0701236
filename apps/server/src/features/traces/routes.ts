import {
  type BesideList,
  type DeletionReceipt,
  MIN_MICROS,
  routes,
  type Step,
  type TraceListQuery,
} from '@throughline/contract';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller, Scope, ShownProject, VisibleProject } from '../../platform/http/guard.ts';
import { getProject, getTraceScope, type HttpContext, handled, serve } from '../../platform/http/serve.ts';
import { FairMutex } from '../../platform/queues/fair-mutex.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type Actor, buildActor } from '../audit/index.ts';
import { AnalysisThreads } from './analysis/analysis-threads.ts';
import { registerComparison } from './comparison/compare-route.ts';
import { createComparisonReader } from './comparison/comparison-reader.ts';
import type { Removal } from './delete/removal.ts';
import { DIAGNOSES, EXPORTS, ReadingPlaces } from './detail/reading-places.ts';
import type { SearchTrace } from './detail/search-steps.ts';
import { sendPieces } from './detail/send-pieces.ts';
import { createTraceSender, EVERYTHING, type ReadTarget, readAsked } from './detail/send-trace.ts';
import { findTrace, findTraceHead } from './detail/single-trace-store.ts';
import { createTraceIn } from './detail/trace-in.ts';
import { findDifferences } from './differences/differences.ts';
import { exportLines } from './export/export.ts';
import { findGroups } from './groups/groups.ts';
import { writeCursor } from './list/cursor.ts';
import { isSearched, readListQuery } from './list/list-query.ts';
import { readFilters } from './list/read-filters.ts';
import type { LiveFeed } from './live/live-feed.ts';
import { createPublicReading } from './public/public-projects.ts';
import { registerSource } from './source/source-route.ts';
import { registerStandsOut } from './stands-out/stands-out-route.ts';
import type { FindKnownErrors } from './stands-out/stands-out-store.ts';
import { findFacets } from './stats/facets.ts';
import { findFigures } from './stats/stats.ts';
import { findPage, findRelated } from './store.ts';
import { findDistribution } from './usual/usual.ts';
import { findEndpoint } from './usual/usual-store.ts';
import { registerValueOrigin } from './value-origin/value-origin-route.ts';
import { resolveBeside, resolveList, resolveWhole } from './values/resolve-searches.ts';
import { ValueSearches } from './values/value-searches.ts';

/**
 * An export is aborted after the browser has read nothing for this time, because a running export counts towards the limit of concurrent
 * exports.
 */
const MAX_EXPORT_IDLE_MS = 5 * 60_000;

/** The functions of the projects feature that trace routes need. */
export interface ProjectsOfCaller {
  visibleTo(caller: Caller): Promise<readonly VisibleProject[]>;
  visible(caller: Caller, id: string): Promise<VisibleProject | undefined>;
  /** Finds public projects, whose traces everyone can see without values. With `id`, finds only that project, if it is public. */
  shownToAnyone(id?: string): Promise<ShownProject[]>;
  /** Records in the audit log that traces of a project were deleted. Ignores the receipt of a deleted project. */
  noteDeletion(receipt: DeletionReceipt, actor: Actor): Promise<void>;
}

export function registerTraceRoutes(
  http: HttpContext,
  deps: {
    readonly store: TraceStore;
    readonly projects: ProjectsOfCaller;
    readonly clock: Clock;
    readonly feed: LiveFeed;
    readonly removal: Removal;
    readonly large: ReadingPlaces;
    readonly searchTrace: SearchTrace;
    readonly findKnownErrors: FindKnownErrors;
  },
): void {
  const { store, projects, clock, feed, removal, large, searchTrace, findKnownErrors } = deps;
  const exports = new ReadingPlaces(EXPORTS);
  const publicViewers = createPublicReading(store, projects.shownToAnyone, large, searchTrace);

  const projectsFor = async (caller: Caller, id: string | undefined): Promise<readonly VisibleProject[]> => {
    if (id === undefined || id === '') return projects.visibleTo(caller);
    const project = await projects.visible(caller, id);
    if (project === undefined) throw new AppError('not_found');
    return [project];
  };
  const differenceTurns = new FairMutex();
  const groupTurns = new FairMutex();
  const traceIn = createTraceIn(store);
  const sender = createTraceSender(store, large);
  const buildTarget = (
    { caller, scope, reply }: { caller: Caller; scope: Scope; reply: FastifyReply },
    id: string,
  ): ReadTarget => ({
    read: (find, from) => traceIn(find, scope, id, from),
    owner: caller.userId,
    reply,
  });

  const values = new ValueSearches(store, clock);

  serve(
    http,
    routes.traces.list,
    async ({ query: asked, caller }) => {
      const visible = await projectsFor(caller, asked.projectId);
      const { query, search } = await resolveList(values, {
        projects: visible,
        query: readListQuery(asked),
        owner: caller.userId,
      });
      if (visible.length === 0) return { traces: [], total: 0, nextCursor: null };
      const page = await findPage(store, visible, query);
      const searchedSince = isSearched(query) ? (query.from ?? MIN_MICROS) : undefined;
      return {
        traces: [...page.rows],
        total: page.total,
        nextCursor: page.next === undefined ? null : writeCursor({ ...page.next, searchedSince }),
        ...(search !== undefined && { search }),
      };
    },
    ({ query }) => publicViewers.list(query),
  );

  /**
   * Reads the query of stats that are shown beside a list. If the query has a search over captured values, adds the traces that the list's
   * search has found.
   */
  const readSelection = async (
    caller: Caller,
    { searchedSince, ...asked }: Omit<TraceListQuery, 'limit' | 'sort'> & BesideList,
  ) => {
    const visible = await projectsFor(caller, asked.projectId);
    const selection = readListQuery({ ...asked, limit: 1, sort: 'time' });
    const searching = { projects: visible, query: selection, owner: caller.userId };
    const { query, search } = await resolveBeside(values, searching, searchedSince);
    return { visible, query, ...(search !== undefined && { search }) };
  };

  serve(http, routes.traces.facets, async ({ query: { bars, ...asked }, caller }) => {
    const { visible, query, ...progress } = await readSelection(caller, asked);
    return { ...(await findFacets(store, visible, query, bars)), ...progress };
  });

  serve(http, routes.traces.differences, async ({ query: asked, caller }) => {
    const { visible, query, ...progress } = await readSelection(caller, asked);
    const found = await differenceTurns.run(caller.userId, () =>
      findDifferences(store, visible, query, clock.nowMicros()),
    );
    return { ...found, ...progress };
  });

  serve(http, routes.traces.figures, async ({ query: { pieces, ...asked }, caller }) => {
    const { visible, query, ...progress } = await readSelection(caller, asked);
    const figures = await findFigures(store, visible, query, { most: pieces, nowMicros: clock.nowMicros() });
    return { ...figures, ...progress };
  });

  serve(http, routes.traces.groups, async ({ query: { groupBy, sort, intervals, ...asked }, caller }) => {
    const visible = await projectsFor(caller, asked.projectId);
    const selection = readListQuery({ ...asked, limit: 1, sort: 'time' });
    const searching = { projects: visible, query: selection, owner: caller.userId };
    const { query, search } = await resolveList(values, searching);
    const options = { groupBy, sort, intervals, nowMicros: clock.nowMicros() };
    const found = await groupTurns.run(caller.userId, () => findGroups(store, visible, query, options));
    return { ...found, ...(search !== undefined && { search }) };
  });

  serve(http, routes.traces.stream, async ({ query, caller, reply }) => {
    const { projectId, ...filters } = query;
    const asked = readFilters(filters);
    const visible = () => projectsFor(caller, projectId);
    await feed.open({ caller, projectId, ...asked, visible, reply });
    return handled;
  });

  serve(http, routes.traces.export, async ({ query, caller, reply }) => {
    const visible = await projectsFor(caller, query.projectId);
    const list = await resolveWhole(values, {
      projects: visible,
      query: readListQuery({ ...query, limit: 1 }),
      owner: caller.userId,
    });
    reply
      .type('application/x-ndjson; charset=utf-8')
      .header('content-disposition', 'attachment; filename="traces.ndjson"');
    if (visible.length === 0) {
      reply.send('');
      return handled;
    }
    const leave = await exports.enter(caller.userId);
    const lines = exportLines(store, visible, list, large);
    sendPieces(reply, lines, leave, MAX_EXPORT_IDLE_MS);
    return handled;
  });

  serve(
    http,
    routes.traces.read,
    (call) => sender.trace(buildTarget(call, call.params.id), readAsked(call.query)),
    async ({ params, query }) => {
      const trace = await publicViewers.trace(params.id, { values: query.values === 'true' });
      return trace && { trace };
    },
  );

  serve(
    http,
    routes.traces.usual,
    async ({ params, scope }) => {
      const endpoint = await traceIn(findEndpoint, scope, params.id);
      return { usual: await findDistribution(store, getTraceScope(scope).projects, endpoint) };
    },
    ({ params }) => publicViewers.usual(params.id),
  );

  const reader = createComparisonReader(store, traceIn);
  const threads = new AnalysisThreads();
  http.app.addHook('onClose', () => threads.close());
  registerComparison(http, { reader, places: large, threads });
  registerSource(http, { store, traceIn });
  const diagnoses = new ReadingPlaces(DIAGNOSES);
  registerStandsOut(http, { store, reader, places: diagnoses, threads, findKnownErrors });
  registerValueOrigin(http, { store, traceIn, places: diagnoses, large, threads });

  serve(
    http,
    routes.traces.raw,
    (call) => {
      const { id } = call.params;
      return sender.trace(buildTarget(call, id), EVERYTHING, () => saveAs(call.reply, id.toLowerCase()));
    },
    async ({ params, reply }) => {
      const trace = await publicViewers.trace(params.id, { values: true });
      if (trace !== undefined) saveAs(reply, trace._id);
      return trace && { trace };
    },
  );

  serve(
    http,
    routes.traces.part,
    (call) => sender.part(buildTarget(call, call.params.id), call.params.part),
    ({ params }) => publicViewers.part(params.id, params.part),
  );

  serve(
    http,
    routes.traces.step,
    (call) => sender.step(buildTarget(call, call.params.id), call.params.stepId),
    async ({ params }) => {
      const step = await publicViewers.step(params.id, params.stepId);
      return step && { step };
    },
  );

  serve(
    http,
    routes.traces.findSteps,
    async ({ params, query, scope, caller, reply }) => {
      const trace = await traceIn(findTraceHead, scope, params.id);
      return searchTrace(trace, query, { owner: caller.userId, readStep, isGone: () => reply.raw.destroyed });
    },
    ({ params, query, reply }) => publicViewers.findSteps(params.id, query, () => reply.raw.destroyed),
  );

  serve(
    http,
    routes.traces.byTraceId,
    async ({ params, scope }) => {
      const traces = await findRelated(store, getTraceScope(scope).projects, params.traceId.toLowerCase());
      if (traces.length === 0) throw new AppError('not_found');
      return { traces };
    },
    async ({ params }) => {
      const traces = await publicViewers.related(params.traceId);
      return traces && { traces };
    },
  );

  serve(http, routes.traces.remove, async ({ params, scope, caller, request }) => {
    const trace = await traceIn((...asked) => findTrace(...asked, 'heads'), scope, params.id);
    const receipt = await removal.trace(trace);
    await projects.noteDeletion(receipt, buildActor(caller, request));
    return { success: true as const, receipt };
  });

  serve(http, routes.traces.removeOfProject, async ({ scope, caller, request }) => {
    const receipt = await removal.tracesOf(getProject(scope).id);
    await projects.noteDeletion(receipt, buildActor(caller, request));
    return { success: true as const, receipt };
  });

  serve(http, routes.traces.eraseUser, async ({ params, scope, caller, request }) => {
    const erasure = await removal.user(getProject(scope).id, params.userId);
    await projects.noteDeletion(erasure.receipt, buildActor(caller, request));
    return erasure;
  });
}

/** Parses a stored step without validation: the step was validated on arrival. */
function readStep(json: string): Step {
  return JSON.parse(json);
}

function saveAs(reply: FastifyReply, id: string): void {
  reply.header('content-disposition', `attachment; filename="trace-${id}.json"`);
}
