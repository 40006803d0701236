import { z } from 'zod';
import { Instant } from '../format/instants.ts';
import { TraceRow } from '../traces/traces.ts';
import { ANALYTICS_INTERVALS } from './analytics-intervals.ts';

/**
 * Durations are milliseconds, every `…Rate` a percentage 0–100, memory bytes, CPU percent of one core. An average, a rate or a percentile of
 * nothing is null. Percentiles are within 1 % of the nearest-rank value.
 */
const Count = z.number();
const Rate = z.number().nullable();
const Ms = z.number().nullable();

/** Range, time zone and sample rate that an answer's stats cover. */
export const AnalyticsRange = z.object({
  startDate: Instant,
  /** Not included. */
  endDate: Instant,
  timeZone: z.string(),
  /** How long each part of a series is; a day is a day of the time zone. */
  interval: z.enum(ANALYTICS_INTERVALS),
  /** Where the plan's retention hides the beginning of the range: since when traces are shown. */
  shownSince: Instant.nullable(),
  /** The share of requests that the project asks its services to record, 0 to 1; null: each service decides. Figures are of what was recorded. */
  sampleRate: z.number().nullable(),
});
export type AnalyticsRange = z.infer<typeof AnalyticsRange>;

/** Filters of the list of traces (`GET /api/traces`, and the address of the pages that show it) that find the traces behind a figure. */
export const TraceLink = z.record(z.string(), z.string());
export type TraceLink = z.infer<typeof TraceLink>;

const Metrics = z.object({
  totalTraces: Count,
  errorTraces: Count,
  errorRate: Rate,
  avgDuration: Ms,
  p50Duration: Ms,
  p95Duration: Ms,
  p99Duration: Ms,
});

const Endpoint = z.object({
  method: z.string(),
  /** The route, or the path with `:id` for what looks like an id. */
  path: z.string(),
});

export const OverviewAnalytics = z.object({
  range: AnalyticsRange,
  metrics: Metrics,
  /** Stats of the previous period; null where they were not requested, or the plan no longer shows all of that period. */
  previous: Metrics.nullable(),
  /** The newest 20. */
  recentTraces: z.array(TraceRow),
  /** All, the busiest first. */
  topEndpoints: z.array(
    Endpoint.extend({ count: Count, avgDuration: Ms, errorCount: Count, errorRate: Rate, traces: TraceLink }),
  ),
  /** Every part of the range that has begun, also those without requests. */
  requestVolume: z.array(z.object({ time: Instant, requestCount: Count, errorCount: Count })),
  outcome: z.object({ success: Count, error: Count }),
  /** `2` for 200 to 299; `0`: no answer was sent. */
  statusClasses: z.array(z.object({ statusClass: z.number(), count: Count })),
});
export type OverviewAnalytics = z.infer<typeof OverviewAnalytics>;

const EndpointFigures = z.object({
  requestCount: Count,
  avgDuration: Ms,
  p50Duration: Ms,
  p95Duration: Ms,
  p99Duration: Ms,
  maxDuration: Ms,
  errorCount: Count,
  errorRate: Rate,
});

export const PerformanceAnalytics = z.object({
  range: AnalyticsRange,
  timeSeries: z.array(
    z.object({
      time: Instant,
      requestCount: Count,
      errorCount: Count,
      avgDuration: Ms,
      p50Duration: Ms,
      p95Duration: Ms,
      p99Duration: Ms,
    }),
  ),
  /** All, the busiest first. */
  endpointPerformance: z.array(
    EndpointFigures.extend({ _id: Endpoint, previous: EndpointFigures.nullable(), traces: TraceLink }),
  ),
  /** The slowest 20. */
  slowestRequests: z.array(TraceRow),
  latencyHeatmap: z.object({
    /** Where each band of durations begins, ms; the last has no end. */
    durations: z.array(z.number()),
    /** When each column begins. */
    times: z.array(Instant),
    /** Cells that are not empty, by their indexes in `times` and `durations`. */
    cells: z.array(z.object({ time: z.number(), duration: z.number(), count: Count })),
  }),
});
export type PerformanceAnalytics = z.infer<typeof PerformanceAnalytics>;

