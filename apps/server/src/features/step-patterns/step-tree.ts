/** A step as the search for patterns sees it. */
export interface SeenStep {
  readonly trace: string;
  readonly stepId: string;
  readonly parentStepId: string;
  readonly name: string;
  /** Distinguishes queries of the same name; empty if the name is enough. */
  readonly asks: string;
  readonly type: string;
  readonly startMicros: number;
  readonly durationMicros: number;
  /** The number of calls that the step represents. */
  readonly calls: number;
}

/** A request whose steps are looked at. */
export interface SeenRequest {
  readonly id: string;
  /** The id of the distributed trace whose spans its steps are; undefined where they are its own. */
  readonly spansOf: string | undefined;
  readonly service: string;
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

/** A library's own words may stand before: `pg.query:SELECT shop`, `mongoose.Product.find`. */
const READS =
  /^(?:\w+[.:])*\W*(select|with|get|hget|hgetall|mget|find|findone|findmany|findunique|findfirst|count|aggregate|exists|head)\b/i;

/** True if the name of the step says that the call only reads. */
export function isRead(step: SeenStep): boolean {
  return isWaiting(step) && READS.test(step.name);
}

/** Alike for steps that ask the same of the same. */
export function whatIsAsked({ name, asks }: SeenStep): string {
  return asks === '' ? name : `${name} ${asks}`;
}

/** The requests of one endpoint of one service. */
export function byEndpoint(requests: readonly SeenRequest[]): (readonly SeenRequest[])[] {
  return [
    ...Map.groupBy(requests, ({ service, method, path }) => JSON.stringify([service, method, path])).values(),
  ];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
}
