import {
  type AnalyticsQuery,
  type AnalyticsRange,
  type Route,
  routes,
  type TraceRow,
} from '@throughline/contract';
import type { z } from 'zod';
import { type Clock, toMicros } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { VisibleProject } from '../../platform/http/guard.ts';
import { getProject, type HttpContext, sendJson, serve } from '../../platform/http/serve.ts';
import type { Logger } from '../../platform/log.ts';
import type { FairMutex } from '../../platform/queues/fair-mutex.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type Rollups, toHourFromMicros } from '../rollups/index.ts';
import { findPage } from '../traces/index.ts';
import { type AnsweredHosts, findAnsweredHosts } from './answered-hosts-store.ts';
import { createRecentResults } from './recent-results.ts';
import { createResultCache } from './result-cache.ts';
import { countShownDays, describeRange, readScope, type Scope } from './scope.ts';
import type { Sources } from './sources.ts';
import { findExtent, findFilterValues, findReleases } from './store.ts';
import { readBusiness } from './tabs/business.ts';
import { readErrors } from './tabs/errors.ts';
import { readFlows } from './tabs/flows.ts';
import { readOverview } from './tabs/overview.ts';
import { readPerformance } from './tabs/performance.ts';
import { readSystem } from './tabs/system.ts';
import { readUsers } from './tabs/users.ts';
import { findFunnel, findTerms, setFunnel } from './terms-store.ts';

const MAX_KEPT = 200;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** From this number of examined calls on, the hosts of services are cached for some minutes. */
const MANY_CALLS = 300;
const HOUR_MICROS = 3_600_000_000n;

type MakeAnswer<Answer> = (scope: Scope, range: AnalyticsRange) => Promise<Answer>;

export interface AnalyticsDeps {
  readonly control: ControlStore;
  readonly store: TraceStore;
  readonly rollups: Rollups;
  readonly clock: Clock;
  /** Runs one analysis at a time; projects take turns. */
  readonly turns: FairMutex;
  readonly log: Logger;
}