const ErrorTotals = z.object({ errorCount: Count, errorRate: Rate, affectedEndpoints: Count });

export const ErrorsAnalytics = z.object({
  range: AnalyticsRange,
  metrics: ErrorTotals,
  previous: ErrorTotals.nullable(),
  trends: z.array(z.object({ time: Instant, errorCount: Count, requestCount: Count, errorRate: Rate })),
  /** The 500 most common, the most common first. */
  commonErrors: z.array(
    z.object({
      /** With … for what differs from one to the next (numbers, ids); where a request failed without a message, its status: HTTP 404. */
      message: z.string(),
      count: Count,
      lastOccurrence: Instant,
      firstOccurrence: Instant,
      /** One whole message, and the trace that has it. */
      example: z.object({ message: z.string(), traceId: z.uuid() }),
      endpointCount: Count,
      userCount: Count,
    }),
  ),
  /** All endpoints with errors, those with most first. */
  breakdown: z.array(
    Endpoint.extend({
      errorCount: Count,
      /** Number of different messages, as in `commonErrors`. */
      uniqueErrorCount: Count,
      requestCount: Count,
      errorRate: Rate,
      traces: TraceLink,
    }),
  ),
  /** Status codes of failed requests; 0: no answer was sent. */
  statusCodes: z.array(z.object({ statusCode: z.number(), count: Count, traces: TraceLink })),
});
export type ErrorsAnalytics = z.infer<typeof ErrorsAnalytics>;

const Complexity = z.object({
  avgFlowLength: z.number().nullable(),
  maxFlowLength: z.number().nullable(),
  avgTotalDuration: Ms,
  errorRate: Rate,
});

export const FlowsAnalytics = z.object({
  range: AnalyticsRange,
  complexity: Complexity,
  previous: Complexity.nullable(),
  /** Requests by their number of steps: none, 1–2, 3–4, 5 and more. */
  distribution: z.object({ none: Count, simple: Count, medium: Count, complex: Count }),
  /** The 500 most run, the most run first. */
  patterns: z.array(
    z.object({
      stepName: z.string(),
      stepType: z.string(),
      /** A step that stands for many calls counts as many. */
      executionCount: Count,
      avgDuration: Ms,
      errorCount: Count,
      errorRate: Rate,
    }),
  ),
  /** Outgoing calls of services: databases, caches, queues, other servers. */
  dependencies: z.array(
    z.object({
      /** The server's or system's name, such as postgresql or api.example.com. */
      name: z.string(),
      type: z.string(),
      service: z.string(),
      /** The services of this project that answer there, which the map shows in its place. Told by the newest calls of each. */
      answeredBy: z.array(z.string()),
      callCount: Count,
      avgDuration: Ms,
      errorCount: Count,
      errorRate: Rate,
    }),
  ),
  serviceMap: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        /** `service`: it sends traces; else the type of a dependency. */
        type: z.string(),
        requestCount: Count,
        /** A minute, over the range as far as it has passed. */
        requestsPerMinute: z.number(),
        errorCount: Count,
        errorRate: Rate,
        avgDuration: Ms,
        /** P95 of the service's requests. */
        p95Duration: Ms,
      }),
    ),
    /** Who asks whom, by the nodes' ids. */
    edges: z.array(
      z.object({
        source: z.string(),
        target: z.string(),
        requestCount: Count,
        /** A minute, over the range as far as it has passed. */
        requestsPerMinute: z.number(),
        errorCount: Count,
        errorRate: Rate,
        avgDuration: Ms,
      }),
    ),
  }),
});
export type FlowsAnalytics = z.infer<typeof FlowsAnalytics>;

const SystemMetrics = z.object({
  totalRequests: Count,
  avgResponseTime: Ms,
  errorRate: Rate,
  /** Averages over the requests that reported the value, here and below. */
  avgMemoryUsage: z.number().nullable(),
  avgCpuUsage: z.number().nullable(),
  avgEventLoopDelay: Ms,
});

