import type { IngestAnswer } from '@throughline/contract';

export type Rejection = IngestAnswer['rejected'][number];

/** An answer to a batch. It lists all rejected traces of our own format, but only the first rejected spans; the others are counted. */
export interface BatchAnswer extends IngestAnswer {
  /** Counts of unlisted rejections by code; undefined if all are listed. */
  readonly unlisted?: ReadonlyMap<Rejection['code'], number>;
}

/** Limits the listed span rejections, because senders log all messages as one text. */
const MAX_LISTED = 5;

/** Collects rejections and lists only the first ones, since a request can have a hundred thousand. */
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

/** Returns the answer after some accepted traces were rejected later. */
export function withRejections(answer: BatchAnswer, more: readonly Rejection[]): BatchAnswer {
  const accepted = answer.accepted - more.length;
  const rejected = [...answer.rejected, ...more].sort((a, b) => a.index - b.index);
  if (answer.unlisted === undefined) return { ...answer, accepted, rejected };
  const unlisted = new Map(answer.unlisted);
  for (const { code } of rejected.slice(MAX_LISTED)) unlisted.set(code, (unlisted.get(code) ?? 0) + 1);
  return { ...answer, accepted, rejected: rejected.slice(0, MAX_LISTED), unlisted };
}

/** Returns the answer after spans with unknown positions were rejected for one reason: one is listed, the others are counted. */
export function withUnplacedRejections(
  answer: BatchAnswer,
  rejection: Rejection,
  count: number,
): BatchAnswer {
  const unlisted = new Map(answer.unlisted);
  unlisted.set(rejection.code, (unlisted.get(rejection.code) ?? 0) + count - 1);
  return { ...answer, rejected: [rejection, ...answer.rejected], unlisted };
}

/** Counts the rejections by reason. */
export function countRejections({ rejected, unlisted }: BatchAnswer): ReadonlyMap<Rejection['code'], number> {
  const counts = new Map(unlisted);
  for (const { code } of rejected) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}
