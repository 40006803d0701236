import { type IngestAnswer, showMax, TRACE_LIMITS, type TraceLimitName } from '@throughline/contract';

export type Rejection = IngestAnswer['rejected'][number];

/**
 * A response to a batch. For a batch in the SDK's format, `rejected` lists all rejected traces. For spans, `rejected` lists only the first
 * rejections, and `unlisted` counts the others.
 */
export interface BatchAnswer extends IngestAnswer {
  /** Number of unlisted rejections per code; undefined if all rejections are listed. */
  readonly unlisted?: ReadonlyMap<Rejection['code'], number>;
}

/** Maximum number of listed span rejections. A sender logs all messages of a response in one line, which must stay readable. */
const MAX_LISTED = 5;

/** Collects rejections. Lists only the first rejections, since a request can have a hundred thousand. */
export class Rejections {
  readonly #listed: Rejection[] = [];
  readonly #unlisted = new Map<Rejection['code'], number>();

  add(rejection: Rejection): void {
    if (this.#listed.length < MAX_LISTED) this.#listed.push(rejection);
    else this.#unlisted.set(rejection.code, (this.#unlisted.get(rejection.code) ?? 0) + 1);
  }

  answer(accepted: number): BatchAnswer {
    return { accepted, rejected: this.#listed, unlisted: this.#unlisted };
  }
}

/** Adds rejections of traces that the response has counted as accepted. */
export function withRejections(answer: BatchAnswer, more: readonly Rejection[]): BatchAnswer {
  const accepted = answer.accepted - more.length;
  const rejected = [...answer.rejected, ...more].sort((a, b) => a.index - b.index);
  if (answer.unlisted === undefined) return { ...answer, accepted, rejected };
  const unlisted = new Map(answer.unlisted);
  for (const { code } of rejected.slice(MAX_LISTED)) unlisted.set(code, (unlisted.get(code) ?? 0) + 1);
  return { ...answer, accepted, rejected: rejected.slice(0, MAX_LISTED), unlisted };
}

/**
 * Adds `count` rejected spans with the same reason to the response. Their positions in the request are unknown, so the response lists one
 * rejection and counts the others.
 */
function withUnplacedRejections(answer: BatchAnswer, rejection: Rejection, count: number): BatchAnswer {
  const unlisted = new Map(answer.unlisted);
  unlisted.set(rejection.code, (unlisted.get(rejection.code) ?? 0) + count - 1);
  return { ...answer, rejected: [rejection, ...answer.rejected], unlisted };
}

/** Adds `count` spans to the response that were rejected because of a limit of their trace or project. */
export function withSpansOverLimit(answer: BatchAnswer, limit: TraceLimitName, count: number): BatchAnswer {
  const { max, what } = TRACE_LIMITS[limit];
  const message = `there are ${showMax(limit, max)} ${what} already (limit ${limit}): these spans are not stored`;
  return withUnplacedRejections(answer, { index: 0, code: 'limit_reached', message }, count);
}

/** Counts the rejections by reason. */
export function countRejections({ rejected, unlisted }: BatchAnswer): ReadonlyMap<Rejection['code'], number> {
  const counts = new Map(unlisted);
  for (const { code } of rejected) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}
