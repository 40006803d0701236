import type { IngestAnswer } from '@throughline/contract';

export type Rejection = IngestAnswer['rejected'][number];

/** An answer to a batch. Rejected traces of our own format are all listed; of spans the first ones are, and the others are counted. */
export interface BatchAnswer extends IngestAnswer {
  /** Rejections that are not listed, by code; undefined where all are. */
  readonly unlisted?: ReadonlyMap<Rejection['code'], number>;
}

/** Rejected spans that are listed with their messages: senders log them as one text. */
const MAX_LISTED = 5;

/** Gathers rejections of which the first are listed: a request can have a hundred thousand. */
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

/** The same answer when some of the accepted traces are rejected after all. */
export function withRejections(answer: BatchAnswer, more: readonly Rejection[]): BatchAnswer {
  const accepted = answer.accepted - more.length;
  const rejected = [...answer.rejected, ...more].sort((a, b) => a.index - b.index);
  if (answer.unlisted === undefined) return { ...answer, accepted, rejected };
  const unlisted = new Map(answer.unlisted);
  for (const { code } of rejected.slice(MAX_LISTED)) unlisted.set(code, (unlisted.get(code) ?? 0) + 1);
  return { ...answer, accepted, rejected: rejected.slice(0, MAX_LISTED), unlisted };
}

/** The same answer when spans are rejected for one reason whose places are not known: one is listed, the others are counted. */
export function withUnplacedRejections(
  answer: BatchAnswer,
  rejection: Rejection,
  count: number,
): BatchAnswer {
  const unlisted = new Map(answer.unlisted);
  unlisted.set(rejection.code, (unlisted.get(rejection.code) ?? 0) + count - 1);
  return { ...answer, rejected: [rejection, ...answer.rejected], unlisted };
}

/** How many were rejected for each reason. */
export function countRejections({ rejected, unlisted }: BatchAnswer): ReadonlyMap<Rejection['code'], number> {
  const counts = new Map(unlisted);
  for (const { code } of rejected) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}