export function registerAnalyticsRoutes(http: HttpContext, deps: AnalyticsDeps): void {
  const { control, store, rollups, clock, turns, log } = deps;
  const results = createResultCache<Buffer>({
    count: MAX_KEPT,
    measure: (json) => json.length,
    total: MAX_KEPT_BYTES,
  });
  const listed = async (scope: Scope, sort: 'time' | 'duration', limit: number): Promise<TraceRow[]> => {
    const { from, until, service, environment, release } = scope.reading;
    const page = await findPage(store, [scope.project], {
      filters: { service, environment, release },
      attributes: [],
      from,
      until,
      sort,
      limit,
      after: undefined,
    });
    return [...page.rows];
  };
  const hosts = createRecentResults<AnsweredHosts>({
    count: MAX_KEPT,
    isKept: ({ calls }) => calls >= MANY_CALLS,
    onError: (err) => log.warn({ err }, 'the hosts of services could not be read again in the background'),
  });
  const answeredHosts = async ({ project, reading }: Scope): Promise<AnsweredHosts> => {
    const { service, environment, release } = reading;
    // Ranges with the same hours share the cached hosts, so the calls of whole hours are examined.
    const [first, end] = [toHourFromMicros(reading.from), toHourFromMicros(reading.until - 1n) + 1];
    const hours = [first, end, toHourFromMicros(project.shownSince)];
    const range = { from: BigInt(first) * HOUR_MICROS, until: BigInt(end) * HOUR_MICROS };
    const { answer } = await hosts.find({
      ...{ key: JSON.stringify([project.id, service, environment, release, hours]), now: clock.now() },
      isFresh: false,
      // A cached result is used even if requests have changed since, because a host name belongs to a service, not to a single request.
      readState: async () => '',
      make: () => findAnsweredHosts(store, project, { ...reading, ...range }),
    });
    return answer;
  };
  const sources: Sources = { store, rollups, listed, answeredHosts, now: clock.now };

  /**
   * Returns the JSON of a screen's response. Uses the cached JSON of an earlier request if the data of the range is still the same. `also`
   * contains data that the response depends on, in addition to the traces and the query.
   */
  const findAnswer = async <Answer>(
    name: string,
    project: VisibleProject,
    query: AnalyticsQuery,
    make: MakeAnswer<Answer>,
    also: unknown = null,
  ): Promise<Buffer> => {
    const now = clock.now();
    const scope = readScope(query, project, now);
    const terms = await findTerms(control.db, project.id, now);
    if (terms === undefined) throw new AppError('not_found');
    const { from, until } = scope.reading;
    const nowMicros = toMicros(now.getTime());
    const since = scope.before?.from ?? from;
    // Results for ranges with expiring requests, or with an end in the future, can still change, so they are not cached.
    const settled = project.shownSince <= since && until <= nowMicros;
    const state = settled ? await rollups.state(project.id, { from: since, until }) : undefined;
    const { sampleRate } = terms;
    const key = JSON.stringify([
      name,
      project.id,
      query,
      String(from),
      String(until),
      scope.previous !== undefined,
    ]);
    // Calls share a computation only if everything that the response depends on is the same.
    const shared = JSON.stringify([key, sampleRate, also, countShownDays(project, now)]);
    return results.find(key, state && JSON.stringify([state, sampleRate, also]), () =>
      turns.runShared(project.id, shared, async () =>
        // The cache contains JSON, so that a response is serialized only once: a response with thousands of endpoints has megabytes.
        Buffer.from(JSON.stringify(await make(scope, describeRange(scope, sampleRate)))),
      ),
    );
  };

  const calls = routes.analytics;
  const serveAnswer = <P extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
    call: Route<P, typeof AnalyticsQuery, B, A>,
    name: string,
    make: MakeAnswer<z.input<A>>,
  ): void => {
    serve(http, call, async ({ scope, query, reply }) =>
      sendJson(reply, await findAnswer(name, getProject(scope), query, make)),
    );
  };

  serveAnswer(calls.overview, 'overview', async (of, range) => ({
    overview: await readOverview(sources, of, range),
  }));
  serveAnswer(calls.performance, 'performance', async (of, range) => ({
    performance: await readPerformance(sources, of, range),
  }));
  serveAnswer(calls.errors, 'errors', async (of, range) => ({
    errors: await readErrors(sources, of, range),
  }));
  serveAnswer(calls.flows, 'flows', async (of, range) => ({ flows: await readFlows(sources, of, range) }));
  for (const call of [calls.system, calls.systemAlias]) {
    serveAnswer(call, 'system', async (of, range) => ({ system: await readSystem(sources, of, range) }));
  }
  for (const call of [calls.users, calls.usersAlias]) {
    serveAnswer(call, 'users', async (of, range) => ({ users: await readUsers(sources, of, range) }));
  }
  for (const call of [calls.business, calls.businessAlias]) {
    serve(http, call, async ({ scope, query, reply }) => {
      const project = getProject(scope);
      const funnel = await findFunnel(control.db, project.id);
      const make: MakeAnswer<z.input<typeof call.answer>> = async (of, range) => ({
        business: await readBusiness(sources, of, range, funnel),
      });
      return sendJson(reply, await findAnswer('business', project, query, make, funnel));
    });
  }
  serveAnswer(calls.filters, 'filters', async (of) => ({
    filters: await findFilterValues(store, of.project, of.reading),
  }));
  serve(http, calls.extent, async ({ scope }) => ({ extent: await findExtent(store, getProject(scope)) }));
  serve(http, calls.releases, async ({ scope }) => {
    const project = getProject(scope);
    return {
      releases: await turns.runShared(project.id, `releases ${project.id}`, () =>
        findReleases(store, project),
      ),
    };
  });
  serve(http, calls.funnel, async ({ scope }) => ({
    funnel: await findFunnel(control.db, getProject(scope).id),
  }));
  serve(http, calls.setFunnel, async ({ scope, body }) => {
    const { id } = getProject(scope);
    await setFunnel(control.db, id, body);
    return { funnel: await findFunnel(control.db, id) };
  });
}
