import type { HttpContext } from '../../platform/http/serve.ts';
import { type AnalyticsDeps, registerAnalyticsRoutes } from './routes.ts';

export { buildEndpointFilter, traceLink } from './links.ts';
export { createRecentResults, type DatedResult } from './recent-results.ts';
export { createResultCache } from './result-cache.ts';
export { countShownDays, describeRange, readScope, type Scope } from './scope.ts';
export { selectShownTraces } from './store.ts';
export { findTerms, setFunnel } from './terms-store.ts';

/** Stats over many requests of a project, for the Analytics page. */
export interface Analytics {
  register(http: HttpContext): void;
}

export function createAnalytics(deps: AnalyticsDeps): Analytics {
  return { register: (http) => registerAnalyticsRoutes(http, deps) };
}