export const SystemAnalytics = z.object({
  range: AnalyticsRange,
  metrics: SystemMetrics,
  previous: SystemMetrics.nullable(),
  timeSeries: z.array(SystemMetrics.extend({ time: Instant })),
  /** The busiest first. */
  services: z.array(SystemMetrics.extend({ service: z.string() })),
});
export type SystemAnalytics = z.infer<typeof SystemAnalytics>;

const SessionTotals = z.object({
  total: Count,
  avgRequests: z.number().nullable(),
  /** From the first request's start to the last one's. */
  avgDuration: Ms,
});

export const UsersAnalytics = z.object({
  range: AnalyticsRange,
  /** Users that are known. */
  activeUsers: Count,
  previousActiveUsers: Count.nullable(),
  /** Requests of whom nobody knows. */
  unknownRequests: Count,
  /** The 1,000 busiest, the busiest first. */
  activity: z.array(
    z.object({
      userId: z.string(),
      requestCount: Count,
      avgResponseTime: Ms,
      errorCount: Count,
      sessionCount: Count,
      lastSeen: Instant,
    }),
  ),
  /** A session is a user's activity with gaps under 30 minutes. */
  sessions: SessionTotals.extend({
    previous: SessionTotals.nullable(),
    /** By when they began, and who was there. */
    timeSeries: z.array(z.object({ time: Instant, sessions: Count, activeUsers: Count })),
  }),
  geography: z.array(
    z.object({
      /** ISO 3166-1, two letters; null: not known. */
      country: z.string().nullable(),
      name: z.string(),
      requestCount: Count,
      userCount: Count,
      errorCount: Count,
    }),
  ),
});
export type UsersAnalytics = z.infer<typeof UsersAnalytics>;

const FunnelStep = Endpoint.extend({ name: z.string() });

/** In the order in which people are to do it; no steps: none is defined. */
export const Funnel = z.object({ steps: z.array(FunnelStep) });
export type Funnel = z.infer<typeof Funnel>;

const Usage = z.object({
  requestCount: Count,
  /** Share of all requests. */
  usageRate: Rate,
});
const Adoption = Usage.extend({
  /** Users that are known. */
  userCount: Count,
  /** Share of all users in the range. */
  adoptionRate: Rate,
});
const Conversion = z.object({
  /** Who did all steps up to this one, in their order and without failing; where the user is not known, the session counts. */
  userCount: Count,
  /** Share of the users who completed the first step. */
  conversionRate: Rate,
  /** Share of the users who completed the previous step; null for the first. */
  stepRate: Rate,
});

/** Each `previous` is of the period before: null where it was not asked for, or the plan no longer shows all of it. */
export const BusinessAnalytics = z.object({
  range: AnalyticsRange,
  /** All, the most used first. */
  endpointUsage: z.array(
    Endpoint.extend({
      /** Method and path. */
      endpoint: z.string(),
      ...Usage.shape,
      previous: Usage.nullable(),
      traces: TraceLink,
    }),
  ),
  /** A feature is the first part of the path after /api and /vN. */
  featureUsage: z.array(z.object({ feature: z.string(), ...Adoption.shape, previous: Adoption.nullable() })),
  conversionFunnel: z.object({
    /** True where the project has a funnel. */
    defined: z.boolean(),
    steps: z.array(FunnelStep.extend({ ...Conversion.shape, previous: Conversion.nullable() })),
  }),
});
export type BusinessAnalytics = z.infer<typeof BusinessAnalytics>;

/** Each list in alphabetical order. */
/** When the first and the last trace of a project that are shown started; null without any. */
export const AnalyticsExtent = z.object({ first: Instant, last: Instant }).nullable();
export type AnalyticsExtent = z.infer<typeof AnalyticsExtent>;

export const AnalyticsFilters = z.object({
  services: z.array(z.string()),
  environments: z.array(z.string()),
  releases: z.array(z.string()),
});
export type AnalyticsFilters = z.infer<typeof AnalyticsFilters>;
