import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';
import {
  AnalyticsExtent,
  AnalyticsFilters,
  BusinessAnalytics,
  ErrorsAnalytics,
  FlowsAnalytics,
  Funnel,
  OverviewAnalytics,
  PerformanceAnalytics,
  SeenReleases,
  SystemAnalytics,
  UsersAnalytics,
} from './analytics-answers.ts';
import { FindingDecision, Insights, InsightsSummary, NewFindingDecision } from './insights.ts';

const DayOrInstant = z.union([z.string().regex(/^\d{4}-\d{2}-\d{2}$/), Instant], {
  error: 'must be a day (2026-01-31) or an ISO 8601 instant',
});

/** Query for the requests that an analytics page covers. The default range is the last seven days, including today. */
export const AnalyticsQuery = z.object({
  startDate: DayOrInstant.optional(),
  /** Inclusive end of the range. A date without a time includes that whole day. */
  endDate: DayOrInstant.optional(),
  /** IANA time zone in which dates without a time are interpreted. */
  timeZone: z.string().max(64).default('UTC'),
  service: z.string().max(1000).optional(),
  environment: z.string().max(1000).optional(),
  release: z.string().max(1000).optional(),
  /** `previous`: the response also contains the stats of the period of the same length before the range. */
  compare: z.enum(['previous'], { error: 'compare must be previous or absent' }).optional(),
});
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>;

const ProjectParams = z.object({ id: z.string() });

const endpoint = z.strictObject({
  method: z
    .string({ error: 'method must be a text' })
    .regex(/^[A-Za-z]{1,32}$/, 'method must be an HTTP method such as GET')
    .transform((method) => method.toUpperCase()),
  /** The path as analytics show it: the route, or the path with `:id` in place of segments that look like ids. */
  path: z.string({ error: 'path must be a text' }).min(1, 'path must not be empty').max(2000),
  /** Label of the step; empty: its method and path are shown. */
  name: z.string().trim().max(100, 'name must be at most 100 characters long').default(''),
});

const screen = <Path extends string, Answer extends z.ZodType>(path: Path, summary: string, answer: Answer) =>
  defineRoute({
    method: 'GET',
    path,
    summary,
    access: { by: 'session', action: 'analytics.read', on: 'project' },
    accessTokens: true,
    params: ProjectParams,
    query: AnalyticsQuery,
    answer,
    errors: ['validation_failed', 'not_found'],
  });

const system = z.object({ system: SystemAnalytics });
const users = z.object({ users: UsersAnalytics });
const business = z.object({ business: BusinessAnalytics });
const USERS_SUMMARY = "Analytics: a service's users, their sessions and countries";
const BUSINESS_SUMMARY = 'Analytics: how much each endpoint and feature is used, and the conversion funnel';
const SYSTEM_SUMMARY = 'Analytics: memory, CPU and event loop delay over time';

export const analyticsRoutes = {
  overview: screen(
    '/api/dashboard/overview/:id',
    'Analytics: totals, newest traces, busiest endpoints, requests by hour',
    z.object({ overview: OverviewAnalytics }),
  ),
  performance: screen(
    '/api/analytics/performance/:id',
    'Analytics: response times by endpoint and over time, slowest requests, latency heatmap',
    z.object({ performance: PerformanceAnalytics }),
  ),
  errors: screen(
    '/api/analytics/errors/:id',
    'Analytics: errors over time, by message and by endpoint',
    z.object({ errors: ErrorsAnalytics }),
  ),
  flows: screen(
    '/api/analytics/flows/:id',
    'Analytics: requests by number of steps, most frequent steps, dependencies of services, and the service map',
    z.object({ flows: FlowsAnalytics }),
  ),
  system: screen('/api/analytics/system/:id', SYSTEM_SUMMARY, system),
  users: screen('/api/analytics/users/:id', USERS_SUMMARY, users),
  business: screen('/api/analytics/business/:id', BUSINESS_SUMMARY, business),
  systemAlias: screen('/analytics/system/:id', `${SYSTEM_SUMMARY} (alias)`, system),
  usersAlias: screen('/analytics/users/:id', `${USERS_SUMMARY} (alias)`, users),
  businessAlias: screen('/analytics/business/:id', `${BUSINESS_SUMMARY} (alias)`, business),
  filters: screen(
    '/api/analytics/filters/:id',
    'Analytics: services, environments and releases with traces in the range',
    z.object({ filters: AnalyticsFilters }),
  ),
  extent: defineRoute({
    method: 'GET',
    path: '/api/analytics/extent/:id',
    summary: "Analytics: start times of a project's oldest and newest trace",
    access: { by: 'session', action: 'analytics.read', on: 'project' },
    accessTokens: true,
    params: ProjectParams,
    answer: z.object({ extent: AnalyticsExtent }),
    errors: ['not_found'],
  }),
  releases: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/releases',
    summary: 'The releases of a project and when each was first seen, newest first, at most 50',
    access: { by: 'session', action: 'analytics.read', on: 'project' },
    accessTokens: true,
    params: ProjectParams,
    answer: z.object({ releases: SeenReleases }),
    errors: ['not_found'],
  }),
  insights: screen(
    '/api/analytics/insights/:id',
    'Analytics: findings with their evidence; on plans without insights, the number of findings and a sample labelled as such',
    z.object({ insights: Insights }),
  ),
  insightsSummary: screen(
    '/api/analytics/insights/:id/summary',
    'Analytics: the findings summarized by a language model; null if the server has none',
    z.object({ summary: InsightsSummary.nullable() }),
  ),
  decideInsight: defineRoute({
    method: 'PUT',
    path: '/api/projects/:id/insights/:findingId',
    summary:
      'Dismiss a finding, hide it for some days, mark it as fixed, or show it again. A fixed finding returns when later requests show the problem again',
    access: { by: 'session', action: 'insights.edit', on: 'project' },
    params: z.object({ id: z.string(), findingId: z.string() }),
    body: NewFindingDecision,
    answer: z.object({ decision: FindingDecision.nullable() }),
    errors: ['validation_failed', 'forbidden', 'not_found', 'plan_limit'],
  }),
  funnel: defineRoute({
    method: 'GET',
    path: '/api/projects/:id/funnel',
    summary: "The endpoints of a project's conversion funnel",
    access: { by: 'session', action: 'analytics.read', on: 'project' },
    accessTokens: true,
    params: ProjectParams,
    answer: z.object({ funnel: Funnel }),
    errors: ['not_found'],
  }),
  setFunnel: defineRoute({
    method: 'PUT',
    path: '/api/projects/:id/funnel',
    summary: "Set the endpoints of a project's conversion funnel; an empty list removes the funnel",
    access: { by: 'session', action: 'projects.edit', on: 'project' },
    params: ProjectParams,
    body: z.strictObject({
      steps: z
        .array(endpoint, 'steps must be a list of {method, path, name}')
        .max(10, 'a funnel has at most 10 steps')
        .refine((steps) => steps.length !== 1, 'a funnel has 2 steps at least, or none')
        .refine(
          (steps) => new Set(steps.map(({ method, path }) => `${method} ${path}`)).size === steps.length,
          'an endpoint can be one step of a funnel only',
        ),
    }),
    answer: z.object({ funnel: Funnel }),
    errors: ['validation_failed', 'forbidden', 'not_found'],
  }),
};
