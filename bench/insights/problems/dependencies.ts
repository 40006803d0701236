import { type CallHabit, findRelease, type Project } from '../habits.ts';
import { FAILING, isLive, type Plant, SLOWER } from '../problem.ts';
import { between } from '../random.ts';
import { hoursAgo } from './latency.ts';

const PAYMENTS = 'payments.example';

const calls = (project: Project, has: (call: CallHabit) => boolean) =>
  project.endpoints.filter((endpoint) => endpoint.calls.some(has));
const readNewest = (project: Project) => findRelease(project.production, project.untilMs);

const plantSlow: Plant = (project, random) => {
  const startMs = hoursAgo(project, between(random, 8, 50));
  return {
    truth: {
      kind: 'slowDependency',
      endpoints: calls(project, ({ to }) => to === PAYMENTS),
      names: [PAYMENTS],
      words: SLOWER,
      startMs,
      toleranceHours: 12,
    },
    change(request) {
      if (!isLive(request, startMs)) return;
      for (const call of request.calls) if (call.habit.to === PAYMENTS) call.ms *= 5;
    },
  };
};

const plantFailing: Plant = (project, random) => {
  const startMs = hoursAgo(project, between(random, 8, 50));
  return {
    truth: {
      kind: 'failingDependency',
      endpoints: calls(project, ({ to }) => to === PAYMENTS),
      names: [PAYMENTS],
      words: FAILING,
      startMs,
      toleranceHours: 12,
    },
    change(request, chance) {
      if (!isLive(request, startMs)) return;
      for (const call of request.calls) {
        if (call.habit.to !== PAYMENTS || chance() > 0.25) continue;
        call.error = 'connect ECONNREFUSED 203.0.113.7:443';
        // The service's own error only reports that the payment failed. It does not reveal the cause.
        request.failure = { status: 502, message: 'The payment could not be made' };
      }
    },
  };
};

/** Since the newest release, the endpoint fetches each row with a query of its own. Before, its first query returned all rows. */
const plantMoreCalls: Plant = (project) => {
  const [endpoint] = project.endpoints.filter(({ path }) => path === '/search');
  const { fromMs } = readNewest(project);
  return {
    truth: {
      kind: 'moreCalls',
      endpoints: endpoint === undefined ? [] : [endpoint],
      names: [],
      words: /n\+1|quer|calls|repeat|times (in|a|per) (one )?request/i,
      startMs: fromMs,
      toleranceHours: 24,
    },
    change(request, chance) {
      if (request.endpoint !== endpoint || !isLive(request, fromMs)) return;
      const habit = { name: 'SELECT stock', type: 'database', to: 'postgresql', medianMs: 3 } as const;
      const count = 8 + Math.floor(chance() * 10);
      request.calls.push({ habit, ms: 2 + 2 * chance(), count, beside: false, error: null });
    },
  };
};

/** Since a release, calls run sequentially that used to run concurrently, although none of them uses the result of another. */
const plantAwaits: Plant = (project) => {
  const [endpoint] = project.endpoints.filter(({ path }) => path === '/account');
  const { fromMs } = readNewest(project);
  return {
    truth: {
      kind: 'awaitsInRow',
      endpoints: endpoint === undefined ? [] : [endpoint],
      names: [],
      words: /await|sequen|one after|in a row|parallel|side by side|at once/i,
      startMs: fromMs,
      toleranceHours: 24,
    },
    change(request) {
      if (request.endpoint !== endpoint || !isLive(request, fromMs)) return;
      for (const call of request.calls) call.beside = false;
    },
  };
};

/**
 * Most cache lookups miss, so the calls behind the cache are made nearly every time. The trace format has no field for cache hits. The step
 * of the cache lookup shows a miss: its outputs are null, and its metadata has `cache.hit: false`.
 */
const plantMisses: Plant = (project, random) => {
  const endpoints = project.endpoints.filter(({ hitRate }) => hitRate !== undefined);
  const startMs = hoursAgo(project, between(random, 20, 70));
  return {
    truth: {
      kind: 'cacheHitsDrop',
      endpoints,
      names: [],
      words: /cache|hit rate|\bmiss(es)?\b/i,
      startMs,
      toleranceHours: 12,
    },
    change(request, chance) {
      if (request.hit === true && isLive(request, startMs) && chance() < 0.75) request.hit = false;
    },
  };
};

export const DEPENDENCIES: Readonly<Record<string, Plant>> = {
  slowDependency: plantSlow,
  failingDependency: plantFailing,
  moreCalls: plantMoreCalls,
  awaitsInRow: plantAwaits,
  cacheHitsDrop: plantMisses,
};
