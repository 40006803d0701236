import { FairQueue } from '../../../platform/queues/fair-queue.ts';
import type { OwnersAtWork } from './owners-at-work.ts';

export interface GroupCommitOptions<Entry, Answer> {
  /**
   * Returns the owner of an entry, such as the project of a batch. If more entries are waiting than fit into a group, owners take turns.
   */
  readonly ownerOf: (entry: Entry) => string;
  /** Writes a group and returns results in the order of its entries. Rejects if all entries of the group must count as not written. */
  readonly commit: (entries: readonly Entry[]) => Promise<readonly Answer[]>;
  /** The minimum time between the starts of two groups' writes. The first group after a pause is written immediately. */
  readonly windowMs: number;
  /** The maximum size of a group of several entries. A full group does not wait for the end of the window. */
  readonly maxGroupBytes: number;
  /**
   * The maximum bytes of one owner in a group while other owners wait, so that nobody waits for another owner's large write.
   * An entry above this size is written in a separate lane.
   */
  readonly maxSharedBytes: number;
}

const MAX_FAILURES = 2;

/** An entry that is waiting to be written in a group. */
export interface Waiting<Entry, Answer> {
  readonly entry: Entry;
  readonly bytes: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Writes waiting entries in groups; see {@link GroupCommit}. */
export class CommitLane<Entry, Answer> {
  readonly #options: GroupCommitOptions<Entry, Answer>;
  readonly #owners: OwnersAtWork;
  readonly #waiting = new FairQueue<Waiting<Entry, Answer>>();
  #waitingBytes = 0;
  #running: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #added: (() => void) | undefined;
  #closing = false;

  constructor(options: GroupCommitOptions<Entry, Answer>, owners: OwnersAtWork) {
    this.#options = options;
    this.#owners = owners;
  }

  add(waiting: Waiting<Entry, Answer>): void {
    this.#waiting.add(this.#options.ownerOf(waiting.entry), waiting);
    this.#waitingBytes += waiting.bytes;
    this.#added?.();
    if (this.#waitingBytes >= this.#options.maxGroupBytes) this.#wake?.();
    this.#running ??= this.#run();
  }

  /** Writes the waiting entries immediately; resolves when they are written. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#wake?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.owners > 0) {
      const startedMs = performance.now();
      const group = this.#takeGroup();
      if (group.length === 0) {
        // Nothing can be written now, because the other lane is writing for each owner whose entries wait in this lane. Waits until such a
        // write ends, or until an entry is added.
        await Promise.race([this.#owners.nextEnd(), new Promise<void>((go) => (this.#added = go))]);
        continue;
      }
      const owners = group.map(({ entry }) => this.#options.ownerOf(entry));
      await this.#owners.during(owners, () => this.#write(group));
      await this.#rest(this.#options.windowMs - (performance.now() - startedMs));
    }
    this.#running = undefined;
  }

  #takeGroup(): Waiting<Entry, Answer>[] {
    const { maxGroupBytes, maxSharedBytes } = this.#options;
    const isShared = this.#waiting.owners > 1;
    const group: Waiting<Entry, Answer>[] = [];
    const bytesOf = new Map<string, number>();
    let bytes = 0;
    for (;;) {
      const next = this.#waiting.take((waiting, owner) => {
        if (this.#owners.has(owner)) return false;
        const own = bytesOf.get(owner) ?? 0;
        if (bytes > 0 && bytes + waiting.bytes > maxGroupBytes) return false;
        if (isShared && own > 0 && own + waiting.bytes > maxSharedBytes) return false;
        bytesOf.set(owner, own + waiting.bytes);
        return true;
      });
      if (next === undefined) break;
      group.push(next);
      bytes += next.bytes;
    }
    this.#waitingBytes -= bytes;
    return group;
  }

  async #write(group: readonly Waiting<Entry, Answer>[]): Promise<void> {
    try {
      const answers = await this.#options.commit(group.map(({ entry }) => entry));
      for (const [index, waiting] of group.entries()) {
        const answer = answers[index];
        if (answer === undefined)
          waiting.reject(new Error('writing a group returned no result for some of its entries'));
        else waiting.resolve(answer);
      }
    } catch (error) {
      await this.#writeEach(group, error);
    }
  }

  /**
   * Writes the entries one by one after a group failed, so that a single bad entry does not fail the others.
   * A second failed entry means that the store itself is failing, so the remaining entries are rejected without a try.
   */
  async #writeEach(group: readonly Waiting<Entry, Answer>[], groupError: unknown): Promise<void> {
    let lastError = groupError;
    let failures = group.length > 1 ? 0 : MAX_FAILURES;
    for (const { entry, resolve, reject } of group) {
      if (failures < MAX_FAILURES) {
        try {
          const [answer] = await this.#options.commit([entry]);
          if (answer === undefined) throw new Error('writing an entry returned no result');
          resolve(answer);
          continue;
        } catch (error) {
          lastError = error;
          failures += 1;
        }
      }
      reject(lastError);
    }
  }

  /** Waits until the window is over, enough entries for a full group are waiting, or the lane closes. */
  async #rest(ms: number): Promise<void> {
    if (ms <= 0 || this.#closing || this.#waitingBytes >= this.#options.maxGroupBytes) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}
