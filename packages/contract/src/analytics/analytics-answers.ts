import { z } from 'zod';
import { Instant } from '../instants/instants.ts';
import { TraceRow } from '../traces/traces.ts';
import { ANALYTICS_INTERVALS } from './analytics-intervals.ts';

/**
 * Units in analytics responses: durations in milliseconds, every `…Rate` a percentage from 0 to 100, memory in bytes, CPU in percent of one
 * core. An average, rate or percentile without data is null. Percentiles are within 1 % of the nearest-rank value.
 */
const Count = z.number();
const Rate = z.number().nullable();
const Ms = z.number().nullable();

/** Range, time zone and sampling rate of the stats in a response. */
export const AnalyticsRange = z.object({
  startDate: Instant,
  /** Exclusive. */
  endDate: Instant,
  timeZone: z.string(),
  /** Length of each interval of a time series. A day is a calendar day in the response's time zone. */
  interval: z.enum(ANALYTICS_INTERVALS),
  /** Oldest time that the plan's retention shows, if the range begins before it. The stats then leave out older traces. Otherwise null. */
  shownSince: Instant.nullable(),
  /** The previous period; null if its stats were not requested. */
  previous: z
    .object({
      startDate: Instant,
      /** Exclusive. */
      endDate: Instant,
      /** Oldest time that the plan's retention shows, if the period begins before it. The period then has no stats. Otherwise null. */
      shownSince: Instant.nullable(),
    })
    .nullable(),
  /**
   * Sampling rate that the project prescribes for its services, 0 to 1; null: each service decides. The stats
   * cover only recorded requests.
   */
  sampleRate: z.number().nullable(),
});
export type AnalyticsRange = z.infer<typeof AnalyticsRange>;

/**
 * Filters of the trace list that show the traces behind a number. They are query parameters of `GET /api/traces` and of the dashboard's
 * trace list.
 */
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
  /** The route, or the path with `:id` in place of segments that look like ids. */
  path: z.string(),
});

const RequestVolume = z.object({ time: Instant, requestCount: Count, errorCount: Count });

