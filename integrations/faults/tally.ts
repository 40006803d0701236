import type { Received } from '@throughline/testkit/collector';

/** Posts kept because their answer may still come: a sender has few under way, the others were refused. */
const unanswered = 50;

/** Counts each trace once among the posts that the collector answered with success. */
export class Tally {
  readonly #ids = new Set<string>();
  #lost = 0;

  /** Counts what has come in since, and lets it go. What is not answered yet is looked at again. */
  add(received: Received[]): void {
    const open = received.filter((one) => !one.stored).slice(-unanswered);
    for (const { posted } of received.filter(({ isTraces, stored }) => isTraces && stored)) {
      this.#lost += posted.lost?.traces ?? 0;
      for (const { _id, request } of posted.traces) if (request.path === '/total') this.#ids.add(_id);
    }
    received.splice(0, received.length, ...open);
  }

  get stored(): number {
    return this.#ids.size;
  }

  /** Given up by the SDK, by its own count. */
  get lost(): number {
    return this.#lost;
  }
}
