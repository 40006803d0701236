import { type AnalyticsQuery, type AnalyticsRange, routes, type TraceRow } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { VisibleProject } from '../../platform/http/guard.ts';
import { type HttpContext, projectOf, serve } from '../../platform/http/serve.ts';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import type { Turns } from '../../platform/turns.ts';
import type { Rollups } from '../rollups/index.ts';
import { findPage } from '../traces/index.ts';
import { business } from './business.ts';
import { errors } from './errors.ts';
import { flows } from './flows.ts';
import { createKeptAnswers } from './kept-answers.ts';
import { overview } from './overview.ts';
import { performance } from './performance.ts';
import { rangeAnswer, readScope, type Scope } from './scope.ts';
import type { Sources } from './sources.ts';
import { findFilterValues } from './store.ts';
import { system } from './system.ts';
import { findFunnel, findTerms, setFunnel } from './terms-store.ts';
import { users } from './users.ts';

export interface AnalyticsDeps {
  readonly control: ControlStore;
  readonly store: TraceStore;
  readonly rollups: Rollups;
  readonly clock: Clock;
  /** All analyses run in these turns; their owners are projects. */
  readonly turns: Turns;
}

export function registerAnalyticsRoutes(http: HttpContext, deps: AnalyticsDeps): void {
  const { control, store, rollups, clock, turns } = deps;
  const kept = createKeptAnswers();
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
  const sources: Sources = { store, rollups, listed, now: clock.now };

  /** The answer of a screen, made once for a range that has not changed since. `also` is what it depends on beside traces and query. */
  const answer = async <Answer>(
    name: string,
    project: VisibleProject,
    query: AnalyticsQuery,
    make: (scope: Scope, range: AnalyticsRange) => Promise<Answer>,
    also: unknown = null,
  ): Promise<Answer> => {
    const now = clock.now();
    const scope = readScope(query, project, now);
    const terms = await findTerms(control.db, project.id, now);
    if (terms === undefined) throw new AppError('not_found');
    const { from, until } = scope.reading;
    const nowMicros = BigInt(now.getTime()) * 1000n;
    const since = scope.previous?.from ?? from;
    // What is expiring, or has not ended, changes by itself.
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
    return kept.of(key, state && JSON.stringify([state, sampleRate, also]), () =>
      turns.runShared(project.id, key, () => make(scope, rangeAnswer(scope, sampleRate))),
    );
  };

  const calls = routes.analytics;
  serve(http, calls.overview, async ({ scope, query }) => ({
    overview: await answer('overview', projectOf(scope), query, (of, range) => overview(sources, of, range)),
  }));
  serve(http, calls.performance, async ({ scope, query }) => ({
    performance: await answer('performance', projectOf(scope), query, (of, range) =>
      performance(sources, of, range),
    ),
  }));
  serve(http, calls.errors, async ({ scope, query }) => ({
    errors: await answer('errors', projectOf(scope), query, (of, range) => errors(sources, of, range)),
  }));
  serve(http, calls.flows, async ({ scope, query }) => ({
    flows: await answer('flows', projectOf(scope), query, (of, range) => flows(sources, of, range)),
  }));
  for (const call of [calls.system, calls.systemAlias]) {
    serve(http, call, async ({ scope, query }) => ({
      system: await answer('system', projectOf(scope), query, (of, range) => system(sources, of, range)),
    }));
  }
  for (const call of [calls.users, calls.usersAlias]) {
    serve(http, call, async ({ scope, query }) => ({
      users: await answer('users', projectOf(scope), query, (of, range) => users(sources, of, range)),
    }));
  }
  for (const call of [calls.business, calls.businessAlias]) {
    serve(http, call, async ({ scope, query }) => {
      const project = projectOf(scope);
      const funnel = await findFunnel(control.db, project.id);
      const make = (of: Scope, range: AnalyticsRange) => business(sources, of, range, funnel);
      return { business: await answer('business', project, query, make, funnel) };
    });
  }
  serve(http, calls.filters, async ({ scope, query }) => ({
    filters: await answer('filters', projectOf(scope), query, (of) =>
      findFilterValues(store, of.project, of.reading),
    ),
  }));
  serve(http, calls.funnel, async ({ scope }) => ({
    funnel: await findFunnel(control.db, projectOf(scope).id),
  }));
  serve(http, calls.setFunnel, async ({ scope, body }) => {
    const { id } = projectOf(scope);
    await setFunnel(control.db, id, body);
    return { funnel: await findFunnel(control.db, id) };
  });
}
