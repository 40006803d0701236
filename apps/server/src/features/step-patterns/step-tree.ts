/** The fields of a step that the search for patterns reads. */
export interface SeenStep {
  readonly trace: string;
  readonly stepId: string;
  readonly parentStepId: string;
  readonly name: string;
  /** Identifies the query of the step among queries with the same step name; empty if the name is enough. */
  readonly asks: string;
  readonly type: string;
  readonly startMicros: number;
  readonly durationMicros: number;
  /** Number of calls that the step represents; above 1 for a call aggregate. */
  readonly calls: number;
}

/** A request whose steps are searched for patterns. */
export interface SeenRequest {
  readonly id: string;
  /** Id of the distributed trace if the request's steps are its spans; undefined if the SDK sent the steps. */
  readonly spansOf: string | undefined;
  readonly service: string;
  readonly environment: string;
  readonly method: string;
  readonly path: string;
  readonly startMicros: bigint;
  readonly durationMicros: number;
  readonly steps: readonly SeenStep[];
}

const WAITING: ReadonlySet<string> = new Set(['database', 'http', 'cache']);

/** True if a step waits for a call to another process. */
export function isWaiting({ type }: SeenStep): boolean {
  return WAITING.has(type);
}

/**
 * Matches the names of calls that only read. A library's name can come before the operation: `pg.query:SELECT shop`,
 * `mongoose.Product.find`.
 */
const READS =
  /^(?:\w+[.:])*\W*(select|with|get|hget|hgetall|mget|find|findone|findmany|findunique|findfirst|count|aggregate|exists|head)\b/i;

/** True if the step's name shows that the call only reads. */
export function isRead(step: SeenStep): boolean {
  return isWaiting(step) && READS.test(step.name);
}

/** Returns a key that is the same for steps that make the same call or run the same query. */
export function buildCallKey({ name, asks }: SeenStep): string {
  return asks === '' ? name : `${name} ${asks}`;
}

/** Groups requests by endpoint and environment, so that requests of staging do not hide a pattern in production. */
export function groupByEndpoint(requests: readonly SeenRequest[]): (readonly SeenRequest[])[] {
  const describePlace = ({ service, environment, method, path }: SeenRequest) =>
    JSON.stringify([service, environment, method, path]);
  return [...Map.groupBy(requests, describePlace).values()];
}

interface Pattern {
  /** The requests that have the pattern, all of the same endpoint and environment. */
  readonly requests: readonly SeenRequest[];
}

/**
 * If several patterns have the same key at the same endpoint, returns only the pattern of the environment with the most requests. `describe`
 * returns the key.
 */
export function mergeEnvironments<P extends Pattern>(
  patterns: readonly P[],
  describe: (pattern: P) => string,
): P[] {
  const describePlace = (pattern: P) => {
    const [{ service = '', method = '', path = '' } = {}] = pattern.requests;
    return JSON.stringify([service, method, path, describe(pattern)]);
  };
  const most = patterns.toSorted((a, b) => b.requests.length - a.requests.length);
  return [...Map.groupBy(most, describePlace).values()].flatMap((same) => same.slice(0, 1));
}

export function computeMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
}