export const OverviewAnalytics = z.object({
  range: AnalyticsRange,
  metrics: Metrics,
  /** Stats of the previous period; null if they were not requested, or if the plan does not show all of that period. */
  previous: Metrics.nullable(),
  /** The newest 20 traces. */
  recentTraces: z.array(TraceRow),
  /** All endpoints, busiest first. */
  topEndpoints: z.array(
    Endpoint.extend({ count: Count, avgDuration: Ms, errorCount: Count, errorRate: Rate, traces: TraceLink }),
  ),
  /** All intervals of the range that have begun, including those without requests. */
  requestVolume: z.array(RequestVolume),
  /**
   * One entry per interval of the previous period. The nth entry belongs to the nth interval of the range, and there are at most as many
   * entries as in `requestVolume`. Null if the previous period was not requested, or if the plan does not show all of it.
   */
  previousVolume: z.array(RequestVolume).nullable(),
  outcome: z.object({ success: Count, error: Count }),
  /** First digit of the status code, such as `2` for 200 to 299; `0`: no response was sent. */
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

const PerformancePart = EndpointFigures.omit({ maxDuration: true, errorRate: true }).extend({
  time: Instant,
});

export const PerformanceAnalytics = z.object({
  range: AnalyticsRange,
  timeSeries: z.array(PerformancePart),
  /** Intervals of the previous period, by the same rules as `previousVolume` of {@link OverviewAnalytics}. */
  previousTimeSeries: z.array(PerformancePart).nullable(),
  /** All endpoints, the busiest first. */
  endpointPerformance: z.array(
    EndpointFigures.extend({ _id: Endpoint, previous: EndpointFigures.nullable(), traces: TraceLink }),
  ),
  /** The slowest 20 requests. */
  slowestRequests: z.array(TraceRow),
  latencyHeatmap: z.object({
    /** Lower bound of each duration band in ms; the last band has no upper bound. */
    durations: z.array(z.number()),
    /** Start time of each column. */
    times: z.array(Instant),
    /** Non-empty cells. `time` and `duration` are indexes into `times` and `durations`. */
    cells: z.array(z.object({ time: z.number(), duration: z.number(), count: Count })),
  }),
});
export type PerformanceAnalytics = z.infer<typeof PerformanceAnalytics>;

const ErrorTrend = z.object({ time: Instant, errorCount: Count, requestCount: Count, errorRate: Rate });
const ErrorTotals = z.object({ errorCount: Count, errorRate: Rate, affectedEndpoints: Count });

export const ErrorsAnalytics = z.object({
  range: AnalyticsRange,
  metrics: ErrorTotals,
  previous: ErrorTotals.nullable(),
  trends: z.array(ErrorTrend),
  /** Intervals of the previous period, by the same rules as `previousVolume` of {@link OverviewAnalytics}. */
  previousTrends: z.array(ErrorTrend).nullable(),
  /** The 500 most common errors, most common first. */
  commonErrors: z.array(
    z.object({
      /**
       * The message, with … in place of numbers and ids that vary. A request that failed without a message is grouped by its status, such
       * as HTTP 404.
       */
      message: z.string(),
      count: Count,
      lastOccurrence: Instant,
      firstOccurrence: Instant,
      /** One complete message, and the trace that contains it. */
      example: z.object({ message: z.string(), traceId: z.uuid() }),
      endpointCount: Count,
      userCount: Count,
    }),
  ),
  /** All endpoints with errors, those with the most errors first. */
  breakdown: z.array(
    Endpoint.extend({
      errorCount: Count,
      /** Number of distinct messages, grouped as in `commonErrors`. */
      uniqueErrorCount: Count,
      requestCount: Count,
      errorRate: Rate,
      traces: TraceLink,
    }),
  ),
  /** Status codes of failed requests; 0: no response was sent. */
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
  /** Number of requests by step count: 0, 1–2, 3–4, 5 or more. */
  distribution: z.object({ none: Count, simple: Count, medium: Count, complex: Count }),
  /** The 500 most executed steps, most executed first. */
  patterns: z.array(
    z.object({
      stepName: z.string(),
      stepType: z.string(),
      /** Number of executions. A step that represents n calls counts n times. */
      executionCount: Count,
      avgDuration: Ms,
      errorCount: Count,
      errorRate: Rate,
    }),
  ),
  /** Calls to databases, caches, queues and other servers: the 1,000 most frequent pairs of service and dependency. */
  dependencies: z.array(
    z.object({
      /** The server's or system's name, such as postgresql or api.example.com. */
      name: z.string(),
      type: z.string(),
      service: z.string(),
      /**
       * The project's services that respond at this name. The service map shows these services instead of the dependency. The server
       * finds the services in the newest calls between services.
       */
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
        /** `service` if the node sends traces; otherwise the type of the dependency, such as a database. */
        type: z.string(),
        requestCount: Count,
        /** Average over the part of the range that has passed and that the plan's retention still shows. */
        requestsPerMinute: z.number(),
        errorCount: Count,
        errorRate: Rate,
        avgDuration: Ms,
        /** P95 of the service's requests; null for a dependency. */
        p95Duration: Ms,
      }),
    ),
    /** Calls between nodes, by the ids of caller and callee. */
    edges: z.array(
      z.object({
        source: z.string(),
        target: z.string(),
        requestCount: Count,
        /** Average over the part of the range that has passed and that the plan's retention still shows. */
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
  /** Averages of memory, CPU and event loop delay. Each average covers only the requests that reported the value. */
  avgMemoryUsage: z.number().nullable(),
  avgCpuUsage: z.number().nullable(),
  avgEventLoopDelay: Ms,
});

const SystemPart = SystemMetrics.extend({ time: Instant });

export const SystemAnalytics = z.object({
  range: AnalyticsRange,
  metrics: SystemMetrics,
  previous: SystemMetrics.nullable(),
  timeSeries: z.array(SystemPart),
  /** Intervals of the previous period, by the same rules as `previousVolume` of {@link OverviewAnalytics}. */
  previousTimeSeries: z.array(SystemPart).nullable(),
  /** Busiest first. */
  services: z.array(SystemMetrics.extend({ service: z.string() })),
});
export type SystemAnalytics = z.infer<typeof SystemAnalytics>;

const SessionTotals = z.object({
  total: Count,
  avgRequests: z.number().nullable(),
  /** Average time from the start of a session's first request to the start of its last request. */
  avgDuration: Ms,
});

const SessionPart = z.object({ time: Instant, sessions: Count, activeUsers: Count });

export const UsersAnalytics = z.object({
  range: AnalyticsRange,
  /** Number of distinct users; requests without a known user are not counted. */
  activeUsers: Count,
  previousActiveUsers: Count.nullable(),
  /** Number of requests without a known user. */
  unknownRequests: Count,
  /** The 1,000 busiest users, busiest first. */
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
  /** A session is a user's activity without gaps of 30 minutes or more. */
  sessions: SessionTotals.extend({
    previous: SessionTotals.nullable(),
    /** Number of sessions that began in each interval, and of users who were active in it. */
    timeSeries: z.array(SessionPart),
    /** Intervals of the previous period, by the same rules as `previousVolume` of {@link OverviewAnalytics}. */
    previousTimeSeries: z.array(SessionPart).nullable(),
  }),
  geography: z.array(
    z.object({
      /** ISO 3166-1, two letters; null: unknown. */
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

/** Steps in the order in which users should complete them. A project without a funnel has no steps. */
export const Funnel = z.object({ steps: z.array(FunnelStep) });
export type Funnel = z.infer<typeof Funnel>;

const Usage = z.object({
  requestCount: Count,
  /** Requests to this endpoint or feature, as a percentage of all requests. */
  usageRate: Rate,
});
const Adoption = Usage.extend({
  /** Number of distinct known users of this feature. */
  userCount: Count,
  /** `userCount` as a percentage of all known users in the period. */
  adoptionRate: Rate,
});
const Conversion = z.object({
  /**
   * Number of users who completed all steps up to this step, in order and without a failure. A request without a known user counts for the
   * known user of the same session. A session without a known user counts as one user.
   */
  userCount: Count,
  /** `userCount` as a percentage of the users who completed the first step. */
  conversionRate: Rate,
  /** `userCount` as a percentage of the users who completed the previous step; null for the first step. */
  stepRate: Rate,
});

/**
 * Stats of a project's business. Every `previous` is about the previous period, and is null if it was not requested or if the plan does not
 * show all of that period.
 */
export const BusinessAnalytics = z.object({
  range: AnalyticsRange,
  /** All endpoints, the most used first. */
  endpointUsage: z.array(
    Endpoint.extend({
      /** Method and path of the endpoint. */
      endpoint: z.string(),
      ...Usage.shape,
      previous: Usage.nullable(),
      traces: TraceLink,
    }),
  ),
  /** Usage of each feature. A feature is the first path segment after /api and /vN. */
  featureUsage: z.array(z.object({ feature: z.string(), ...Adoption.shape, previous: Adoption.nullable() })),
  conversionFunnel: z.object({
    /** True if the project has a funnel. */
    defined: z.boolean(),
    steps: z.array(FunnelStep.extend({ ...Conversion.shape, previous: Conversion.nullable() })),
  }),
});
export type BusinessAnalytics = z.infer<typeof BusinessAnalytics>;

/** Start times of the oldest and the newest visible trace of a project; null if there are none. */
export const AnalyticsExtent = z.object({ first: Instant, last: Instant }).nullable();
export type AnalyticsExtent = z.infer<typeof AnalyticsExtent>;

/** The releases of a project, newest first, at most 50. */
export const SeenReleases = z.array(
  z.object({
    release: z.string(),
    /** Start of the release's oldest visible trace. */
    firstSeen: Instant,
  }),
);
export type SeenReleases = z.infer<typeof SeenReleases>;

/** The values that filters can have, at most 1,000 of each filter. Each list is in alphabetical order. */
export const AnalyticsFilters = z.object({
  services: z.array(z.string()),
  environments: z.array(z.string()),
  releases: z.array(z.string()),
});
export type AnalyticsFilters = z.infer<typeof AnalyticsFilters>;
