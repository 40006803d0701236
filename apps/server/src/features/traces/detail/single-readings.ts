import { LRUCache } from 'lru-cache';
import { isResultTooLarge } from '../../../platform/trace-store/index.ts';

const MAX_REMEMBERED = 1000;

/**
 * Reads traces in one piece, and remembers which traces are too large to be read in one piece. If several equal reads run concurrently, the
 * later reads wait for the end of the first, and are skipped if the data is too large. Otherwise, fifty reads of a 50 MB trace would each
 * read up to the size limit of `read`, and then fail.
 */
export class SingleReadings {
  readonly #tooLarge = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  readonly #running = new Map<string, Promise<unknown>>();

  /**
   * Returns the result of `read`; returns `tooLarge` if the data is too large to be read in one piece.
   * @param key identifies equal reads. A read that begins while an equal read runs waits for the end of that read. All equal reads share
   * the fact that the data is too large.
   */
  async read<Found, TooLarge>(
    key: string,
    read: () => Promise<Found>,
    tooLarge: TooLarge,
  ): Promise<Found | TooLarge> {
    const running = this.#running.get(key);
    if (running !== undefined) await running;
    if (this.#tooLarge.has(key)) return tooLarge;
    const reading = read().catch((error: unknown) => {
      if (!isResultTooLarge(error)) throw error;
      this.#tooLarge.set(key, true);
      return tooLarge;
    });
    if (!this.#running.has(key)) {
      const end = reading.then(
        () => undefined,
        () => undefined,
      );
      this.#running.set(key, end);
      void end.then(() => this.#running.delete(key));
    }
    return reading;
  }
}
